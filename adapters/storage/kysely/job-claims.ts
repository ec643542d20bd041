import type { Kysely, Selectable, Updateable } from 'kysely'
import type { JobClaim } from '../../../core/jobs/records.ts'
import { type JobStore, MAX_LEASE_MS } from '../../../core/jobs/store.ts'
import type { Engine } from './engine.ts'
import { CANCELLED, endCancelled, toClaimedJob, toEnded } from './job-rows.ts'
import type { JobTable } from './job-tables.ts'
import type { Tables } from './tables.ts'

/** Claims of jobs, and what only their holders may do. */
export function createJobClaimStore(
  engine: Engine,
): Pick<JobStore, 'claimJob' | 'renewJob' | 'saveCheckpoint' | 'endJob' | 'releaseJob'> {
  return {
    async claimJob({ kinds, id, now, leaseMs }) {
      if (kinds.length === 0) return undefined
      for (const select of [selectDue, selectAhead]) {
        // Each turn claims a job or ends one that cannot be claimed, so the turns end.
        for (;;) {
          // A look first: a poll that finds nothing keeps no writer waiting.
          if (!(await select(engine.db, { kinds, id, now }).executeTakeFirst())) break
          const row = await engine.write(async (tx) => {
            const due = await select(tx, { kinds, id, now })
              .$if(engine.kind === 'postgres', (query) => query.forUpdate().skipLocked())
              .executeTakeFirst()
            return due && claim(tx, { due, now, leaseMs })
          })
          if (!row) break
          if (row.state === 'running') return toClaimedJob(row)
        }
      }
      return undefined
    },

    renewJob: (held, { now, leaseMs }) =>
      engine.write(async (tx) => {
        const row = await change(tx, held, { claim_at: now + leaseMs })
        if (!row) return 'lost'
        return row.is_cancelled === 1 ? 'cancelled' : 'held'
      }),

    saveCheckpoint: (held, checkpoint) =>
      engine.write(async (tx) => (await change(tx, held, { checkpoint })) !== undefined),

    endJob: (held, { now, result, ...end }) =>
      engine.write(async (tx) => {
        const row = await change(tx, held, { ...toEnded(end, now), result })
        return row !== undefined
      }),

    releaseJob: (held, { now, dueAt }) =>
      engine.write(async (tx) => {
        const released = { state: 'queued', due_at: dueAt, claim_at: dueAt }
        const row = await change(tx, held, released)
        if (row) await endCancelled(tx, { now, of: { position: held.id } })
        return row !== undefined
      }),
  }
}

interface Wanted {
  readonly kinds: readonly string[]
  readonly id: number | undefined
  readonly now: number
}

/** The job that has been due longest. */
function selectDue(db: Kysely<Tables>, wanted: Wanted) {
  return selectFirst(db, wanted).where('claim_at', '<=', wanted.now)
}

/** A job whose time is of a clock that has been set back. */
function selectAhead(db: Kysely<Tables>, wanted: Wanted) {
  const far = wanted.now + MAX_LEASE_MS
  return selectFirst(db, wanted)
    .where('claim_at', '>', far)
    .where((where) => where.or([where('state', '=', 'running'), where('created_at', '>', far)]))
}

function selectFirst(db: Kysely<Tables>, { kinds, id }: Wanted) {
  return db
    .selectFrom('job')
    .selectAll()
    .where('kind', 'in', kinds)
    .$if(id !== undefined, (query) => query.where('position', '=', Number(id)))
    .orderBy('claim_at')
    .orderBy('position')
    .limit(1)
}

/** Claims a job, or ends one that is not to be done any more. */
function claim(
  tx: Kysely<Tables>,
  request: { readonly due: Selectable<JobTable>; readonly now: number; readonly leaseMs: number },
): Promise<Selectable<JobTable> | undefined> {
  return tx
    .updateTable('job')
    .set(toClaim(request))
    .where('position', '=', request.due.position)
    .returningAll()
    .executeTakeFirst()
}

function toClaim({
  due,
  now,
  leaseMs,
}: {
  readonly due: Selectable<JobTable>
  readonly now: number
  readonly leaseMs: number
}): Updateable<JobTable> {
  if (due.is_cancelled === 1) return toEnded(CANCELLED, now)
  if (due.attempts >= due.max_attempts) {
    const failure = `Every attempt broke off: ${due.attempts} of ${due.max_attempts}`
    return toEnded({ state: 'failed', failure }, now)
  }
  return {
    state: 'running',
    fence: due.fence + 1,
    attempts: due.attempts + 1,
    claim_at: now + Math.min(leaseMs, MAX_LEASE_MS),
    started_at: due.started_at ?? now,
  }
}

/** Changes a job that is running under the claim; undefined when none is. */
function change(
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
