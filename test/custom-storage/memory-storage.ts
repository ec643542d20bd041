import type { Storage } from '../../core/storage.ts'
import { createMemoryVulnerabilities } from '../helpers/memory-vulnerabilities.ts'
import { createAccounts } from './accounts.ts'
import { createCatalogue, createCatalogueState } from './catalogue.ts'
import { createImports } from './imports.ts'
import { createJobs } from './jobs.ts'
import { createScans } from './scans.ts'

/**
 * Creates an empty storage in memory with the required methods alone, as the start of a storage of
 * a host. Its methods complete without interruption or in a queue, so that each is atomic.
 */
export function createMemoryStorage(clock: () => number = Date.now): Storage {
  const catalogue = createCatalogueState()
  const { revision, readManifest, readParts, readRecords, listSources, beginLoad } =
    createMemoryVulnerabilities(clock)
  return {
    catalogue: createCatalogue(catalogue),
    imports: createImports(catalogue, clock),
    accounts: createAccounts(),
    vulnerabilities: { revision, readManifest, readParts, readRecords, listSources, beginLoad },
    scans: createScans(),
    ...createJobs(),
    ping: async () => undefined,
    close: async () => undefined,
  }
}
