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

/**
 * Storage with all methods: one repository per feature over one database. The built-in storages are
 * full, and the service completes any other storage to one (see `completeStorage`).
 */
export interface FullStorage {
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

/** A repository of which only the methods `Required` must exist. */
export type PartialStore<Store, Required extends keyof Store> = Pick<Store, Required> &
  Partial<Store>

/**
 * The storage that a host passes. The required methods serve the operations of the specification;
 * all others may be absent: those of the console, of the command line and of additional operations.
 * A call that needs an absent method fails with `not_implemented` and its name. An absent method
 * that only enriches results finds nothing.
 */
export interface Storage {
  readonly catalogue: PartialStore<
    CatalogueStore,
    | 'generation'
    | 'revision'
    | 'listEndpoints'
    | 'findEndpoint'
    | 'findComponents'
    | 'listEndpointPage'
    | 'listFacts'
    | 'findApi'
    | 'findApisByName'
    | 'listApis'
    | 'listAddedApis'
    | 'findPostings'
    | 'findEndpointPostings'
    | 'listAgreementsOf'
    | 'findVendor'
    | 'searchVendors'
    | 'saveVendor'
    | 'listMatchTargets'
  >
  readonly imports: PartialStore<ImportStore, 'replaceApi'>
  readonly vulnerabilities: PartialStore<
    VulnerabilityStore,
    'revision' | 'readManifest' | 'readParts' | 'readRecords' | 'listSources' | 'beginLoad'
  >
  readonly scans: PartialStore<
    ScanStore,
    | 'beginUpload'
    | 'saveRows'
    | 'publish'
    | 'discard'
    | 'findBatch'
    | 'find'
    | 'list'
    | 'count'
    | 'listApiIds'
    | 'listRows'
    | 'beginMatching'
    | 'saveMatches'
    | 'finishMatching'
  >
  readonly jobs: PartialStore<
    JobStore,
    | 'addJob'
    | 'claimJob'
    | 'renewJob'
    | 'saveCheckpoint'
    | 'endJob'
    | 'releaseJob'
    | 'findJob'
    | 'listJobs'
  >
  readonly rateLimits: PartialStore<
    RateLimitStore,
    'getConsentToken' | 'addRun' | 'takeRequests' | 'countRuns'
  >
  /** API keys. May be absent if the option `authenticate` replaces them. */
  readonly accounts?: PartialStore<
    AccountStore,
    'saveAccount' | 'saveKey' | 'findKeyByHash' | 'listKeys' | 'changeKey'
  >
  readonly agreements?: Partial<AgreementStore>
  readonly users?: Partial<UserStore>
  readonly gateway?: Partial<GatewayStore>
  /** Throws a `ServiceError` with code `storage_unavailable` if the database does not respond. */
  ping(): Promise<void>
  /** See `FullStorage`. Without it, `/readyz` only calls `ping`. */
  checkWrite?(): Promise<void>
  close(): Promise<void>
}
