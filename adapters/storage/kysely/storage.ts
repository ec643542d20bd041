import type { Clock } from '../../../core/ports/clock.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import { createAccountStore } from './accounts.ts'
import { createAgreementStore } from './agreements.ts'
import { createApiStore } from './apis.ts'
import { createEndpointStore } from './endpoints.ts'
import type { Engine } from './engine.ts'
import { createFactsReader } from './facts.ts'
import { createBudgetStore } from './gateway-budgets.ts'
import { createCallStore } from './gateway-calls.ts'
import { createCredentialStore } from './gateway-credentials.ts'
import { createPolicyStore } from './gateway-policies.ts'
import { createRecordingStore } from './gateway-recordings.ts'
import { prepareGeneration } from './generations.ts'
import { createImportStore } from './imports.ts'
import { createJobStore } from './jobs.ts'
import { type MigratedVersions, migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { createPublishedResponseStore } from './published-responses.ts'
import { createRateLimitStore } from './rate-limits.ts'
import { createScanListStore } from './scan-lists.ts'
import { createScanMatchStore } from './scan-matches.ts'
import { createScanReviewStore } from './scan-reviews.ts'
import { createScanRowStore } from './scan-rows.ts'
import { createScanSweepStore } from './scan-sweep.ts'
import { createScanUploadStore } from './scan-uploads.ts'
import { createScanGroupStore } from './scan-usage-groups.ts'
import { createScanUsageStore } from './scan-usage-lists.ts'
import { createSearchStore } from './search.ts'
import { createUserStore } from './users.ts'
import { createVendorStore } from './vendors.ts'
import { createVulnerabilityStore } from './vulnerabilities.ts'

/**
 * Opens the repositories of a database after migrating its schema. Closes the engine if that fails.
 * Throws a `ServiceError` if the schema is newer than this release.
 */
export async function openKyselyStorage(
  engine: Engine,
  clock: Clock,
  onMigrated?: ((versions: MigratedVersions) => void) | undefined,
): Promise<FullStorage> {
  try {
    const versions = await migrate(engine, { migrations, now: clock() })
    onMigrated?.(versions)
  } catch (error) {
    await engine.close()
    throw error
  }
  const readGeneration = prepareGeneration(engine)
  return {
    catalogue: {
      ...createEndpointStore(engine),
      ...createApiStore(engine, clock),
      ...createVendorStore(engine, clock),
      ...createSearchStore(engine),
      listFacts: createFactsReader(engine),
    },
    agreements: createAgreementStore(engine, clock),
    imports: createImportStore(engine, clock),
    accounts: createAccountStore(engine),
    users: createUserStore(engine),
    vulnerabilities: createVulnerabilityStore(engine, clock),
    gateway: {
      ...createCredentialStore(engine),
      ...createPolicyStore(engine),
      ...createBudgetStore(engine),
      ...createCallStore(engine),
      ...createRecordingStore(engine),
      ...createPublishedResponseStore(engine, clock),
    },
    scans: {
      ...createScanUploadStore(engine),
      ...createScanListStore(engine),
      ...createScanRowStore(engine),
      ...createScanMatchStore(engine),
      ...createScanReviewStore(engine),
      ...createScanSweepStore(engine),
      ...createScanUsageStore(engine),
      ...createScanGroupStore(engine),
    },
    jobs: createJobStore(engine),
    rateLimits: createRateLimitStore(engine, clock),
    async ping() {
      await readGeneration()
    },
    // This table is never locked once the storage is open.
    checkWrite: () =>
      engine.write(async (db) => {
        await db
          .updateTable('schema_version')
          .set(({ ref }) => ({ applied_at: ref('applied_at') }))
          .execute()
      }),
    close: () => engine.close(),
  }
}
