import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { UsageChanges } from '../../../core/scans/usage-store.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { inChunks } from './bulk.ts'
import { selectUsages } from './scan-usage-reads.ts'
import type { Tables } from './tables.ts'

interface Comparison {
  readonly accountId: string
  readonly before: number
  readonly after: number
  readonly limit: number
  readonly page: number
  readonly pageUses: number
}

/** A half-open range of digests, from `from` to before `until`. */
interface DigestRange {
  readonly from: number
  readonly until: number
}

/** Identity of a usage across scans. */
type UsageKey = Pick<Tables['scan_use'], 'subject_digest' | 'method' | 'other_digest'>
/** The properties of a usage that may differ. */
type UsageState = Pick<Tables['scan_use'], 'place' | 'api_id' | 'standing' | 'files'>

/**
 * Compares two scans, or one page of them. Works in chunks and yields to the event loop between
 * them, until it has enough differences of each type.
 */
export async function compareUsages(
  db: Kysely<Tables>,
  comparison: Comparison,
): Promise<UsageChanges> {
  const { before, after, limit, page } = comparison
  const { pages, piecesPerPage } = await countChunks(db, comparison)
  const pieces = pages * piecesPerPage
  const added: UsageKey[] = []
  const removed: UsageKey[] = []
  const changed: UsageKey[] = []
  const pause = createYieldIfDue()
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
    const asked = { ...comparison, ...range }
    if (added.length < limit) added.push(...(await findMissingUsages(db, asked, [after, before])))
    if (removed.length < limit)
      removed.push(...(await findMissingUsages(db, asked, [before, after])))
    if (changed.length < limit) changed.push(...(await findChangedUsages(db, asked)))
    if ([added, removed, changed].every((list) => list.length >= limit)) break
    await pause()
  }
  const now = await findUsageStates(db, {
    ...comparison,
    scan: after,
    keys: [...added, ...changed],
  })
  const then = await findUsageStates(db, {
    ...comparison,
    scan: before,
    keys: [...removed, ...changed],
  })
  return {
    added: toPositions(added, now).slice(0, limit),
    removed: toPositions(removed, then).slice(0, limit),
    changed: toChanges(changed, { now, then }).slice(0, limit),
    pages,
  }
}

/** Upper bound of `hash53`. */
const DIGESTS = 2 ** 53
/** About 5 ms of work. */
const USAGES_PER_CHUNK = 5000

async function countChunks(
  db: Kysely<Tables>,
  { accountId, before, after, pageUses }: Comparison,
): Promise<{ readonly pages: number; readonly piecesPerPage: number }> {
  const row = await db
    .selectFrom('scan_figure')
    .select((select) => select.fn.sum<number | string>('uses').as('uses'))
    .where('account_id', '=', accountId)
    .where('scan', 'in', [before, after])
    .executeTakeFirst()
  const uses = Number(row?.uses ?? 0) / 2
  const pages = Math.max(1, Math.ceil(uses / pageUses))
  return { pages, piecesPerPage: Math.max(1, Math.ceil(uses / pages / USAGES_PER_CHUNK)) }
}

/**
 * Reads both scans once, by key, without a join. Planners without statistics, as for a new scan in
 * PostgreSQL, would read all of one scan for each usage of the other.
 */
async function findMissingUsages(
  db: Kysely<Tables>,
  range: Comparison & DigestRange,
  [scan, other]: readonly [number, number],
): Promise<readonly UsageKey[]> {
  const { rows } =
    await sql<UsageKey>`${selectUsageKeys(range, scan)} except ${selectUsageKeys(range, other)}
    limit ${range.limit}`.execute(db)
  return rows
}

/** Finds usages that are in both scans and differ. */
async function findChangedUsages(
  db: Kysely<Tables>,
  given: Comparison & DigestRange,
): Promise<readonly UsageKey[]> {
  const { before, after, limit } = given
  const { rows } = await sql<UsageKey>`select ${KEY}
    from (${selectUsageStates(given, after)} except ${selectUsageStates(given, before)}) as differing
    intersect ${selectUsageKeys(given, before)} limit ${limit}`.execute(db)
  return rows
}

const KEY = sql`subject_digest, method, other_digest`

/** SQLite accepts an order within `except` only in a subquery. */
function selectUsageKeys(range: Comparison & DigestRange, scan: number): RawBuilder<unknown> {
  return sql`select * from (select ${KEY} ${fromRange(range, scan)}) as keys`
}

function selectUsageStates(range: Comparison & DigestRange, scan: number): RawBuilder<unknown> {
  return sql`select * from
    (select ${KEY}, api_id, standing / 2 as decided, files ${fromRange(range, scan)}) as states`
}

/** Ordered by key: otherwise planners choose another index. */
function fromRange(
  { accountId, from, until }: Comparison & DigestRange,
  scan: number,
): RawBuilder<unknown> {
  return sql`from scan_use where account_id = ${accountId} and scan = ${scan} and part = 0
    and subject_digest >= ${from} and subject_digest < ${until} order by ${KEY}`
}

async function findUsageStates(
  db: Kysely<Tables>,
  usages: { readonly accountId: string; readonly scan: number; readonly keys: readonly UsageKey[] },
): Promise<ReadonlyMap<string, UsageState>> {
  const states = new Map<string, UsageState>()
  for (const piece of inChunks([...new Set(usages.keys.map((key) => key.subject_digest))])) {
    const rows = await selectUsages(db, usages)
      .select(['subject_digest', 'method', 'other_digest', 'place', 'api_id', 'standing', 'files'])
      .where('subject_digest', 'in', piece)
      .execute()
    for (const row of rows) states.set(toUsageKeyText(row), row)
  }
  return states
}

function toUsageKeyText({
  subject_digest: subject,
  method,
  other_digest: other,
}: UsageKey): string {
  return `${subject} ${other} ${method}`
}

function toPositions(
  keys: readonly UsageKey[],
  states: ReadonlyMap<string, UsageState>,
): readonly number[] {
  return keys
    .flatMap((key) => states.get(toUsageKeyText(key))?.place ?? [])
    .sort((one, other) => one - other)
}

function toChanges(
  keys: readonly UsageKey[],
  states: Readonly<Record<'now' | 'then', ReadonlyMap<string, UsageState>>>,
): UsageChanges['changed'] {
  return keys
    .flatMap((key) => {
      const [now, then] = [
        states.now.get(toUsageKeyText(key)),
        states.then.get(toUsageKeyText(key)),
      ]
      return now && then
        ? [{ place: now.place, before: then.place, what: listChangedFields(now, then) }]
        : []
    })
    .sort((one, other) => one.place - other.place)
}

function listChangedFields(
  now: UsageState,
  then: UsageState,
): UsageChanges['changed'][number]['what'] {
  const differs = {
    api: now.api_id !== then.api_id,
    approval: Math.floor(now.standing / 2) !== Math.floor(then.standing / 2),
    files: now.files !== then.files,
  }
  return (['api', 'approval', 'files'] as const).filter((what) => differs[what])
}
