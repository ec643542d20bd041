import type { Kysely } from 'kysely'
import type { ImportStore } from '../../../core/imports/store.ts'
import type { Engine } from './engine.ts'
import { finishChange, startChange } from './generations.ts'
import { replacePostings } from './import-parts.ts'
import type { Tables } from './tables.ts'

/** Rebuilds the search index of APIs that were indexed with earlier term rules. */
export function createSearchUpdates(
  engine: Engine,
  now: () => number,
): Pick<ImportStore, 'listOutdatedSearch' | 'updateSearch'> {
  return {
    async listOutdatedSearch(version, limit) {
      const rows = await selectOutdated(engine.db, version).orderBy('api.id').limit(limit).execute()
      return rows.map(({ id }) => id)
    },

    updateSearch: ({ apiId, version, generation, postings }) =>
      engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const outdated = selectOutdated(tx, version)
        // A process of an earlier release may have imported it since.
        const unchanged = outdated.where('api.id', '=', apiId).where('api.since', '<=', generation)
        if (!(await unchanged.executeTakeFirst())) return
        await replacePostings({ kind: engine.kind, tx, apiId }, { postings, version })
        // Creates one generation for all of them: each makes caches and clients reload everything.
        // APIs are updated in order of ID, so the last one is found without reading the others.
        const last = outdated.orderBy('api.id', 'desc').limit(1)
        if (!(await last.executeTakeFirst())) await finishChange(tx, change, now())
      }),
  }
}

function selectOutdated(db: Kysely<Tables>, version: number) {
  return db
    .selectFrom('api')
    .leftJoin('search_version', 'search_version.api_id', 'api.id')
    .select('api.id')
    .where('api.until', 'is', null)
    .where(({ fn, val, eb }) =>
      eb(fn.coalesce('search_version.version', val(UNKNOWN_VERSION)), '<', version),
    )
}

const UNKNOWN_VERSION = 0
