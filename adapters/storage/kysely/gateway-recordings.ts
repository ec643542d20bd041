import { type Kysely, sql } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Recording } from '../../../core/gateway/records.ts'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** Stores responses recorded by callers. */
export function createRecordingStore(
  engine: Engine,
): Pick<GatewayStore, 'saveRecording' | 'listRecordings' | 'findRecording' | 'removeRecording'> {
  const { db, kind } = engine
  return {
    async saveRecording(account, recording, keep) {
      await engine.write(async (tx) => {
        // Locks the account: concurrent transactions would otherwise each leave one recording too
        // many.
        if (kind === 'postgres') {
          await sql`select pg_advisory_xact_lock(hashtextextended(${account.id}, 731946206))`.execute(
            tx,
          )
        }
        const saved = await tx
          .insertInto('gateway_recording')
          .values({
            account_id: account.id,
            id: recording.id,
            endpoint_id: recording.endpointId,
            endpoint: recording.endpoint,
            api_id: recording.apiId,
            recorded_at: recording.recordedAt,
            status: recording.status,
            headers: toCleanJson(recording.headers),
            media_type: recording.mediaType,
            is_truncated: Number(recording.isTruncated),
            body: recording.body ?? null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!saved) {
          throw new ServiceError('conflict', 'Cannot save the recording: its ID is already in use')
        }
        await removeOldest(tx, { accountId: account.id, keep })
      })
    },

    async listRecordings(account, { size, page }) {
      const own = db.selectFrom('gateway_recording').where('account_id', '=', account.id)
      const count = own.select((select) => select.fn.countAll<number>().as('total'))
      const rows = await own
        .select(COLUMNS)
        .select(count.as('total'))
        .orderBy('recorded_at', 'desc')
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      const total = rows[0]?.total ?? (await count.executeTakeFirst())?.total ?? 0
      return { items: rows.map(toRecording), total: Number(total) }
    },

    async findRecording(account, recordingId) {
      const row = await db
        .selectFrom('gateway_recording')
        .select(COLUMNS)
        .select('body')
        .where('account_id', '=', account.id)
        .where('id', '=', recordingId)
        .executeTakeFirst()
      return row && { ...toRecording(row), body: row.body ?? undefined }
    },

    async removeRecording(account, recordingId) {
      return engine.write(async (tx) => {
        const removed = await tx
          .deleteFrom('gateway_recording')
          .where('account_id', '=', account.id)
          .where('id', '=', recordingId)
          .returning('id')
          .executeTakeFirst()
        return removed !== undefined
      })
    },
  }
}

const COLUMNS = [
  'id',
  'endpoint_id',
  'endpoint',
  'api_id',
  'recorded_at',
  'status',
  'headers',
  'media_type',
  'is_truncated',
] as const

function toRecording(
  row: Pick<Tables['gateway_recording'], (typeof COLUMNS)[number]>,
): Omit<Recording, 'body'> {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    endpoint: row.endpoint,
    apiId: row.api_id,
    recordedAt: row.recorded_at,
    status: row.status,
    // The cast is safe: `saveRecording` wrote it.
    headers: JSON.parse(row.headers) as Recording['headers'],
    mediaType: row.media_type,
    isTruncated: row.is_truncated === 1,
  }
}

/** Removes all but the newest `keep` recordings. */
async function removeOldest(
  tx: Kysely<Tables>,
  { accountId, keep }: { readonly accountId: string; readonly keep: number },
): Promise<void> {
  const surplus = await tx
    .selectFrom('gateway_recording')
    .select(['recorded_at', 'position'])
    .where('account_id', '=', accountId)
    .orderBy('recorded_at', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .offset(Math.max(0, keep))
    .executeTakeFirst()
  if (!surplus) return
  const { recorded_at: at, position } = surplus
  await tx
    .deleteFrom('gateway_recording')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        where('recorded_at', '<', at),
        where('recorded_at', '=', at).and('position', '<=', position),
      ]),
    )
    .execute()
}
