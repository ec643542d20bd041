import type { EgressAnswer, EgressRequest } from '../../egress/egress.ts'
import { ServiceError } from '../../http/problems.ts'
import type { Clock } from '../../ports.ts'
import type { Account } from '../../shared/account.ts'
import { createBoundedMap } from '../../shared/bounded-map.ts'
import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { OpenedCredential } from './credentials.ts'

/** Access tokens of OAuth 2 client credentials (RFC 6749 4.4). */
export interface AccessTokens {
  /**
   * The token of a credential, asked for where none is known that lasts 30 seconds more. One
   * request is under way for a credential at a time. Rejects as a call of the token URL would, and
   * with `target_failed` where that gives none.
   */
  get(account: Account, credential: OpenedCredential): MaybePromise<string>
  /**
   * Is told that a target has refused a token: it is used no more once it is ten seconds old. True
   * when another one is worth a try now: a token that is newer is refused for what it may do, not
   * for its age.
   */
  refuse(account: Account, used: UsedToken): boolean
}

/** An access token that was sent, and whose it is. */
export interface UsedToken {
  readonly credential: OpenedCredential
  readonly token: string
}

interface Token {
  readonly text: string
  readonly from: number
  readonly until: number
}

const MAX_TOKENS = 1000
const NEW_MS = 10_000
/** A token is asked for anew this long before its end. */
const SPARE_MS = 30_000
/** How long a token lasts whose answer does not tell. */
const UNTOLD_MS = 300_000
const MAX_MS = 86_400_000
const MAX_BYTES = 64 * 1024

/** Creates the tokens; `send` is how targets are called, guard included. */
export function createAccessTokens(deps: {
  readonly send: (account: Account, request: EgressRequest) => Promise<EgressAnswer>
  readonly clock: Clock
  readonly userAgent: string
}): AccessTokens {
  const { send, clock, userAgent } = deps
  const tokens = createBoundedMap<string, Token>(MAX_TOKENS)
  const asking = new Map<string, Promise<string>>()

  async function ask(key: string, account: Account, credential: OpenedCredential): Promise<string> {
    const from = clock()
    const answer = await send(account, toRequest(credential, userAgent)).catch(toThrown)
    const { text, lastsMs } = readToken(answer.status, await readText(answer))
    if (lastsMs > SPARE_MS) tokens.set(key, { text, from, until: from + lastsMs - SPARE_MS })
    return text
  }

  return {
    get(account, credential) {
      const key = toKey(account, credential)
      const known = tokens.get(key)
      const now = clock()
      if (known && now >= known.from && now < known.until) return known.text
      const running = asking.get(key)
      if (running) return running
      const asked = ask(key, account, credential).finally(() => asking.delete(key))
      asking.set(key, asked)
      return asked
    },

    refuse(account, { credential, token }) {
      const key = toKey(account, credential)
      const known = tokens.get(key)
      // Another call was told before: there is a newer token, or one is being asked for.
      if (known?.text !== token) return known !== undefined || asking.has(key)
      const isNew = clock() - known.from < NEW_MS
      // So a target that takes none has them asked for every ten seconds, whoever calls it.
      if (isNew) tokens.set(key, { ...known, until: Math.min(known.until, known.from + NEW_MS) })
      else tokens.delete(key)
      return !isNew
    },
  }
}

/** A credential that was stored anew has another envelope. */
function toKey(account: Account, { id, sealed }: OpenedCredential): string {
  return `${account.id} ${id} ${sealed}`
}

/** Client id and secret go as RFC 6749 2.3.1 wants them: form-encoded, then as Basic. */
function toRequest(credential: OpenedCredential, userAgent: string): EgressRequest {
  const { secret, tokenUrl, oauthScope } = credential
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (oauthScope !== '') form.set('scope', oauthScope)
  const pair = `${encodeForm(secret.user)}:${encodeForm(secret.value)}`
  return {
    method: 'POST',
    url: tokenUrl,
    headers: [
      ['accept', 'application/json'],
      ['accept-encoding', 'identity'],
      ['authorization', `Basic ${btoa(pair)}`],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['user-agent', userAgent],
    ],
    body: new TextEncoder().encode(form.toString()),
    limits: { maxBodyBytes: MAX_BYTES },
  }
}

function encodeForm(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2)
}

async function readText({ body }: EgressAnswer): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.byteLength
      if (length > MAX_BYTES) break
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    return toThrown(error)
  }
  if (length > MAX_BYTES) throw toFailure('its answer is too long')
  return text
}

function readToken(status: number, text: string) {
  const answer = parseObject(text)
  const { access_token: token, token_type: type, expires_in: lasts, error } = answer
  if (status !== 200) {
    const code = typeof error === 'string' && /^\w{1,40}$/.test(error) ? ` ${error}` : ''
    const isClients = status === 400 || status === 401 || status === 403
    throw toFailure(`it ${isClients ? 'refused the client:' : 'answered'} ${status}${code}`)
  }
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw toFailure('its answer holds no access token')
  }
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw toFailure('its token is not of type Bearer')
  }
  const seconds =
    typeof lasts === 'number' || typeof lasts === 'string' ? Number(lasts) : Number.NaN
  const lastsMs = Number.isFinite(seconds) ? Math.min(seconds * 1000, MAX_MS) : UNTOLD_MS
  return { text: token, lastsMs }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** What keeps the token URL from answering, with words that tell it from the target. */
function toThrown(error: unknown): never {
  if (!(error instanceof ServiceError)) throw toFailure('no answer came', error)
  const { code, message, retryAfter } = error
  throw new ServiceError(code, `${NO_TOKEN}: ${message}`, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: error,
  })
}

function toFailure(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('target_failed', `${NO_TOKEN}: ${reason}`, { cause })
}

const NO_TOKEN = 'Cannot get an access token from the token URL of the credential'
