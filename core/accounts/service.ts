import type { GatewayStore } from '../gateway/store.ts'
import { ServiceError } from '../http/problems.ts'
import type { Clock, Random } from '../ports.ts'
import type { Account, Scope } from '../shared/account.ts'
import type { Page } from '../shared/pages.ts'
import { createId, createKey } from './keys.ts'
import { parseName, quote } from './names.ts'
import { parseScopes } from './scopes.ts'
import type { SealContext, Sealer } from './seal.ts'
import type { AccountStore, ApiKeyRecord, KeyRefusal, RefusalRequest } from './store.ts'

/** A key as it may be shown and printed: neither its hash nor its sealed copy. */
export type KeySummary = Omit<ApiKeyRecord, 'hash' | 'sealed'> & { readonly account: Account }

/** A key that was just made. */
export interface CreatedKey {
  /** What the client sends. */
  readonly key: string
  readonly record: KeySummary
}

/** What a new key is. */
export interface KeyRequest {
  readonly account: Account
  /** 1 to 100 characters; several keys may have one name. */
  readonly name: string
  /** At least one. */
  readonly scopes: readonly Scope[]
  /** Milliseconds from now; undefined: it never expires. At most ten years. */
  readonly expiresInMs?: number | undefined
}

/** Which key of which account is meant. */
export interface KeyReference {
  readonly account: Account
  readonly keyId: string
}

/** Accounts and their keys, for the command line and the account area. */
export interface Accounts {
  /** Throws `invalid_input` for a bad name, `conflict` for one that is taken. */
  createAccount(name: string): Promise<Account>
  /** Throws `not_found`. */
  getAccount(idOrName: string): Promise<Account>
  /** In order of creation. */
  listAccounts(): Promise<readonly (Account & { readonly createdAt: number })[]>
  /** Throws `invalid_input` for a bad name, scope or expiry. */
  createKey(request: KeyRequest): Promise<CreatedKey>
  /** In order of creation, revoked and expired ones too; without account, the keys of all. */
  listKeys(account?: Account): Promise<readonly KeySummary[]>
  /** The key in plain, from its sealed copy. Throws `not_found`, also when no copy is kept. */
  readKey(reference: KeyReference): Promise<string>
  /**
   * Makes a key of the same name, scopes and policy, which lives as long as the old one was to, and lets the old one expire after the
   * overlap, 24 hours unless told (0: at once). Throws `not_found`, and `conflict` for a key that
   * is revoked or expired.
   */
  rotateKey(reference: KeyReference & { readonly overlapMs?: number }): Promise<CreatedKey>
  /**
   * What was refused to the account's keys in the last 90 days, the latest first: for want of a
   * scope, after their end, and beyond their limits. What the gateway refused is among its calls.
   */
  listRefusals(account: Account, request: RefusalRequest): Promise<Page<KeyRefusal>>
  /** Revokes a key for good; a second time changes nothing. Throws `not_found`. */
  revokeKey(reference: KeyReference): Promise<void>
  /**
   * Seals every copy anew that is not under the sealer's current secret. Safe to repeat. The
   * previous secret is needed until `failed` is empty.
   */
  rewrapSecrets(): Promise<{ readonly rewrapped: number; readonly failed: readonly string[] }>
}

const MAX_EXPIRY_MS = 3650 * 86_400_000
const OVERLAP_MS = 86_400_000

/** Creates the service. `forget` is told of every key that ends, so that caches drop it. */
export function createAccounts(deps: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly random: Random
  readonly sealer: Sealer
  readonly forget?: (keyId: string) => void
  /** Where the limits of keys are stored: a rotated key gets those of the old one. */
  readonly policies?: Pick<GatewayStore, 'findPolicy' | 'savePolicy'>
}): Omit<Accounts, 'listRefusals'> {
  const { store, clock, random, sealer, forget } = deps

  async function saveNewKey(request: KeyRequest): Promise<CreatedKey> {
    const { account, expiresInMs } = request
    const { key, id, hint, hash } = await createKey(random)
    const createdAt = clock()
    const record: ApiKeyRecord = {
      id,
      name: parseName('key', request.name),
      hint,
      hash,
      sealed: await sealer.seal(key, toContext(account, id)),
      scopes: parseScopes('create a key', request.scopes),
      createdAt,
      expiresAt: expiresInMs === undefined ? undefined : createdAt + checkExpiry(expiresInMs),
      revokedAt: undefined,
      lastUsedAt: undefined,
    }
    await store.saveKey(account, record)
    return { key, record: toSummary({ ...record, account }) }
  }

  async function getKey({ account, keyId }: KeyReference): Promise<ApiKeyRecord> {
    const key = (await store.listKeys(account)).find(({ id }) => id === keyId)
    if (!key) throw new ServiceError('not_found', 'Cannot find the key: the account has none such')
    return key
  }

  return {
    async createAccount(text) {
      const name = parseName('account', text)
      const account = { id: createId('acc', random), name, createdAt: clock() }
      const saved = await store.saveAccount(account)
      if (saved) return { id: saved.id, name: saved.name }
      throw new ServiceError('conflict', `Cannot create the account ${quote(name)}: it exists`)
    },

    async getAccount(idOrName) {
      const account = await store.findAccount(idOrName)
      if (account) return { id: account.id, name: account.name }
      throw new ServiceError(
        'not_found',
        `Cannot find the account ${quote(idOrName)}: there is none`,
      )
    },

    listAccounts: () => store.listAccounts(),

    createKey: saveNewKey,

    async listKeys(account) {
      return (await store.listKeys(account)).map(toSummary)
    },

    async readKey(reference) {
      const { sealed } = await getKey(reference)
      if (sealed !== '') return sealer.open(sealed, toContext(reference.account, reference.keyId))
      throw new ServiceError('not_found', 'Cannot show the key: no copy of it is kept')
    },

    async rotateKey({ account, keyId, overlapMs = OVERLAP_MS }) {
      const old = await getKey({ account, keyId })
      const now = clock()
      if (old.revokedAt !== undefined || (old.expiresAt !== undefined && old.expiresAt <= now)) {
        throw new ServiceError(
          'conflict',
          'Cannot rotate the key: it must be neither revoked nor expired',
        )
      }
      if (!(overlapMs >= 0 && overlapMs <= MAX_EXPIRY_MS)) {
        throw new ServiceError(
          'invalid_input',
          'Cannot rotate the key: overlap must be 0 to 3650 days',
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
          const renewed = await sealer.rewrap(sealed, toContext(account, id))
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

function toContext(account: Account, keyId: string): SealContext {
  return { purpose: 'api-key', accountId: account.id, recordId: keyId }
}

function toSummary(key: ApiKeyRecord & { readonly account: Account }): KeySummary {
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
  throw new ServiceError(
    'invalid_input',
    'Cannot create the key: it must expire after more than 0 and at most 3650 days',
  )
}
