import { beforeEach, describe, type TestContext } from 'vitest'
import { completeStorage } from '../../core/ports/complete-storage.ts'
import type { FullStorage, Storage } from '../../core/ports/storage.ts'
import { describeAccounts } from './storage/accounts.ts'
import { describeAgreements } from './storage/agreements.ts'
import { describeApis } from './storage/apis.ts'
import { describeEndpoints } from './storage/endpoints.ts'
import { describeFacts } from './storage/facts.ts'
import { describeAnswers } from './storage/gateway-answers.ts'
import { describeCalls } from './storage/gateway-calls.ts'
import { describeCredentials } from './storage/gateway-credentials.ts'
import { describePolicies } from './storage/gateway-policies.ts'
import { describeImportReports } from './storage/import-reports.ts'
import { describeJobs } from './storage/jobs.ts'
import { describeKeyRefusals } from './storage/key-refusals.ts'
import { describeLists } from './storage/lists.ts'
import { describeRateLimits } from './storage/rate-limits.ts'
import { describeScanChanges } from './storage/scan-changes.ts'
import { describeScanUseGroups } from './storage/scan-use-groups.ts'
import { describeScanUses } from './storage/scan-uses.ts'
import { describeScans } from './storage/scans.ts'
import { describeSearch } from './storage/search.ts'
import { describeSearchUpdates } from './storage/search-updates.ts'
import { describeTexts } from './storage/texts.ts'
import { describeTransactions } from './storage/transactions.ts'
import { describeInvitations } from './storage/user-invitations.ts'
import { describeUsers } from './storage/users.ts'
import { describeVendors } from './storage/vendors.ts'
import { describeVulnerabilities } from './storage/vulnerabilities.ts'
import { describeVulnerabilityLoads } from './storage/vulnerability-loads.ts'

/** A fresh, empty storage under test. */
export interface StorageUnderTest {
  readonly storage: Storage
  /** Opens the same database again; absent if only one connection is possible. */
  readonly reopen?: (() => Promise<Storage>) | undefined
  /**
   * Advances the clock of this storage and of those that `reopen` opens; absent if they have no
   * clock of their own.
   */
  readonly advance?: ((ms: number) => void) | undefined
  /** Closes opened connections and removes written files. */
  close(): Promise<void>
}

/**
 * Checks with vitest that a storage meets the service's requirements. These are order, exact
 * counts, paging, and one generation per long list. They include isolation of accounts, concurrent
 * writers, atomic transactions and stable IDs. Vulnerability loads become visible at their end,
 * budgets are never exceeded, and scans are atomic. Jobs have one worker at a time and end once.
 * Texts of every kind are stored. Each test opens its own storage. A test that calls an absent
 * method is skipped, with the name of the method.
 *
 * @example
 * ```ts
 * import { openSqlite } from 'api-discovery/sqlite'
 * import { describeStorage } from 'api-discovery/testing'
 *
 * describeStorage('My storage', {
 *   async open() {
 *     const storage = await openSqlite({ file: ':memory:' })
 *     return { storage, close: () => storage.close() }
 *   },
 * })
 * ```
 */
export function describeStorage(
  name: string,
  options: {
    readonly open: () => Promise<StorageUnderTest>
    /** Additional texts to store and to search for. */
    readonly texts?: readonly string[]
  },
): void {
  const { open, texts = [] } = options
  let context: TestContext
  const withStorage: WithStorage = async (run) => {
    const missing = new Set<string>()
    const complete = (storage: Storage) => completeStorage(storage, (name) => missing.add(name))
    const { storage, reopen, advance, close } = await open()
    try {
      await run({
        storage: complete(storage),
        has: (feature, method) => storage[feature]?.[method as never] !== undefined,
        reopen: reopen && (async () => complete(await reopen())),
        advance,
      })
    } catch (error) {
      if (missing.size === 0) throw error
    } finally {
      await close()
    }
    context.skip(missing.size > 0, `the storage has no ${[...missing].join(', ')}`)
  }
  describe(`${name} as a storage`, () => {
    beforeEach((current) => {
      context = current
    })
    describeVendors(withStorage)
    describeApis(withStorage)
    describeAgreements(withStorage)
    describeEndpoints(withStorage)
    describeFacts(withStorage)
    describeLists(withStorage)
    describeSearch(withStorage)
    describeSearchUpdates(withStorage)
    describeTransactions(withStorage)
    describeImportReports(withStorage, texts)
    describeAccounts(withStorage)
    describeKeyRefusals(withStorage)
    describeUsers(withStorage)
    describeInvitations(withStorage)
    describeVulnerabilities(withStorage, texts)
    describeVulnerabilityLoads(withStorage)
    describeCredentials(withStorage, texts)
    describePolicies(withStorage)
    describeCalls(withStorage, texts)
    describeAnswers(withStorage, texts)
    describeScans(withStorage, texts)
    describeScanChanges(withStorage)
    describeScanUses(withStorage)
    describeScanUseGroups(withStorage)
    describeJobs(withStorage, texts)
    describeRateLimits(withStorage)
    describeTexts(withStorage, texts)
  })
}

/** Runs a test on a fresh storage, and closes it. */
export type WithStorage = (run: (opened: OpenedStorage) => Promise<void>) => Promise<void>

/** A storage under test whose absent methods are completed. */
export interface OpenedStorage extends Pick<StorageUnderTest, 'advance'> {
  readonly storage: FullStorage
  readonly reopen: (() => Promise<FullStorage>) | undefined
  /** Returns whether the storage implements an optional method, which a test may then check too. */
  has<Feature extends keyof Storage>(feature: Feature, method: keyof FullStorage[Feature]): boolean
}
