import type { AccountStore } from './accounts/store.ts'
import type { AgreementStore } from './agreements/store.ts'
import type { CatalogueStore } from './catalogue/store.ts'
import type { GatewayStore } from './gateway/store.ts'
import type { ImportStore } from './imports/store.ts'
import type { JobStore } from './jobs/store.ts'
import type { RateLimitStore } from './rate-limits/store.ts'
import type { ScanStore } from './scans/store.ts'
import type { UserStore } from './users/store.ts'
import type { VulnerabilityStore } from './vulnerabilities/store.ts'

/** Everything the service keeps: one repository per feature over one database. */
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
  /** Throws a `ServiceError` with code `storage_unavailable` when the database does not answer. */
  ping(): Promise<void>
  /**
   * Commits a write that changes nothing. Throws when the database refuses it: a full disk, a
   * read-only file or server.
   */
  checkWrite(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds since the epoch. */
export type Clock = () => number

/** Cryptographically strong random bytes. */
export type Random = (length: number) => Uint8Array

/** Where log events go. The core never writes to a console. */
export interface Logger {
  log(level: LogLevel, event: string, fields?: Readonly<Record<string, LogValue>>): void
  /** False when events of the level are dropped, so that they need not be built; all are kept when absent. */
  isEnabled?(level: LogLevel): boolean
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogValue = string | number | boolean | null | undefined

/**
 * Runs a pure function where it can be killed (a worker). Rejects with a `ServiceError` of code
 * `too_expensive` when it takes longer than `timeoutMs` or more memory than it may.
 */
export interface Isolate {
  run<Input, Output>(
    task: string,
    input: Input,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Output>
}

/** Where an address is, as a database of places says. */
export interface PlaceOfAddress {
  /** English names, or empty. */
  readonly city: string
  readonly country: string
  readonly region: string
  /** Internet provider or owner of the network, or empty. */
  readonly isp: string
  /** `Europe/Tallinn`, or empty. */
  readonly timezone: string
}

/** Finds the place of an IPv4 or IPv6 address; undefined for one that is not known. Never throws. */
export type FindPlace = (address: string) => PlaceOfAddress | undefined
