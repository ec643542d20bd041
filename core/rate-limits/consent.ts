import { ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import { type Egress, EgressError, type EgressResponse } from '../ports/egress.ts'
import type { Random } from '../ports/random.ts'
import type { Account } from '../shared/account.ts'
import { toBase64Url } from '../shared/base64url.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import { toHostAndPort } from './hosts.ts'
import type { HostConsent } from './service.ts'
import type { RateLimitStore } from './store.ts'

/** Why a host's response to the token request is not consent. */
export type ConsentRefusal =
  /** Status 404 or 410. */
  | 'not_found'
  /** The content is not the token on a single line. */
  | 'other_content'
  /** Any other error status. */
  | 'refused'
  | 'redirected'
  /** More than 1 KiB. */
  | 'too_large'
  /** Status 429 or 503: the host may consent later. */
  | 'busy'
  /** No response within five seconds. */
  | 'unreachable'
  /** The egress connects by host name, so the address that responded is unknown. */
  | 'unpinned'

/** Whether a host may be tested, and by whose consent. */
export type ConsentState =
  | { readonly by: 'operator' }
  | {
      readonly by: 'token'
      /** The address that returned the token. The test may connect to no other address. */
      readonly address: string
    }
  | { readonly by: undefined; readonly reason: ConsentRefusal }

/** Checks whether a host may be tested. */
export interface Consent {
  /** The account's secret. A host consents to tests by publishing it. */
  getToken(account: Account): Promise<string>
  /**
   * Requests the account's token from a host, unless the operator allows the host. Rejects with
   * `address_refused` if this service does not connect to the address.
   */
  check(account: Account, origin: string): Promise<ConsentState>
  /**
   * Like `check`, but rate limited, for calls that clients trigger. Reuses a result for two seconds.
   * Rejects with `too_many_requests` beyond 10 requests per minute for one host and account, or 30
   * per minute for one host.
   */
  checkRateLimited(account: Account, origin: string): Promise<ConsentState>
}

/** The consent state of a host, and the token it could publish. */
export interface CheckedConsent {
  readonly account: Account
  readonly origin: string
  readonly state: ConsentState
  readonly token: string
}

const LIMITS = { connectMs: 3_000, firstByteMs: 5_000, totalMs: 5_000, maxBodyBytes: 1024 } as const
const REUSE_MS = 2_000
const MINUTE_MS = 60_000
const CHECKS_PER_MINUTE = 30
const ACCOUNT_CHECKS_PER_MINUTE = 10
const MAX_TRACKED = 1_000

/** Returns the URL at which a host publishes an account's token. */
export function toTokenUrl({ id }: Pick<Account, 'id'>, origin: string): string {
  return `${origin}/.well-known/api-discovery-${encodeURIComponent(id)}.txt`
}

/**
 * Creates the consent check. `hosts` are the hosts that the operator allows; other hosts need a
 * token.
 */
export function createConsent(deps: {
  readonly store: Pick<RateLimitStore, 'getConsentToken'>
  readonly egress: Egress
  readonly hosts: ReadonlySet<string>
  readonly clock: Clock
  readonly random: Random
  readonly userAgent: string
}): Consent {
  const { store, egress, clock, random, userAgent } = deps
  const known = createBoundedMap<string, { at: number; state: Promise<ConsentState> }>(MAX_TRACKED)
  const asked = createBoundedMap<string, { since: number; count: number }>(MAX_TRACKED)

  const getToken = (account: Account) => store.getConsentToken(account, toBase64Url(random(32)))

  async function checkHost(account: Account, origin: string): Promise<ConsentState> {
    if (deps.hosts.has(toHostAndPort(origin))) return { by: 'operator' }
    const token = await getToken(account)
    try {
      const answer = await egress.send({
        method: 'GET',
        url: toTokenUrl(account, origin),
        headers: [
          ['accept', 'text/plain'],
          ['accept-encoding', 'identity'],
          ['user-agent', userAgent],
        ],
        limits: LIMITS,
      })
      const reason = await findConsentRefusal(answer, token)
      if (reason) return { by: undefined, reason }
      // The name may resolve to different addresses from one moment to the next.
      if (answer.address === undefined) return { by: undefined, reason: 'unpinned' }
      return { by: 'token', address: answer.address }
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.code === 'address_refused') throw error
      const reason = error.failure === 'too_large' ? 'too_large' : 'unreachable'
      return { by: undefined, reason }
    }
  }

  function countCheck(host: string, limit: { readonly key: string; readonly most: number }): void {
    const { key, most } = limit
    const now = clock()
    const former = asked.get(key)
    const isOver = !former || Math.abs(now - former.since) >= MINUTE_MS
    const present = isOver ? { since: now, count: 0 } : former
    present.count += 1
    asked.set(key, present)
    if (present.count <= most) return
    throw new ServiceError(
      'too_many_requests',
      `Cannot check the consent of ${host}: it was checked ${most} times within a minute. Try again later`,
      { retryAfter: Math.max(1, Math.ceil((present.since + MINUTE_MS - now) / 1000)) },
    )
  }

  return {
    getToken,
    check: checkHost,
    async checkRateLimited(account, origin) {
      const host = toHostAndPort(origin)
      if (deps.hosts.has(host)) return { by: 'operator' }
      const key = `${account.id} ${origin}`
      const last = known.get(key)
      if (last && Math.abs(clock() - last.at) < REUSE_MS) return last.state
      countCheck(host, { key: `${account.id} ${host}`, most: ACCOUNT_CHECKS_PER_MINUTE })
      countCheck(host, { key: host, most: CHECKS_PER_MINUTE })
      const state = checkHost(account, origin)
      known.set(key, { at: clock(), state })
      return state
    },
  }
}

/** Returns why a response is not consent; undefined if it is the token. */
async function findConsentRefusal(
  answer: EgressResponse,
  token: string,
): Promise<ConsentRefusal | undefined> {
  const { status } = answer
  if (status !== 200) {
    answer.discard()
    if (status === 404 || status === 410) return 'not_found'
    if (status === 429 || status === 503) return 'busy'
    return status >= 300 && status < 400 ? 'redirected' : 'refused'
  }
  const text = await readConsentText(answer)
  if (text === undefined) return 'too_large'
  return isEqualInConstantTime(text.replace(/\r?\n$/, ''), token) ? undefined : 'other_content'
}

/** Returns undefined if the body is too large. */
async function readConsentText({ body }: EgressResponse): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > LIMITS.maxBodyBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}

/** Compares in constant time for texts of the same length. */
function isEqualInConstantTime(text: string, token: string): boolean {
  let difference = text.length ^ token.length
  for (let at = 0; at < token.length; at += 1) {
    difference |= text.charCodeAt(at % Math.max(1, text.length)) ^ token.charCodeAt(at)
  }
  return difference === 0
}

/** Describes the consent of a host to an account. */
export function toHostConsent({ account, origin, state, token }: CheckedConsent): HostConsent {
  const host = toHostAndPort(origin)
  const isGiven = state.by !== undefined
  const tokenUrl = toTokenUrl(account, origin)
  return {
    host,
    origin,
    isGiven,
    by: state.by,
    token,
    tokenUrl,
    reason: isGiven ? undefined : state.reason,
    missing: isGiven ? '' : describeMissingConsent({ host, tokenUrl, reason: state.reason }),
  }
}

/** Creates the error for a host without consent. Its members explain what is missing. */
export function createConsentMissingError(known: CheckedConsent): ServiceError {
  const { host, token, tokenUrl, reason, missing } = toHostConsent(known)
  return new ServiceError('consent_missing', `Cannot test ${host}: ${missing}`, {
    extra: { host, operator: describeOperatorPermission(host), token_url: tokenUrl, token, reason },
  })
}

function describeMissingConsent(
  known: Pick<HostConsent, 'host' | 'tokenUrl'> & { readonly reason: ConsentRefusal },
): string {
  const { host, tokenUrl, reason } = known
  return `the operator does not allow it, and the host does not publish the account's token at ${tokenUrl} (${REFUSAL_TEXTS[reason]}). ${describeOperatorPermission(host)}, or publish the token there as a single line of text`
}

function describeOperatorPermission(host: string): string {
  return `Ask the operator of this service to allow tests of ${host}`
}

const REFUSAL_TEXTS: Record<ConsentRefusal, string> = {
  not_found: 'not found',
  other_content: 'other content',
  refused: 'access refused',
  redirected: 'redirects are not followed',
  too_large: 'larger than 1 KiB',
  busy: 'the host is busy',
  unreachable: 'no response within 5 seconds',
  unpinned: 'this service cannot verify the address, so only its operator can allow the test',
}
