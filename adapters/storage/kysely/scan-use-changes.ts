import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { UseChanges } from '../../../core/scans/use-store.ts'
import type { Tables } from './tables.ts'

/**
 * What differs between two scans. Reads one of them by its key where few differ: some 100 ms for
 * 200,000 uses.
 */
export async function compareUses(
  db: Kysely<Tables>,
  given: {
    readonly accountId: string
    readonly before: number
    readonly after: number
    readonly limit: number
  },
): Promise<UseChanges> {
  const { accountId, before, after, limit } = given
  const missing = async (scan: number, other: number) => {
    const { rows } = await sql<{ place: number }>`select one.place from scan_use as one
      where one.account_id = ${accountId} and one.scan = ${scan} and one.part = 0
        and not exists (select 1 from scan_use as other
          where other.account_id = ${accountId} and other.scan = ${other} and ${SAME})
      order by one.standing, one.api_id, one.place limit ${limit}`.execute(db)
    return rows.map(({ place }) => Number(place))
  }
  const { rows: changed } = await sql<{
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
      and (one.api_id <> other.api_id or one.standing / 2 <> other.standing / 2
        or one.files <> other.files)
    order by one.standing, one.api_id, one.place limit ${limit}`.execute(db)
  return {
    added: await missing(after, before),
    removed: await missing(before, after),
    changed: changed.map(({ place, before: former, ...differs }) => ({
      place: Number(place),
      before: Number(former),
      what: (['api', 'approval', 'files'] as const).filter((what) => Number(differs[what]) === 1),
    })),
  }
}

/** The same subject and method. */
const SAME: RawBuilder<unknown> = sql`other.part = 0
  and other.subject_digest = one.subject_digest and other.method = one.method
  and other.other_digest = one.other_digest`
