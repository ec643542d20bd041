import type { VulnerabilityLoads } from '../service.ts'
import type { LoadDeps } from './load-lease.ts'
import { readCurrentManifest } from './load-lease.ts'

/** Creates the loads of the vulnerability database over any storage. */
export function createVulnerabilityLoads(deps: LoadDeps): VulnerabilityLoads {
  return {
    async loadRecords(batches, options) {
      const { loadRecords } = await import('./load-records.ts')
      return loadRecords(deps, batches, options)
    },
    async loadKnownExploited(entries, options) {
      const { loadKnownExploited } = await import('./load-ratings.ts')
      return loadKnownExploited(deps, entries, options)
    },
    async loadEpss(scores, options) {
      const { loadEpss } = await import('./load-ratings.ts')
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
