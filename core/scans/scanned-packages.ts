import { listUsedPackages } from '../code-scanner/packages/used-packages.ts'
import type { Account } from '../shared/account.ts'
import type { UsedPackage } from '../shared/package-urls.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import type { VulnerablePackage } from '../vulnerabilities/records.ts'
import type { CodeLocation, ScannedPackages } from './records.ts'
import type { ScanReads } from './store.ts'

/** Reads the packages of stored scans. */
export interface PackageReads {
  /**
   * Finds the packages of a project whose versions have CVEs, sorted by package URL. Throws
   * `not_found`.
   */
  findScannedPackages(account: Account, projectId: string): Promise<ScannedPackages>
}

/** Maximum number of locations per package. */
const MAX_PLACES = 100

/** Creates the reads of packages. */
export function createPackageReads(deps: {
  readonly reads: Pick<ScanReads, 'listEndpoints'>
  readonly findPackageVulnerabilities: (
    packages: readonly UsedPackage[],
  ) => Promise<readonly VulnerablePackage[]>
}): PackageReads {
  return {
    async findScannedPackages(account, projectId) {
      const places = new Map<string, Map<string, CodeLocation>>()
      const fixed = new Set<string>()
      const lowest = new Set<string>()
      const pause = createYieldIfDue()
      const pages = deps.reads.listEndpoints(account, { projectId, order: 'scan' })
      for await (const page of pages) {
        for (const { packages, lowestPackages = [], foundIn } of page) {
          for (const name of packages) fixed.add(name)
          for (const name of lowestPackages) lowest.add(name)
          for (const name of [...packages, ...lowestPackages]) {
            const known = places.get(name) ?? new Map<string, CodeLocation>()
            places.set(name, known)
            addPlaces(known, foundIn)
          }
        }
        await pause()
      }
      const used = listUsedPackages([{ packages: [...fixed], lowestPackages: [...lowest] }])
      const found = await deps.findPackageVulnerabilities(used)
      return {
        checked: used.length,
        vulnerable: found.map((one) => ({
          ...one,
          places: [...(places.get(one.purl)?.values() ?? [])],
        })),
      }
    },
  }
}

function addPlaces(known: Map<string, CodeLocation>, places: readonly CodeLocation[]): void {
  for (const place of places) {
    if (known.size >= MAX_PLACES) return
    known.set(`${place.file}:${place.line ?? ''}:${place.column ?? ''}`, place)
  }
}
