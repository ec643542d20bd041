import { getErrorCode, ServiceError } from '../errors.ts'
import type { HttpRequest } from '../http/message.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Account, Caller } from '../shared/account.ts'
import { type BoundedMap, createBoundedMap } from '../shared/bounded-map.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import { createFailureLimiter } from './failure-limiter.ts'
import { hashKey, isSameDigest, isWellFormedKey } from './keys.ts'
import type { AccountStore, ApiKeyRecord } from './store.ts'

/** The two headers that may contain a key. */
export interface RequestCredentials {
  /** The header `api-key`; takes precedence. */
  readonly apiKey?: string | undefined
  /** The header `Authorization`; only `Bearer` is supported. */
  readonly authorization?: string | undefined
  /** Name of the requested operation, for the list of refusals that the account sees. */
  readonly operation?: string | undefined
}

/** A revoked or expired key that was used for an operation. */
export interface InactiveKey {
  readonly account: Account
  readonly keyId: string
  readonly reason: 'revoked' | 'expired'
}

/** Limits of an authenticator. */
export interface AuthenticationLimits {
  /** Number of verified keys in the cache. Default 10,000. */
  readonly maxKeys?: number
  /** Number of addresses with tracked failures. Default 10,000. */
  readonly maxAddresses?: number
  /** Failed attempts that an address may make in a burst. Default 100. */
  readonly failureBurst?: number
  /** Further failed attempts per second. Default 1. */
  readonly failuresPerSecond?: number
}

/** Identifies the caller of a request. */
export interface Authenticator {
  /**
   * Finds the caller of a key. Returns synchronously for a key verified in the last second.
   *
   * Throws or rejects with `unauthenticated` for a key that is missing, malformed, unknown, revoked
   * or expired; the error is always the same. If the address failed too often, the error is
   * `too_many_requests` instead. Only failed attempts are limited: a request without a key doesn't
   * count, and a valid key is accepted from any address. Requests without an address are not
   * limited.
   */
  authenticate(credentials: RequestCredentials, clientAddress: string): Caller | Promise<Caller>
  /**
   * Returns the caller of a key verified in the last second. Avoids the other costs of
   * `authenticate`.
   */
  findVerified(apiKey: string | undefined): Caller | undefined
  /** Removes a key from the cache: call it right after revoking the key. */
  forget(keyId: string): void
  /** Current number of cached entries. */
  readonly sizes: {
    readonly verified: number
    readonly known: number
    readonly lookups: number
    readonly addresses: number
  }
}

interface AuthenticatorDeps {
  readonly store: Pick<AccountStore, 'findKeyByHash' | 'changeKey'>
  readonly clock: Clock
  readonly limits?: AuthenticationLimits
  readonly logger?: Logger
  /** Called for requests with revoked or expired keys. */
  readonly onInactiveKey?: (key: InactiveKey, operation: string) => void
}

/** A validity period in milliseconds since the epoch. */
interface Period {
  readonly from: number
  readonly until: number
}

interface Verified extends Period {
  readonly caller: Caller
}

/** A running lookup. Others join it for a second at most, as its data may be as old as that. */
interface Lookup extends Period {
  readonly found: Promise<Caller | InactiveKey>
}

const VERIFIED_MS = 1000
const LAST_USED_MS = 60_000
const BEARER = /^bearer +(\S+)$/i

/**
 * Creates an authenticator for a store. A key with a correct checksum costs one digest and one
 * indexed lookup, whether or not it exists and however often its address failed. So users who share
 * an address with an attacker are not locked out. With 256 random bits, keys are safe without
 * delays.
 *
 * A revocation takes effect within a second in all processes, and at once if `forget` is called.
 * Last use is stored at most once a minute per key, after the response. Concurrent calls with a key
 * share one lookup.
 */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { store, clock, onInactiveKey, limits = {} } = deps
  const maxKeys = limits.maxKeys ?? 10_000
  /** By plain key, so that the hot path needs no digest. */
  const verified = createBoundedMap<string, Verified>(maxKeys)
  const lastUsedTimes = createBoundedMap<string, number>(maxKeys)
  const lookups = new Map<string, Lookup>()
  const failures = createFailureLimiter(
    {
      burst: limits.failureBurst ?? 100,
      perSecond: limits.failuresPerSecond ?? 1,
      maxAddresses: limits.maxAddresses ?? 10_000,
    },
    clock,
  )
  // One shared instance: capturing a stack trace per refusal would cost us more than the attacker.
  const refusal = createUnauthenticatedError()
  let generation = 0

  function findVerified(key: string | undefined): Caller | undefined {
    const entry = key === undefined ? undefined : verified.get(key)
    return entry && isCurrent(entry, clock()) ? entry.caller : undefined
  }

  function authenticate(credentials: RequestCredentials, address: string): MaybePromise<Caller> {
    const key = extractKey(credentials)
    if (key === undefined) throw refusal
    const caller = findVerified(key)
    if (caller) return caller
    const now = clock()
    const running = lookups.get(key)
    if (running && isCurrent(running, now)) return resolveLookup(running, credentials)
    if (!isWellFormedKey(key)) throw refuseMalformed(address)
    const found = lookUp(key, address).finally(() => {
      if (lookups.get(key) === lookup) lookups.delete(key)
    })
    const lookup: Lookup = { found, from: now, until: now + VERIFIED_MS }
    lookups.set(key, lookup)
    return resolveLookup(lookup, credentials)
  }

  async function resolveLookup(
    { found }: Lookup,
    { operation }: RequestCredentials,
  ): Promise<Caller> {
    const result = await found
    if (!('reason' in result)) return result
    if (operation !== undefined) onInactiveKey?.(result, operation)
    throw refusal
  }

  function refuseMalformed(address: string): ServiceError {
    const waitSeconds = failures.retryAfter(address)
    if (waitSeconds > 0) return createTooManyFailuresError(waitSeconds)
    failures.take(address)
    return refusal
  }

  async function lookUp(key: string, address: string): Promise<Caller | InactiveKey> {
    const startedAt = clock()
    const startedIn = generation
    const waitSeconds = failures.retryAfter(address)
    // Count before the first await, so that concurrent attempts are all counted.
    if (waitSeconds === 0) failures.take(address)
    const hash = await hashKey(key)
    let found: Awaited<ReturnType<AccountStore['findKeyByHash']>>
    try {
      found = await store.findKeyByHash(hash)
    } catch (error) {
      if (waitSeconds === 0) failures.returnToken(address)
      throw error
    }
    if (!found || !isSameDigest(found.key.hash, hash)) {
      throw waitSeconds > 0 ? createTooManyFailuresError(waitSeconds) : refusal
    }
    const reason = findInactiveReason(found.key, clock())
    if (reason) {
      if (waitSeconds > 0) throw createTooManyFailuresError(waitSeconds)
      return { account: found.account, keyId: found.key.id, reason }
    }
    if (waitSeconds === 0) failures.returnToken(address)
    const caller: Caller = {
      account: { id: found.account.id, name: found.account.name },
      scopes: new Set(found.key.scopes),
      keyId: found.key.id,
    }
    const until = Math.min(startedAt + VERIFIED_MS, found.key.expiresAt ?? Number.POSITIVE_INFINITY)
    if (startedIn === generation) {
      removeOutdated(verified, clock())
      verified.set(key, { caller, from: startedAt, until })
    }
    storeLastUse({ ...deps, times: lastUsedTimes }, found)
    return caller
  }

  return {
    authenticate,
    findVerified,
    forget(keyId) {
      // Running lookups may have read the key before its revocation: no further calls may join
      // them.
      generation += 1
      lookups.clear()
      for (const [key, entry] of verified.entries()) {
        if (entry.caller.keyId === keyId) verified.delete(key)
      }
    },
    get sizes() {
      return {
        verified: verified.size,
        known: lastUsedTimes.size,
        lookups: lookups.size,
        addresses: failures.size,
      }
    },
  }
}

function removeOutdated(verified: BoundedMap<string, Verified>, now: number): void {
  for (const [key, entry] of verified.entries()) {
    if (isCurrent(entry, now)) break
    verified.delete(key)
  }
}

/** Stores the last use of a key; `times` contains when that was last done, by hash. */
function storeLastUse(
  deps: AuthenticatorDeps & { readonly times: BoundedMap<string, number> },
  { key, account }: { readonly key: ApiKeyRecord; readonly account: Account },
): void {
  const { store, clock, logger, times } = deps
  const { id: keyId, hash, lastUsedAt = 0 } = key
  const now = clock()
  const last = Math.max(lastUsedAt, times.get(hash) ?? 0)
  const isDue = now - last >= LAST_USED_MS
  times.set(hash, isDue ? now : last)
  if (!isDue) return
  // Runs after the response, because a synchronous database driver would delay it.
  setTimeout(() => {
    store.changeKey(account, keyId, { lastUsedAt: now }).catch((error: unknown) => {
      logger?.log('warn', 'key_use_not_saved', { keyId, reason: getErrorCode(error) })
    })
  }, 0)
}

function extractKey({ apiKey, authorization }: RequestCredentials): string | undefined {
  if (apiKey) return apiKey
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

/** Checks whether a period is current. It is not if the clock was set back to before it. */
function isCurrent({ from, until }: Period, now: number): boolean {
  return now >= from && now < until
}

function findInactiveReason(key: ApiKeyRecord, now: number): InactiveKey['reason'] | undefined {
  if (key.revokedAt !== undefined) return 'revoked'
  return key.expiresAt === undefined || now < key.expiresAt ? undefined : 'expired'
}

function createUnauthenticatedError(): ServiceError {
  return new ServiceError(
    'unauthenticated',
    'Cannot authenticate: the header api-key must contain a valid API key',
    { headers: { 'www-authenticate': 'Bearer' } },
  )
}

function createTooManyFailuresError(retryAfter: number): ServiceError {
  return new ServiceError(
    'too_many_requests',
    `Cannot authenticate: too many failed attempts from this address. Try again in ${retryAfter} s`,
    { retryAfter },
  )
}

/** Creates a function that authenticates a request for an operation by its API key. */
export function toKeyAuthentication(authenticator: Authenticator) {
  return (request: HttpRequest, operation: string) => {
    const apiKey = request.header('api-key')
    const caller = authenticator.findVerified(apiKey)
    if (caller) return caller
    const authorization = request.header('authorization')
    const credentials = { apiKey, authorization, operation }
    return authenticator.authenticate(credentials, request.clientAddress)
  }
}
