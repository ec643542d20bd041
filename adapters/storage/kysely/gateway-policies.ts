import type { Kysely } from 'kysely'
import type { KeyPolicy } from '../../../core/gateway/records.ts'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import { chain } from '../../../core/shared/maybe-promise.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import type { GatewayPolicyTable } from './gateway-tables.ts'
import type { Tables } from './tables.ts'

/** Stores the call policies of keys. */
export function createPolicyStore(
  engine: Engine,
): Pick<GatewayStore, 'savePolicy' | 'findPolicy' | 'listPolicies' | 'removePolicy'> {
  const find = engine.prepare<PolicyRow>((kysely) =>
    selectPolicies(kysely).where('account_id', '=', '').where('key_id', '=', ''),
  )
  return {
    async savePolicy(account, policy) {
      const values = {
        vendor_ids: toListColumn(policy.vendorIds),
        api_ids: toListColumn(policy.apiIds),
        methods: toListColumn(policy.methods),
        daily_budget: policy.dailyBudget ?? null,
        updated_at: policy.updatedAt,
      }
      await engine.write(async (tx) => {
        await tx
          .insertInto('gateway_policy')
          .values({ account_id: account.id, key_id: policy.keyId, ...values })
          .onConflict((conflict) => conflict.columns(['account_id', 'key_id']).doUpdateSet(values))
          .execute()
      })
    },

    findPolicy: (account, keyId) =>
      chain(find([account.id, keyId]), ([row]) => row && toPolicy(row)),

    async listPolicies(account) {
      const rows = await selectPolicies(engine.db)
        .where('account_id', '=', account.id)
        .orderBy('key_id')
        .execute()
      return rows.map(toPolicy)
    },

    async removePolicy(account, keyId) {
      return engine.write(async (tx) => {
        const removed = await tx
          .deleteFrom('gateway_policy')
          .where('account_id', '=', account.id)
          .where('key_id', '=', keyId)
          .returning('key_id')
          .executeTakeFirst()
        return removed !== undefined
      })
    },
  }
}

type PolicyRow = Omit<GatewayPolicyTable, 'account_id'>

function selectPolicies(db: Kysely<Tables>) {
  return db
    .selectFrom('gateway_policy')
    .select(['key_id', 'vendor_ids', 'api_ids', 'methods', 'daily_budget', 'updated_at'])
}

function toPolicy(row: PolicyRow): KeyPolicy {
  return {
    keyId: row.key_id,
    vendorIds: fromListColumn<number>(row.vendor_ids),
    apiIds: fromListColumn<number>(row.api_ids),
    methods: fromListColumn<string>(row.methods),
    dailyBudget: row.daily_budget ?? undefined,
    updatedAt: row.updated_at,
  }
}

function toListColumn(items: readonly (number | string)[] | undefined): string | null {
  return items === undefined ? null : toCleanJson(items)
}

function fromListColumn<Item>(json: string | null): readonly Item[] | undefined {
  // The cast is safe: `toCleanJson` wrote it.
  return json === null ? undefined : (JSON.parse(json) as Item[])
}
