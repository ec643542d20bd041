import type { Kysely } from 'kysely'
import type { JobState } from '../../../core/jobs/records.ts'
import type { JobStore } from '../../../core/jobs/store.ts'
import { insertJob, takeNumber } from './add-job.ts'
import type { Engine } from './engine.ts'
import { createJobClaimStore } from './job-claims.ts'
import { endCancelled, type JobKey, LISTED_JOB_COLUMNS, toJob, toListedJob } from './job-rows.ts'
import type { Tables } from './tables.ts'

/** Stores the job queue. */
export function createJobStore(engine: Engine): JobStore {
  const { db } = engine
  return {
    ...createJobClaimStore(engine),

    addJob: (job) =>
      engine.write(async (tx) => insertJob(tx, { job, number: await takeNumber(tx, job) })),

    async cancelJob(account, { id, now }) {
      const of = { position: id, ...toOwnerFilter(account) }
      return engine.write(async (tx) => {
        await cancelOpenJobs(tx, { of, now })
        const row = await selectJobs(tx, of).selectAll().executeTakeFirst()
        return row && toJob(row)
      })
    },

    cancelJobs: ({ kind, now }) => engine.write((tx) => cancelOpenJobs(tx, { of: { kind }, now })),

    async findJob(account, { id, ...which }) {
      const of = { ...toOwnerFilter(account), ...(id === undefined ? {} : { position: id }) }
      const row = await selectJobs(db, { ...of, ...which })
        .selectAll()
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toJob(row)
    },

    async listJobs(account, { kind, state, page, size }) {
      const jobs = selectJobs(db, {
        ...toOwnerFilter(account),
        ...(kind === undefined ? {} : { kind }),
        ...(state === undefined ? {} : { state }),
      })
      const counted = await jobs
        .select((select) => select.fn.countAll<number | string>().as('total'))
        .executeTakeFirst()
      // Sorts only the numbers: the other rows' columns are not read.
      const listed = jobs
        .select('position')
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
      const rows = await db
        .selectFrom('job')
        .select(LISTED_JOB_COLUMNS)
        .where('position', 'in', listed)
        .orderBy('position', 'desc')
        .execute()
      return { items: rows.map(toListedJob), total: Number(counted?.total ?? 0) }
    },

    async countJobs() {
      const rows = await db
        .selectFrom('job')
        .select((select) => ['kind', 'state', select.fn.countAll<number | string>().as('count')])
        .groupBy(['kind', 'state'])
        .orderBy('kind')
        .orderBy('state')
        .execute()
      return rows.map(({ kind, state, count }) => ({
        kind,
        // The cast is safe: releases may add values of this type, but never change one.
        state: state as JobState,
        count: Number(count),
      }))
    },

    sweepJobs: ({ before, limit }) =>
      engine.write(async (tx) => {
        const rows = await tx
          .deleteFrom('job')
          .where('position', 'in', (select) =>
            select
              .selectFrom('job')
              .select('position')
              .where('ended_at', '<', before)
              .orderBy('ended_at')
              .limit(limit)
              .$if(engine.kind === 'postgres', (query) => query.forUpdate().skipLocked()),
          )
          .returning('position')
          .execute()
        return rows.length
      }),
  }
}

function selectJobs(
  db: Kysely<Tables>,
  filter: JobKey & { subject?: string; state?: string; number?: number },
) {
  return db.selectFrom('job').where((where) => where.and(filter))
}

function toOwnerFilter(account: { readonly id: string } | undefined) {
  return account === undefined ? {} : { account_id: account.id }
}

/** Cancels open jobs and returns their number. */
async function cancelOpenJobs(
  tx: Kysely<Tables>,
  { of, now }: { readonly of: JobKey; readonly now: number },
): Promise<number> {
  // Locks the rows, so that queued jobs remain queued until the transaction ends.
  const rows = await tx
    .updateTable('job')
    .set({ is_cancelled: 1 })
    .where('claim_at', 'is not', null)
    .where((where) => where.and(of))
    .returning('position')
    .execute()
  if (rows.length > 0) await endCancelled(tx, { of, now })
  return rows.length
}
