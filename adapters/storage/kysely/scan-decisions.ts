import type { Kysely } from 'kysely'
import { SCAN_STATE } from './scan-tables.ts'
import type { Tables } from './tables.ts'

/** Copies the decisions of the newest other scan of the same kind and group. */
export async function copyDecisions(
  tx: Kysely<Tables>,
  {
    to,
  }: {
    readonly to: Pick<Tables['scan'], 'account_id' | 'kind' | 'group_key'> & {
      readonly position: number
    }
  },
): Promise<void> {
  const former = await tx
    .selectFrom('scan')
    .select('position')
    .where('account_id', '=', to.account_id)
    .where('group_key', '=', to.group_key)
    .where('kind', '=', to.kind)
    .where('state', '=', SCAN_STATE.visible)
    .where('position', '!=', to.position)
    .orderBy('started_at', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!former) return
  await tx
    .insertInto('scan_decision')
    .columns(['account_id', 'scan', ...COLUMNS])
    .expression((from) =>
      from
        .selectFrom('scan_decision')
        .select((select) => [
          'account_id',
          select.cast<number>(select.val(to.position), 'bigint').as('scan'),
          ...COLUMNS,
        ])
        .where('account_id', '=', to.account_id)
        .where('scan', '=', former.position),
    )
    .execute()
}

const COLUMNS = [
  'subject_digest',
  'method',
  'subject',
  'approval',
  'reason',
  'decided_by',
  'decided_at',
] as const

/** Selects the rows of scans, each with its decision, if any. */
export function selectDecidedRows(db: Kysely<Tables>) {
  return db.selectFrom('scan_row as row').leftJoin('scan_decision as decision', (join) =>
    join
      .onRef('decision.account_id', '=', 'row.account_id')
      .onRef('decision.scan', '=', 'row.scan')
      .onRef('decision.subject_digest', '=', 'row.subject_digest')
      .onRef('decision.method', '=', 'row.method')
      // A different text with the same digest must not inherit the decision.
      .onRef('decision.subject', '=', 'row.subject'),
  )
}
