import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EgressRequest, EgressResponse } from '../../ports/egress.ts'
import type { Account } from '../../shared/account.ts'
import { createBoundedMap } from '../../shared/bounded-map.ts'
import type { MaybePromise } from '../../shared/maybe-promise.ts'
import type { OpenedCredential } from './credentials.ts'

/** Access tokens of OAuth 2 client credentials (RFC 6749 4.4). */
export interface AccessTokens {
  /**
   * Returns the access token of a credential. Requests a new one if the cached token lasts less
   * than 30 seconds. At most one request per credential is in flight. Rejects like a call of the
   * token URL, and with `target_failed` if the response contains no token.
   */
  get(account: Account, credential: OpenedCredential): MaybePromise<string>
  /**
   * Reports that a target refused a token. A token older than ten seconds is dropped from the
   * cache. Returns true if a retry with another token is useful; false for a newer token, which
   * lacks permissions rather than being expired.
   */
  reportRefused(account: Account, used: UsedToken): boolean
}

/** An access token that was sent, with its credential. */
export interface UsedToken {
  readonly credential: OpenedCredential
  readonly token: string
}

interface CachedToken {
  readonly text: string
  readonly from: number
  readonly until: number
}

const MAX_TOKENS = 1000
const MIN_TOKEN_AGE_MS = 10_000
/** A token is renewed this long before it expires. */
const EXPIRY_MARGIN_MS = 30_000
/** Lifetime of a token without `expires_in`. */
const DEFAULT_LIFETIME_MS = 300_000
const MAX_LIFETIME_MS = 86_400_000
const MAX_BYTES = 64 * 1024

/** Creates the token cache. `send` calls the token URL through the guard. */
export function createAccessTokens(deps: {
  readonly send: (account: Account, request: EgressRequest) => Promise<EgressResponse>
  readonly clock: Clock
  readonly userAgent: string
}): AccessTokens {
  const { send, clock, userAgent } = deps
  const tokens = createBoundedMap<string, CachedToken>(MAX_TOKENS)
  const pending = new Map<string, Promise<string>>()

  async function requestToken(
    key: string,
    account: Account,
    credential: OpenedCredential,
  ): Promise<string> {
    const from = clock()
    const answer = await send(account, createTokenRequest(credential, userAgent)).catch(
      rethrowTokenFailure,
    )
    const { text, lastsMs } = parseTokenResponse(answer.status, await readTokenText(answer))
    if (lastsMs > EXPIRY_MARGIN_MS)
      tokens.set(key, { text, from, until: from + lastsMs - EXPIRY_MARGIN_MS })
    return text
  }

  return {
    get(account, credential) {
      const key = toTokenKey(account, credential)
      const known = tokens.get(key)
      const now = clock()
      if (known && now >= known.from && now < known.until) return known.text
      const running = pending.get(key)
      if (running) return running
      const asked = requestToken(key, account, credential).finally(() => pending.delete(key))
      pending.set(key, asked)
      return asked
    },

    reportRefused(account, { credential, token }) {
      const key = toTokenKey(account, credential)
      const known = tokens.get(key)
      // Another call reported it first: a newer token exists or is being requested.
      if (known?.text !== token) return known !== undefined || pending.has(key)
      const isNew = clock() - known.from < MIN_TOKEN_AGE_MS
      // If a target refuses every token, a new one is requested at most every ten seconds.
      if (isNew)
        tokens.set(key, { ...known, until: Math.min(known.until, known.from + MIN_TOKEN_AGE_MS) })
      else tokens.delete(key)
      return !isNew
    },
  }
}

/** Contains the sealed text, so that a replaced credential gets a new token. */
function toTokenKey(account: Account, { id, sealed }: OpenedCredential): string {
  return `${account.id} ${id} ${sealed}`
}

/** Client ID and secret are form-encoded, then sent as Basic credentials (RFC 6749 2.3.1). */
function createTokenRequest(credential: OpenedCredential, userAgent: string): EgressRequest {
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

async function readTokenText({ body }: EgressResponse): Promise<string> {
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
    return rethrowTokenFailure(error)
  }
  if (length > MAX_BYTES) throw createTokenError('its response is too long')
  return text
}

function parseTokenResponse(status: number, text: string) {
  const answer = parseObject(text)
  const { access_token: token, token_type: type, expires_in: lasts, error } = answer
  if (status !== 200) {
    const code = typeof error === 'string' && /^\w{1,40}$/.test(error) ? ` ${error}` : ''
    const isClients = status === 400 || status === 401 || status === 403
    throw createTokenError(
      `it ${isClients ? 'refused the client:' : 'returned status'} ${status}${code}`,
    )
  }
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw createTokenError('its response contains no access token')
  }
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw createTokenError('its token is not of type Bearer')
  }
  const seconds =
    typeof lasts === 'number' || typeof lasts === 'string' ? Number(lasts) : Number.NaN
  const lastsMs = Number.isFinite(seconds)
    ? Math.min(seconds * 1000, MAX_LIFETIME_MS)
    : DEFAULT_LIFETIME_MS
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

/**
 * Rethrows a failure of the token request, with a message that names the token URL as its origin.
 */
function rethrowTokenFailure(error: unknown): never {
  if (!(error instanceof ServiceError)) throw createTokenError('no response received', error)
  const { code, message, retryAfter } = error
  throw new ServiceError(code, `${TOKEN_ERROR_PREFIX}: ${message}`, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: error,
  })
}

function createTokenError(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('target_failed', `${TOKEN_ERROR_PREFIX}: ${reason}`, { cause })
}

const TOKEN_ERROR_PREFIX = 'Cannot get an access token from the token URL of the credential'
