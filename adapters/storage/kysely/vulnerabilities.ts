import { chain, type MaybePromise } from '../../../core/shared/maybe-promise.ts'
import type { VulnerabilityStore } from '../../../core/vulnerabilities/store.ts'
import type { Engine } from './engine.ts'
import { acquireLoadLease } from './vulnerability-lease.ts'
import { createLoad } from './vulnerability-load.ts'
import { preparePartReader } from './vulnerability-parts.ts'
import { prepareRecordReader } from './vulnerability-records.ts'

/** Stores the vulnerability records and their index. */
export function createVulnerabilityStore(engine: Engine, now: () => number): VulnerabilityStore {
  return {
    ...prepareState(engine),
    readParts: preparePartReader(engine),
    readRecords: prepareRecordReader(engine),

    async readManifest() {
      const row = await engine.db
        .selectFrom('cve_generation')
        .innerJoin('cve_state', 'cve_state.generation', 'cve_generation.generation')
        .select(['cve_generation.generation', 'published_at', 'manifest'])
        .executeTakeFirst()
      return (
        row && {
          generation: row.generation,
          publishedAt: Number(row.published_at),
          manifest: row.manifest,
        }
      )
    },

    async listSources() {
      const rows = await engine.db.selectFrom('cve_source').selectAll().orderBy('name').execute()
      return rows.map(({ name, checkpoint, loaded_at: loadedAt }) =>
        loadedAt === null ? { name, checkpoint } : { name, checkpoint, loadedAt: Number(loadedAt) },
      )
    },

    async beginLoad(options) {
      return createLoad(engine, { now, begun: await acquireLoadLease(engine, { ...options, now }) })
    },
  }
}

function prepareState(engine: Engine): {
  readonly generation: () => MaybePromise<number>
  readonly revision: () => MaybePromise<string>
} {
  const read = engine.prepare((db) =>
    db.selectFrom('cve_state').select(['generation', 'changed_at']),
  )
  return {
    generation: () => chain(read([]), ([state]) => state?.generation ?? 0),
    revision: () =>
      chain(read([]), ([state]) =>
        state ? `${state.generation}-${Number(state.changed_at).toString(36)}` : '0',
      ),
  }
}
