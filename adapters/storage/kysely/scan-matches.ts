import { type Kysely, sql } from 'kysely'
import type { CatalogueMatch } from '../../../core/scans/records.ts'
import type { ScanStore } from '../../../core/scans/store.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { lockScan, toStoredScan } from './scan-lists.ts'
import { NO_API, SCAN_STATE } from './scan-tables.ts'
import { countGroups } from './scan-usage-groups.ts'
import { applyMatches, countUsages } from './scan-usages.ts'
import type { Tables } from './tables.ts'

/** Matches stored rows again, in short transactions. A newer matching interrupts an older one. */
export function createScanMatchStore(
  engine: Engine,
): Pick<ScanStore, 'confirmMatching' | 'beginMatching' | 'saveMatches' | 'finishMatching'> {
  return {
    confirmMatching: (account, { scan, generation, at }) =>
      engine.write(async (tx) => {
        const updated = await tx
          .updateTable('scan')
          .set({ generation, matching: generation, analyzed_at: at })
          .where('position', '=', scan.number)
          .where('account_id', '=', account.id)
          .where('state', '=', SCAN_STATE.visible)
          .where('generation', '=', scan.generation)
          // Otherwise rows or their counts may come from an interrupted matching.
          .where('matching', '=', scan.generation)
          .where('row_count', '=', scan.rows)
          .returningAll()
          .executeTakeFirst()
        return updated && toStoredScan(updated)
      }),

    beginMatching: (account, { scan: position, generation }) =>
      engine.write(async (tx) => {
        const scan = await lockScan(engine, tx, { account_id: account.id, position })
        if (scan?.state !== SCAN_STATE.visible) return false
        if (scan.generation >= generation || scan.matching > generation) return false
        await tx
          .updateTable('scan')
          .set({ matching: generation })
          .where('account_id', '=', account.id)
          .where('position', '=', position)
          .execute()
        return true
      }),

    saveMatches: (account, { scan: position, generation, matches }) =>
      engine.write(async (tx) => {
        const scan = await lockScan(engine, tx, { account_id: account.id, position })
        if (scan?.state !== SCAN_STATE.visible || scan.matching !== generation) return false
        const key = { accountId: account.id, scan: position }
        let gained = 0
        for (const piece of inChunks(matches, ROWS_PER_STATEMENT)) {
          gained -= await countMatched(tx, { ...key, places: piece.map(({ place }) => place) })
          await updateMatches(tx, { ...key, matches: piece })
          await applyMatches(tx, { ...key, places: piece.map(({ place }) => place) })
          gained += piece.filter(({ match }) => match !== undefined).length
        }
        const apiIds = new Set(matches.flatMap(({ match }) => match?.apiId ?? []))
        for (const piece of inChunks([...apiIds])) {
          await tx
            .insertInto('scan_api')
            .values(piece.map((id) => ({ account_id: account.id, scan: position, api_id: id })))
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        }
        await tx
          .updateTable('scan')
          .set({ matched_count: sql`matched_count + ${gained}` })
          .where('account_id', '=', account.id)
          .where('position', '=', position)
          .execute()
        return true
      }),

    finishMatching: (account, { scan: position, generation, at }) =>
      engine.write(async (tx) => {
        const scan = await lockScan(engine, tx, { account_id: account.id, position })
        if (scan?.state !== SCAN_STATE.visible || scan.matching !== generation) return false
        await removeUnmatchedApis(tx, { accountId: account.id, scan: position })
        await countUsages(tx, { accountId: account.id, scan: position })
        await countGroups(tx, { accountId: account.id, scan: position })
        await tx
          .updateTable('scan')
          .set({ generation, analyzed_at: at })
          .where('account_id', '=', account.id)
          .where('position', '=', position)
          .execute()
        return true
      }),
  }
}

const ROWS_PER_STATEMENT = 250

interface ScanKey {
  readonly accountId: string
  readonly scan: number
}

async function countMatched(
  tx: Kysely<Tables>,
  { accountId, scan, places }: ScanKey & { readonly places: readonly number[] },
): Promise<number> {
  const row = await tx
    .selectFrom('scan_row')
    .select((select) => select.fn.countAll<number | string>().as('rows'))
    .where('account_id', '=', accountId)
    .where('scan', '=', scan)
    .where('place', 'in', places)
    .where('api_id', '!=', NO_API)
    .executeTakeFirst()
  return Number(row?.rows ?? 0)
}

/** Updates all rows in one statement; both engines name the columns of `values` like this. */
async function updateMatches(
  tx: Kysely<Tables>,
  update: ScanKey & {
    readonly matches: readonly {
      readonly place: number
      readonly match: CatalogueMatch | undefined
      readonly owner: string
    }[]
  },
): Promise<void> {
  const tuples = update.matches.map(
    ({ place, match, owner }) =>
      sql`(cast(${place} as bigint), cast(${match?.apiId ?? NO_API} as bigint),
        cast(${match?.endpointId ?? null} as bigint), cast(${match?.confidence ?? null} as double precision),
        cast(${owner} as text))`,
  )
  const places = update.matches.map(({ place }) => place)
  // Without bounds, planners read the whole scan for each statement.
  await sql`update scan_row
    set api_id = fresh.column2, endpoint_id = fresh.column3, confidence = fresh.column4,
      owner = fresh.column5
    from (values ${sql.join(tuples)}) as fresh
    where scan_row.account_id = ${update.accountId} and scan_row.scan = ${update.scan}
      and scan_row.place between ${Math.min(...places)} and ${Math.max(...places)}
      and scan_row.place = fresh.column1`.execute(tx)
}

/** Removes APIs that no row matches any more. */
async function removeUnmatchedApis(
  tx: Kysely<Tables>,
  { accountId, scan }: ScanKey,
): Promise<void> {
  await tx
    .deleteFrom('scan_api')
    .where('account_id', '=', accountId)
    .where('scan', '=', scan)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('scan_row')
            .select('place')
            .whereRef('scan_row.account_id', '=', 'scan_api.account_id')
            .whereRef('scan_row.scan', '=', 'scan_api.scan')
            .whereRef('scan_row.api_id', '=', 'scan_api.api_id'),
        ),
      ),
    )
    .execute()
}
