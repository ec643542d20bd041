import type { UsedPackage } from '../../shared/package-urls.ts'

/**
 * Lists the packages with a version that findings or usages name, each once, sorted by package URL.
 * A version that one manifest fixes and another one permits as the lowest counts as fixed.
 *
 * @example
 * ```ts
 * import { listUsedPackages } from 'api-discovery/scans'
 *
 * for (const { purl, isLowest } of listUsedPackages(found.findings)) console.log(purl, isLowest)
 * ```
 */
export function listUsedPackages(
  found: Iterable<{
    readonly package?: string | undefined
    readonly packages?: readonly string[] | undefined
    readonly lowestPackage?: string | undefined
    readonly lowestPackages?: readonly string[] | undefined
  }>,
): readonly UsedPackage[] {
  const fixed = new Set<string>()
  const lowest = new Set<string>()
  for (const { package: first, packages = [], lowestPackage, lowestPackages = [] } of found) {
    for (const name of [first, ...packages]) if (name && VERSIONED.test(name)) fixed.add(name)
    for (const name of [lowestPackage, ...lowestPackages]) if (name) lowest.add(name)
  }
  return [
    ...[...fixed].map((purl) => ({ purl, isLowest: false })),
    ...[...lowest].filter((purl) => !fixed.has(purl)).map((purl) => ({ purl, isLowest: true })),
  ].sort((a, b) => (a.purl < b.purl ? -1 : 1))
}

/** `pkg:npm/@acme/sdk@1.2.0`. */
const VERSIONED = /.@[^/]*$/
