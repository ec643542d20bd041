import type { PackageFinding } from '../model/packages.ts'
import { withoutVersion } from './package-urls.ts'

/**
 * Names the gem of a login in Ruby that the project depends on: gems are guessed by the name of the
 * vendor. A login without one, which the project implements itself, is a setting.
 */
export function createLoginResolver(stated: readonly PackageFinding[]) {
  const gems = stated.filter(
    ({ via, package: name }) => via === 'manifest' && name?.startsWith('pkg:gem/'),
  )
  return (found: PackageFinding): PackageFinding => {
    const isLogin = found.via === 'import' && found.package?.startsWith(LOGIN)
    if (!isLogin || gems.length === 0) return found
    const own = gems.filter(({ url }) => url === found.url).map(({ package: name = '' }) => name)
    const gem = own.find((name) => name.startsWith(LOGIN))
    if (gem !== undefined) return { ...found, package: withoutVersion(gem) }
    return { ...found, via: 'config', confidence: 0.6, package: undefined, import: undefined }
  }
}

const LOGIN = 'pkg:gem/omniauth-'
