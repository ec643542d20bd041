import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { ServiceError } from '../../../core/http/problems.ts'
import { chain, type MaybePromise } from '../../../core/shared/maybe-promise.ts'
import type { Engine, PreparedQuery } from './engine.ts'
import type { Tables } from './tables.ts'

/** How long versions stay after their end, for long lists that began before. */
export const KEPT_MS = 600_000

/** A change of the catalogue under way: ids to give and the generation it will make. */
export interface CatalogueChange {
  /** The generation that becomes current when `finishChange` ran. */
  readonly next: number
  vendorId: number
  apiId: number
  endpointId: number
}

/**
 * Starts a change of the catalogue within a transaction: other changes wait until it ends, so that
 * generations become visible in their order.
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

/** Makes the change's generation the current one, and drops versions that nobody reads any more. */
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
      purged: await purge(db, change.purged, now - KEPT_MS),
      next_vendor_id: change.vendorId,
      next_api_id: change.apiId,
      next_endpoint_id: change.endpointId,
    })
    .where('id', '=', 1)
    .execute()
}

/** True for the version of a row that a generation sees. */
export function seenBy(generation: number, table: 'api' | 'endpoint'): RawBuilder<SqlBool> {
  // `coalesce` keeps SQLite from answering by the indexes of current and of ended rows in turn.
  const since = sql.ref(`${table}.since`)
  const until = sql.ref(`${table}.until`)
  return sql`(${since} <= ${generation} and coalesce(${until}, ${END_OF_TIME}) > ${generation})`
}

/** Reads the current generation. */
export function prepareGeneration(engine: Engine): () => MaybePromise<number> {
  const read = engine.prepare((db) => db.selectFrom('catalogue_state').select('generation'))
  return () => chain(read([]), ([state]) => state?.generation ?? 0)
}

/** Reads what names the current generation's content; see `CatalogueStore.revision`. */
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
 * Pages of the generation that is current now: `readPage` gives those after the last item of the page
 * before, at most `size`. Throws a `ServiceError` when the reader took so long that
 * versions it needs are gone.
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
  // Asked now, not when the first page is: what is committed between must not appear.
  const atCall = settle(takeState(readState))
  return {
    async *[Symbol.asyncIterator]() {
      const { generation } = (await atCall)()
      let last: Item | undefined
      for (;;) {
        const page = await list.readPage(generation, last)
        refuseGap(generation, (await takeState(readState)).purged)
        if (page.length > 0) yield page
        last = page.at(-1)
        if (page.length < list.size || last === undefined) return
      }
    },
  }
}

const END_OF_TIME = sql.lit(Number.MAX_SAFE_INTEGER)

interface State {
  readonly generation: number
  readonly purged: number
}

async function takeState(read: PreparedQuery<State>): Promise<State> {
  return (await read([]))[0] ?? { generation: 0, purged: 0 }
}

/** The outcome as a function that returns or throws, so that nobody has to await it at once. */
function settle<T>(promise: Promise<T>): Promise<() => T> {
  return promise.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
}

function refuseGap(generation: number, purged: number): void {
  if (purged <= generation) return
  throw new ServiceError(
    'conflict',
    `Cannot go on with the list: it took longer than ${KEPT_MS / 60_000} minutes while the catalogue changed`,
  )
}

async function purge(db: Kysely<Tables>, purged: number, before: number): Promise<number> {
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
