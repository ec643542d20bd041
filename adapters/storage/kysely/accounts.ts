import type { Kysely } from 'kysely'
import type { AccountStore, ApiKeyRecord, KeyRefusal } from '../../../core/accounts/store.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { Account, Scope } from '../../../core/shared/account.ts'
import { foldName } from '../../../core/shared/text.ts'
import { insertRows } from './bulk.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import { rejectLongName } from './filters.ts'
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

/** Stores refused calls by key. */
function createRefusalStore(
  engine: Engine,
): Pick<AccountStore, 'addRefusals' | 'listRefusals' | 'sweepRefusals'> {
  const { db, kind } = engine
  return {
    async addRefusals(refusals) {
      // A fixed order prevents deadlocks between processes.
      const rows = refusals
        .map((each) => [each.keyId, each.operation, each.reason, each] as const)
        .sort((a, b) => (a.slice(0, 3).join('\n') < b.slice(0, 3).join('\n') ? -1 : 1))
        .map(([keyId, operation, reason, { account, count, lastAt }]) => {
          return [keyId, operation, reason, account.id, count, lastAt]
        })
      await engine.write((tx) =>
        insertRows(tx, {
          kind,
          table: 'key_refusal',
          columns: REFUSAL_COLUMNS,
          rows,
          onConflict: `on conflict (key_id, operation, reason) do update set
            refused = key_refusal.refused + excluded.refused,
            last_at = case when excluded.last_at > key_refusal.last_at
              then excluded.last_at else key_refusal.last_at end`,
        }),
      )
    },

    async listRefusals(account, { keyId, since, size, page }) {
      const chosen = db
        .selectFrom('key_refusal')
        .where('account_id', '=', account.id)
        .where('last_at', '>=', since)
        .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId ?? ''))
      const { total } = await chosen
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await chosen
        .select(REFUSAL_COLUMNS)
        .orderBy('last_at', 'desc')
        .orderBy('key_id')
        .orderBy('operation')
        .orderBy('reason')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      return { items: rows.map(toRefusal), total: Number(total) }
    },

    sweepRefusals: ({ before, limit }) =>
      engine.write(async (tx) => {
        const { at } = (await tx
          .selectFrom('key_refusal')
          .select('last_at as at')
          .where('last_at', '<', before)
          .orderBy('last_at')
          .offset(limit - 1)
          .limit(1)
          .executeTakeFirst()) ?? { at: before - 1 }
        const { numDeletedRows } = await tx
          .deleteFrom('key_refusal')
          .where('last_at', '<=', at)
          .executeTakeFirst()
        return Number(numDeletedRows)
      }),
  }
}

const REFUSAL_COLUMNS = [
  'key_id',
  'operation',
  'reason',
  'account_id',
  'refused',
  'last_at',
] as const

function toRefusal(row: Tables['key_refusal']): KeyRefusal {
  return {
    keyId: row.key_id,
    operation: row.operation,
    // The cast is safe: only this file writes it.
    reason: row.reason as KeyRefusal['reason'],
    count: row.refused,
    lastAt: row.last_at,
  }
}
