import type { Kysely } from 'kysely'
import type { AccountStore, ApiKeyRecord } from '../../../core/accounts/store.ts'
import { ServiceError } from '../../../core/http/problems.ts'
import type { Account, Scope } from '../../../core/shared/account.ts'
import { foldName } from '../../../core/shared/text.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import { rejectLongName } from './filters.ts'
import { createRefusalStore } from './key-refusals.ts'
import type { Tables } from './tables.ts'

/** Stores accounts and their API keys. */
export function createAccountStore(engine: Engine): AccountStore {
  const { db } = engine
  const findByHash = engine.prepare<KeyRow>((kysely) =>
    selectKeys(kysely).where('api_key.hash', '=', ''),
  )
  return {
    ...createRefusalStore(engine),

    async saveAccount(account) {
      const foldedName = foldName(account.name)
      rejectLongName('account', foldedName)
      return engine.write(async (tx) => {
        const { id, name, createdAt } = account
        const saved = await tx
          .insertInto('account')
          .values({ id, name, folded_name: foldedName, created_at: createdAt })
          .onConflict((conflict) => conflict.doNothing())
          .returning(['id', 'name'])
          .executeTakeFirst()
        return saved && { ...saved }
      })
    },

    async findAccount(idOrName) {
      const row = await db
        .selectFrom('account')
        .select(['id', 'name'])
        .where((where) =>
          where.or([where('id', '=', idOrName), where('folded_name', '=', foldName(idOrName))]),
        )
        .orderBy((where) => where.case().when('id', '=', idOrName).then(0).else(1).end())
        .limit(1)
        .executeTakeFirst()
      return row && { ...row }
    },

    async listAccounts() {
      const rows = await db
        .selectFrom('account')
        .select(['id', 'name', 'created_at as createdAt'])
        .orderBy('position')
        .execute()
      return rows.map((row) => ({ ...row }))
    },

    async saveKey(account, key) {
      await engine.write(async (tx) => {
        const owner = await tx
          .selectFrom('account')
          .select('id')
          .where('id', '=', account.id)
          .executeTakeFirst()
        if (!owner) {
          throw new ServiceError('not_found', 'Cannot save the key: account not found')
        }
        const saved = await tx
          .insertInto('api_key')
          .values({
            id: key.id,
            account_id: owner.id,
            name: key.name,
            hint: key.hint,
            hash: key.hash,
            sealed: key.sealed,
            scopes: toCleanJson(key.scopes),
            created_at: key.createdAt,
            expires_at: key.expiresAt ?? null,
            revoked_at: key.revokedAt ?? null,
            last_used_at: key.lastUsedAt ?? null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!saved) {
          throw new ServiceError(
            'conflict',
            'Cannot save the key: its ID or hash is already in use',
          )
        }
      })
    },

    async findKeyByHash(hash) {
      const [row] = await findByHash([hash])
      return row && { account: toKeyAccount(row), key: toApiKeyRecord(row) }
    },

    async listKeys(account) {
      const rows: readonly KeyRow[] = await selectKeys(db)
        .$if(account !== undefined, (query) =>
          query.where('api_key.account_id', '=', account?.id ?? ''),
        )
        .orderBy('api_key.position')
        .execute()
      return rows.map((row) => ({ ...toApiKeyRecord(row), account: toKeyAccount(row) }))
    },

    async changeKey(account, keyId, change) {
      const values = toKeyColumns(change)
      return engine.write(async (tx) => {
        const key = tx.selectFrom('api_key').where('account_id', '=', account.id)
        if (Object.keys(values).length === 0) {
          return (await key.select('id').where('id', '=', keyId).executeTakeFirst()) !== undefined
        }
        const changed = await tx
          .updateTable('api_key')
          .set(values)
          .where('account_id', '=', account.id)
          .where('id', '=', keyId)
          .returning('id')
          .executeTakeFirst()
        return changed !== undefined
      })
    },
  }
}

type KeyChange = Parameters<AccountStore['changeKey']>[2]

type KeyRow = Omit<Tables['api_key'], 'position'> & { readonly account_name: string }

function selectKeys(db: Kysely<Tables>) {
  return db
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select([
      'api_key.id',
      'api_key.account_id',
      'api_key.name',
      'api_key.hint',
      'api_key.hash',
      'api_key.sealed',
      'api_key.scopes',
      'api_key.created_at',
      'api_key.expires_at',
      'api_key.revoked_at',
      'api_key.last_used_at',
      'account.name as account_name',
    ])
}

function toKeyAccount(row: KeyRow): Account {
  return { id: row.account_id, name: row.account_name }
}

function toApiKeyRecord(row: KeyRow): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    hash: row.hash,
    sealed: row.sealed,
    // The cast is safe: `saveKey` wrote it.
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }
}

/**
 * Returns the columns of the present fields; a field that is present but undefined is set to null.
 */
function toKeyColumns(change: KeyChange) {
  return {
    ...('expiresAt' in change ? { expires_at: change.expiresAt ?? null } : {}),
    ...('revokedAt' in change ? { revoked_at: change.revokedAt ?? null } : {}),
    ...('lastUsedAt' in change ? { last_used_at: change.lastUsedAt ?? null } : {}),
    ...('sealed' in change ? { sealed: change.sealed ?? '' } : {}),
  }
}
