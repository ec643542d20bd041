import type { Kysely } from 'kysely'
import type { ScanStore } from '../../../core/scans/store.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import type { Engine } from './engine.ts'
import { lockScan, toScanKeyColumns } from './scan-lists.ts'
import { PART_POSITIONS, SCAN_STATE, type ScanUploadTable } from './scan-tables.ts'
import { removeUsages } from './scan-usages.ts'
import type { Tables } from './tables.ts'

/** Removes scans and interrupted uploads, in short transactions. */
export function createScanSweepStore(engine: Engine): Pick<ScanStore, 'remove' | 'sweep'> {
  return {
    remove: (account, name) =>
      engine.write(async (tx) => {
        const scan = await lockScan(engine, tx, toScanKeyColumns(account, name))
        if (!scan) return false
        await hideScan(tx, scan)
        return true
      }),

    async sweep({ staleBefore, keptSince, limit }) {
      let removed = 0
      const steps = [
        () => sweepUpload(engine, staleBefore),
        () => hideExpired(engine, keptSince),
        () => sweepRemoved(engine),
      ]
      const pause = createYieldIfDue()
      for (const step of steps) {
        let rows = 0
        do {
          rows = await step()
          removed += rows
          await pause()
        } while (rows > 0 && removed < limit)
      }
      return Math.min(removed, limit)
    },
  }
}

/**
 * Removes some rows of an upload, and the upload with the last of them. Returns false when it is
 * removed.
 */
export async function removeUpload(
  engine: Engine,
  upload: Pick<ScanUploadTable, 'account_id' | 'scan' | 'part'>,
): Promise<boolean> {
  const { account_id, scan, part } = upload
  return engine.write(async (tx) => {
    const owner = await lockScan(engine, tx, { account_id, position: scan })
    const found = await tx
      .selectFrom('scan_upload')
      .select('part')
      .where((where) => where.and({ account_id, scan, part }))
      .executeTakeFirst()
    if (!found) return false
    const from = part * PART_POSITIONS
    const rows = await removeRows(tx, { account_id, scan, from, before: from + PART_POSITIONS })
    if (rows === ROWS_PER_STEP) return true
    if (await removeUsages(tx, { accountId: account_id, scan, part, limit: ROWS_PER_STEP }))
      return true
    await tx
      .deleteFrom('scan_upload')
      .where((where) => where.and({ account_id, scan, part }))
      .execute()
    if (owner?.state === SCAN_STATE.pending) await removeScan(tx, owner)
    return false
  })
}

/** About 20 ms of work. */
const ROWS_PER_STEP = 2000

interface ScanRowKey {
  readonly account_id: string
  readonly position: number
}

/** Returns at least one for a removed upload, so that the sweep continues. */
async function sweepUpload(engine: Engine, staleBefore: number): Promise<number> {
  const stale = await engine.db
    .selectFrom('scan_upload')
    .select(['account_id', 'scan', 'part'])
    .where('touched_at', '<', staleBefore)
    .orderBy('touched_at')
    .limit(1)
    .executeTakeFirst()
  if (!stale) return 0
  const isTaken = await engine.write(async (tx) => {
    // Prevents its owner from continuing it.
    const taken = await tx
      .updateTable('scan_upload')
      .set({ touched_at: 0 })
      .where((where) => where.and(stale))
      .where('touched_at', '<', staleBefore)
      .returning('part')
      .executeTakeFirst()
    return taken !== undefined
  })
  if (!isTaken) return 0
  return (await removeUpload(engine, stale)) ? ROWS_PER_STEP : 1
}

async function hideExpired(engine: Engine, keptSince: number | undefined): Promise<number> {
  if (keptSince === undefined) return 0
  return engine.write(async (tx) => {
    const scan = await tx
      .selectFrom('scan')
      .select(['account_id', 'position'])
      .where('state', '=', SCAN_STATE.visible)
      .where('touched_at', '<', keptSince)
      .orderBy('touched_at')
      .limit(1)
      .$if(engine.kind === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst()
    if (!scan) return 0
    await hideScan(tx, scan)
    return 1
  })
}

async function sweepRemoved(engine: Engine): Promise<number> {
  return engine.write(async (tx) => {
    const scan = await tx
      .selectFrom('scan')
      .select(['account_id', 'position'])
      .where('state', '=', SCAN_STATE.removed)
      .orderBy('touched_at')
      .limit(1)
      .$if(engine.kind === 'postgres', (query) => query.forUpdate().skipLocked())
      .executeTakeFirst()
    if (!scan) return 0
    const { account_id, position } = scan
    const before = Number.MAX_SAFE_INTEGER
    const rows = await removeRows(tx, { account_id, scan: position, from: 0, before })
    if (rows === ROWS_PER_STEP) return rows
    const key = { accountId: account_id, scan: position }
    if (await removeUsages(tx, { ...key, limit: ROWS_PER_STEP })) return ROWS_PER_STEP
    await removeScan(tx, scan)
    return Math.max(1, rows)
  })
}

async function hideScan(tx: Kysely<Tables>, { account_id, position }: ScanRowKey): Promise<void> {
  await tx
    .updateTable('scan')
    .set({ state: SCAN_STATE.removed })
    .where((where) => where.and({ account_id, position }))
    .execute()
  // Ends unfinished uploads: nothing may be added to a scan that is being removed.
  await tx
    .updateTable('scan_upload')
    .set({ touched_at: 0 })
    .where('account_id', '=', account_id)
    .where('scan', '=', position)
    .execute()
  // Repeated uploads count as new.
  await tx
    .deleteFrom('scan_key')
    .where('account_id', '=', account_id)
    .where('scan', '=', position)
    .execute()
}

async function removeRows(
  tx: Kysely<Tables>,
  range: {
    readonly account_id: string
    readonly scan: number
    readonly from: number
    readonly before: number
  },
): Promise<number> {
  const { account_id, scan, from, before } = range
  const rows = await tx
    .selectFrom('scan_row')
    .select('place')
    .where((where) => where.and({ account_id, scan }))
    .where('place', '>=', from)
    .where('place', '<', before)
    .orderBy('place')
    .limit(ROWS_PER_STEP)
    .execute()
  const last = rows.at(-1)
  if (!last) return 0
  await tx
    .deleteFrom('scan_row')
    .where((where) => where.and({ account_id, scan }))
    .where('place', '>=', from)
    .where('place', '<=', last.place)
    .execute()
  return rows.length
}

const SCAN_TABLES = [
  'scan_upload',
  'scan_part',
  'scan_key',
  'scan_api',
  'scan_figure',
  'scan_group',
] as const

/** Removes the remaining data of a scan without rows. */
async function removeScan(tx: Kysely<Tables>, { account_id, position }: ScanRowKey): Promise<void> {
  for (const table of SCAN_TABLES) {
    await tx
      .deleteFrom(table)
      .where('account_id', '=', account_id)
      .where('scan', '=', position)
      .execute()
  }
  await tx
    .deleteFrom('scan_decision')
    .where('account_id', '=', account_id)
    .where('scan', '=', position)
    .execute()
  await tx
    .deleteFrom('scan')
    .where((where) => where.and({ account_id, position }))
    .execute()
}
