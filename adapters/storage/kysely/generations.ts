import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import { chain, type MaybePromise } from '../../../core/shared/maybe-promise.ts'
import type { Engine, PreparedQuery } from './engine.ts'
import type { Tables } from './tables.ts'

/** Retention of ended versions, for long lists that began earlier. */
export const VERSION_RETENTION_MS = 600_000

/** A change of the catalogue in progress: the next IDs, and the generation that it creates. */
export interface CatalogueChange {
  /** The generation that `finishChange` makes current. */
  readonly next: number
  vendorId: number
  apiId: number
  endpointId: number
}

/**
 * Starts a change of the catalogue within a transaction. Other changes wait until it ends, so that
 * generations become visible in order.
 */
export async function startChange(
  engine: Engine,
  db: Kysely<Tables>,
): Promise<CatalogueChange & { readonly purged: number }> {
  const state = await db
    .selectFrom('catalogue_state')
    .selectAll()
    .$if(engine.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
  return {
    next: state.generation + 1,
    purged: state.purged,
    vendorId: state.next_vendor_id,
    apiId: state.next_api_id,
    endpointId: state.next_endpoint_id,
  }
}

/** Makes the change's generation current, and removes versions that are no longer read. */
export async function finishChange(
  db: Kysely<Tables>,
  change: CatalogueChange & { readonly purged: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('catalogue_generation')
    .values({ generation: change.next, started_at: now })
    .execute()
  await db
    .updateTable('catalogue_state')
    .set({
      generation: change.next,
      changed_at: now,
      purged: await purgeVersions(db, change.purged, now - VERSION_RETENTION_MS),
      next_vendor_id: change.vendorId,
      next_api_id: change.apiId,
      next_endpoint_id: change.endpointId,
    })
    .where('id', '=', 1)
    .execute()
}

/** Returns the condition for the version of a row that a generation sees. */
export function isVisibleIn(generation: number, table: 'api' | 'endpoint'): RawBuilder<SqlBool> {
  // `coalesce` prevents SQLite from combining the indexes of current and ended rows.
  const since = sql.ref(`${table}.since`)
  const until = sql.ref(`${table}.until`)
  return sql`(${since} <= ${generation} and coalesce(${until}, ${END_OF_TIME}) > ${generation})`
}

/** Prepares a function that reads the current generation number. */
export function prepareGeneration(engine: Engine): () => MaybePromise<number> {
  const read = engine.prepare((db) => db.selectFrom('catalogue_state').select('generation'))
  return () => chain(read([]), ([state]) => state?.generation ?? 0)
}

/** Creates a reader of the current content's revision; see `CatalogueStore.revision`. */
export function prepareRevision(engine: Engine): () => MaybePromise<string> {
  const read = engine.prepare((db) =>
    db.selectFrom('catalogue_state').select(['generation', 'changed_at']),
  )
  return () =>
    chain(read([]), ([state]) =>
      state ? `${state.generation}-${Number(state.changed_at).toString(36)}` : '0',
    )
}

/**
 * Lists the generation that is current at the call, page by page. `readPage` returns at most `size`
 * items after the last one of the previous page. Throws a `ServiceError` if reading took so long
 * that required versions were removed.
 */
export function listGeneration<Item>(
  engine: Engine,
  list: {
    readonly size: number
    readonly readPage: (generation: number, last: Item | undefined) => Promise<readonly Item[]>
  },
): AsyncIterable<readonly Item[]> {
  const readState = engine.prepare((db) =>
    db.selectFrom('catalogue_state').select(['generation', 'purged']),
  )
  // Read at the call, not with the first page: later commits must not appear.
  const atCall = settle(readGenerationState(readState))
  return {
    async *[Symbol.asyncIterator]() {
      const { generation } = (await atCall)()
      let last: Item | undefined
      for (;;) {
        const page = await list.readPage(generation, last)
        rejectPurged(generation, (await readGenerationState(readState)).purged)
        if (page.length > 0) yield page
        last = page.at(-1)
        if (page.length < list.size || last === undefined) return
      }
    },
  }
}

const END_OF_TIME = sql.lit(Number.MAX_SAFE_INTEGER)

interface GenerationState {
  readonly generation: number
  readonly purged: number
}

async function readGenerationState(read: PreparedQuery<GenerationState>): Promise<GenerationState> {
  return (await read([]))[0] ?? { generation: 0, purged: 0 }
}

/**
 * Converts the outcome to a function that returns or throws, so that a late `await` causes no
 * unhandled rejection.
 */
function settle<T>(promise: Promise<T>): Promise<() => T> {
  return promise.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
}

function rejectPurged(generation: number, purged: number): void {
  if (purged <= generation) return
  throw new ServiceError(
    'conflict',
    `Cannot continue the list: it took longer than ${VERSION_RETENTION_MS / 60_000} minutes while the catalogue changed. Repeat the request`,
  )
}

async function purgeVersions(db: Kysely<Tables>, purged: number, before: number): Promise<number> {
  const newest = await db
    .selectFrom('catalogue_generation')
    .select((select) => select.fn.max('generation').as('generation'))
    .where('started_at', '<', before)
    .executeTakeFirst()
  const generation = Number(newest?.generation ?? 0)
  if (generation <= purged) return purged
  const ended = db.selectFrom('endpoint').select('row_id').where('until', '<=', generation)
  await db.deleteFrom('endpoint_detail').where('row_id', 'in', ended).execute()
  await db.deleteFrom('endpoint').where('until', '<=', generation).execute()
  await db.deleteFrom('api').where('until', '<=', generation).execute()
  await db.deleteFrom('catalogue_generation').where('generation', '<', generation).execute()
  return generation
}
