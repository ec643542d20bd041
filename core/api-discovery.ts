import type { HostCaller } from './accounts/host-authentication.ts'
import type { Accounts } from './accounts/service.ts'
import type { Agreements } from './agreements/service.ts'
import type { Assessments } from './assessments/service.ts'
import type { Boms } from './boms/service.ts'
import type { Catalogue } from './catalogue/browsing.ts'
import type { Contract } from './contract.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { PublicAddress } from './http/base-path.ts'
import type { CallInput, CallOutput } from './http/call-types.ts'
import type { FetchHandler } from './http/fetch.ts'
import type { HttpHandler } from './http/message.ts'
import type { NoteRequest } from './http/request-log.ts'
import type { Imports } from './imports/service.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { JobQueue } from './jobs/records.ts'
import type { Match, MatchQuery } from './matching/match.ts'
import type { Clock } from './ports.ts'
import type { RateLimitTests } from './rate-limits/service.ts'
import type { ScanCatalogue } from './scans/project/scan-project.ts'
import type { Scans } from './scans/service.ts'
import type { Gauge } from './shared/gauges.ts'
import type { Users } from './users/service.ts'
import type { Vulnerabilities } from './vulnerabilities/service.ts'

/** The service. */
export interface ApiDiscovery {
  /** For `Bun.serve`, `Deno.serve`, workers and routers. */
  readonly fetch: FetchHandler
  /** For adapters that can deliver the body of a GET. */
  readonly handle: HttpHandler
  /** Calls an operation in process: the same input rules, scopes and answers, without HTTP. */
  call<Name extends keyof Contract>(
    name: Name,
    input: CallInput<Contract[Name]>,
    caller: HostCaller,
  ): Promise<CallOutput<Contract[Name]>>
  /** What time it is for the service: by it keys expire and days begin. */
  readonly clock: Clock
  /** Where clients reach the service, by the option `publicUrl`. */
  readonly publicAddress: PublicAddress
  readonly accounts: Accounts
  /** People who log in, without HTTP. */
  readonly users: Users
  readonly imports: Imports
  /** Agreements of catalogued APIs, without HTTP. */
  readonly agreements: Agreements
  /** What is good or bad about catalogued APIs, with its evidence, without HTTP. */
  readonly assessments: Assessments
  readonly vulnerabilities: Vulnerabilities
  /** The catalogue, for people who look around in it, without HTTP. */
  readonly catalogue: Catalogue
  /** Calls catalogued endpoints for accounts, without HTTP. */
  readonly gateway: Gateway
  /** What scanners found, account by account, without HTTP. */
  readonly scans: Scans
  /** Bills of materials of single scans, streamed, without HTTP. */
  readonly boms: Boms
  /** Tests whether catalogued APIs resist too many calls, without HTTP. */
  readonly rateLimits: RateLimitTests
  /** Work that outlives a request, without HTTP. */
  readonly jobs: Pick<JobQueue, 'find' | 'list' | 'cancel' | 'cancelAll'>
  /**
   * Does the jobs that are due and returns when there are none: for a host without long-running
   * processes to call now and then. With `until: 'aborted'` it goes on until the signal is aborted,
   * and hears of new jobs within a second. Any number of processes may do so over one database.
   */
  runJobs: Jobs['run']
  /** The catalogued endpoint that a URL means; undefined when no catalogued API has its host. */
  match(query: MatchQuery): Promise<Match | undefined>
  /** What a monitor wants to know of all accounts together, as the metrics have it: for operators. */
  readGauges(): Promise<readonly Gauge[]>
  /** Counts and logs a request that a host answered beside the operations: a page of the console. */
  readonly noteRequest: NoteRequest
  /** The catalogue as it is now, in memory, for scans of projects. */
  scanCatalogue(): Promise<ScanCatalogue>
  /**
   * Gives back the jobs that are being done, stores what waits, and closes the storage. Close
   * servers first.
   */
  close(): Promise<void>
}
