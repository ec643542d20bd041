import { type Kysely, sql } from 'kysely'
import type { CallRecord } from '../../../core/gateway/records.ts'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import { inChunks, insertRows } from './bulk.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Stores the audit log. */
export function createCallStore(
  engine: Engine,
): Pick<GatewayStore, 'saveCalls' | 'listCalls' | 'countResponses' | 'sweepCalls'> {
  const { db, kind } = engine
  return {
    async saveCalls(calls) {
      if (calls.length === 0) return
      await engine.write(async (tx) => {
        await insertRows(tx, {
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
            call.source,
            call.client,
          ]),
        })
        await addToCallDays(
          tx,
          calls.map((call) => ({ accountId: call.account.id, startedAt: call.startedAt, by: 1 })),
        )
      })
    },

    async listCalls(account, { size, page }) {
      const start = await findPageStart(db, { accountId: account.id, skip: (page - 1) * size })
      const rows = await db
        .selectFrom('gateway_call')
        .select(COLUMNS)
        .select(selectCallTotal(db, account.id).as('total'))
        .where('account_id', '=', account.id)
        .where('started_at', '<', start.before)
        .orderBy('started_at', 'desc')
        .orderBy('position', 'desc')
        .limit(size)
        .offset(start.skip)
        .execute()
      const first = rows[0] ?? (await selectCallTotal(db, account.id).executeTakeFirst())
      return { items: rows.map(toCall), total: Number(first?.total ?? 0) }
    },

    async countResponses(account, endpointId) {
      const counts = await db
        .selectFrom('gateway_call')
        .select(['status', (select) => select.fn.countAll<number | string>().as('calls')])
        .where('account_id', '=', account.id)
        .where('endpoint_id', '=', endpointId)
        // A literal, as in the index: a parameter would prevent its use.
        .where(sql<boolean>`failure = ''`)
        .groupBy('status')
        .orderBy('status')
        .execute()
      return new Map(counts.map(({ status, calls }) => [status, Number(calls)]))
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
  'source',
  'client',
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
    // The cast is safe: `saveCalls` only writes values of this type.
    source: row.source as CallRecord['source'],
    client: row.client,
  }
}

/** Skips rows that another process is removing. */
async function removeCalls(tx: Kysely<Tables>, { kind, before, limit }: Sweep): Promise<number> {
  const old = await tx
    .selectFrom('gateway_call')
    .select(['account_id as accountId', 'position', 'started_at as startedAt'])
    .where('started_at', '<', before)
    .orderBy('started_at')
    .limit(limit)
    .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute()
  const positions = new Map<string, number[]>()
  for (const { accountId, position } of old) {
    const known = positions.get(accountId)
    if (known) known.push(position)
    else positions.set(accountId, [position])
  }
  for (const [accountId, all] of positions) {
    for (const piece of inChunks(all)) {
      await tx
        .deleteFrom('gateway_call')
        .where('position', 'in', piece)
        // SQLite would read all calls of the account instead of these positions.
        .$if(kind === 'postgres', (query) => query.where('account_id', '=', accountId))
        .execute()
    }
  }
  await addToCallDays(
    tx,
    old.map((call) => ({ ...call, by: -1 })),
  )
  await removeEmptyDays(tx, before)
  return old.length
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

/** Counts calls that are written (`by` 1) or removed (-1) in the same transaction. */
async function addToCallDays(
  tx: Kysely<Tables>,
  calls: readonly {
    readonly accountId: string
    readonly startedAt: number
    readonly by: 1 | -1
  }[],
): Promise<void> {
  const rows = new Map<string, Tables['gateway_call_day']>()
  for (const { accountId, startedAt, by } of calls) {
    const day = Math.floor(startedAt / DAY_MS)
    const key = `${accountId} ${day}`
    const row = rows.get(key)
    if (row) row.calls += by
    else rows.set(key, { account_id: accountId, day, calls: by })
  }
  // A fixed order prevents deadlocks.
  const ordered = [...rows].sort(([left], [right]) => (left < right ? -1 : 1))
  for (const piece of inChunks(ordered)) {
    await tx
      .insertInto('gateway_call_day')
      .values(piece.map(([, row]) => row))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day']).doUpdateSet({
          calls: sql`gateway_call_day.calls + excluded.calls`,
        }),
      )
      .execute()
  }
}

/** Removes days without calls, up to that of `before`. */
async function removeEmptyDays(tx: Kysely<Tables>, before: number): Promise<void> {
  await tx
    .deleteFrom('gateway_call_day')
    .where('day', '<=', Math.floor(before / DAY_MS))
    .where('calls', '=', 0)
    .execute()
}

/**
 * Finds the start of a page in the list of an account's calls, newest first, after `skip` calls.
 */
async function findPageStart(
  db: Kysely<Tables>,
  { accountId, skip }: { readonly accountId: string; readonly skip: number },
): Promise<{ readonly before: number; readonly skip: number }> {
  let left = skip
  let before = Number.MAX_SAFE_INTEGER
  if (skip === 0) return { before, skip }
  const days = await db
    .selectFrom('gateway_call_day')
    .select(['day', 'calls'])
    .where('account_id', '=', accountId)
    .orderBy('day', 'desc')
    .execute()
  for (const { day, calls } of days) {
    if (left < calls) break
    left -= calls
    before = day * DAY_MS
  }
  return { before, skip: left }
}

/** Selects the number of an account's calls. */
function selectCallTotal(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('gateway_call_day')
    .select((select) => select.fn.sum<number | string>('calls').as('total'))
    .where('account_id', '=', accountId)
}

const DAY_MS = 86_400_000
