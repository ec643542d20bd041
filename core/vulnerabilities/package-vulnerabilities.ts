import { ServiceError } from '../errors.ts'
import { parseWantedPackageUrl, type UsedPackage } from '../shared/package-urls.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import { toVulnerabilityFacts } from './known-vulnerabilities.ts'
import type { PackageVulnerability, VersionRange, VulnerablePackage } from './records.ts'
import { selectPackageProducts } from './search/package-filter.ts'
import type { CveFilters } from './search/query.ts'
import type { VulnerabilityReads } from './service.ts'
import { toVersionText } from './versions.ts'

/**
 * Finds the CVEs of packages in their versions, confirmed by the reporters' statements. Returns the
 * packages that have some, in input order; package URLs without a version are skipped. Throws a
 * `ServiceError` with code `too_large` for more than 20,000 packages.
 *
 * @example
 * ```ts
 * import { findPackageVulnerabilities } from 'api-discovery/vulnerabilities'
 *
 * const packages = [{ purl: 'pkg:npm/lodash@4.17.15', isLowest: false }]
 * for (const { purl, found } of await findPackageVulnerabilities(app.vulnerabilities, { packages })) {
 *   console.log(purl, found.map(({ id }) => id))
 * }
 * ```
 */
export async function findPackageVulnerabilities(
  vulnerabilities: Pick<VulnerabilityReads, 'search'>,
  request: {
    readonly packages: readonly UsedPackage[]
    /** Limit on the CVEs returned of each package (default: 100); the counts cover all. */
    readonly limit?: number | undefined
  },
): Promise<readonly VulnerablePackage[]> {
  const { packages, limit = MAX_CVES } = request
  if (packages.length > MAX_PACKAGES) {
    throw new ServiceError(
      'too_large',
      `Cannot find the CVEs of ${packages.length} packages: the limit is ${MAX_PACKAGES}`,
    )
  }
  const vulnerable: VulnerablePackage[] = []
  const pause = createYieldIfDue()
  for (const used of packages) {
    // An in-process storage answers synchronously, so this loop must yield itself.
    const turn = pause()
    if (turn) await turn
    const { purl } = used
    const { found: wanted } = parseWantedPackageUrl(purl)
    if (wanted?.version === undefined) continue
    const all = await searchPackage({ purl })
    if (all.count === 0) continue
    const first =
      all.found.length < all.count ? await searchPackage({ purl, isExploited: true }) : all
    const known = new Map([...first.found, ...all.found].map((each) => [each.id, each]))
    const found = [...known.values()].sort(
      (a, b) => Number(b.isExploited) - Number(a.isExploited) || b.publishedAt - a.publishedAt,
    )
    vulnerable.push({ ...used, found: found.slice(0, limit), count: all.count })

    async function searchPackage(filters: CveFilters) {
      const results = await vulnerabilities.search({
        term: MATCH_ALL_TERM,
        filters,
        page: { page: 1, size: Math.max(1, limit) },
        isExtended: true,
      })
      const hits: PackageVulnerability[] = []
      for await (const batch of results.hits) {
        for (const { extended } of batch) {
          const [product] = wanted
            ? selectPackageProducts(extended?.record.reported ?? [], wanted)
            : []
          if (!extended || !product) continue
          const affectedVersions = describeAffectedVersions(product.versions[0] ?? '-')
          hits.push({ ...toVulnerabilityFacts(extended, product), affectedVersions })
        }
      }
      return { found: hits, count: results.count }
    }
  }
  return vulnerable
}

/** Such as `>=2.0,<3.0`, or `some versions of >=2.0,<3.0` for a range with exceptions. */
function describeAffectedVersions(affected: string | VersionRange): string {
  const text = toVersionText(affected)
  if (typeof affected === 'string' || !affected.except) return text
  return text === '-' ? 'all but some versions' : `some versions of ${text}`
}

const MAX_CVES = 100
const MAX_PACKAGES = 20_000

/** Part of every CVE ID: a search for it lets the filters alone decide. */
const MATCH_ALL_TERM = 'cve'
