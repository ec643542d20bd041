import type { Kysely, RawBuilder, Selectable, SqlBool, Updateable } from 'kysely'
import type { JobClaim } from '../../../core/jobs/records.ts'
import { type JobStore, MAX_LEASE_MS, NEEDED_WITHIN_MS } from '../../../core/jobs/store.ts'
import type { Engine } from './engine.ts'
import { isInTextList } from './id-lists.ts'
import { CANCELLED, endCancelled, toClaimedJob, toEndedColumns, toJob } from './job-rows.ts'
import type { JobTable } from './job-tables.ts'
import type { Tables } from './tables.ts'

/** Claims jobs, and performs the operations reserved for their holders. */
export function createJobClaimStore(
  engine: Engine,
): Pick<JobStore, 'claimJob' | 'renewJob' | 'saveCheckpoint' | 'endJob' | 'releaseJob'> {
  return {
    async claimJob({ leaseMs, has = [], onEnded, ...asked }) {
      const { kinds } = asked
      if (kinds.length === 0) return undefined
      const wanted = { ...asked, has, engine: engine.kind }
      for (const select of [selectDue, selectFutureDated]) {
        // Each iteration claims a job or ends one that cannot be claimed, so the loop terminates.
        for (;;) {
          // Reads first: an unsuccessful poll blocks no writer.
          if (!(await select(engine.db, wanted).executeTakeFirst())) break
          const row = await engine.write(async (tx) => {
            const due = await select(tx, wanted)
              .$if(engine.kind === 'postgres', (query) => query.forUpdate().skipLocked())
              .executeTakeFirst()
            return due && claimOrEnd(tx, { due, wanted, leaseMs })
          })
          if (!row) break
          if (row.state === 'running') return toClaimedJob(row)
          onEnded?.(toJob(row))
        }
      }
      return undefined
    },

    renewJob: (held, { now, leaseMs }) =>
      engine.write(async (tx) => {
        const row = await changeClaimed(tx, held, { claim_at: now + leaseMs })
        if (!row) return 'lost'
        return row.is_cancelled === 1 ? 'cancelled' : 'held'
      }),

    saveCheckpoint: (held, checkpoint) =>
      engine.write(async (tx) => (await changeClaimed(tx, held, { checkpoint })) !== undefined),

    endJob: (held, { now, result, summary, ...end }) =>
      engine.write(async (tx) => {
        const more = summary === undefined ? {} : { summary }
        const row = await changeClaimed(tx, held, { ...toEndedColumns(end, now), result, ...more })
        return row !== undefined
      }),

    releaseJob: (held, { now, dueAt }) =>
      engine.write(async (tx) => {
        const released = { state: 'queued', due_at: dueAt, claim_at: dueAt }
        const row = await changeClaimed(tx, held, released)
        if (row) await endCancelled(tx, { now, of: { position: held.id } })
        return row !== undefined
      }),
  }
}

interface ClaimFilter {
  readonly engine: Engine['kind']
  readonly kinds: readonly string[]
  readonly has: readonly string[]
  readonly id?: number | undefined
  readonly now: number
}

/**
 * Selects the job that has been due longest among those that can run and those that must be ended.
 */
function selectDue(db: Kysely<Tables>, wanted: ClaimFilter) {
  const { now } = wanted
  return selectFirst(db, wanted)
    .where('claim_at', '<=', now)
    .where((where) =>
      where.or([
        meetsNeeds(wanted),
        where('is_cancelled', '=', 1),
        where('attempts', '>=', where.ref('max_attempts')),
        where('claim_at', '<=', now - NEEDED_WITHIN_MS),
      ]),
    )
}

function meetsNeeds({ engine, has }: ClaimFilter): RawBuilder<SqlBool> {
  return isInTextList(engine, { column: 'needs', list: ['', ...has] })
}

/** Selects a job whose times are from a clock that has since been set back. */
function selectFutureDated(db: Kysely<Tables>, wanted: ClaimFilter) {
  const far = wanted.now + MAX_LEASE_MS
  return selectFirst(db, wanted)
    .where('claim_at', '>', far)
    .where(meetsNeeds(wanted))
    .where((where) => where.or([where('state', '=', 'running'), where('created_at', '>', far)]))
}

function selectFirst(db: Kysely<Tables>, { kinds, id }: Pick<ClaimFilter, 'kinds' | 'id'>) {
  return db
    .selectFrom('job')
    .selectAll()
    .where('kind', 'in', kinds)
    .$if(id !== undefined, (query) => query.where('position', '=', Number(id)))
    .orderBy('claim_at')
    .orderBy('position')
    .limit(1)
}

/** Claims a job, or ends one that must not run any more. */
function claimOrEnd(
  tx: Kysely<Tables>,
  request: ClaimRequest,
): Promise<Selectable<JobTable> | undefined> {
  return tx
    .updateTable('job')
    .set(toClaim(request))
    .where('position', '=', request.due.position)
    .returningAll()
    .executeTakeFirst()
}

interface ClaimRequest {
  readonly due: Selectable<JobTable>
  readonly wanted: ClaimFilter
  readonly leaseMs: number
}

function toClaim({ due, wanted, leaseMs }: ClaimRequest): Updateable<JobTable> {
  const { now, has } = wanted
  if (due.is_cancelled === 1) return toEndedColumns(CANCELLED, now)
  if (due.attempts >= due.max_attempts) {
    const failure = `All attempts were interrupted: ${due.attempts} of ${due.max_attempts}`
    return toEndedColumns({ state: 'failed', failure }, now)
  }
  if (due.needs !== '' && !has.includes(due.needs)) {
    const failure = `Not started within an hour: it requires a worker with ${due.needs}`
    return toEndedColumns({ state: 'failed', failure }, now)
  }
  return {
    state: 'running',
    fence: due.fence + 1,
    attempts: due.attempts + 1,
    claim_at: now + Math.min(leaseMs, MAX_LEASE_MS),
    started_at: due.started_at ?? now,
  }
}

/** Changes a job that is running under the claim. Returns undefined if there is none. */
function changeClaimed(
  tx: Kysely<Tables>,
  { id, fence }: JobClaim,
  columns: Updateable<JobTable>,
): Promise<Pick<Selectable<JobTable>, 'is_cancelled'> | undefined> {
  return tx
    .updateTable('job')
    .set(columns)
    .where((where) => where.and({ position: id, fence, state: 'running' }))
    .returning('is_cancelled')
    .executeTakeFirst()
}
