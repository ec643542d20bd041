import { sql } from 'kysely'
import type { AgreementChange } from '../../../core/agreements/records.ts'
import type { AgreementStore } from '../../../core/agreements/store.ts'
import { mergeOtherKinds, replaceAgreements } from './agreement-changes.ts'
import { listAgreementRows, toAgreement, toAgreementChange } from './agreement-rows.ts'
import { inChunks, insertRows } from './bulk.ts'
import type { Engine } from './engine.ts'
import { isWithinDays } from './filters.ts'
import { finishChange, startChange } from './generations.ts'

/** Stores agreements of APIs, their texts and their history. */
export function createAgreementStore(engine: Engine, now: () => number): AgreementStore {
  const { db } = engine
  return {
    listAgreements: async (apiId) => (await listAgreementRows(db, apiId)).map(toAgreement),

    async listTexts(apiId) {
      const rows = await db
        .selectFrom('agreement_text')
        .select(['digest', 'text'])
        .where('api_id', '=', apiId)
        .execute()
      return new Map(rows.map(({ digest, text }) => [digest, text]))
    },

    replaceEntered: (apiId, { agreements, texts, retainsOtherKinds, by, at }) =>
      engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const api = await tx
          .selectFrom('api')
          .select('id')
          .where('id', '=', apiId)
          .where('until', 'is', null)
          .executeTakeFirst()
        if (!api) return false
        const scope = { kind: engine.kind, tx, apiId, by, at }
        const wanted = retainsOtherKinds ? await mergeOtherKinds(scope, agreements) : agreements
        if (!(await replaceAgreements(scope, wanted))) return true
        const digests = wanted.flatMap(({ text }) => text?.digest ?? [])
        await tx
          .deleteFrom('agreement_text')
          .where('api_id', '=', apiId)
          .$if(digests.length > 0, (query) => query.where('digest', 'not in', digests))
          .execute()
        await insertRows(tx, {
          kind: engine.kind,
          table: 'agreement_text',
          columns: ['api_id', 'digest', 'text'],
          onConflict: 'on conflict (api_id, digest) do nothing',
          rows: [...texts].map(([digest, text]) => [apiId, digest, text]),
        })
        await finishChange(tx, change, now())
        return true
      }),

    async listChanges(apiId, { size, page }) {
      const matching = db.selectFrom('agreement_change').where('api_id', '=', apiId)
      const rows = await matching
        .selectAll()
        .orderBy('changed_at', 'desc')
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      const count = await matching
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirst()
      return { items: rows.map(toAgreementChange), total: Number(count?.total ?? 0) }
    },

    async findChanges(apiIds, filter) {
      const found = new Map<number, AgreementChange[]>()
      for (const piece of inChunks(apiIds)) {
        const ranked = db
          .selectFrom('agreement_change')
          .selectAll()
          .select(
            sql<number>`row_number() over (partition by api_id
              order by changed_at desc, position desc)`.as('place'),
          )
          .where('api_id', 'in', piece)
          .where((where) => where.and(isWithinDays(where, filter, 'agreement_change.changed_at')))
        const rows = await db
          .selectFrom(ranked.as('ranked'))
          .selectAll()
          .where('place', '<=', filter.limit)
          .orderBy('api_id')
          .orderBy('place')
          .execute()
        for (const { place: _, ...row } of rows) {
          const changes = found.get(row.api_id) ?? []
          changes.push(toAgreementChange(row))
          found.set(row.api_id, changes)
        }
      }
      return found
    },
  }
}
