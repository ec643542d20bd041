import { ServiceError } from '../http/problems.ts'
import type { Clock, Logger } from '../ports.ts'
import type { Account, Caller } from '../shared/account.ts'
import { createBoundedMap } from '../shared/bounded-map.ts'
import { createFailureLimiter } from './failures.ts'
import { hashKey, isSameDigest, isWellFormedKey } from './keys.ts'
import type { AccountStore, ApiKeyRecord } from './store.ts'

/** The two headers that may carry a key. */
export interface Credentials {
  /** The header `api-key`, which wins. */
  readonly apiKey?: string | undefined
  /** The header `Authorization`; only `Bearer` is looked at. */
  readonly authorization?: string | undefined
  /** Name of the operation that is asked for, to tell the account of what was refused to its keys. */
  readonly operation?: string | undefined
}

/** A key that does not work any more, in a request for an operation. */
export interface EndedKey {
  readonly account: Account
  readonly keyId: string
  readonly reason: 'revoked' | 'expired'
}

/** Bounds of an authenticator. */
export interface AuthenticationLimits {
  /** Verified keys remembered. Default 10,000. */
  readonly maxKeys?: number
  /** Addresses whose failures are remembered. Default 10,000. */
  readonly maxAddresses?: number
  /** Failed attempts an address may make at once. Default 100. */
  readonly failureBurst?: number
  /** Further failed attempts it may make in a second. Default 1. */
  readonly failuresPerSecond?: number
}

/** Tells whose call a request is. */
export interface Authenticator {
  /**
   * Finds the caller. Answers at once, without a promise, for a key verified in the last second.
   * Throws or rejects with `unauthenticated` for a key that is missing, malformed, unknown, revoked
   * or expired (always the same error), and with `too_many_requests` in its place where the address
   * failed too often. Only failed attempts count and wait: a request without a key is no attempt, and
   * a valid key passes from any address. An empty address is not limited.
   */
  authenticate(credentials: Credentials, clientAddress: string): Caller | Promise<Caller>
  /** The caller of a key verified in the last second, without what `authenticate` may cost. */
  findVerified(apiKey: string | undefined): Caller | undefined
  /** Makes the next call with this key ask the store: for use right after revoking it. */
  forget(keyId: string): void
  /** How much is remembered now. */
  readonly sizes: {
    readonly verified: number
    readonly known: number
    readonly lookups: number
    readonly addresses: number
  }
}

/** The instants between which something counts, in milliseconds since the epoch. */
interface Period {
  readonly from: number
  readonly until: number
}

interface Verified extends Period {
  readonly caller: Caller
}

/** A look-up under way. It is joined for a second only, as what it read may be as old as it is. */
interface Lookup extends Period {
  readonly found: Promise<Caller | EndedKey>
}

const VERIFIED_MS = 1000
const LAST_USED_MS = 60_000
const BEARER = /^bearer +(\S+)$/i

/**
 * Creates an authenticator over a store. A key with the right checksum costs one digest and one
 * indexed lookup, whether it exists or not and however often its address has failed: whoever shares
 * an address with an attacker is not locked out, and 256 random bits need no delay to stay secret. A revocation takes effect within a second everywhere and
 * at once where `forget` is called. Last use is written at most once a minute for each key, after
 * the answer. Calls at the same time with one key share one look-up.
 */
export function createAuthenticator(deps: {
  readonly store: Pick<AccountStore, 'findKeyByHash' | 'changeKey'>
  readonly clock: Clock
  readonly limits?: AuthenticationLimits
  readonly logger?: Logger
  /** Is told of requests with keys that have ended. */
  readonly noteEnded?: (key: EndedKey, operation: string) => void
}): Authenticator {
  const { store, clock, logger, noteEnded, limits = {} } = deps
  const maxKeys = limits.maxKeys ?? 10_000
  /** By plain key, so that the hot path costs no digest. */
  const verified = createBoundedMap<string, Verified>(maxKeys)
  /** By hash: when the last use of a key was written. */
  const known = createBoundedMap<string, number>(maxKeys)
  const lookups = new Map<string, Lookup>()
  const failures = createFailureLimiter(
    {
      burst: limits.failureBurst ?? 100,
      perSecond: limits.failuresPerSecond ?? 1,
      maxAddresses: limits.maxAddresses ?? 10_000,
    },
    clock,
  )
  // One for all: a refusal must cost an attacker more than us, and capturing a stack is dear.
  const refusal = toRefusal()
  let generation = 0

  function findVerified(key: string | undefined): Caller | undefined {
    const entry = key === undefined ? undefined : verified.get(key)
    return entry && isCurrent(entry, clock()) ? entry.caller : undefined
  }

  function authenticate(credentials: Credentials, address: string): Caller | Promise<Caller> {
    const key = readKey(credentials)
    if (key === undefined) throw refusal
    const caller = findVerified(key)
    if (caller) return caller
    const now = clock()
    const running = lookups.get(key)
    if (running && isCurrent(running, now)) return settle(running, credentials)
    if (!isWellFormedKey(key)) throw refuseMalformed(address)
    const found = lookUp(key, address).finally(() => {
      if (lookups.get(key) === lookup) lookups.delete(key)
    })
    const lookup: Lookup = { found, from: now, until: now + VERIFIED_MS }
    lookups.set(key, lookup)
    return settle(lookup, credentials)
  }

  async function settle({ found }: Lookup, { operation }: Credentials): Promise<Caller> {
    const result = await found
    if (!('reason' in result)) return result
    if (operation !== undefined) noteEnded?.(result, operation)
    throw refusal
  }

  function refuseMalformed(address: string): ServiceError {
    const waitSeconds = failures.retryAfter(address)
    if (waitSeconds > 0) return toDelay(waitSeconds)
    failures.take(address)
    return refusal
  }

  async function lookUp(key: string, address: string): Promise<Caller | EndedKey> {
    const startedAt = clock()
    const startedIn = generation
    const waitSeconds = failures.retryAfter(address)
    // Taken before anything is awaited, so that attempts at the same time are all counted.
    if (waitSeconds === 0) failures.take(address)
    const hash = await hashKey(key)
    let found: Awaited<ReturnType<AccountStore['findKeyByHash']>>
    try {
      found = await store.findKeyByHash(hash)
    } catch (error) {
      if (waitSeconds === 0) failures.giveBack(address)
      throw error
    }
    if (!found || !isSameDigest(found.key.hash, hash)) {
      throw waitSeconds > 0 ? toDelay(waitSeconds) : refusal
    }
    const reason = whyEnded(found.key, clock())
    if (reason) {
      if (waitSeconds > 0) throw toDelay(waitSeconds)
      return { account: found.account, keyId: found.key.id, reason }
    }
    if (waitSeconds === 0) failures.giveBack(address)
    const caller: Caller = {
      account: { id: found.account.id, name: found.account.name },
      scopes: new Set(found.key.scopes),
      keyId: found.key.id,
    }
    const until = Math.min(startedAt + VERIFIED_MS, found.key.expiresAt ?? Number.POSITIVE_INFINITY)
    if (startedIn === generation) remember(key, { caller, from: startedAt, until })
    noteUse(found.key, caller)
    return caller
  }

  function remember(key: string, entry: Verified): void {
    const now = clock()
    for (const [oldKey, oldEntry] of verified.entries()) {
      if (isCurrent(oldEntry, now)) break
      verified.delete(oldKey)
    }
    verified.set(key, entry)
  }

  function noteUse(key: ApiKeyRecord, caller: Caller): void {
    const now = clock()
    const last = Math.max(key.lastUsedAt ?? 0, known.get(key.hash) ?? 0)
    const isDue = now - last >= LAST_USED_MS
    known.set(key.hash, isDue ? now : last)
    if (!isDue) return
    // After the answer: a synchronous driver would otherwise hold it up.
    setTimeout(() => {
      store.changeKey(caller.account, key.id, { lastUsedAt: now }).catch((error: unknown) => {
        const reason = error instanceof ServiceError ? error.code : 'unknown'
        logger?.log('warn', 'key_use_not_saved', { keyId: key.id, reason })
      })
    }, 0)
  }

  return {
    authenticate,
    findVerified,
    forget(keyId) {
      // Look-ups that have begun may have read the key before its revocation: nobody joins them.
      generation += 1
      lookups.clear()
      for (const [key, entry] of verified.entries()) {
        if (entry.caller.keyId === keyId) verified.delete(key)
      }
    },
    get sizes() {
      return {
        verified: verified.size,
        known: known.size,
        lookups: lookups.size,
        addresses: failures.size,
      }
    },
  }
}

function readKey({ apiKey, authorization }: Credentials): string | undefined {
  if (apiKey) return apiKey
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1]
}

/** False too when the clock was set back behind the period's beginning. */
function isCurrent({ from, until }: Period, now: number): boolean {
  return now >= from && now < until
}

function whyEnded(key: ApiKeyRecord, now: number): EndedKey['reason'] | undefined {
  if (key.revokedAt !== undefined) return 'revoked'
  return key.expiresAt === undefined || now < key.expiresAt ? undefined : 'expired'
}

function toRefusal(): ServiceError {
  return new ServiceError(
    'unauthenticated',
    'Cannot authenticate: the header api-key must hold a valid API key',
    { headers: { 'www-authenticate': 'Bearer' } },
  )
}

function toDelay(retryAfter: number): ServiceError {
  return new ServiceError(
    'too_many_requests',
    `Cannot authenticate: too many failed attempts from this address, wait ${retryAfter} s`,
    { retryAfter },
  )
}
