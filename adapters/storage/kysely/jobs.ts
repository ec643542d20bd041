import type { Insertable, Kysely } from 'kysely'
import { ServiceError } from '../../../core/http/problems.ts'
import type { JobState, NewJob } from '../../../core/jobs/records.ts'
import type { JobStore } from '../../../core/jobs/store.ts'
import type { Engine } from './engine.ts'
import { refuseLongName } from './filters.ts'
import { createJobClaimStore } from './job-claims.ts'
import { endCancelled, type JobNames, toJob } from './job-rows.ts'
import type { JobTable } from './job-tables.ts'
import type { Tables } from './tables.ts'

/** The queue of jobs. */
export function createJobStore(engine: Engine): JobStore {
  const { db } = engine
  return {
    ...createJobClaimStore(engine),

    async addJob(job) {
      refuseLongNames(job)
      return engine.write(async (tx) => {
        const row = await tx
          .insertInto('job')
          .values(toRow(job))
          // Of the unique columns only the lock is not given by the database.
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        if (row) return toJob(row)
        throw await toConflict(tx, job)
      })
    },

    async cancelJob(account, { id, now }) {
      const of = { position: id, ...toOwner(account) }
      return engine.write(async (tx) => {
        await cancel(tx, { of, now })
        const row = await selectJobs(tx, of).selectAll().executeTakeFirst()
        return row && toJob(row)
      })
    },

    cancelJobs: ({ kind, now }) => engine.write((tx) => cancel(tx, { of: { kind }, now })),

    async findJob(account, id) {
      const of = { position: id, ...toOwner(account) }
      const row = await selectJobs(db, of).selectAll().executeTakeFirst()
      return row && toJob(row)
    },

    async findNewestJob(account, { kind, subject }) {
      const row = await selectJobs(db, { ...toOwner(account), kind, subject })
        .selectAll()
        .orderBy('position', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toJob(row)
    },

    async listJobs(account, { kind, state, page, size }) {
      const jobs = selectJobs(db, {
        ...toOwner(account),
        ...(kind === undefined ? {} : { kind }),
        ...(state === undefined ? {} : { state }),
      })
      const counted = await jobs
        .select((select) => select.fn.countAll<number | string>().as('total'))
        .executeTakeFirst()
      // Sorted without their results, of which all would be read.
      const listed = jobs
        .select('position')
        .orderBy('position', 'desc')
        .limit(size)
        .offset((page - 1) * size)
      const rows = await db
        .selectFrom('job')
        .selectAll()
        .where('position', 'in', listed)
        .orderBy('position', 'desc')
        .execute()
      return { items: rows.map(toJob), total: Number(counted?.total ?? 0) }
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
        // Written by this release or an earlier one, from the same vocabulary.
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

function selectJobs(db: Kysely<Tables>, of: JobNames & { subject?: string; state?: string }) {
  return db.selectFrom('job').where((where) => where.and(of))
}

function toOwner(account: { readonly id: string } | undefined) {
  return account === undefined ? {} : { account_id: account.id }
}

/** Cancels open jobs; how many there were. */
async function cancel(
  tx: Kysely<Tables>,
  { of, now }: { readonly of: JobNames; readonly now: number },
): Promise<number> {
  // This holds the rows, so what is queued stays so until it ends.
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

function toRow(job: NewJob): Insertable<JobTable> {
  return {
    kind: job.kind,
    account_id: job.accountId,
    subject: job.subject,
    lock_name: job.lock,
    state: 'queued',
    claim_at: job.dueAt,
    fence: 0,
    attempts: 0,
    max_attempts: job.maxAttempts,
    is_cancelled: 0,
    created_at: job.createdAt,
    due_at: job.dueAt,
    started_at: null,
    ended_at: null,
    failure: '',
    input: job.input,
    checkpoint: '',
    result: '',
  }
}

async function toConflict(tx: Kysely<Tables>, { accountId, lock }: NewJob): Promise<ServiceError> {
  const holder = await tx
    .selectFrom('job')
    .select('position')
    .where('claim_at', 'is not', null)
    .where('lock_name', '<>', '')
    .where((where) => where.and({ lock_name: lock, account_id: accountId }))
    .executeTakeFirst()
  const detail = `Cannot queue the job: ${holder ? `job ${holder.position}` : 'another one'} is open`
  return new ServiceError('conflict', detail, { extra: holder ? { job_id: holder.position } : {} })
}

/** Names stand in indexes, which hold no text of any length. */
function refuseLongNames({ kind, accountId, subject, lock }: NewJob): void {
  refuseLongName('kind of job', kind)
  refuseLongName('account of the job', accountId)
  refuseLongName('subject of the job', subject)
  refuseLongName('lock of the job', lock)
}
