import { createNotFoundError, getErrorCode, ServiceError } from '../errors.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { SealContext, Sealer } from '../ports/sealer.ts'
import type { Account, Scope } from '../shared/account.ts'
import { toDisplayName } from '../shared/display-name.ts'
import type { Page } from '../shared/pages.ts'
import { createId, generateKey } from './keys.ts'
import { parseName, quoteInput } from './names.ts'
import { parseScopes } from './scopes.ts'
import type { AccountStore, ApiKeyRecord, KeyRefusal, RefusalRequest } from './store.ts'

/** A displayable key, without its hash and sealed copy. */
export type KeySummary = Omit<ApiKeyRecord, 'hash' | 'sealed'> & { readonly account: Account }

/** A new key. */
export interface CreatedKey {
  /** The key for clients. */
  readonly key: string
  readonly record: KeySummary
}

/** Properties of a new key. */
export interface KeyRequest {
  readonly account: Account
  /** 1 to 100 characters; need not be unique. */
  readonly name: string
  /** At least one. */
  readonly scopes: readonly Scope[]
  /** Milliseconds from now, at most ten years; undefined: it never expires. */
  readonly expiresInMs?: number | undefined
}

/** Identifies a key of an account. */
export interface KeyReference {
  readonly account: Account
  readonly keyId: string
}

/** Accounts and their keys, for the command line and the account area. */
export interface Accounts {
  /** Throws `invalid_input` for an invalid name, `conflict` for an existing one. */
  createAccount(name: string): Promise<Account>
  /** Throws `not_found`. */
  getAccount(idOrName: string): Promise<Account>
  /** Ordered by creation time. */
  listAccounts(): Promise<readonly (Account & { readonly createdAt: number })[]>
  /** Throws `invalid_input` for an invalid name, scope or expiry. */
  createKey(request: KeyRequest): Promise<CreatedKey>
  /**
   * Lists keys by creation time, including revoked and expired ones; without an account, all keys.
   */
  listKeys(account?: Account): Promise<readonly KeySummary[]>
  /** Returns the plain key from its sealed copy. Throws `not_found`, also if no copy is stored. */
  readKey(reference: KeyReference): Promise<string>
  /**
   * Creates a key with the same name, scopes, policy and lifetime. The old key expires after
   * `overlapMs`, by default 24 hours (0: at once). Throws `not_found`, and `conflict` for a revoked
   * or expired key.
   */
  rotateKey(reference: KeyReference & { readonly overlapMs?: number }): Promise<CreatedKey>
  /**
   * Lists refusals of the account's keys in the last 90 days, newest first: missing scope, ended
   * key, exceeded limit. Refusals by the gateway are in its call history.
   */
  listRefusals(account: Account, request: RefusalRequest): Promise<Page<KeyRefusal>>
  /** Revokes a key permanently; repeating it has no effect. Throws `not_found`. */
  revokeKey(reference: KeyReference): Promise<void>
  /**
   * Seals all copies again that aren't sealed with the current secret. Safe to repeat. The previous
   * secret is needed until `failed` is empty.
   */
  rewrapSecrets(): Promise<{ readonly rewrapped: number; readonly failed: readonly string[] }>
}

const MAX_EXPIRY_MS = 3650 * 86_400_000
const OVERLAP_MS = 86_400_000

/** Creates the service. `forget` is called for every key that ends, to remove it from caches. */
export function createAccounts(deps: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly random: Random
  readonly sealer: Sealer
  readonly forget?: (keyId: string) => void
  /** Storage of key policies: a rotated key receives the policy of the old one. */
  readonly policies?: Pick<GatewayStore, 'findPolicy' | 'savePolicy'>
}): Omit<Accounts, 'listRefusals'> {
  const { store, clock, random, sealer, forget } = deps

  async function saveNewKey(request: KeyRequest): Promise<CreatedKey> {
    const { account, expiresInMs } = request
    const { key, id, hint, hash } = await generateKey(random)
    const createdAt = clock()
    const record: ApiKeyRecord = {
      id,
      name: parseName('key', request.name),
      hint,
      hash,
      sealed: await sealer.seal(key, toKeySealContext(account, id)),
      scopes: parseScopes('create a key', request.scopes),
      createdAt,
      expiresAt: expiresInMs === undefined ? undefined : createdAt + checkExpiry(expiresInMs),
      revokedAt: undefined,
      lastUsedAt: undefined,
    }
    await store.saveKey(account, record)
    return { key, record: toKeySummary({ ...record, account }) }
  }

  async function getKey({ account, keyId }: KeyReference): Promise<ApiKeyRecord> {
    const key = (await store.listKeys(account)).find(({ id }) => id === keyId)
    if (!key) throw createNotFoundError('API key', toDisplayName(keyId))
    return key
  }

  return {
    async createAccount(text) {
      const name = parseName('account', text)
      const account = { id: createId('acc', random), name, createdAt: clock() }
      const saved = await store.saveAccount(account)
      if (saved) return { id: saved.id, name: saved.name }
      throw new ServiceError(
        'conflict',
        `Cannot create the account ${quoteInput(name)}: it already exists`,
      )
    },

    async getAccount(idOrName) {
      const account = await store.findAccount(idOrName)
      if (account) return { id: account.id, name: account.name }
      throw new ServiceError('not_found', `Account ${quoteInput(idOrName)} not found`)
    },

    listAccounts: () => store.listAccounts(),

    createKey: saveNewKey,

    async listKeys(account) {
      return (await store.listKeys(account)).map(toKeySummary)
    },

    async readKey(reference) {
      const { sealed } = await getKey(reference)
      if (sealed !== '')
        return sealer.open(sealed, toKeySealContext(reference.account, reference.keyId))
      throw new ServiceError('not_found', 'Cannot show the key: no copy of it is stored')
    },

    async rotateKey({ account, keyId, overlapMs = OVERLAP_MS }) {
      const old = await getKey({ account, keyId })
      const now = clock()
      if (old.revokedAt !== undefined || (old.expiresAt !== undefined && old.expiresAt <= now)) {
        throw new ServiceError('conflict', 'Cannot rotate the key: it is revoked or expired')
      }
      if (!(overlapMs >= 0 && overlapMs <= MAX_EXPIRY_MS)) {
        throw new ServiceError(
          'invalid_input',
          'Cannot rotate the key: the overlap must be between 0 and 3650 days',
        )
      }
      const lifetime = old.expiresAt === undefined ? undefined : old.expiresAt - old.createdAt
      const { name, scopes } = old
      const created = await saveNewKey({ account, name, scopes, expiresInMs: lifetime })
      const policy = await deps.policies?.findPolicy(account, keyId)
      if (policy) await deps.policies?.savePolicy(account, { ...policy, keyId: created.record.id })
      const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlapMs)
      await store.changeKey(account, keyId, { expiresAt })
      forget?.(keyId)
      return created
    },

    async revokeKey({ account, keyId }) {
      const { revokedAt } = await getKey({ account, keyId })
      if (revokedAt === undefined) await store.changeKey(account, keyId, { revokedAt: clock() })
      forget?.(keyId)
    },

    async rewrapSecrets() {
      const failed: string[] = []
      let rewrapped = 0
      for (const { id, account, sealed } of await store.listKeys(undefined)) {
        if (sealed === '') continue
        try {
          const renewed = await sealer.rewrap(sealed, toKeySealContext(account, id))
          if (renewed === undefined) continue
          await store.changeKey(account, id, { sealed: renewed })
          rewrapped += 1
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== 'internal') throw error
          failed.push(id)
        }
      }
      return { rewrapped, failed }
    },
  }
}

function toKeySealContext(account: Account, keyId: string): SealContext {
  return { purpose: 'api-key', accountId: account.id, recordId: keyId }
}

function toKeySummary(key: ApiKeyRecord & { readonly account: Account }): KeySummary {
  const { id, name, hint, scopes, createdAt, expiresAt, revokedAt, lastUsedAt, account } = key
  return {
    id,
    name,
    hint,
    scopes,
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
    account: { id: account.id, name: account.name },
  }
}

function checkExpiry(expiresInMs: number): number {
  if (Number.isInteger(expiresInMs) && expiresInMs > 0 && expiresInMs <= MAX_EXPIRY_MS) {
    return expiresInMs
  }
  throw new ServiceError('invalid_input', 'Cannot create the key: it must expire within 3650 days')
}

/**
 * Creates a function that adds an API key named "default" to an account without an active key, so
 * that new users have one. It never rejects: a key can be created later.
 */
export function createFirstKeyMaker(deps: {
  readonly accounts: Pick<Accounts, 'listKeys' | 'createKey'>
  readonly clock: Clock
  readonly logger: Logger
}) {
  const { accounts, clock, logger } = deps
  return async (owner: {
    readonly account: Account
    readonly scopes: readonly Scope[]
  }): Promise<void> => {
    const { account, scopes } = owner
    try {
      const now = clock()
      const isOver = (expiresAt = Number.POSITIVE_INFINITY) => expiresAt <= now
      const keys = await accounts.listKeys(account)
      const hasKey = keys.some((key) => key.revokedAt === undefined && !isOver(key.expiresAt))
      if (!hasKey) await accounts.createKey({ account, name: 'default', scopes })
    } catch (error) {
      const reason = getErrorCode(error)
      logger.log('warn', 'first_key_not_made', { account: account.name, reason })
    }
  }
}
