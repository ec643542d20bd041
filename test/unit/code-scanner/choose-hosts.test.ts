import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { createHostChooser } from '../../../core/code-scanner/find/choose-hosts.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue } from './scan.ts'

const grammars = await openGrammars(['typescript', 'ruby'])

async function scan(texts: Readonly<Record<string, string>>) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const table = createPackageTable()
  const { findings } = await scanProject({ files, grammars, catalogue: emptyCatalogue, ...table })
  return findings.map((found) => `${found.file} ${found.via} ${found.package ?? found.url}`)
}

describe('the host of a vendor with regions', () => {
  it.each([
    ['another region', ['eu.i.acme.io'], 'us.i.acme.io', 'eu.i.acme.io'],
    ['a region of a default without one', ['api.eu.acme.io'], 'api.acme.io', 'api.eu.acme.io'],
    ['an unknown region', ['s3.eu-west-1.acme.io'], 's3.{}.acme.io', 's3.eu-west-1.acme.io'],
    ['several regions', ['eu.i.acme.io', 'us.i.acme.io'], 'us.i.acme.io', 'us.i.acme.io'],
    ['a host without region', ['acme.io'], '{}.acme.io', '{}.acme.io'],
    ['a host of each user', ['{}.acme.io'], 'us.acme.io', 'us.acme.io'],
    ['another service', ['eu.cdn.acme.io'], 'us.i.acme.io', 'us.i.acme.io'],
    ['a site of a country', ['acme.de'], 'acme.io', 'acme.io'],
  ])('is that of the project: %s', (_, named, host, wanted) => {
    const found = (each: string, file: string) => ({
      ...{ url: `https://${each}/x`, file, line: 1, column: 1, method: undefined },
      ...{ via: 'base' as const, confidence: 1, package: undefined },
    })
    const choose = createHostChooser(named.map((each) => found(each, 'a.ts')))
    expect(choose(`https://${host}/v1`)).toBe(`https://${wanted}/v1`)
    const ofTests = createHostChooser(named.map((each) => found(each, 'test/a.ts')))
    expect(ofTests(`https://${host}/v1`)).toBe(`https://${host}/v1`)
  })

  it('is that of libraries and credentials, and not of addresses', async () => {
    const files = {
      'a.ts': "import { PostHog } from 'posthog-node'\nexport const client = new PostHog(key)",
      'b.ts': "export const host = 'https://eu.i.posthog.com'\nfetch(host + '/flags')",
      'c.ts': 'const key = process.env.POSTHOG_API_KEY',
    }
    const table = createPackageTable()
    const shown = async (texts: Readonly<Record<string, string>>) => {
      const list = Object.entries(texts).map(([path, text]) => ({ path, text }))
      const options = { files: list, grammars, catalogue: emptyCatalogue, ...table }
      const { findings } = await scanProject(options)
      return [...new Set(findings.map(({ file, host }) => `${file} ${host}`))]
    }
    expect(await shown(files)).toEqual([
      ...['a.ts eu.i.posthog.com', 'b.ts eu.i.posthog.com', 'c.ts eu.i.posthog.com'],
    ])
    const address = { 'd.ts': "fetch('https://us.i.posthog.com/batch')" }
    expect(await shown({ ...files, ...address })).toEqual([
      ...['a.ts us.i.posthog.com', 'b.ts eu.i.posthog.com', 'c.ts us.i.posthog.com'],
      'd.ts us.i.posthog.com',
    ])
  })
})

describe('the gem of a login', () => {
  const login = { 'config/initializers/auth.rb': 'config.omniauth :dropbox, key, secret' }
  const path = 'config/initializers/auth.rb'

  it.each([
    [
      'a dependency with another name',
      "gem 'omniauth-dropbox2'",
      'import pkg:gem/omniauth-dropbox2',
    ],
    ['no dependency', "gem 'stripe'", 'config https://api.dropboxapi.com'],
    ['a library of the vendor', "gem 'dropbox_api'", 'config https://api.dropboxapi.com'],
    ['no list of dependencies', '', 'import pkg:gem/omniauth-dropbox'],
  ])('is one that the project has: %s', async (_, gemfile, wanted) => {
    const found = await scan({ ...login, Gemfile: gemfile })
    expect(found.filter((one) => one.startsWith(path))).toEqual([`${path} ${wanted}`])
  })
})
