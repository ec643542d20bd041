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

/** Milliseconds since the epoch. */
export type Clock = () => number

/** Cryptographically strong random bytes. */
export type Random = (length: number) => Uint8Array

/** Receiver of log events. The core never writes to a console. */
export interface Logger {
  log(level: LogLevel, event: string, fields?: Readonly<Record<string, LogValue>>): void
  /**
   * Returns false for dropped levels, so that their events need not be built. Default: all levels
   * are logged.
   */
  isEnabled?(level: LogLevel): boolean
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogValue = string | number | boolean | null | undefined

/**
 * Runs a pure function where it can be killed (a worker). Rejects with a `ServiceError` of code
 * `too_expensive` if it exceeds `timeoutMs` or its memory limit.
 */
export interface Isolate {
  run<Input, Output>(
    task: string,
    input: Input,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Output>
}

/** Geolocation of an address from a database. */
export interface Geolocation {
  /** English names, or empty. */
  readonly city: string
  readonly country: string
  readonly region: string
  /** Internet provider or network owner, or empty. */
  readonly isp: string
  /** `Europe/Tallinn`, or empty. */
  readonly timezone: string
}

/** Looks up the geolocation of an IPv4 or IPv6 address; undefined if unknown. Never throws. */
export type FindGeolocation = (address: string) => Geolocation | undefined
