import { type Egress, type EgressAnswer, EgressError } from '../egress/egress.ts'
import { ServiceError } from '../http/problems.ts'
import type { Clock, Random } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import { toBase64Url } from '../shared/base64url.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import { toHost } from './hosts.ts'
import type { RateLimitStore } from './store.ts'

/** What a host answered that was asked for an account's token. */
export type ConsentAnswer =
  /** 404 or 410. */
  | 'not_found'
  /** Anything but the token, as one line. */
  | 'other_content'
  /** Another status: nobody may read it. */
  | 'refused'
  | 'redirected'
  /** More than 1 KiB. */
  | 'too_large'
  /** 429 or 503: it cannot tell now. */
  | 'busy'
  /** None, in five seconds. */
  | 'unreachable'
  /** The host of this service connects by names, so that the answer may have come from anywhere. */
  | 'unpinned'

/** Whether a host may be tested. */
export type ConsentState =
  | { readonly by: 'operator' }
  | {
      readonly by: 'token'
      /** Where the token was: nowhere else may be tested. */
      readonly address: string
    }
  | { readonly by: undefined; readonly reason: ConsentAnswer }

/** Who has said that a host may be tested. */
export interface Consent {
  /** The account's secret, which a host answers with that it may test. */
  tokenOf(account: Account): Promise<string>
  /**
   * Asks a host that the operator has not named for the account's token. Rejects with
   * `address_refused` where this service does not connect to it.
   */
  ask(account: Account, origin: string): Promise<ConsentState>
  /**
   * Likewise, for callers who may ask as often as they like: an answer may be two seconds old, and
   * beyond 10 questions a minute to a host, or 30 of all accounts, it rejects with
   * `too_many_requests`.
   */
  askNow(account: Account, origin: string): Promise<ConsentState>
}

const LIMITS = { connectMs: 3_000, firstByteMs: 5_000, totalMs: 5_000, maxBodyBytes: 1024 } as const
const KEPT_MS = 2_000
const MINUTE_MS = 60_000
const QUESTIONS_A_MINUTE = 30
const QUESTIONS_OF_ACCOUNT = 10
const MAX_KNOWN = 1_000

/** Where a host answers an account's token. */
export function toTokenUrl({ id }: Pick<Account, 'id'>, origin: string): string {
  return `${origin}/.well-known/api-discovery-${encodeURIComponent(id)}.txt`
}

/** Creates the consent: by what the operator names (`hosts`), or by tokens. */
export function createConsent(deps: {
  readonly store: Pick<RateLimitStore, 'getConsentToken'>
  readonly egress: Egress
  readonly hosts: ReadonlySet<string>
  readonly clock: Clock
  readonly random: Random
  readonly userAgent: string
}): Consent {
  const { store, egress, clock, random, userAgent } = deps
  const known = createBoundedMap<string, { at: number; state: Promise<ConsentState> }>(MAX_KNOWN)
  const asked = createBoundedMap<string, { since: number; count: number }>(MAX_KNOWN)

  const tokenOf = (account: Account) => store.getConsentToken(account, toBase64Url(random(32)))

  async function ask(account: Account, origin: string): Promise<ConsentState> {
    if (deps.hosts.has(toHost(origin))) return { by: 'operator' }
    const token = await tokenOf(account)
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
      const reason = await judge(answer, token)
      if (reason) return { by: undefined, reason }
      // A name may stand for one address now and for another one in the next moment.
      if (answer.address === undefined) return { by: undefined, reason: 'unpinned' }
      return { by: 'token', address: answer.address }
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.code === 'address_refused') throw error
      const reason = error.failure === 'too_large' ? 'too_large' : 'unreachable'
      return { by: undefined, reason }
    }
  }

  function count(host: string, counted: { readonly key: string; readonly most: number }): void {
    const { key, most } = counted
    const now = clock()
    const former = asked.get(key)
    const isOver = !former || Math.abs(now - former.since) >= MINUTE_MS
    const present = isOver ? { since: now, count: 0 } : former
    present.count += 1
    asked.set(key, present)
    if (present.count <= most) return
    throw new ServiceError(
      'too_many_requests',
      `Cannot ask ${host} for its consent now: it was asked ${most} times in a minute`,
      { retryAfter: Math.max(1, Math.ceil((present.since + MINUTE_MS - now) / 1000)) },
    )
  }

  return {
    tokenOf,
    ask,
    async askNow(account, origin) {
      const host = toHost(origin)
      if (deps.hosts.has(host)) return { by: 'operator' }
      const key = `${account.id} ${origin}`
      const last = known.get(key)
      if (last && Math.abs(clock() - last.at) < KEPT_MS) return last.state
      count(host, { key: `${account.id} ${host}`, most: QUESTIONS_OF_ACCOUNT })
      count(host, { key: host, most: QUESTIONS_A_MINUTE })
      const state = ask(account, origin)
      known.set(key, { at: clock(), state })
      return state
    },
  }
}

/** What is wrong with an answer; undefined for the token. */
async function judge(answer: EgressAnswer, token: string): Promise<ConsentAnswer | undefined> {
  const { status } = answer
  if (status !== 200) {
    answer.discard()
    if (status === 404 || status === 410) return 'not_found'
    if (status === 429 || status === 503) return 'busy'
    return status >= 300 && status < 400 ? 'redirected' : 'refused'
  }
  const text = await readText(answer)
  if (text === undefined) return 'too_large'
  return isSame(text.replace(/\r?\n$/, ''), token) ? undefined : 'other_content'
}

/** Undefined where there is more than may be. */
async function readText({ body }: EgressAnswer): Promise<string | undefined> {
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

/** Takes as long for every text of the same length. */
function isSame(text: string, token: string): boolean {
  let difference = text.length ^ token.length
  for (let at = 0; at < token.length; at += 1) {
    difference |= text.charCodeAt(at % Math.max(1, text.length)) ^ token.charCodeAt(at)
  }
  return difference === 0
}
