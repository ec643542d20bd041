import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import type { FileScan } from '../model/file-scan.ts'
import type { RawFinding } from '../model/finding.ts'
import { anyOf } from '../model/name-patterns.ts'
import type { PackageFinding } from '../model/packages.ts'
import { matchPaths } from '../model/path-patterns.ts'
import { domainOf, hostOf } from '../noise/url-hosts.ts'
import type { UnconfirmedFinding } from './confirm-findings.ts'

/**
 * Creates a test for findings that count only if the project uses the vendor elsewhere, too: a name
 * that may be a library's, and settings that a framework writes into every project.
 */
export function createUseTest(
  scans: readonly FileScan[],
  called: readonly (readonly UnconfirmedFinding[])[],
): (found: RawFinding & Pick<PackageFinding, 'needsDependency'>) => boolean {
  const roots = scans.flatMap(({ path }) => (LARAVEL.test(path) ? [path.replace(LARAVEL, '')] : []))
  const isStock = ({ file, url }: RawFinding) =>
    roots.some((root) => root === '' || file.startsWith(`${root}/`)) &&
    STOCK.some(([paths, hosts]) => paths.test(file) && hosts.test(hostOf(url) ?? ''))
  const known = scans
    .flatMap(({ findings }) => findings)
    .filter(({ needsDependency }) => !needsDependency)
  const libraries = known.filter((found) => found.package)
  const addresses = called.flat().filter((found) => !(found.needsCatalogue || found.needsCall))
  const ofLibraries = new Set(libraries.map(toDomain))
  const others = [...known, ...addresses].filter((found) => found.package || !isStock(found))
  const ofOthers = new Set(others.map(toVendor))
  return (found) => {
    if (found.needsDependency) return ofLibraries.has(toDomain(found))
    return !isStock(found) || ofOthers.has(toVendor(found))
  }
}

function toDomain({ url }: RawFinding): string {
  return domainOf(hostOf(url) ?? url)
}

function toVendor(found: RawFinding): string {
  return KNOWN_VENDORS.findByHost(hostOf(found.url) ?? '')?.name ?? toDomain(found)
}

/** Files that no other framework has at this place. */
const LARAVEL = matchPaths('config/{filesystems,queue}.php')

/** Files of a new project of Laravel, and the services whose settings they have. */
const STOCK: readonly (readonly [paths: RegExp, hosts: RegExp])[] = [
  [
    matchPaths(
      `config/{broadcasting,cache,database,filesystems,logging,mail,queue,scout,services,session}.php`,
    ),
    new RegExp(
      String.raw`(?:^|\.)(?<!hooks\.)${anyOf`
      mailgun\.net postmarkapp\.com amazonaws\.com resend\.com slack\.com sparkpost\.com
      mandrillapp\.com algolia\.net pusher(?:app)?\.com ably\.io papertrailapp\.com
    `}$`,
    ),
  ],
  [matchPaths('.env{,.*}'), /(?:^|\.)(?:amazonaws\.com|pusher(?:app)?\.com|mailtrap\.io)$/],
]
