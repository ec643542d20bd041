import type { AuthenticationLimits } from './accounts/authenticator.ts'
import type { Authenticate } from './accounts/host-authentication.ts'
import type { RequestLimits } from './accounts/limits.ts'
import type { Sealer } from './accounts/seal.ts'
import type { AssessmentRule } from './assessments/records.ts'
import type { Decode } from './egress/decode.ts'
import type { Egress } from './egress/egress.ts'
import type { GuardLimits } from './gateway/guard/guard.ts'
import type { BodyLimits } from './http/body.ts'
import type { Clock, FindPlace, Isolate, Logger, Random, Storage } from './ports.ts'
import type { RateLimitTestOptions } from './rate-limits/prepare.ts'
import type { ScanLimits } from './scans/uploads.ts'
import type { Gauge } from './shared/gauges.ts'
import type { PasswordHasher } from './users/records.ts'

/** What a host supplies. Only the storage is needed. */
export interface ApiDiscoveryOptions {
  readonly storage: Storage
  /**
   * Under which paths the operations are served; `['/api']` when absent, `['']` for the root. A
   * `RangeError` is thrown for one that does not look like `/api`.
   */
  readonly basePaths?: readonly string[]
  /**
   * Where clients reach the service behind a proxy: `https://tools.example/discovery`, or the path
   * alone. Everything is served below that path as well as without it, whether the proxy strips it
   * or not; links start with it. A `RangeError` is thrown for a path that the service uses itself.
   */
  readonly publicUrl?: string
  /**
   * Under which path people find the console (`/console`), as the host serves it; answers to
   * submitted scans name their page then.
   */
  readonly consolePath?: string
  /** The host's own authentication in place of API keys: the caller, or undefined when nobody's. */
  readonly authenticate?: Authenticate
  /**
   * Seals copies of API keys and credentials for targets; without it none are kept: keys can be read
   * only once, and the gateway stores no credentials.
   */
  readonly sealer?: Sealer
  /**
   * Hashes the passwords of people who log in; without it nobody can. `createScryptHasher` of
   * `api-discovery/secret` makes one.
   */
  readonly passwords?: PasswordHasher
  /** Through which the gateway calls endpoints; without it, it answers only dry runs. */
  readonly egress?: Egress
  /** Undoes encodings of recorded answers; without it, no encoded body is kept. */
  readonly decode?: Decode
  /** What the gateway allows. */
  readonly gatewayLimits?: GatewayLimits
  /** How much is taken in of scans. */
  readonly scanLimits?: ScanLimits
  /** How long scans stay after something was last added, in milliseconds; for ever when absent. */
  readonly keepScansMs?: number
  /** Who may be tested for rate limits, and how much, besides whom accounts prove to be theirs. */
  readonly rateLimitTests?: RateLimitTestOptions
  /** What APIs are assessed by, in the place of `ASSESSMENT_RULES` of `api-discovery/assessments`. */
  readonly assessmentRules?: readonly AssessmentRule[]
  /** How long jobs stay after their end, in milliseconds; 90 days when absent. */
  readonly keepJobsMs?: number
  /** Where addresses are, in what scans captured; everything is unknown when absent. */
  readonly places?: FindPlace
  /**
   * Runs what can burn CPU where it can be killed. Without it, descriptions are parsed on the event
   * loop, and those of more than 1 MiB are refused.
   */
  readonly isolate?: Isolate
  /** Requests per key, in this process; 16 in flight when absent. */
  readonly requestLimits?: RequestLimits
  readonly authenticationLimits?: AuthenticationLimits
  readonly bodyLimits?: Partial<BodyLimits>
  /** Origins whose pages may call (CORS); none when absent. */
  readonly allowedOrigins?: readonly string[]
  /** Is told no API keys, wherever they stand. Silent when absent. */
  readonly logger?: Logger
  /** Memory, CPU and the like of the process, for the metrics; none when absent. */
  readonly readProcessGauges?: () => readonly Gauge[]
  readonly clock?: Clock
  readonly random?: Random
}

/** How many calls to targets may be under way, when one is left alone, and what else a host may set. */
export interface GatewayLimits extends Partial<GuardLimits> {
  /** Access tokens may be asked for over http: for targets of an internal network. */
  readonly allowsPlainTokenUrl?: boolean
  /**
   * What a call may take in all, to the end of its body, redirects and repeats included, in
   * milliseconds; when absent, what the egress gives each call.
   */
  readonly totalMs?: number
}
