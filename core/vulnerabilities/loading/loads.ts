import type { VulnerabilityLoads } from '../service.ts'
import type { LoadDeps } from './holding.ts'
import { readCurrent } from './holding.ts'
import { loadEpss, loadKnownExploited } from './load-ratings.ts'
import { loadRecords } from './load-records.ts'

/** Loads the vulnerability database over any storage. */
export function createLoads(deps: LoadDeps): VulnerabilityLoads {
  return {
    loadRecords: (batches, options) => loadRecords(deps, batches, options),
    loadKnownExploited: (entries, options) => loadKnownExploited(deps, entries, options),
    loadEpss: (scores, options) => loadEpss(deps, scores, options),
    async readCheckpoint(source) {
      // What is kept in another format has to be loaded anew, from the start.
      if ((await readCurrent(deps.store)).isForeign) return undefined
      const known = (await deps.store.listSources()).find(({ name }) => name === source)
      return known?.checkpoint || undefined
    },
  }
}
