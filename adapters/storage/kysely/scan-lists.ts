import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type {
  ScanFilter,
  ScanKind,
  ScanName,
  ScanStore,
  StoredScan,
} from '../../../core/scans/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import type { Engine, EngineKind } from './engine.ts'
import { isNumberIn } from './id-lists.ts'
import { NO_API, SCAN_STATE, type ScanTable } from './scan-tables.ts'
import type { Tables } from './tables.ts'

/** Creates the part of the scan store that finds, lists and counts visible scans. */
export function createScanListStore(
  engine: Engine,
): Pick<ScanStore, 'find' | 'list' | 'count' | 'listApiIds' | 'totals'> {
  const { db, kind } = engine
  return {
    async find(account, name) {
      const row = await selectVisible(db)
        .selectAll()
        .where('account_id', '=', account.id)
        .where('kind', '=', name.kind)
        .where('id', '=', name.id)
        .executeTakeFirst()
      return row && toStoredScan(row)
    },

    async list(account, { filter, after, limit }) {
      const rows = await applyScanFilter(selectVisible(db), { filter, kind })
        .selectAll()
        .where('account_id', '=', account.id)
        .$if(after !== undefined, (query) =>
          query.where(
            sql<SqlBool>`(started_at, position) < (${after?.startedAt ?? 0}, ${after?.number ?? 0})`,
          ),
        )
        .orderBy('started_at', 'desc')
        .orderBy('position', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toStoredScan)
    },

    async count(account) {
      const row = await selectVisible(db)
        .select((select) => select.fn.countAll<number | string>().as('scans'))
        .where('account_id', '=', account.id)
        .executeTakeFirst()
      return Number(row?.scans ?? 0)
    },

    async listApiIds(account, scanKind) {
      const rows = await selectVisible(db)
        .innerJoin('scan_api', (join) =>
          join
            .onRef('scan_api.account_id', '=', 'scan.account_id')
            .onRef('scan_api.scan', '=', 'scan.position'),
        )
        .select('scan_api.api_id')
        .distinct()
        .where('scan.account_id', '=', account.id)
        .where('scan.kind', '=', scanKind)
        .orderBy('scan_api.api_id')
        .execute()
      return rows.map((row) => row.api_id)
    },

    async totals() {
      const rows = await selectVisible(db)
        .select((select) => [
          'kind',
          select.fn.countAll<number | string>().as('scans'),
          select.fn.sum<number | string>('row_count').as('rows'),
          select.fn.sum<number | string>('matched_count').as('matched'),
        ])
        .groupBy('kind')
        .orderBy('kind')
        .execute()
      return rows.map((row) => ({
        // The cast is safe: `insertScan` only writes values of this type.
        kind: row.kind as ScanKind,
        scans: Number(row.scans),
        rows: Number(row.rows),
        matched: Number(row.matched),
      }))
    },
  }
}

/** Returns the primary key of a scan as columns. Extra properties of the arguments are dropped. */
export function toScanKeyColumns({ id: account_id }: Pick<Account, 'id'>, { kind, id }: ScanName) {
  return { account_id, kind, id }
}

/**
 * Reads a scan and locks it until the transaction ends. A scan that is not visible yet is found by
 * its position only.
 */
export function lockScan(
  engine: Engine,
  tx: Kysely<Tables>,
  where:
    | { readonly account_id: string; readonly kind: string; readonly id: string }
    | { readonly account_id: string; readonly position: number },
): Promise<Selectable<ScanTable> | undefined> {
  return tx
    .selectFrom('scan')
    .selectAll()
    .where((filter) => filter.and(where))
    .$if('id' in where, (query) => query.where('state', '=', SCAN_STATE.visible))
    .$if(engine.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
}

export function toStoredScan(row: Selectable<ScanTable>): StoredScan {
  return {
    number: row.position,
    // The casts are safe: these four columns contain only values of their types. Releases may add
    // values, but never change one.
    kind: row.kind as StoredScan['kind'],
    status: row.status as StoredScan['status'],
    reviewStatus: row.review_status as StoredScan['reviewStatus'],
    isApproved: row.is_approved as StoredScan['isApproved'],
    id: row.id,
    group: row.group_key,
    projectName: row.project_name,
    networkName: row.network_name,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    detail: row.detail,
    by: row.reviewed_by,
    at: row.reviewed_at ?? undefined,
    generation: row.generation,
    analyzedAt: row.analyzed_at,
    receivedAt: row.touched_at,
    rows: row.row_count,
    matched: row.matched_count,
  }
}

function selectVisible(db: Kysely<Tables>) {
  return db.selectFrom('scan').where('state', '=', SCAN_STATE.visible)
}

function applyScanFilter(
  query: ReturnType<typeof selectVisible>,
  { filter, kind }: { readonly filter: ScanFilter; readonly kind: EngineKind },
): ReturnType<typeof selectVisible> {
  const columns = {
    kind: filter.kind,
    id: filter.id,
    group_key: filter.group,
    folded_project: filter.projectName,
    folded_network: filter.networkName,
  }
  const conditions = Object.entries(columns).filter(([, value]) => value !== undefined)
  const { apiIds, staleAt } = filter
  return query
    .where((where) => where.and(Object.fromEntries(conditions)))
    .$if(staleAt !== undefined, (narrowed) => narrowed.where('generation', '<', staleAt ?? 0))
    .$if(apiIds !== undefined, (narrowed) => narrowed.where(hasUsageOf(kind, apiIds ?? [])))
}

/**
 * Returns the SQL condition that a scan has a row of one of the APIs. A subquery with `limit 1`
 * replaces `exists`: without statistics, PostgreSQL plans `exists` as a join over all scans of the
 * account.
 */
export function hasUsageOf(kind: EngineKind, apiIds: readonly number[]): RawBuilder<SqlBool> {
  const list = apiIds.filter((id) => id !== NO_API)
  return sql<SqlBool>`(select scan_api.api_id from scan_api
    where scan_api.account_id = scan.account_id and scan_api.scan = scan.position
      and ${isNumberIn(kind, { column: 'scan_api.api_id', list })} limit 1) is not null`
}
