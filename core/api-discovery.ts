import type { HostCaller } from './accounts/host-authentication.ts'
import type { Accounts } from './accounts/service.ts'
import type { Agreements } from './agreements/service.ts'
import type { Assessments } from './assessments/service.ts'
import type { Boms } from './boms/service.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { ScanCatalogue } from './code-scanner/find/confirm-findings.ts'
import type { Contract } from './contract.ts'
import type { Exports } from './discovery/exports.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { PublicAddress } from './http/base-path.ts'
import type { CallInput, CallOutput } from './http/call-types.ts'
import type { FetchHandler } from './http/fetch.ts'
import type { HttpHandler } from './http/message.ts'
import type { RecordRequest } from './http/request-log.ts'
import type { RequireScope } from './http/require-scope.ts'
import type { RunAsCaller } from './http/run-as-caller.ts'
import type { Imports } from './imports/service.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { JobQueue } from './jobs/records.ts'
import type { Match, MatchQuery } from './matching/match.ts'
import type { Clock } from './ports/clock.ts'
import type { RateLimitTests } from './rate-limits/service.ts'
import type { Scans } from './scans/service.ts'
import type { Gauge } from './shared/gauges.ts'
import type { Users } from './users/service.ts'
import type { Vulnerabilities } from './vulnerabilities/service.ts'

/** The service. */
export interface ApiDiscovery {
  /** Handler for `Bun.serve`, `Deno.serve`, workers and routers. */
  readonly fetch: FetchHandler
  /** Handler for adapters that can deliver the body of a GET. */
  readonly handle: HttpHandler
  /** Calls an operation in process, with the same input rules, scopes and results as HTTP. */
  call<Name extends keyof Contract>(
    name: Name,
    input: CallInput<Contract[Name]>,
    caller: HostCaller,
    options?: {
      /** Aborts a call through the gateway. */
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<CallOutput<Contract[Name]>>
  /** The service's clock. It determines when keys expire and days begin. */
  readonly clock: Clock
  /** Public address of the service, from the option `publicUrl`. */
  readonly publicAddress: PublicAddress
  readonly accounts: Accounts
  /** Users and their sessions, without HTTP. */
  readonly users: Users
  readonly imports: Imports
  /** Agreements of catalogued APIs, without HTTP. */
  readonly agreements: Agreements
  /** Strengths and risks of catalogued APIs with their evidence, without HTTP. */
  readonly assessments: Assessments
  readonly vulnerabilities: Vulnerabilities
  /** Search and browse the catalogue, without HTTP. */
  readonly catalogue: Catalogue
  /** Calls to catalogued endpoints on behalf of accounts, without HTTP. */
  readonly gateway: Gateway
  /** Scan results of all accounts, without HTTP. */
  readonly scans: Scans
  /** BOMs of single scans, streamed, without HTTP. */
  readonly boms: Boms
  /** The catalogue in formats of other registries and portals, without HTTP. */
  readonly exports: Exports
  /** Rate-limit tests of catalogued APIs, without HTTP. */
  readonly rateLimits: RateLimitTests
  /** Background jobs, without HTTP. */
  readonly jobs: Pick<JobQueue, 'find' | 'list' | 'cancel' | 'cancelAll'>
  /**
   * Runs all due jobs and returns when there are none, for hosts without long-running processes.
   * With `until: 'aborted'` it runs until the signal aborts, and picks up new jobs within a second.
   * Any number of processes may run jobs of one database. Also runs the scheduled syncs.
   */
  runJobs: Jobs['run']
  /** Finds the catalogued endpoint of a URL; undefined if no catalogued API has its host. */
  match(query: MatchQuery): Promise<Match | undefined>
  /** Reads the gauges of the metrics, summed over all accounts, for operators. */
  readGauges(): Promise<readonly Gauge[]>
  /**
   * Runs work for the caller of a request that the host handles itself, such as one of MCP, with
   * the limits of the caller's key. Rejects with `unauthenticated` and `too_many_requests`.
   */
  readonly runAsCaller: RunAsCaller
  /** Checks the scope of a caller, as every operation does. Throws `forbidden`. */
  readonly requireScope: RequireScope
  /** Counts and logs a request that the host handled itself, such as a page of the console. */
  readonly recordRequest: RecordRequest
  /** A snapshot of the catalogue in memory, for scans of projects. */
  loadScanCatalogue(): Promise<ScanCatalogue>
  /** Releases running jobs, stores pending data, and closes the storage. Close servers first. */
  close(): Promise<void>
}
