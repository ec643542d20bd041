import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { UseChanges } from '../../../core/scans/use-store.ts'
import { createPause } from '../../../core/shared/slices.ts'
import { inPieces } from './bulk.ts'
import { selectUses } from './scan-use-reads.ts'
import type { Tables } from './tables.ts'

interface Given {
  readonly accountId: string
  readonly before: number
  readonly after: number
  readonly limit: number
  readonly page: number
  readonly pageUses: number
}

/** A half-open range of digests, from `from` to before `until`. */
interface Range {
  readonly from: number
  readonly until: number
}

/** Identity of a usage across scans. */
type Key = Pick<Tables['scan_use'], 'subject_digest' | 'method' | 'other_digest'>
/** The properties of a usage that may differ. */
type State = Pick<Tables['scan_use'], 'place' | 'api_id' | 'standing' | 'files'>

/**
 * Compares two scans, or one page of them. Works in chunks and yields to the event loop between
 * them, until it has enough differences of each type.
 */
export async function compareUses(db: Kysely<Tables>, given: Given): Promise<UseChanges> {
  const { before, after, limit, page } = given
  const { pages, piecesPerPage } = await countPieces(db, given)
  const pieces = pages * piecesPerPage
  const added: Key[] = []
  const removed: Key[] = []
  const changed: Key[] = []
  const pause = createPause()
  for (
    let piece = (page - 1) * piecesPerPage;
    piece < Math.min(page, pages) * piecesPerPage;
    piece += 1
  ) {
    // Digests are distributed evenly.
    const range = {
      from: Math.floor((piece * DIGESTS) / pieces),
      until: Math.floor(((piece + 1) * DIGESTS) / pieces),
    }
    const asked = { ...given, ...range }
    if (added.length < limit) added.push(...(await findMissing(db, asked, [after, before])))
    if (removed.length < limit) removed.push(...(await findMissing(db, asked, [before, after])))
    if (changed.length < limit) changed.push(...(await findChanged(db, asked)))
    if ([added, removed, changed].every((list) => list.length >= limit)) break
    await pause()
  }
  const now = await findStates(db, { ...given, scan: after, keys: [...added, ...changed] })
  const then = await findStates(db, { ...given, scan: before, keys: [...removed, ...changed] })
  return {
    added: toPlaces(added, now).slice(0, limit),
    removed: toPlaces(removed, then).slice(0, limit),
    changed: toChanges(changed, { now, then }).slice(0, limit),
    pages,
  }
}

/** Upper bound of `hash53`. */
const DIGESTS = 2 ** 53
/** About 5 ms of work. */
const USES_PER_PIECE = 5000

async function countPieces(
  db: Kysely<Tables>,
  { accountId, before, after, pageUses }: Given,
): Promise<{ readonly pages: number; readonly piecesPerPage: number }> {
  const row = await db
    .selectFrom('scan_figure')
    .select((select) => select.fn.sum<number | string>('uses').as('uses'))
    .where('account_id', '=', accountId)
    .where('scan', 'in', [before, after])
    .executeTakeFirst()
  const uses = Number(row?.uses ?? 0) / 2
  const pages = Math.max(1, Math.ceil(uses / pageUses))
  return { pages, piecesPerPage: Math.max(1, Math.ceil(uses / pages / USES_PER_PIECE)) }
}

/**
 * Reads both scans once, by key, without a join. Planners without statistics, as for a new scan in
 * PostgreSQL, would read all of one scan for each usage of the other.
 */
async function findMissing(
  db: Kysely<Tables>,
  given: Given & Range,
  [scan, other]: readonly [number, number],
): Promise<readonly Key[]> {
  const { rows } = await sql<Key>`${selectKeys(given, scan)} except ${selectKeys(given, other)}
    limit ${given.limit}`.execute(db)
  return rows
}

/** Finds usages that are in both scans and differ. */
async function findChanged(db: Kysely<Tables>, given: Given & Range): Promise<readonly Key[]> {
  const { before, after, limit } = given
  const { rows } = await sql<Key>`select ${KEY}
    from (${selectStates(given, after)} except ${selectStates(given, before)}) as differing
    intersect ${selectKeys(given, before)} limit ${limit}`.execute(db)
  return rows
}

const KEY = sql`subject_digest, method, other_digest`

/** SQLite accepts an order within `except` only in a subquery. */
function selectKeys(given: Given & Range, scan: number): RawBuilder<unknown> {
  return sql`select * from (select ${KEY} ${fromRange(given, scan)}) as keys`
}

function selectStates(given: Given & Range, scan: number): RawBuilder<unknown> {
  return sql`select * from
    (select ${KEY}, api_id, standing / 2 as decided, files ${fromRange(given, scan)}) as states`
}

/** Ordered by key: otherwise planners choose another index. */
function fromRange({ accountId, from, until }: Given & Range, scan: number): RawBuilder<unknown> {
  return sql`from scan_use where account_id = ${accountId} and scan = ${scan} and part = 0
    and subject_digest >= ${from} and subject_digest < ${until} order by ${KEY}`
}

async function findStates(
  db: Kysely<Tables>,
  given: { readonly accountId: string; readonly scan: number; readonly keys: readonly Key[] },
): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>()
  for (const piece of inPieces([...new Set(given.keys.map((key) => key.subject_digest))])) {
    const rows = await selectUses(db, given)
      .select(['subject_digest', 'method', 'other_digest', 'place', 'api_id', 'standing', 'files'])
      .where('subject_digest', 'in', piece)
      .execute()
    for (const row of rows) states.set(toText(row), row)
  }
  return states
}

function toText({ subject_digest: subject, method, other_digest: other }: Key): string {
  return `${subject} ${other} ${method}`
}

function toPlaces(keys: readonly Key[], states: ReadonlyMap<string, State>): readonly number[] {
  return keys
    .flatMap((key) => states.get(toText(key))?.place ?? [])
    .sort((one, other) => one - other)
}

function toChanges(
  keys: readonly Key[],
  states: Readonly<Record<'now' | 'then', ReadonlyMap<string, State>>>,
): UseChanges['changed'] {
  return keys
    .flatMap((key) => {
      const [now, then] = [states.now.get(toText(key)), states.then.get(toText(key))]
      return now && then ? [{ place: now.place, before: then.place, what: compare(now, then) }] : []
    })
    .sort((one, other) => one.place - other.place)
}

function compare(now: State, then: State): UseChanges['changed'][number]['what'] {
  const differs = {
    api: now.api_id !== then.api_id,
    approval: Math.floor(now.standing / 2) !== Math.floor(then.standing / 2),
    files: now.files !== then.files,
  }
  return (['api', 'approval', 'files'] as const).filter((what) => differs[what])
}
