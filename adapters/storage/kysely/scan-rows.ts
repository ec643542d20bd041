import { type Kysely, type SqlBool, sql } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Approval, CatalogueMatch } from '../../../core/scans/records.ts'
import type { NewScanRow, ScanStore, StoredRow } from '../../../core/scans/store.ts'
import { hash53 } from '../../../core/shared/ids.ts'
import { insertRows } from './bulk.ts'
import type { Engine, QueryParameter } from './engine.ts'
import { selectDecidedRows } from './scan-decisions.ts'
import { NO_API, PART_POSITIONS, SCAN_STATE } from './scan-tables.ts'
import type { Tables } from './tables.ts'

/** Reads the rows of scans page by page, each with its decision. */
export function createScanRowStore({ db }: Engine): Pick<ScanStore, 'listRows' | 'findFlow'> {
  return {
    findFlow: (account, apiId) => findLatestFlow(db, account.id, apiId),

    async *listRows(account, { scan, order }) {
      const key = { accountId: account.id, scan }
      const starts = await findPartStarts(db, key)
      let matching: number | undefined
      let last: Row | undefined
      for (;;) {
        const rows = await readRowPage(db, { ...key, order, last })
        // Read in the same statement as the rows: another matching may begin between two
        // statements.
        const [first] = rows
        const now = (first ? first.matching : await findMatching(db, key)) ?? undefined
        if (now === undefined) throw createReadConflict('it was removed')
        matching ??= now
        if (now !== matching) throw createReadConflict('it was matched again')
        last = rows.at(-1)
        // Rows of unpublished uploads are stored between the others.
        const seen = rows.flatMap((row) => {
          const start = starts.get(Math.floor(row.place / PART_POSITIONS))
          return start === undefined ? [] : [toStoredRow(row, start)]
        })
        if (seen.length > 0) yield seen
        if (rows.length < PAGE_ROWS) return
      }
    },
  }
}

/** Stages rows of a scan, from position `start` on. */
export function insertScanRows(
  { kind }: Engine,
  tx: Kysely<Tables>,
  staged: {
    readonly accountId: string
    readonly scan: number
    readonly start: number
    readonly rows: readonly NewScanRow[]
  },
): Promise<void> {
  const { accountId, scan, start, rows } = staged
  return insertRows(tx, {
    kind,
    table: 'scan_row',
    columns: ROW_COLUMNS,
    rows: rows.map((row, index) => [accountId, scan, start + index, ...toRowValues(row)]),
  })
}

const ROW_COLUMNS = [
  'account_id',
  'scan',
  'place',
  'api_id',
  'endpoint_id',
  'confidence',
  'method',
  'subject_digest',
  'subject',
  'detail',
  'owner',
] as const

function toRowValues({
  subject,
  method,
  detail,
  match,
  owner,
}: NewScanRow): readonly QueryParameter[] {
  return [
    match?.apiId ?? NO_API,
    match?.endpointId ?? null,
    match?.confidence ?? null,
    method,
    hash53(subject),
    subject,
    detail,
    owner ?? '',
  ]
}

const PAGE_ROWS = 500

interface Key {
  readonly accountId: string
  readonly scan: number
}

type Row = Awaited<ReturnType<typeof readRowPage>>[number]

/** Uses the index of APIs alone: planners without statistics would read the whole account. */
async function findLatestFlow(db: Kysely<Tables>, accountId: string, apiId: number) {
  const scan = await db
    .selectFrom('scan')
    .select('position')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'network')
    .where('state', '=', SCAN_STATE.visible)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('scan_row')
          .select('place')
          .whereRef('scan_row.account_id', '=', 'scan.account_id')
          .whereRef('scan_row.scan', '=', 'scan.position')
          .where('scan_row.api_id', '=', apiId),
      ),
    )
    .orderBy('started_at', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!scan) return undefined
  return db
    .selectFrom('scan_row')
    .select('detail')
    .where('account_id', '=', accountId)
    .where('scan', '=', scan.position)
    .where('place', '=', (from) =>
      from
        .selectFrom('scan_row as of_api')
        .select('of_api.place')
        .where('of_api.account_id', '=', accountId)
        .where('of_api.scan', '=', scan.position)
        .where('of_api.api_id', '=', apiId)
        .orderBy('of_api.place', 'desc')
        .limit(1),
    )
    .executeTakeFirst()
}

/** Maps each published part to the position of its first row. */
async function findPartStarts(
  db: Kysely<Tables>,
  { accountId, scan }: Key,
): Promise<ReadonlyMap<number, number>> {
  const parts = await db
    .selectFrom('scan_part')
    .select(['part', 'row_count'])
    .where('account_id', '=', accountId)
    .where('scan', '=', scan)
    // Scanners that report hourly create many empty parts.
    .where('row_count', '>', 0)
    .orderBy('part')
    .execute()
  const starts = new Map<number, number>()
  let position = 0
  for (const { part, row_count: rows } of parts) {
    starts.set(part, position)
    position += rows
  }
  return starts
}

async function findMatching(
  db: Kysely<Tables>,
  { accountId, scan }: Key,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('scan')
    .select('matching')
    .where('account_id', '=', accountId)
    .where('position', '=', scan)
    .where('state', '=', SCAN_STATE.visible)
    .executeTakeFirst()
  return row?.matching
}

function readRowPage(
  db: Kysely<Tables>,
  page: Key & {
    readonly order: 'scan' | 'api'
    readonly last: { readonly place: number; readonly api_id: number } | undefined
  },
) {
  const { accountId, scan, order, last } = page
  const isByApi = order === 'api'
  return selectDecidedRows(db)
    .select([
      'row.place',
      'row.api_id',
      'row.endpoint_id',
      'row.confidence',
      'row.method',
      'row.subject',
      'row.detail',
      'row.owner',
      'decision.approval',
      'decision.reason',
      'decision.decided_by',
      'decision.decided_at',
    ])
    .select((select) =>
      select
        .selectFrom('scan')
        .select('scan.matching')
        .where('scan.account_id', '=', accountId)
        .where('scan.position', '=', scan)
        .where('scan.state', '=', SCAN_STATE.visible)
        .as('matching'),
    )
    .where('row.account_id', '=', accountId)
    .where('row.scan', '=', scan)
    .$if(last !== undefined && isByApi, (query) =>
      query.where(
        sql<SqlBool>`(${sql.ref('row.api_id')}, ${sql.ref('row.place')}) > (${last?.api_id ?? 0}, ${last?.place ?? 0})`,
      ),
    )
    .$if(last !== undefined && !isByApi, (query) => query.where('row.place', '>', last?.place ?? 0))
    .$if(isByApi, (query) => query.orderBy('row.api_id'))
    .orderBy('row.place')
    .limit(PAGE_ROWS)
    .execute()
}

function toStoredRow(row: Row, start: number): StoredRow {
  return {
    place: row.place,
    position: start + (row.place % PART_POSITIONS),
    subject: row.subject,
    method: row.method,
    detail: row.detail,
    match: toCatalogueMatch(row),
    owner: row.owner,
    // The cast is safe: `review` only writes values of this type.
    approval: (row.approval ?? 'unreviewed') as Approval,
    reason: row.reason ?? '',
    decision: { by: row.decided_by ?? '', at: row.decided_at ?? undefined },
  }
}

function toCatalogueMatch(row: Row): CatalogueMatch | undefined {
  if (row.api_id === NO_API) return undefined
  return {
    apiId: row.api_id,
    endpointId: row.endpoint_id ?? undefined,
    confidence: row.confidence ?? 0,
  }
}

function createReadConflict(reason: string): ServiceError {
  return new ServiceError('conflict', `Cannot continue reading the scan: ${reason}`)
}
