import { listUsedPackages } from '../code-scanner/packages/used-packages.ts'
import { type PackageUrlParts, splitPackageUrl } from '../shared/package-urls.ts'
import type { BomPackage, FindPackageVulnerabilities } from './collect-bom.ts'
import type { BomService } from './model.ts'

/** A client library in a version, with the CVEs of that version. */
export interface CollectedPackage extends BomPackage {
  readonly url: PackageUrlParts
}

/**
 * Lists the packages of services that have a version, each once, sorted by package URL. Invalid
 * package URLs are skipped.
 */
export async function collectPackages(
  services: readonly BomService[],
  findVulnerabilities: FindPackageVulnerabilities | undefined,
): Promise<readonly CollectedPackage[]> {
  const used = new Map<string, CollectedPackage>()
  for (const { purl, isLowest } of listUsedPackages(
    services.flatMap(({ endpoints }) => endpoints),
  )) {
    const url = splitPackageUrl(purl)
    if (!url || url.version === '' || used.has(url.purl)) continue
    used.set(url.purl, { purl: url.purl, isLowest, url, found: [], count: 0 })
  }
  for (const { purl, found, count } of (await findVulnerabilities?.([...used.values()])) ?? []) {
    const known = used.get(purl)
    if (known) used.set(purl, { ...known, found, count })
  }
  return [...used.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1))
}
