import type { Insertable, Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { Job, NewJob } from '../../../core/jobs/records.ts'
import { rejectLongName } from './filters.ts'
import { toJob } from './job-rows.ts'
import type { JobTable } from './job-tables.ts'
import type { Tables } from './tables.ts'

/**
 * Queues a job within a transaction, with a number of `takeNumber`. Throws `conflict` if another
 * open job has the lock; the transaction must then be rolled back.
 */
export async function insertJob(
  tx: Kysely<Tables>,
  { job, number }: { readonly job: NewJob; readonly number: number },
): Promise<Job> {
  const row = await tx
    .insertInto('job')
    .values(toJobRow(job, number))
    // The lock is the only unique column that the database does not generate.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) return toJob(row)
  throw createLockConflict(await findLockHolder(tx, job), job)
}

/**
 * Throws like `insertJob` if the lock is currently taken: spares callers the wait for a job number.
 */
export async function rejectTakenLock(db: Kysely<Tables>, job: NewJob): Promise<void> {
  const holder = await findLockHolder(db, job)
  if (holder) throw createLockConflict(holder, job)
}

/**
 * Takes the number of a job to be queued. Concurrent additions for the same account and kind wait
 * here until the transaction ends. It must be rolled back if the job is not queued.
 */
export async function takeNumber(tx: Kysely<Tables>, job: NewJob): Promise<number> {
  rejectLongNames(job)
  const { accountId, kind } = job
  const row = await tx
    .insertInto('job_number')
    .values({ account_id: accountId, kind, newest: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind'])
        .doUpdateSet((set) => ({ newest: set('job_number.newest', '+', 1) })),
    )
    .returning('newest')
    .executeTakeFirstOrThrow()
  return row.newest
}

function toJobRow(job: NewJob, number: number): Insertable<JobTable> {
  return {
    kind: job.kind,
    account_id: job.accountId,
    number,
    subject: job.subject,
    lock_name: job.lock,
    needs: job.needs,
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
    summary: job.summary,
    input: job.input,
    checkpoint: '',
    result: '',
  }
}

async function findLockHolder(db: Kysely<Tables>, { lock }: NewJob) {
  if (lock === '') return undefined
  return db
    .selectFrom('job')
    .select(['position', 'account_id'])
    .where('claim_at', 'is not', null)
    .where('lock_name', '<>', '')
    .where('lock_name', '=', lock)
    .executeTakeFirst()
}

type LockHolder = Awaited<ReturnType<typeof findLockHolder>>

function createLockConflict(holder: LockHolder, { accountId }: NewJob): ServiceError {
  const own = holder?.account_id === accountId ? holder.position : undefined
  const detail = `Cannot queue the job: ${own === undefined ? 'another job' : `job ${own}`} is open`
  return new ServiceError('conflict', detail, { extra: own === undefined ? {} : { job_id: own } })
}

/** Names are indexed, so their length is limited. */
function rejectLongNames({ kind, accountId, subject, lock }: NewJob): void {
  rejectLongName('kind of job', kind)
  rejectLongName('account of the job', accountId)
  rejectLongName('subject of the job', subject)
  rejectLongName('lock of the job', lock)
}
