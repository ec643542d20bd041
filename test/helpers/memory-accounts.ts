import type { AccountStore, ApiKeyRecord } from '../../core/accounts/store.ts'
import type { Account } from '../../core/shared/account.ts'
import { foldName } from '../../core/shared/text.ts'

/** An in-memory account store that counts key lookups. */
export interface MemoryAccounts extends AccountStore {
  /** Number of calls of `findKeyByHash` and `changeKey`. */
  readonly calls: { find: number; change: number }
  /** All stored data as JSON, to search for values that must not be stored. */
  dump(): string
}

/** Creates an empty in-memory account store. */
export function createMemoryAccounts(): MemoryAccounts {
  const accounts: (Account & { readonly createdAt: number })[] = []
  const keys: { readonly account: Account; key: ApiKeyRecord }[] = []
  const calls = { find: 0, change: 0 }
  return {
    calls,
    dump: () => JSON.stringify({ accounts, keys }),
    async saveAccount(account) {
      const folded = foldName(account.name)
      if (accounts.some(({ name }) => foldName(name) === folded)) return undefined
      accounts.push(account)
      return { id: account.id, name: account.name }
    },
    async findAccount(idOrName) {
      const folded = foldName(idOrName)
      return accounts.find(({ id, name }) => id === idOrName || foldName(name) === folded)
    },
    listAccounts: async () => [...accounts],
    async saveKey(account, key) {
      keys.push({ account, key })
    },
    async findKeyByHash(hash) {
      calls.find += 1
      return keys.find(({ key }) => key.hash === hash)
    },
    async listKeys(account) {
      return keys
        .filter((entry) => account === undefined || entry.account.id === account.id)
        .map((entry) => ({ ...entry.key, account: entry.account }))
    },
    async changeKey(account, keyId, change) {
      calls.change += 1
      const entry = keys.find((each) => each.account.id === account.id && each.key.id === keyId)
      if (entry) entry.key = { ...entry.key, ...change }
      return entry !== undefined
    },
    async addRefusals() {},
    listRefusals: async () => ({ items: [], total: 0 }),
    sweepRefusals: async () => 0,
  }
}
