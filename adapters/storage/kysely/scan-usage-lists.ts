import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { ScanStore } from '../../../core/scans/store.ts'
import {
  type GroupFilter,
  type ScanUsageStore,
  USAGE_STATUSES,
  type UsageFigure,
  type UsageFilter,
  type UsageGroupStore,
} from '../../../core/scans/usage-store.ts'
import type { Engine, EngineKind } from './engine.ts'
import { escapeLikePattern } from './filters.ts'
import { hasUsageOf, toStoredScan } from './scan-lists.ts'
import { NO_API, SCAN_STATE } from './scan-tables.ts'
import { compareUsages } from './scan-usage-changes.ts'
import { readUsages, selectUsages } from './scan-usage-reads.ts'
import { decodeUsageStatus } from './scan-usages.ts'
import type { Tables } from './tables.ts'

/** Lists scans and their usages for display. */
export function createScanUsageStore({
  db,
  kind,
}: Engine): Pick<ScanStore, Exclude<keyof ScanUsageStore, keyof UsageGroupStore>> {
  return {
    async listGroups(account, { filter, offset, limit }) {
      const newest = selectNewestOfGroups(db, { accountId: account.id, filter, kind })
      const counted = await newest
        .select((select) => select.fn.countAll<number | string>().as('groups'))
        .executeTakeFirst()
      const rows = await newest
        .selectAll('scan')
        .orderBy('scan.started_at', 'desc')
        .orderBy('scan.position', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return { scans: rows.map(toStoredScan), total: Number(counted?.groups ?? 0) }
    },

    async listNewest(account, { kind: of, group, limit }) {
      const rows = await db
        .selectFrom('scan')
        .selectAll()
        .where('account_id', '=', account.id)
        .where('group_key', '=', group)
        // Forces the index of groups: planners without statistics would choose that of all scans.
        .where(sql<SqlBool>`kind || '' = ${of}`)
        .where(sql<SqlBool>`state + 0 = ${SCAN_STATE.visible}`)
        .orderBy('started_at', 'desc')
        .orderBy('position', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toStoredScan)
    },

    async listFigures(account, scans) {
      const found = new Map<number, UsageFigure[]>(scans.map((scan) => [scan, []]))
      if (scans.length === 0) return found
      const rows = await db
        .selectFrom('scan_figure')
        .selectAll()
        .where('account_id', '=', account.id)
        .where('scan', 'in', scans)
        .orderBy('standing')
        .orderBy('api_id')
        .execute()
      for (const row of rows) found.get(row.scan)?.push(toUsageFigure(row))
      return found
    },

    async listUsages(account, { scan, filter, offset, limit }) {
      const keys = await selectUsages(db, { accountId: account.id, scan })
        .select('place')
        .where((where) => where.and(toUsageColumns(filter)))
        .where(hasStatusIn(filter))
        .orderBy('standing')
        .orderBy('api_id')
        .orderBy('place')
        .limit(limit)
        .offset(offset)
        .execute()
      const places = keys.map(({ place }) => place)
      const uses = await readUsages(db, { accountId: account.id, scan, places })
      const byPlace = new Map(uses.map((use) => [use.place, use]))
      return places.flatMap((place) => byPlace.get(place) ?? [])
    },

    findUsages: (account, { scan, places }) =>
      readUsages(db, { accountId: account.id, scan, places }),

    async listAddresses(account, { scan, limit }) {
      const rows = await selectUsages(db, { accountId: account.id, scan })
        .select((select) => [
          'address',
          select.fn.countAll<number | string>().as('uses'),
          select.fn.sum<number | string>('row_count').as('rows'),
          sql<number | string>`count(*) over ()`.as('total'),
        ])
        .where('address', '<>', '')
        .groupBy('address')
        .orderBy('rows', 'desc')
        .orderBy('address')
        .limit(limit)
        .execute()
      return {
        addresses: rows.map(({ address, uses, rows: seen }) => ({
          address,
          usages: Number(uses),
          rows: Number(seen),
        })),
        total: Number(rows[0]?.total ?? 0),
      }
    },

    async listBatches(account, { scan, limit }) {
      const rows = await db
        .selectFrom('scan_part')
        .select(['part', 'row_count as rows', 'matched_count as matched'])
        .select(sql<number | string>`count(*) over ()`.as('total'))
        .where('account_id', '=', account.id)
        .where('scan', '=', scan)
        .orderBy('part', 'desc')
        .limit(limit)
        .execute()
      return {
        parts: rows.map(({ part, rows, matched }) => ({ part, rows, matched })),
        total: Number(rows[0]?.total ?? 0),
      }
    },

    compareUsages: (account, request) => compareUsages(db, { accountId: account.id, ...request }),
  }
}

function toUsageFigure(row: Selectable<Tables['scan_figure']>): UsageFigure {
  const { api_id, standing, uses: usages, row_count: rows } = row
  const apiId = api_id === NO_API ? undefined : api_id
  return { apiId, ...decodeUsageStatus(standing), usages, rows }
}

function toUsageColumns({ apiId, owner }: UsageFilter) {
  return {
    ...(apiId === undefined ? {} : { api_id: apiId === 'none' ? NO_API : apiId }),
    ...(owner === undefined ? {} : { owner }),
  }
}

/** Returns a range of the index: the two values of one approval are adjacent, the new one first. */
function hasStatusIn({ approval, isNew }: UsageFilter) {
  const first = approval === undefined ? 0 : 2 * USAGE_STATUSES.indexOf(approval)
  const last = approval === undefined ? 2 * USAGE_STATUSES.length - 1 : first + 1
  if (isNew === undefined) return sql<SqlBool>`standing between ${first} and ${last}`
  const wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (standing) => decodeUsageStatus(standing).isNew === isNew,
  )
  return sql<SqlBool>`${sql.ref('standing')} in (${sql.join(wanted)})`
}

function selectNewestOfGroups(
  db: Kysely<Tables>,
  request: {
    readonly accountId: string
    readonly filter: GroupFilter
    readonly kind: EngineKind
  },
) {
  const { accountId, filter, kind } = request
  const pattern = `%${escapeLikePattern(filter.name ?? '')}%`
  return db
    .selectFrom('scan')
    .where('scan.account_id', '=', accountId)
    .where('scan.kind', 'in', filter.kind ? [filter.kind] : ['network', 'project'])
    .where('scan.state', '=', SCAN_STATE.visible)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scan as newer')
            .select('newer.position')
            .whereRef('newer.account_id', '=', 'scan.account_id')
            .whereRef('newer.group_key', '=', 'scan.group_key')
            .whereRef('newer.kind', '=', 'scan.kind')
            .where('newer.state', '=', SCAN_STATE.visible)
            .where(
              sql<SqlBool>`(newer.started_at, newer.position) > (scan.started_at, scan.position)`,
            ),
        ),
      ),
    )
    .$if(Boolean(filter.name), (query) =>
      query.where(
        sql<SqlBool>`(scan.folded_project like ${pattern} escape '!' or scan.folded_network like ${pattern} escape '!')`,
      ),
    )
    .$if(filter.apiIds !== undefined, (query) => query.where(hasUsageOf(kind, filter.apiIds ?? [])))
}
