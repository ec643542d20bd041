import type { Account, Scope } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'

/** Accounts and their API keys. */
export interface AccountStore {
  /** Undefined when the name is taken (folded). */
  saveAccount(account: Account & { readonly createdAt: number }): Promise<Account | undefined>
  findAccount(idOrName: string): Promise<Account | undefined>
  /** In order of creation. */
  listAccounts(): Promise<readonly (Account & { readonly createdAt: number })[]>

  saveKey(account: Account, key: ApiKeyRecord): Promise<void>
  /** The key with this hash and its account, revoked and expired ones too; undefined when there is none. */
  findKeyByHash(hash: string): Promise<{ account: Account; key: ApiKeyRecord } | undefined>
  /** In order of creation; without `account`, the keys of all. */
  listKeys(
    account: Account | undefined,
  ): Promise<readonly (ApiKeyRecord & { readonly account: Account })[]>
  /** Sets only the given fields; false when the account has no such key. */
  changeKey(
    account: Account,
    keyId: string,
    change: Partial<Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'sealed'>>,
  ): Promise<boolean>

  /** Adds to what is kept of each key, operation and reason, which the list has once each. */
  addRefusals(refusals: readonly (KeyRefusal & { readonly account: Account })[]): Promise<void>
  /** The latest first, then by key, operation and reason; none whose last one was before `since`. */
  listRefusals(
    account: Account,
    request: RefusalRequest & { readonly since: number },
  ): Promise<Page<KeyRefusal>>
  /**
   * Removes those whose last one was before; about `limit` of the oldest at a time, and gives how
   * many.
   */
  sweepRefusals(request: { readonly before: number; readonly limit: number }): Promise<number>
}

/** Calls of one operation that were refused to a key for one reason. */
export interface KeyRefusal {
  readonly keyId: string
  /** As the table of operations names it: `callEndpoint`. */
  readonly operation: string
  /** The key lacks the scope, has ended, or was used more often than it may be. */
  readonly reason: 'scope' | 'revoked' | 'expired' | 'limit'
  /** How often. */
  readonly count: number
  /** When the last one was, in milliseconds since the epoch. */
  readonly lastAt: number
}

/** Which refusals are wanted. */
export interface RefusalRequest extends PageRequest {
  /** Of this key alone. */
  readonly keyId?: string | undefined
}

/** A stored key. The key itself is not in it, only its hash and a sealed copy. */
export interface ApiKeyRecord {
  readonly id: string
  /** As its owner named it. */
  readonly name: string
  /** What may be shown: prefix and last four characters. */
  readonly hint: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
  /** AES-256-GCM copy under the service's secret, in the envelope of `seal.ts`; empty when none is kept. */
  readonly sealed: string
  readonly scopes: readonly Scope[]
  /** Milliseconds since the epoch throughout; undefined: never. */
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
}
