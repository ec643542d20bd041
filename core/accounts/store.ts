import type { Account, Scope } from '../shared/account.ts'

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
