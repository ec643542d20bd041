import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { UseChanges } from '../../../core/scans/use-store.ts'
import { createPause } from '../../../core/shared/slices.ts'
import type { Tables } from './tables.ts'

interface Given {
  readonly accountId: string
  readonly before: number
  readonly after: number
  readonly limit: number
  readonly page: number
  readonly pageUses: number
}

/** Digests from `from` up to, but without, `until`. */
interface Range {
  readonly from: number
  readonly until: number
}

/**
 * What differs between two scans, or within a page of them: piece by piece, a pause for others in
 * between, until there is enough of each kind.
 */
export async function compareUses(db: Kysely<Tables>, given: Given): Promise<UseChanges> {
  const { before, after, limit, page } = given
  const { pages, piecesPerPage } = await countPieces(db, given)
  const pieces = pages * piecesPerPage
  const added: number[] = []
  const removed: number[] = []
  const changed: UseChanges['changed'][number][] = []
  const pause = createPause()
  for (
    let piece = (page - 1) * piecesPerPage;
    piece < Math.min(page, pages) * piecesPerPage;
    piece += 1
  ) {
    // Digests are spread evenly.
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
  return {
    added: toSorted(added).slice(0, limit),
    removed: toSorted(removed).slice(0, limit),
    changed: changed.sort((one, other) => one.place - other.place).slice(0, limit),
    pages,
  }
}

/** `hash53` is below. */
const DIGESTS = 2 ** 53
/** Some 5 ms of work. */
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

/** Both scans are read along their keys, once: looking each use up in the other takes far longer. */
async function findMissing(
  db: Kysely<Tables>,
  { accountId, from, until, limit }: Given & Range,
  [scan, other]: readonly [number, number],
): Promise<readonly number[]> {
  const keysOf = (of: number) => sql`select subject_digest, method, other_digest from scan_use
    where account_id = ${accountId} and scan = ${of} and part = 0
      and subject_digest >= ${from} and subject_digest < ${until}`
  const { rows } = await sql<{ place: number }>`select one.place
    from (${keysOf(scan)} except ${keysOf(other)} limit ${limit}) as other
    join scan_use as one on one.account_id = ${accountId} and one.scan = ${scan} and one.part = 0
      and one.subject_digest = other.subject_digest and one.method = other.method
      and one.other_digest = other.other_digest`.execute(db)
  return rows.map(({ place }) => Number(place))
}

async function findChanged(
  db: Kysely<Tables>,
  { accountId, before, after, from, until, limit }: Given & Range,
): Promise<UseChanges['changed']> {
  const { rows } = await sql<{
    place: number
    before: number
    api: number
    approval: number
    files: number
  }>`select one.place, other.place as before,
      case when one.api_id <> other.api_id then 1 else 0 end as api,
      case when one.standing / 2 <> other.standing / 2 then 1 else 0 end as approval,
      case when one.files <> other.files then 1 else 0 end as files
    from scan_use as one join scan_use as other
      on other.account_id = ${accountId} and other.scan = ${before} and ${SAME}
    where one.account_id = ${accountId} and one.scan = ${after} and one.part = 0
      and one.subject_digest >= ${from} and one.subject_digest < ${until}
      and (one.api_id <> other.api_id or one.standing / 2 <> other.standing / 2
        or one.files <> other.files)
    limit ${limit}`.execute(db)
  return rows.map(({ place, before: former, ...differs }) => ({
    place: Number(place),
    before: Number(former),
    what: (['api', 'approval', 'files'] as const).filter((what) => Number(differs[what]) === 1),
  }))
}

/** The same subject and method. */
const SAME: RawBuilder<unknown> = sql`other.part = 0
  and other.subject_digest = one.subject_digest and other.method = one.method
  and other.other_digest = one.other_digest`

function toSorted(places: readonly number[]): readonly number[] {
  return places.toSorted((one, other) => one - other)
}
