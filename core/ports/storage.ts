import type { AccountStore } from '../accounts/store.ts'
import type { AgreementStore } from '../agreements/store.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { ImportStore } from '../imports/store.ts'
import type { JobStore } from '../jobs/store.ts'
import type { RateLimitStore } from '../rate-limits/store.ts'
import type { ScanStore } from '../scans/store.ts'
import type { UserStore } from '../users/store.ts'
import type { VulnerabilityStore } from '../vulnerabilities/store.ts'

/** The service's storage: one repository per feature over one database. */
export interface Storage {
  readonly catalogue: CatalogueStore
  readonly agreements: AgreementStore
  readonly imports: ImportStore
  readonly accounts: AccountStore
  readonly users: UserStore
  readonly vulnerabilities: VulnerabilityStore
  readonly gateway: GatewayStore
  readonly scans: ScanStore
  readonly jobs: JobStore
  readonly rateLimits: RateLimitStore
  /** Throws a `ServiceError` with code `storage_unavailable` if the database does not respond. */
  ping(): Promise<void>
  /**
   * Commits a write without effect. Throws if the database rejects it, for example because of a
   * full disk or a read-only file or server.
   */
  checkWrite(): Promise<void>
  close(): Promise<void>
}
