import type { Account, Scope } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'

/** Storage of accounts and their API keys. */
export interface AccountStore {
  /** Returns undefined if the name is taken (case-folded). */
  saveAccount(account: Account & { readonly createdAt: number }): Promise<Account | undefined>
  findAccount(idOrName: string): Promise<Account | undefined>
  /** Ordered by creation time. */
  listAccounts(): Promise<readonly (Account & { readonly createdAt: number })[]>

  saveKey(account: Account, key: ApiKeyRecord): Promise<void>
  /**
   * Returns the key with this hash and its account, even if revoked or expired; undefined if none.
   */
  findKeyByHash(hash: string): Promise<{ account: Account; key: ApiKeyRecord } | undefined>
  /** Ordered by creation time; without `account`, all keys. */
  listKeys(
    account: Account | undefined,
  ): Promise<readonly (ApiKeyRecord & { readonly account: Account })[]>
  /** Changes only the passed fields. Returns false if the account has no such key. */
  changeKey(
    account: Account,
    keyId: string,
    change: Partial<Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'sealed'>>,
  ): Promise<boolean>

  /** Adds to the stored counts, one row per key, operation and reason. */
  addRefusals(refusals: readonly (KeyRefusal & { readonly account: Account })[]): Promise<void>
  /**
   * Newest first, then by key, operation and reason; only those whose last occurrence is at or
   * after `since`.
   */
  listRefusals(
    account: Account,
    request: RefusalRequest & { readonly since: number },
  ): Promise<Page<KeyRefusal>>
  /**
   * Removes refusals whose last occurrence was before `before`, oldest first, about `limit` at a
   * time. Returns how many were removed.
   */
  sweepRefusals(request: { readonly before: number; readonly limit: number }): Promise<number>
}

/** Refused calls of one operation by one key for one reason. */
export interface KeyRefusal {
  readonly keyId: string
  /** Name in the operations table, for example `callEndpoint`. */
  readonly operation: string
  /** The key lacks the scope, is revoked or expired, or exceeded a limit. */
  readonly reason: 'scope' | 'revoked' | 'expired' | 'limit'
  /** Number of refusals. */
  readonly count: number
  /** Time of the last refusal, in milliseconds since the epoch. */
  readonly lastAt: number
}

/** Selects refusals. */
export interface RefusalRequest extends PageRequest {
  /** Only of this key. */
  readonly keyId?: string | undefined
}

/** A stored key. It contains a hash and a sealed copy, not the key itself. */
export interface ApiKeyRecord {
  readonly id: string
  /** Chosen by its owner. */
  readonly name: string
  /** A displayable form: prefix and last four characters. */
  readonly hint: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
  /** Sealed copy of the key (AES-256-GCM, format of `seal.ts`); empty if none is stored. */
  readonly sealed: string
  readonly scopes: readonly Scope[]
  /** All times in milliseconds since the epoch; undefined: never. */
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  readonly lastUsedAt: number | undefined
}
