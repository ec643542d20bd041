import { type Kysely, sql } from 'kysely'
import { inChunks } from './bulk.ts'
import type { Tables } from './tables.ts'

/** Counts calls that are written (`by` 1) or removed (-1) in the same transaction. */
export async function addToCallDays(
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
export async function removeEmptyDays(tx: Kysely<Tables>, before: number): Promise<void> {
  await tx
    .deleteFrom('gateway_call_day')
    .where('day', '<=', Math.floor(before / DAY_MS))
    .where('calls', '=', 0)
    .execute()
}

/**
 * Finds the start of a page in the list of an account's calls, newest first, after `skip` calls.
 */
export async function findPageStart(
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
export function selectCallTotal(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('gateway_call_day')
    .select((select) => select.fn.sum<number | string>('calls').as('total'))
    .where('account_id', '=', accountId)
}

const DAY_MS = 86_400_000
