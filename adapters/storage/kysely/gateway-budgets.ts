import { sql } from 'kysely'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import type { Engine } from './engine.ts'

/** Stores the usage of daily budgets by key. */
export function createBudgetStore(
  engine: Engine,
): Pick<GatewayStore, 'takeCalls' | 'countTakenCalls' | 'returnCalls'> {
  return {
    async takeCalls(account, { keyId, day, wanted, budget }) {
      if (wanted <= 0 || budget <= 0) return 0
      const first = Math.min(wanted, budget)
      // Uses a single statement, so that no concurrent call interferes between check and update.
      const taken = sql.ref<number>('gateway_budget.taken')
      const granted = sql<number>`case when ${taken} > ${budget - wanted}
        then ${budget} - ${taken} else ${wanted} end`
      return engine.write(async (tx) => {
        const row = await tx
          .insertInto('gateway_budget')
          .values({ account_id: account.id, key_id: keyId, day, taken: first, granted: first })
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'key_id', 'day'])
              .doUpdateSet({ taken: sql`${taken} + ${granted}`, granted })
              .where('gateway_budget.taken', '<', budget),
          )
          .returning('granted')
          .executeTakeFirst()
        return row?.granted ?? 0
      })
    },

    async countTakenCalls(account, { keyId, day }) {
      const row = await engine.db
        .selectFrom('gateway_budget')
        .select('taken')
        .where('account_id', '=', account.id)
        .where('key_id', '=', keyId)
        .where('day', '=', day)
        .executeTakeFirst()
      return row?.taken ?? 0
    },

    async returnCalls(account, { keyId, day, count }) {
      if (count <= 0) return
      await engine.write(async (tx) => {
        await tx
          .updateTable('gateway_budget')
          .set({ taken: sql`case when taken > ${count} then taken - ${count} else 0 end` })
          .where('account_id', '=', account.id)
          .where('key_id', '=', keyId)
          .where('day', '=', day)
          .execute()
      })
    },
  }
}
