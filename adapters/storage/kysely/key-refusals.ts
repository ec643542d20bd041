import type { AccountStore, KeyRefusal } from '../../../core/accounts/store.ts'
import { insertRows } from './bulk.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Stores refused calls by key. */
export function createRefusalStore(
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
          columns: COLUMNS,
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
        .select(COLUMNS)
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

const COLUMNS = ['key_id', 'operation', 'reason', 'account_id', 'refused', 'last_at'] as const

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
