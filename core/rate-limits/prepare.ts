import type { CallMaker } from '../calls/call-maker.ts'
import type { Egress } from '../egress/egress.ts'
import type { JobHandler, JobQueue } from '../jobs/records.ts'
import type { Clock, Logger, Random } from '../ports.ts'
import type { Timers } from '../shared/timers.ts'
import { createConsent } from './consent.ts'
import { readDaily } from './days.ts'
import { readHosts } from './hosts.ts'
import { createRateLimitTests } from './rate-limit-tests.ts'
import type { RunDeps } from './run.ts'
import { RUN_KIND, toNeeds } from './runs.ts'
import type { RateLimitTests } from './service.ts'
import type { RateLimitStore } from './store.ts'

/** What an operator allows of rate-limit tests. Nothing is tested that has not consented. */
export interface RateLimitTestOptions {
  /**
   * Hosts that every account may test: `api.example.com`, which is its ports 80 and 443, or
   * `127.0.0.1:9001`. Others consent by an account's token. None when absent.
   */
  readonly hosts?: readonly string[]
  /** URL or mail address for who is tested, which goes along with each request. */
  readonly contact?: string
  /** Requests a day (UTC) of all tests of an account; 2,000 when absent, and at most. */
  readonly dailyPerAccount?: number
  /**
   * Requests a day (UTC) of all tests to a host; 2,000 when absent, and at most. All accounts share
   * them: where `hosts` names the host, one of them can use them up for the others.
   */
  readonly dailyPerHost?: number
}

/** Rate-limit tests before there is a queue for them. */
export interface PreparedTests {
  /** What does their jobs; empty where there is no egress. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** What their jobs may need and this process has. */
  readonly has: readonly string[]
  open(jobs: JobQueue): RateLimitTests
}

/** Prepares the tests. Throws a `RangeError` for options that are not as they must be. */
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
  const daily = readDaily(options)
  const hosts = readHosts(options.hosts)
  const userAgent = toUserAgent(deps.version, options.contact)
  const outside = egress && {
    egress,
    consent: createConsent({ store, egress, hosts, clock, random, userAgent }),
  }
  return {
    handlers: outside ? { [RUN_KIND]: toHandler({ ...deps, ...outside, daily, userAgent }) } : {},
    has: [...hosts].map(toNeeds),
    open: (jobs) => createRateLimitTests({ ...deps, jobs, outside, daily }),
  }
}

/** Loads what does a run with the first one: most processes test nothing. */
function toHandler(deps: RunDeps): JobHandler {
  return async (job, context) => {
    const { createTestHandler } = await import('./run.ts')
    return createTestHandler(deps)(job, context)
  }
}

/** Says who asks, and whom to turn to. */
function toUserAgent(version: string, contact: string | undefined): string {
  const product = `api-discovery/${version} rate-limit-test`
  if (contact === undefined) return product
  if (!CONTACT.test(contact)) {
    throw new RangeError(
      `Cannot give "${contact}" as contact: must be a URL or a mail address of 200 characters at most`,
    )
  }
  return `${product} (+${contact})`
}

/** Nothing that would end a comment of a header (RFC 9110 5.6.5). */
const CONTACT = /^[\x21-\x27\x2a-\x5b\x5d-\x7e]{1,200}$/
