import type { Insertable, Kysely } from 'kysely'
import { ServiceError } from '../../../core/http/problems.ts'
import type { Job, NewJob } from '../../../core/jobs/records.ts'
import { refuseLongName } from './filters.ts'
import { toJob } from './job-rows.ts'
import type { JobTable } from './job-tables.ts'
import type { Tables } from './tables.ts'

/**
 * Queues a job within a transaction, under a number of `takeNumber`. Throws `conflict` where another
 * open job has the lock: then the transaction must not be committed.
 */
export async function insertJob(
  tx: Kysely<Tables>,
  { job, number }: { readonly job: NewJob; readonly number: number },
): Promise<Job> {
  const row = await tx
    .insertInto('job')
    .values(toRow(job, number))
    // Of the unique columns only the lock is not given by the database.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) return toJob(row)
  throw toConflict(await findHolder(tx, job), job)
}

/** Throws as `insertJob` does where the lock is taken now: many who want one need not queue for it. */
export async function refuseTaken(db: Kysely<Tables>, job: NewJob): Promise<void> {
  const holder = await findHolder(db, job)
  if (holder) throw toConflict(holder, job)
}

/**
 * The number of a job to be queued. Whoever adds jobs of the account and the kind at the same time
 * waits here until the transaction ends, which must be taken back where the job is not queued.
 */
export async function takeNumber(tx: Kysely<Tables>, job: NewJob): Promise<number> {
  refuseLongNames(job)
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

function toRow(job: NewJob, number: number): Insertable<JobTable> {
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

async function findHolder(db: Kysely<Tables>, { lock }: NewJob) {
  if (lock === '') return undefined
  return db
    .selectFrom('job')
    .select(['position', 'account_id'])
    .where('claim_at', 'is not', null)
    .where('lock_name', '<>', '')
    .where('lock_name', '=', lock)
    .executeTakeFirst()
}

type Holder = Awaited<ReturnType<typeof findHolder>>

function toConflict(holder: Holder, { accountId }: NewJob): ServiceError {
  const own = holder?.account_id === accountId ? holder.position : undefined
  const detail = `Cannot queue the job: ${own === undefined ? 'another one' : `job ${own}`} is open`
  return new ServiceError('conflict', detail, { extra: own === undefined ? {} : { job_id: own } })
}

/** Names stand in indexes, which hold no text of any length. */
function refuseLongNames({ kind, accountId, subject, lock }: NewJob): void {
  refuseLongName('kind of job', kind)
  refuseLongName('account of the job', accountId)
  refuseLongName('subject of the job', subject)
  refuseLongName('lock of the job', lock)
}
