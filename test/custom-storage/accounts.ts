import { ServiceError } from '../../core/errors.ts'
import type { Account } from '../../core/index.ts'
import type { ApiKeyRecord, Storage } from '../../core/storage.ts'
import { clean, fold, rejectLongName } from './texts.ts'

/** Creates the store of accounts and API keys, both in order of creation. */
export function createAccounts(): NonNullable<Storage['accounts']> {
  const accounts: Account[] = []
  const keys: { readonly account: Account; key: ApiKeyRecord }[] = []
  return {
    async saveAccount({ id, name }) {
      rejectLongName(fold(name))
      const isTaken = accounts.some((each) => each.id === id || fold(each.name) === fold(name))
      if (isTaken) return undefined
      const account = { id, name: clean(name) }
      accounts.push(account)
      return account
    },
    async saveKey({ id }, key) {
      const account = accounts.find((each) => each.id === id)
      if (!account) throw new ServiceError('not_found', 'Cannot save the key: account not found')
      if (keys.some((each) => each.key.id === key.id || each.key.hash === key.hash)) {
        throw new ServiceError('conflict', 'Cannot save the key: its ID or hash is in use')
      }
      keys.push({ account, key: clean(key) })
    },
    findKeyByHash: async (hash) => keys.find(({ key }) => key.hash === hash),
    listKeys: async (of) =>
      keys
        .filter(({ account }) => account.id === (of?.id ?? account.id))
        .map(({ account, key }) => ({ ...key, account })),
    async changeKey({ id }, keyId, change) {
      const entry = keys.find(({ account, key }) => account.id === id && key.id === keyId)
      if (entry) entry.key = { ...entry.key, ...change }
      return entry !== undefined
    },
  }
}
