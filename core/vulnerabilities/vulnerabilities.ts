import type { Clock } from '../ports/clock.ts'
import { createVulnerabilityLoads } from './loading/loads.ts'
import { createVulnerabilityReads } from './search/reads.ts'
import type { Vulnerabilities } from './service.ts'
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
