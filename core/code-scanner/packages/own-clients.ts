import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import type { RawFinding, SourceFile } from '../model/finding.ts'
import type { ImportUsage, OwnClient, OwnName, PackageUsage } from '../model/packages.ts'
import { createPlaceFinder } from '../model/places.ts'
import type { DependencyFinder } from '../model/text-reader.ts'
import { findFileRole } from '../noise/path-roles.ts'
import { domainOf, hostOf } from '../noise/url-hosts.ts'
import { findOwnNames, SOURCE_ROOT, WORKSPACES } from './own-packages.ts'
import { toPackageKey } from './package-urls.ts'

/** Finds the names that a file declares and that vendors' libraries could have. */
export function findOwnLibraries(
  file: SourceFile,
  options: DependencyFinder & {
    readonly findPackage?: ((usage: ImportUsage) => PackageUsage | undefined) | undefined
  },
): readonly OwnName[] {
  const { findPackage, findDependency } = options
  if (!findPackage) return []
  return findOwnNames(file).flatMap((own): readonly OwnName[] => {
    const { family, name, folder, packageUrl } = own
    const isPackage = packageUrl !== undefined
    const library = isPackage ? findDependency?.(packageUrl) : findPackage({ family, module: name })
    if (!library) {
      const mayBeLibrary =
        folder !== undefined ||
        name === WORKSPACES ||
        HAS_MODULES.has(family) ||
        findPackage({ family, module: name })
      return mayBeLibrary ? [own] : []
    }
    const written = packageUrl?.replace(/^pkg:\w+\//, '') ?? name
    const { line, column } = createPlaceFinder(file.text)(Math.max(0, file.text.indexOf(written)))
    const { url } = library
    return [{ ...own, client: { package: library.package, url, isPackage, line, column } }]
  })
}

/** Languages in which modules below the name of a package may be named after services. */
const HAS_MODULES: ReadonlySet<string> = new Set(['javascript', 'go'])

/**
 * Adds a finding for each vendor whose client library a project implements, and removes the usages
 * of that library. A project implements it if its package is a known library, or has the namespace
 * of one and calls the vendor's hosts, and if it does not depend on it.
 */
export function addOwnClients<Found extends RawFinding>(
  files: readonly { readonly path: string; readonly own?: readonly OwnName[] | undefined }[],
  findings: readonly (readonly (Found | RawFinding)[])[],
): readonly (readonly (Found | RawFinding)[])[] {
  const clients = findOwnClients(files, findings.flat())
  const packages = new Set(clients.map(({ package: name = '' }) => toPackageKey(name)))
  const isOwn = ({ via, package: name = '' }: RawFinding) =>
    (via === 'import' || via === 'manifest') && packages.has(toPackageKey(name))
  return findings.map((found, at) => [
    ...found.filter((finding) => !isOwn(finding)),
    ...clients.filter(({ file }) => file === files[at]?.path),
  ])
}

function findOwnClients(
  files: Parameters<typeof addOwnClients>[0],
  findings: readonly RawFinding[],
): readonly RawFinding[] {
  const production = findings.filter(({ file }) => isProduction(file))
  const dependencies = production.filter(({ via }) => via === 'manifest')
  const packages = new Set(dependencies.map((found) => toPackageKey(found.package ?? '')))
  const vendors = new Set(dependencies.map(({ url }) => toVendor(url)))
  const calls = production.filter(({ via }) => via === 'call' || via === 'base')
  const called = new Set(calls.map(({ url }) => toVendor(url)))

  function isClient({ url, isPackage, package: name }: OwnClient): boolean {
    if (isPackage) return !packages.has(toPackageKey(name))
    return called.has(toVendor(url)) && !vendors.has(toVendor(url))
  }

  const found = new Map<string, OwnClient & { readonly file: string }>()
  for (const { path: file, own = [] } of files) {
    if (!isProduction(file)) continue
    for (const { client, folder = '' } of own) {
      const isWhole = folder.replace(SOURCE_ROOT, '') === ''
      if (!client || !isWhole || !isClient(client)) continue
      const vendor = toVendor(client.url)
      const known = found.get(vendor)
      if (!known || (client.isPackage && !known.isPackage)) found.set(vendor, { ...client, file })
    }
  }
  const evidence = { method: undefined, via: 'own-package', confidence: 0.9 } as const
  return [...found.values()].map(({ isPackage: _, ...client }) => ({ ...client, ...evidence }))
}

function isProduction(file: string): boolean {
  return findFileRole(file) === 'production'
}

/** The vendor of a URL, else its domain. */
function toVendor(url: string): string {
  const host = hostOf(url) ?? url
  return KNOWN_VENDORS.findByHost(host)?.name ?? domainOf(host)
}
