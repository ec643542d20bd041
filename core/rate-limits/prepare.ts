import type { CallMaker } from '../calls/call-maker.ts'
import type { JobHandler, JobQueue } from '../jobs/records.ts'
import type { Clock } from '../ports/clock.ts'
import type { Egress } from '../ports/egress.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Timers } from '../shared/timers.ts'
import { createConsent } from './consent.ts'
import { readDailyBudgets } from './daily-budgets.ts'
import { parseAllowedHosts } from './hosts.ts'
import { createRateLimitTests } from './rate-limit-tests.ts'
import type { RunDeps } from './run.ts'
import { RUN_KIND, toTestPermission } from './runs.ts'
import type { RateLimitTests } from './service.ts'
import type { RateLimitStore } from './store.ts'

/** The operator's settings for rate-limit tests. A host is tested only with consent. */
export interface RateLimitTestOptions {
  /**
   * Hosts that every account may test: `api.example.com`, for ports 80 and 443, or
   * `127.0.0.1:9001`. Other hosts consent by publishing an account's token. Default: none.
   */
  readonly hosts?: readonly string[]
  /** Contact URL or email address for the tested hosts, sent in each request's `User-Agent`. */
  readonly contact?: string
  /** Requests per UTC day across all tests of an account; default and maximum: 2,000. */
  readonly dailyPerAccount?: number
  /**
   * Requests per UTC day across all tests of a host; default and maximum: 2,000. All accounts share
   * this budget: for an allowed host, one account can exhaust it for the others.
   */
  readonly dailyPerHost?: number
}

/** The rate-limit tests before the job queue exists. */
export interface PreparedTests {
  /** Job handlers; empty without an egress. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Capabilities of this process that test jobs may require. */
  readonly has: readonly string[]
  open(jobs: JobQueue): RateLimitTests
}

/** Prepares the rate-limit tests. Throws a `RangeError` for invalid options. */
export function prepareRateLimitTests(deps: {
  readonly store: RateLimitStore
  readonly maker: CallMaker
  readonly egress: Egress | undefined
  readonly readDeclared: RunDeps['readDeclared']
  readonly options: RateLimitTestOptions
  readonly version: string
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly logger: Logger
}): PreparedTests {
  const { store, egress, clock, random, options } = deps
  const daily = readDailyBudgets(options)
  const hosts = parseAllowedHosts(options.hosts)
  const userAgent = toUserAgent(deps.version, options.contact)
  const outside = egress && {
    egress,
    consent: createConsent({ store, egress, hosts, clock, random, userAgent }),
  }
  return {
    handlers: outside
      ? { [RUN_KIND]: createLazyHandler({ ...deps, ...outside, daily, userAgent }) }
      : {},
    has: [...hosts].map(toTestPermission),
    open: (jobs) => createRateLimitTests({ ...deps, jobs, outside, daily }),
  }
}

/** Loads the runner with the first run: most processes run no tests. */
function createLazyHandler(deps: RunDeps): JobHandler {
  return async (job, context) => {
    const { createTestHandler } = await import('./run.ts')
    return createTestHandler(deps)(job, context)
  }
}

/** Identifies the service and its contact. */
function toUserAgent(version: string, contact: string | undefined): string {
  const product = `api-discovery/${version} rate-limit-test`
  if (contact === undefined) return product
  if (!CONTACT.test(contact)) {
    throw new RangeError(
      `Invalid contact "${contact}": must be a URL or an email address of at most 200 characters`,
    )
  }
  return `${product} (+${contact})`
}

/** Excludes characters that would end or escape a header comment (RFC 9110 5.6.5). */
const CONTACT = /^[\x21-\x27\x2a-\x5b\x5d-\x7e]{1,200}$/
