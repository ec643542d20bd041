import type { Clock } from '../ports/clock.ts'
import type { UsedPackage } from '../shared/package-urls.ts'
import {
  findKnownVulnerabilities,
  type KnownVulnerabilitiesRequest,
} from './known-vulnerabilities.ts'
import { type LoadDeps, readCurrentManifest } from './loading/load-lease.ts'
import { findPackageVulnerabilities } from './package-vulnerabilities.ts'
import { createVulnerabilityReads } from './search/reads.ts'
import type { Vulnerabilities, VulnerabilityLoads, VulnerabilityReads } from './service.ts'
import type { VulnerabilityStore } from './store.ts'
import { createVulnerabilityArchives } from './transfer/archives.ts'

/** Creates the vulnerability database over a storage: its loads, queries and archives. */
export function createVulnerabilities(deps: {
  readonly store: VulnerabilityStore
  readonly clock: Clock
}): Vulnerabilities {
  const { store, clock } = deps
  return {
    ...createVulnerabilityLoads({ store, clock }),
    ...createVulnerabilityReads({ store }),
    ...createVulnerabilityArchives({ store, clock }),
  }
}

/** Creates the loads of the vulnerability database over any storage. */
export function createVulnerabilityLoads(deps: LoadDeps): VulnerabilityLoads {
  return {
    async loadRecords(batches, options) {
      const { loadRecords } = await import('./loading/load-records.ts')
      return loadRecords(deps, batches, options)
    },
    async loadKnownExploited(entries, options) {
      const { loadKnownExploited } = await import('./loading/load-ratings.ts')
      return loadKnownExploited(deps, entries, options)
    },
    async loadEpss(scores, options) {
      const { loadEpss } = await import('./loading/load-ratings.ts')
      return loadEpss(deps, scores, options)
    },
    async readCheckpoint(source) {
      // Data in another format must be loaded again, from the start.
      if ((await readCurrentManifest(deps.store)).isForeign) return undefined
      const known = (await deps.store.listSources()).find(({ name }) => name === source)
      return known?.checkpoint || undefined
    },
  }
}

/** Creates lookups of CVEs for other features: by the names of an API, and by package. */
export function createVulnerabilityFinders(
  vulnerabilities: Pick<VulnerabilityReads, 'listProducts' | 'search'>,
) {
  return {
    findVulnerabilities: (request: KnownVulnerabilitiesRequest) =>
      findKnownVulnerabilities(vulnerabilities, request),
    findPackageVulnerabilities: (packages: readonly UsedPackage[]) =>
      findPackageVulnerabilities(vulnerabilities, { packages }),
  }
}
