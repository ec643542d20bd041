import { type Kysely, type SqlBool, sql } from 'kysely'
import type { ScanStore } from '../../../core/scans/store.ts'
import type { GroupView, UsageGroup, UsageGroupStore } from '../../../core/scans/usage-store.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { isNumberIn } from './id-lists.ts'
import type { ScanKey } from './scan-review-status.ts'
import { NO_API, type ScanGroupTable } from './scan-tables.ts'
import { readUsages, selectUsages } from './scan-usage-reads.ts'
import type { Tables } from './tables.ts'

/** Stores the usages of scans, grouped by API, vendor or registrable domain. */
export function createScanGroupStore({ db }: Engine): Pick<ScanStore, keyof UsageGroupStore> {
  return {
    async listUsageGroups(account, { scan, view, offset, limit }) {
      const keys = await db
        .selectFrom('scan_group')
        .select(['api_id', 'owner'])
        .where('account_id', '=', account.id)
        .where('scan', '=', scan)
        .where(isInView(view))
        .orderBy('standing')
        .orderBy('level')
        .orderBy('uses', 'desc')
        .orderBy('api_id')
        .orderBy('owner')
        .limit(limit)
        .offset(offset)
        .execute()
      const groups: UsageGroup[] = []
      for (const piece of inChunks(keys, GROUPS_PER_QUERY)) {
        const parts = piece.map(
          ({ api_id, owner }) => sql`select * from scan_group where account_id = ${account.id}
            and scan = ${scan} and api_id = ${api_id} and owner = ${owner}`,
        )
        const query = sql<ScanGroupTable>`${sql.join(parts, sql` union all `)}`
        groups.push(...(await query.execute(db)).rows.map(toUsageGroup))
      }
      return groups
    },

    async findUsageGroup(account, { scan, group: { apiId = NO_API, owner } }) {
      const row = await db
        .selectFrom('scan_group')
        .selectAll()
        .where('account_id', '=', account.id)
        .where('scan', '=', scan)
        .where('api_id', '=', apiId)
        .where('owner', '=', owner)
        .executeTakeFirst()
      return row && toUsageGroup(row)
    },

    async countUsageGroups(account, scan) {
      const counts = { all: 0, new: 0, unreviewed: 0, rejected: 0, approved: 0 }
      const selected = db
        .selectFrom('scan_group')
        .where('account_id', '=', account.id)
        .where('scan', '=', scan)
        .select((select) => select.fn.countAll<number | string>().as('groups'))
      const rows = await selected.select('standing').groupBy('standing').execute()
      for (const { standing, groups } of rows) {
        counts.all += Number(groups)
        if (standing === 0) counts.new = Number(groups)
        if (standing <= 1) counts.unreviewed += Number(groups)
      }
      for (const view of ['rejected', 'approved'] as const) {
        const row = await selected.where(isInView(view)).executeTakeFirst()
        counts[view] = Number(row?.groups ?? 0)
      }
      return counts
    },

    async listGroupUsages(account, { scan, groups, limit }) {
      const key = { accountId: account.id, scan }
      const places: number[] = []
      for (const piece of inChunks(groups, GROUPS_PER_QUERY)) {
        const parts = piece.map(
          ({ apiId = NO_API, owner }) => sql`select * from (select place from scan_use
            where account_id = ${account.id} and scan = ${scan} and part = 0
              and api_id = ${apiId} and owner = ${owner}
            order by standing, place limit ${limit}) as first_uses`,
        )
        const query = sql<{ place: number }>`${sql.join(parts, sql` union all `)}`
        for (const { place } of (await query.execute(db)).rows) places.push(place)
      }
      const uses = await readUsages(db, { ...key, places })
      const byPlace = new Map(uses.map((use) => [use.place, use]))
      return places.flatMap((place) => byPlace.get(Number(place)) ?? [])
    },
  }
}

/** SQLite accepts at most 500 terms of a compound select. */
const GROUPS_PER_QUERY = 100

function isInView(view: GroupView) {
  if (view === 'new') return sql<SqlBool>`standing = 0`
  if (view === 'unreviewed') return sql<SqlBool>`standing <= 1`
  if (view === 'rejected') return sql<SqlBool>`refused > 0`
  if (view === 'approved') return sql<SqlBool>`approved > 0`
  return sql<SqlBool>`standing >= 0`
}

function toUsageGroup(row: ScanGroupTable): UsageGroup {
  return {
    apiId: row.api_id === NO_API ? undefined : row.api_id,
    owner: row.owner,
    usages: row.uses,
    rows: row.row_count,
    isNew: row.added,
    newUnreviewed: row.added_open,
    unreviewed: row.open,
    rejected: row.refused,
    approved: row.approved,
  }
}

/** Identifies a group in its scan. */
type GroupKey = Pick<ScanGroupTable, 'api_id' | 'owner'>

/** Counts all groups of a scan again, from an index alone, in chunks of about `USAGES_PER_CHUNK`. */
export async function countGroups(tx: Kysely<Tables>, key: ScanKey): Promise<void> {
  await tx
    .deleteFrom('scan_group')
    .where('account_id', '=', key.accountId)
    .where('scan', '=', key.scan)
    .execute()
  const pause = createYieldIfDue()
  for (let after: GroupKey = { api_id: -1, owner: '' }; ; ) {
    const until = await selectUsages(tx, key)
      .select(['api_id', 'owner'])
      .where(isGroupAfter(after))
      .orderBy('api_id')
      .orderBy('owner')
      .offset(USAGES_PER_CHUNK - 1)
      .limit(1)
      .executeTakeFirst()
    const last = until && sql<SqlBool>`(api_id, owner) <= (${until.api_id}, ${until.owner})`
    await insertGroups(
      tx,
      key,
      last ? sql`${isGroupAfter(after)} and ${last}` : isGroupAfter(after),
    )
    if (!until) return
    after = until
    await pause()
  }
}

/** About 10 ms of work. */
const USAGES_PER_CHUNK = 10_000

function isGroupAfter({ api_id, owner }: GroupKey) {
  return sql<SqlBool>`(api_id, owner) > (${api_id}, ${owner})`
}

/** Counts the groups with usages of these subjects again; all groups if there are many. */
export async function countGroupsOf(
  engine: Engine,
  tx: Kysely<Tables>,
  { digests, ...key }: ScanKey & { readonly digests: readonly number[] },
): Promise<void> {
  const groups = await selectUsages(tx, key)
    .select(['api_id', 'owner'])
    .distinct()
    .where(isNumberIn(engine.kind, { column: 'subject_digest', list: digests }))
    .limit(FEW_GROUPS + 1)
    .execute()
  if (groups.length > FEW_GROUPS) return countGroups(tx, key)
  for (const { api_id, owner } of groups) {
    await tx
      .deleteFrom('scan_group')
      .where('account_id', '=', key.accountId)
      .where('scan', '=', key.scan)
      .where('api_id', '=', api_id)
      .where('owner', '=', owner)
      .execute()
    await insertGroups(tx, key, sql`api_id = ${api_id} and owner = ${owner}`)
  }
}

const FEW_GROUPS = 200

async function insertGroups(
  tx: Kysely<Tables>,
  { accountId, scan }: ScanKey,
  condition: ReturnType<typeof sql>,
): Promise<void> {
  await sql`insert into scan_group (account_id, scan, api_id, owner, level, standing, uses,
      row_count, added, added_open, open, refused, approved)
    select ${accountId}, cast(${scan} as bigint), api_id, owner,
      case when api_id <> ${sql.lit(NO_API)} then 0 when owner = '' then 9
        else cast(substr(owner, 1, 1) as integer) end,
      min(standing), count(*), sum(row_count),
      sum(case when standing % 2 = 0 then 1 else 0 end),
      sum(case when standing = 0 then 1 else 0 end),
      sum(case when standing <= 1 then 1 else 0 end),
      sum(case when standing in (2, 3) then 1 else 0 end),
      sum(case when standing >= 4 then 1 else 0 end)
    from scan_use where account_id = ${accountId} and scan = ${scan} and part = 0
      and ${condition}
    group by api_id, owner`.execute(tx)
}
