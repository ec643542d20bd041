import { type Kysely, sql } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type {
  NewScan,
  ScanStore,
  StoredBatch,
  Upload,
  UploadResult,
} from '../../../core/scans/store.ts'
import { foldName } from '../../../core/shared/text.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { copyDecisions } from './scan-decisions.ts'
import { lockScan, toScanKeyColumns } from './scan-lists.ts'
import { deriveReviewStatus, updateReviewStatus } from './scan-review-status.ts'
import { insertScanRows } from './scan-rows.ts'
import { removeUpload } from './scan-sweep.ts'
import { PART_POSITIONS, SCAN_STATE } from './scan-tables.ts'
import { addUsages, findPreviousScan, publishUsages } from './scan-usages.ts'
import { refreshStatistics } from './statistics.ts'
import type { Tables } from './tables.ts'

/** Stores uploads: rows are staged in short transactions and published at once. */
export function createScanUploadStore(
  engine: Engine,
): Pick<ScanStore, 'beginUpload' | 'saveRows' | 'publish' | 'discard' | 'findBatch'> {
  const { db } = engine
  return {
    beginUpload: (account, { scan, at }) =>
      engine.write(async (tx) => {
        const upload =
          'group' in scan
            ? { scan: await insertScan(tx, { accountId: account.id, scan, at }), part: 0 }
            : await takePart(engine, tx, toScanKeyColumns(account, scan))
        if (!upload) return undefined
        await tx
          .insertInto('scan_upload')
          .values({ account_id: account.id, ...upload, touched_at: at })
          .execute()
        return upload
      }),

    saveRows: (account, { upload, first, at, rows }) =>
      engine.write(async (tx) => {
        const touched = await tx
          .updateTable('scan_upload')
          .set({ touched_at: at })
          .where((where) => where.and(toUploadKey(account.id, upload)))
          .where('touched_at', '>', 0)
          .returning('part')
          .executeTakeFirst()
        if (!touched) throw createUploadRemovedError()
        const start = upload.part * PART_POSITIONS + first
        await insertScanRows(engine, tx, { accountId: account.id, scan: upload.scan, start, rows })
        await addUsages(engine, tx, { accountId: account.id, upload, start, rows })
      }),

    async publish(account, { upload, end }) {
      const keys = [...new Set(end.keys)]
      await refreshStatistics(engine, { tables: ['scan_row', 'scan_use'], rows: end.rows })
      try {
        const published = await engine.write(async (tx) => {
          const known = await findPart(tx, account.id, keys)
          if (known) return { isNew: false, part: known }
          await insertKeys(tx, { accountId: account.id, keys, upload })
          const part = await publishPart(engine, tx, { accountId: account.id, upload, end })
          return { isNew: true, part }
        })
        await refreshStatistics(engine, { tables: ['scan_decision'], rows: end.rows })
        return published
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error
        const part = await findPart(db, account.id, keys)
        if (part) return { isNew: false, part }
        throw createUploadRemovedError()
      }
    },

    async discard(account, upload) {
      await engine.write(async (tx) => {
        await tx
          .updateTable('scan_upload')
          .set({ touched_at: 0 })
          .where((where) => where.and(toUploadKey(account.id, upload)))
          .execute()
      })
      const pause = createYieldIfDue()
      while (await removeUpload(engine, { account_id: account.id, ...upload })) await pause()
    },

    findBatch: (account, key) => findPart(db, account.id, [key]),
  }
}

/** One of the keys was published concurrently. */
class DuplicateKeyError extends Error {
  override readonly name = 'KeyTaken'
}

function toUploadKey(accountId: string, { scan, part }: Upload) {
  return { account_id: accountId, scan, part }
}

function createUploadRemovedError(): ServiceError {
  return new ServiceError(
    'conflict',
    'Cannot store the scan: its upload was removed. Upload it again',
  )
}

async function insertScan(
  tx: Kysely<Tables>,
  newScan: { readonly accountId: string; readonly scan: NewScan; readonly at: number },
): Promise<number> {
  const { accountId, scan, at } = newScan
  const inserted = await tx
    .insertInto('scan')
    .values({
      account_id: accountId,
      id: scan.id,
      kind: scan.kind,
      group_key: scan.group,
      project_name: scan.projectName,
      folded_project: foldName(scan.projectName),
      network_name: scan.networkName,
      folded_network: foldName(scan.networkName),
      started_at: scan.startedAt,
      ended_at: scan.endedAt ?? null,
      status: scan.status,
      state: SCAN_STATE.pending,
      review_status: 'not_started',
      is_approved: 'not_analyzed',
      reviewed_by: '',
      reviewed_at: null,
      generation: 0,
      matching: 0,
      analyzed_at: at,
      row_count: 0,
      matched_count: 0,
      next_part: 1,
      touched_at: at,
      detail: scan.detail,
      former: await findPreviousScan(tx, { accountId, scan }),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .returning('position')
    .executeTakeFirst()
  if (inserted) return inserted.position
  throw new ServiceError('conflict', 'Cannot store the scan: its ID is already in use')
}

async function takePart(
  engine: Engine,
  tx: Kysely<Tables>,
  name: ReturnType<typeof toScanKeyColumns>,
): Promise<Upload | undefined> {
  const scan = await lockScan(engine, tx, name)
  if (!scan) return undefined
  await tx
    .updateTable('scan')
    .set({ next_part: scan.next_part + 1 })
    .where('account_id', '=', scan.account_id)
    .where('position', '=', scan.position)
    .execute()
  return { scan: scan.position, part: scan.next_part }
}

async function insertKeys(
  tx: Kysely<Tables>,
  uploadKeys: {
    readonly accountId: string
    readonly keys: readonly string[]
    readonly upload: Upload
  },
): Promise<void> {
  const { accountId, keys, upload } = uploadKeys
  if (keys.length === 0) return
  const inserted = await tx
    .insertInto('scan_key')
    .values(keys.map((name) => ({ ...toUploadKey(accountId, upload), name })))
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returning('name')
    .execute()
  if (inserted.length < keys.length) throw new DuplicateKeyError('the key is taken')
}

async function publishPart(
  engine: Engine,
  tx: Kysely<Tables>,
  finishedUpload: {
    readonly accountId: string
    readonly upload: Upload
    readonly end: UploadResult
  },
): Promise<StoredBatch> {
  const { accountId, upload, end } = finishedUpload
  const key = toUploadKey(accountId, upload)
  const scan = await lockScan(engine, tx, { account_id: accountId, position: upload.scan })
  const taken = await tx
    .deleteFrom('scan_upload')
    .where((where) => where.and(key))
    .where('touched_at', '>', 0)
    .returning('part')
    .executeTakeFirst()
  if (!taken || !scan || scan.state === SCAN_STATE.removed) throw createUploadRemovedError()
  const isFirst = scan.state === SCAN_STATE.pending
  const isStale = end.generation < scan.generation
  await tx
    .insertInto('scan_part')
    .values({ ...key, digest: end.digest, row_count: end.rows, matched_count: end.matched })
    .execute()
  for (const apiIds of inChunks(end.apiIds)) {
    await tx
      .insertInto('scan_api')
      .values(apiIds.map((id) => ({ account_id: accountId, scan: upload.scan, api_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  if (isFirst) await copyDecisions(tx, { to: scan })
  const decided = { accountId, scan: upload.scan }
  await publishUsages(engine, tx, { ...decided, part: upload.part })
  const standing = isFirst
    ? await deriveReviewStatus(tx, decided)
    : await updateReviewStatus(tx, {
        ...decided,
        from: upload.part * PART_POSITIONS,
        before: { review_status: scan.review_status, is_approved: scan.is_approved },
      })
  await tx
    .updateTable('scan')
    .set({
      state: SCAN_STATE.visible,
      generation: isFirst || isStale ? end.generation : scan.generation,
      // A matching in progress does not include rows that were matched to an older generation.
      matching: isFirst ? end.generation : end.generation < scan.matching ? 0 : scan.matching,
      analyzed_at: Math.max(end.at, scan.analyzed_at),
      row_count: sql`row_count + ${end.rows}`,
      matched_count: sql`matched_count + ${end.matched}`,
      touched_at: end.at,
      ...standing,
      ...(end.status === undefined ? {} : { status: end.status }),
      ...(end.endedAt === undefined ? {} : { ended_at: end.endedAt }),
    })
    .where('account_id', '=', accountId)
    .where('position', '=', upload.scan)
    .execute()
  const { digest, rows, matched } = end
  return { scanId: scan.id, group: scan.group_key, digest, rows, matched }
}

async function findPart(
  db: Kysely<Tables>,
  accountId: string,
  keys: readonly string[],
): Promise<StoredBatch | undefined> {
  if (keys.length === 0) return undefined
  const row = await db
    .selectFrom('scan_key')
    .innerJoin('scan', (join) =>
      join
        .onRef('scan.account_id', '=', 'scan_key.account_id')
        .onRef('scan.position', '=', 'scan_key.scan'),
    )
    .innerJoin('scan_part', (join) =>
      join
        .onRef('scan_part.account_id', '=', 'scan_key.account_id')
        .onRef('scan_part.scan', '=', 'scan_key.scan')
        .onRef('scan_part.part', '=', 'scan_key.part'),
    )
    .select([
      'scan.id as scanId',
      'scan.group_key as group',
      'scan_part.digest',
      'scan_part.row_count as rows',
      'scan_part.matched_count as matched',
    ])
    .where('scan_key.account_id', '=', accountId)
    .where('scan_key.name', 'in', keys)
    .executeTakeFirst()
  return row && { ...row, rows: Number(row.rows), matched: Number(row.matched) }
}
