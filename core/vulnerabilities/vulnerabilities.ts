import type { Clock } from '../ports.ts'
import { createLoads } from './loading/loads.ts'
import { createReads } from './search/reads.ts'
import type { Vulnerabilities } from './service.ts'
import type { VulnerabilityStore } from './store.ts'

/** Creates the vulnerability database over a storage: its loads and its queries. */
export function createVulnerabilities(deps: {
  readonly store: VulnerabilityStore
  readonly clock: Clock
}): Vulnerabilities {
  const { store, clock } = deps
  return { ...createLoads({ store, clock }), ...createReads({ store }) }
}
