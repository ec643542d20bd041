import type { Kysely } from 'kysely'
import type { ScanUsage } from '../../../core/scans/usage-store.ts'
import { inChunks } from './bulk.ts'
import type { ScanKey } from './scan-review-status.ts'
import { NO_API } from './scan-tables.ts'
import { decodeUsageStatus } from './scan-usages.ts'
import type { Tables } from './tables.ts'

/** Selects the visible usages of a scan. */
export function selectUsages(db: Kysely<Tables>, { accountId, scan }: ScanKey) {
  return db
    .selectFrom('scan_use')
    .where('account_id', '=', accountId)
    .where('scan', '=', scan)
    .where('part', '=', 0)
}

/**
 * Reads usages with the details of their first rows, in order of the scan. Reads rows and usages
 * separately: in a join, planners without statistics would read all usages of the scan.
 */
export async function readUsages(
  db: Kysely<Tables>,
  request: ScanKey & { readonly places: readonly number[] },
): Promise<readonly ScanUsage[]> {
  const rows: FirstRow[] = []
  for (const places of inChunks(request.places))
    rows.push(...(await readFirstRows(db, request, places)))
  const uses = new Map<number, UsageColumns>()
  for (const piece of inChunks([...new Set(rows.map((row) => row.subject_digest))])) {
    const found = await selectUsages(db, request)
      .select([...USAGE_COLUMNS])
      .where('subject_digest', 'in', piece)
      .execute()
    for (const use of found) uses.set(use.place, use)
  }
  return rows
    .sort((one, other) => one.place - other.place)
    .flatMap((row) => {
      const use = uses.get(row.place)
      return use ? [toScanUsage(row, use)] : []
    })
}

const USAGE_COLUMNS = [
  'place',
  'api_id',
  'standing',
  'row_count',
  'outgoing',
  'first_at',
  'last_at',
  'address',
  'owner',
] as const

type UsageColumns = Pick<Tables['scan_use'], (typeof USAGE_COLUMNS)[number]>
type FirstRow = Awaited<ReturnType<typeof readFirstRows>>[number]

function readFirstRows(
  db: Kysely<Tables>,
  { accountId, scan }: ScanKey,
  places: readonly number[],
) {
  return db
    .selectFrom('scan_row as row')
    .leftJoin('scan_decision as decision', (join) =>
      join
        .onRef('decision.account_id', '=', 'row.account_id')
        .onRef('decision.scan', '=', 'row.scan')
        .onRef('decision.subject_digest', '=', 'row.subject_digest')
        .onRef('decision.method', '=', 'row.method')
        .onRef('decision.subject', '=', 'row.subject'),
    )
    .select([
      'row.place',
      'row.subject',
      'row.subject_digest',
      'row.detail',
      'row.method',
      'row.endpoint_id',
      'decision.reason',
      'decision.decided_by',
      'decision.decided_at',
    ])
    .where('row.account_id', '=', accountId)
    .where('row.scan', '=', scan)
    .where('row.place', 'in', places)
    .execute()
}

function toScanUsage(row: FirstRow, use: UsageColumns): ScanUsage {
  return {
    place: row.place,
    subject: row.subject,
    method: row.method,
    detail: row.detail,
    apiId: use.api_id === NO_API ? undefined : use.api_id,
    endpointId: row.endpoint_id ?? undefined,
    ...decodeUsageStatus(use.standing),
    reason: row.reason ?? '',
    decision: { by: row.decided_by ?? '', at: row.decided_at ?? undefined },
    rows: use.row_count,
    outgoing: use.outgoing,
    firstAt: use.first_at,
    lastAt: use.last_at,
    address: use.address,
    owner: use.owner,
  }
}
