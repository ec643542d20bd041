import { type Kysely, sql } from 'kysely'
import type { CallRecord } from '../../../core/gateway/records.ts'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import { insertRows } from './bulk.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** The audit. */
export function createCallStore(
  engine: Engine,
): Pick<GatewayStore, 'saveCalls' | 'listCalls' | 'sweepCalls'> {
  const { db, kind } = engine
  return {
    async saveCalls(calls) {
      if (calls.length === 0) return
      await engine.write((tx) =>
        insertRows(tx, {
          kind,
          table: 'gateway_call',
          columns: COLUMNS,
          rows: calls.map((call) => [
            call.account.id,
            call.keyId,
            call.endpointId,
            call.endpoint,
            call.apiId,
            call.method,
            call.origin,
            call.startedAt,
            call.status,
            call.failure,
            call.bytes,
            call.ms,
          ]),
        }),
      )
    },

    async listCalls(account, { size, page }) {
      const own = db.selectFrom('gateway_call').where('account_id', '=', account.id)
      const count = own.select((select) => select.fn.countAll<number>().as('total'))
      const rows = await own
        .select(COLUMNS)
        .select(count.as('total'))
        .orderBy('started_at', 'desc')
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      const total = rows[0]?.total ?? (await count.executeTakeFirst())?.total ?? 0
      return { items: rows.map(toCall), total: Number(total) }
    },

    async sweepCalls({ before, limit }) {
      return engine.write(async (tx) => {
        const calls = await removeCalls(tx, { kind, before, limit })
        return calls + (await removeBudgets(tx, { kind, before, limit: limit - calls }))
      })
    },
  }
}

const COLUMNS = [
  'account_id',
  'key_id',
  'endpoint_id',
  'endpoint',
  'api_id',
  'method',
  'origin',
  'started_at',
  'status',
  'failure',
  'bytes',
  'ms',
] as const

interface Sweep {
  readonly kind: Engine['kind']
  readonly before: number
  readonly limit: number
}

type CallRow = Pick<Tables['gateway_call'], (typeof COLUMNS)[number]>

function toCall(row: CallRow): CallRecord {
  return {
    keyId: row.key_id,
    endpointId: row.endpoint_id,
    endpoint: row.endpoint,
    apiId: row.api_id,
    method: row.method,
    origin: row.origin,
    startedAt: row.started_at,
    status: row.status,
    failure: row.failure,
    bytes: row.bytes,
    ms: row.ms,
  }
}

/** Passes over what another process is removing. */
async function removeCalls(tx: Kysely<Tables>, { kind, before, limit }: Sweep): Promise<number> {
  const old = tx
    .selectFrom('gateway_call')
    .select('position')
    .where('started_at', '<', before)
    .orderBy('started_at')
    .limit(limit)
    .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
  const removed = await tx
    .deleteFrom('gateway_call')
    .where('position', 'in', old)
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}

async function removeBudgets(tx: Kysely<Tables>, { kind, before, limit }: Sweep): Promise<number> {
  if (limit <= 0) return 0
  const old = tx
    .selectFrom('gateway_budget')
    .select(['account_id', 'key_id', 'day'])
    .where('day', '<', new Date(before).toISOString().slice(0, 10))
    .orderBy('day')
    .limit(limit)
    .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
  const removed = await tx
    .deleteFrom('gateway_budget')
    .where(sql`(account_id, key_id, day)`, 'in', old)
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}
