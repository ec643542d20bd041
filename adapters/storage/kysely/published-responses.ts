import type { Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { PublishedResponse } from '../../../core/gateway/records.ts'
import type { GatewayStore } from '../../../core/gateway/store.ts'
import { inChunks } from './bulk.ts'
import { toCleanJson } from './clean-text.ts'
import type { Engine } from './engine.ts'
import { finishChange, startChange } from './generations.ts'
import type { Tables } from './tables.ts'

/** Stores example responses published by administrators. */
export function createPublishedResponseStore(
  engine: Engine,
  now: () => number,
): Pick<
  GatewayStore,
  'publishResponse' | 'findPublishedResponse' | 'findPublishedHeaders' | 'removePublishedResponse'
> {
  return {
    async publishResponse(answer) {
      await engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const endpoint = await findEndpointIdentity(tx, answer.endpointId)
        if (!endpoint) {
          throw new ServiceError(
            'not_found',
            'Cannot publish the example response: endpoint not found',
          )
        }
        const values = {
          status: answer.status,
          headers: toCleanJson(answer.headers),
          media_type: answer.mediaType,
          published_at: answer.publishedAt,
          body: answer.body ?? null,
        }
        await tx
          .insertInto('published_answer')
          .values({ ...endpoint, ...values })
          .onConflict((conflict) => conflict.columns(['api_id', 'endpoint']).doUpdateSet(values))
          .execute()
        await finishChange(tx, change, now())
      })
    },

    async findPublishedResponse(endpointId) {
      const row = await engine.db
        .selectFrom('published_answer')
        .innerJoin('endpoint', (join) =>
          join
            .onRef('endpoint.api_id', '=', 'published_answer.api_id')
            .onRef('endpoint.short_id', '=', 'published_answer.endpoint'),
        )
        .selectAll('published_answer')
        .where('endpoint.id', '=', endpointId)
        .where('endpoint.until', 'is', null)
        .executeTakeFirst()
      return (
        row && {
          endpointId,
          endpoint: row.endpoint,
          apiId: row.api_id,
          status: row.status,
          // The cast is safe: `publishResponse` wrote it.
          headers: JSON.parse(row.headers) as PublishedResponse['headers'],
          mediaType: row.media_type,
          body: row.body ?? undefined,
          publishedAt: row.published_at,
        }
      )
    },

    async findPublishedHeaders(endpointIds) {
      const found = new Map<number, PublishedResponse['headers']>()
      for (const piece of inChunks(endpointIds)) {
        const rows = await engine.db
          .selectFrom('endpoint')
          .innerJoin('published_answer', (join) =>
            join
              .onRef('published_answer.api_id', '=', 'endpoint.api_id')
              .onRef('published_answer.endpoint', '=', 'endpoint.short_id'),
          )
          .select(['endpoint.id', 'published_answer.headers'])
          .where('endpoint.id', 'in', piece)
          .where('endpoint.until', 'is', null)
          .execute()
        for (const { id, headers } of rows) {
          // The cast is safe: `publishResponse` wrote it.
          found.set(id, JSON.parse(headers) as PublishedResponse['headers'])
        }
      }
      return found
    },

    async removePublishedResponse(endpointId) {
      return engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const endpoint = await findEndpointIdentity(tx, endpointId)
        if (!endpoint) return false
        const removed = await tx
          .deleteFrom('published_answer')
          .where((where) => where.and(endpoint))
          .returning('endpoint')
          .executeTakeFirst()
        if (!removed) return false
        await finishChange(tx, change, now())
        return true
      })
    },
  }
}

/** Returns the stable identity of a current endpoint, which survives temporary removal. */
function findEndpointIdentity(tx: Kysely<Tables>, endpointId: number) {
  return tx
    .selectFrom('endpoint')
    .select(['api_id', 'short_id as endpoint'])
    .where('id', '=', endpointId)
    .where('until', 'is', null)
    .executeTakeFirst()
}
