import type { Kysely, Selectable } from 'kysely'
import type { ClaimedJob, Job, ListedJob } from '../../../core/jobs/records.ts'
import type { JobTable } from './job-tables.ts'
import type { Tables } from './tables.ts'

/** Converts a row to a job. */
export function toJob(row: Selectable<JobTable>): Job {
  const { input, checkpoint, result } = row
  return { ...toListedJob(row), input, checkpoint, result }
}

/** Columns of a job in a list: none of them is large. */
export const LISTED_JOB_COLUMNS = [
  'position',
  'kind',
  'account_id',
  'number',
  'subject',
  'lock_name',
  'needs',
  'state',
  'attempts',
  'max_attempts',
  'is_cancelled',
  'created_at',
  'due_at',
  'started_at',
  'ended_at',
  'failure',
  'summary',
] as const satisfies readonly (keyof JobTable)[]

/** Converts a row to a job without the columns that may be large. */
export function toListedJob(
  row: Pick<Selectable<JobTable>, (typeof LISTED_JOB_COLUMNS)[number]>,
): ListedJob {
  return {
    id: row.position,
    number: row.number,
    kind: row.kind,
    accountId: row.account_id,
    subject: row.subject,
    lock: row.lock_name,
    needs: row.needs,
    summary: row.summary,
    // The cast is safe: releases may add values of this type, but never change one.
    state: row.state as Job['state'],
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    isCancelled: row.is_cancelled === 1,
    failure: row.failure,
    createdAt: row.created_at,
    dueAt: row.due_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  }
}

export function toClaimedJob(row: Selectable<JobTable>): ClaimedJob {
  return { ...toJob(row), fence: row.fence }
}

/** Returns the columns of a job that ends now, except its result. The checkpoint is cleared. */
export function toEndedColumns(end: Pick<Job, 'state' | 'failure'>, now: number) {
  return { state: end.state, failure: end.failure, claim_at: null, ended_at: now, checkpoint: '' }
}

/** Outcome of a job that was cancelled while it was not running. */
export const CANCELLED = { state: 'aborted', failure: 'Cancelled' } as const

/** Ends jobs that are queued and cancelled, within a transaction that has locked their rows. */
export async function endCancelled(
  tx: Kysely<Tables>,
  { of, now }: { readonly of: JobKey; readonly now: number },
): Promise<void> {
  await tx
    .updateTable('job')
    .set(toEndedColumns(CANCELLED, now))
    .where('claim_at', 'is not', null)
    .where((where) => where.and({ ...of, state: 'queued', is_cancelled: 1 }))
    .execute()
}

/** Columns by which jobs are found. */
export type JobKey = Partial<Pick<Selectable<JobTable>, 'position' | 'account_id' | 'kind'>>
