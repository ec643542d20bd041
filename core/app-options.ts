import type { AuthenticationLimits } from './accounts/authenticator.ts'
import type { Authenticate } from './accounts/host-authentication.ts'
import type { RequestLimits } from './accounts/request-limiter.ts'
import type { AssessmentRule } from './assessments/records.ts'
import type { GuardLimits } from './gateway/guard/target-guard.ts'
import type { BodyLimits } from './http/body.ts'
import type { Clock } from './ports/clock.ts'
import type { Decode } from './ports/decode.ts'
import type { Egress } from './ports/egress.ts'
import type { FindGeolocation } from './ports/geolocation.ts'
import type { Isolate } from './ports/isolate.ts'
import type { Logger } from './ports/logger.ts'
import type { PasswordHasher } from './ports/passwords.ts'
import type { Random } from './ports/random.ts'
import type { Sealer } from './ports/sealer.ts'
import type { Storage } from './ports/storage.ts'
import type { RateLimitTestOptions } from './rate-limits/prepare.ts'
import type { ScanLimits } from './scans/uploads.ts'
import type { Gauge } from './shared/gauges.ts'
import type { VulnerabilitySyncOptions } from './vulnerabilities/schedule/options.ts'

/**
 * Options of the service. Only the storage is required. An unknown name in a plain object is a
 * `TypeError`.
 */
export interface ApiDiscoveryOptions {
  readonly storage: Storage
  /**
   * Base paths of the operations; default `['/api']`, `['']` for the root. Throws a `RangeError`
   * for an invalid path.
   */
  readonly basePaths?: readonly string[]
  /**
   * Public address of the service behind a proxy: `https://tools.example/discovery`, or the path
   * alone. All routes are served with and without that path, so the proxy may strip it or not;
   * links start with it. Throws a `RangeError` for a path that the service uses itself.
   */
  readonly publicUrl?: string
  /**
   * Path at which the host serves the console (`/console`). Responses to submitted scans then link
   * to their page, and the API reference to the guides.
   */
  readonly consolePath?: string
  /**
   * Path at which the host serves the MCP endpoint (`/mcp`). The AI Catalog and `llms.txt` then list
   * it.
   */
  readonly mcpPath?: string
  /** Replaces API keys by the host's own authentication: returns the caller, or undefined. */
  readonly authenticate?: Authenticate
  /**
   * Encrypts copies of API keys and target credentials. Without it, neither is stored: a key is
   * shown only once, and the gateway has no credentials.
   */
  readonly sealer?: Sealer
  /**
   * Hashes the passwords of users; without it, users cannot log in. Create one with
   * `createScryptHasher` of `api-discovery/secret`.
   */
  readonly passwords?: PasswordHasher
  /** Sends the gateway's calls; without it, only dry runs work. */
  readonly egress?: Egress
  /** Decodes recorded responses; without it, encoded bodies are not stored. */
  readonly decode?: Decode
  /** Limits of the gateway. */
  readonly gatewayLimits?: GatewayLimits
  /** Limits of submitted scans. */
  readonly scanLimits?: ScanLimits
  /** Retention of scans after their last addition, in milliseconds; unlimited by default. */
  readonly scanRetentionMs?: number
  /**
   * Hosts that may be tested for rate limits besides those that accounts have verified, and the
   * budget of the tests.
   */
  readonly rateLimitTests?: RateLimitTestOptions
  /** Scheduled syncs of the vulnerability database, which `runJobs` runs; none by default. */
  readonly vulnerabilitySync?: VulnerabilitySyncOptions
  /** Rules of API assessments; default `ASSESSMENT_RULES` of `api-discovery/assessments`. */
  readonly assessmentRules?: readonly AssessmentRule[]
  /** Retention of finished jobs, in milliseconds; default 90 days. */
  readonly jobRetentionMs?: number
  /** Geolocation of the addresses in scans; unknown by default. */
  readonly geoip?: FindGeolocation
  /**
   * Runs CPU-intensive tasks where they can be killed. Without it, descriptions are parsed on the
   * event loop, and those of more than 1 MiB are rejected.
   */
  readonly isolate?: Isolate
  /** Request limits per key, in this process; default 16 in flight. */
  readonly requestLimits?: RequestLimits
  readonly authenticationLimits?: AuthenticationLimits
  readonly bodyLimits?: Partial<BodyLimits>
  /** Origins whose pages may call the service (CORS); none by default. */
  readonly allowedOrigins?: readonly string[]
  /** Receives log events, in which API keys are masked. Silent by default. */
  readonly logger?: Logger
  /** Reads memory, CPU and similar gauges of the process for the metrics; none by default. */
  readonly readProcessGauges?: () => readonly Gauge[]
  readonly clock?: Clock
  readonly random?: Random
}

/** Limits of concurrent calls and of failing targets, and other options of the gateway. */
export interface GatewayLimits extends Partial<GuardLimits> {
  /** Allows token requests over http, for targets of an internal network. */
  readonly allowsPlainTokenUrl?: boolean
  /**
   * Maximum total time of a call in milliseconds, including body, redirects and retries. Default:
   * the egress's limit per call.
   */
  readonly totalMs?: number
}

/** The names of all options; a `Record`, so that the compiler reports a missing one. */
const OPTION_NAMES: Readonly<Record<keyof ApiDiscoveryOptions, true>> = {
  storage: true,
  basePaths: true,
  publicUrl: true,
  consolePath: true,
  mcpPath: true,
  authenticate: true,
  sealer: true,
  passwords: true,
  egress: true,
  decode: true,
  gatewayLimits: true,
  scanLimits: true,
  scanRetentionMs: true,
  rateLimitTests: true,
  vulnerabilitySync: true,
  assessmentRules: true,
  jobRetentionMs: true,
  geoip: true,
  isolate: true,
  requestLimits: true,
  authenticationLimits: true,
  bodyLimits: true,
  allowedOrigins: true,
  logger: true,
  readProcessGauges: true,
  clock: true,
  random: true,
}

/**
 * Returns the options. Throws a `TypeError` for an unknown name, which the compiler does not report
 * in JavaScript. Ignores other members of class instances.
 */
export function checkOptionNames(options: ApiDiscoveryOptions): ApiDiscoveryOptions {
  if (Object.getPrototypeOf(options) !== Object.prototype) return options
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(OPTION_NAMES, name)) continue
    const known = Object.keys(OPTION_NAMES).join(', ')
    throw new TypeError(`Unknown option "${name}": createApiDiscovery accepts ${known}`)
  }
  return options
}
