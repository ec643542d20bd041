import type { ListedJob, SettledJob } from '../../core/jobs/index.ts'

/** Number of jobs by outcome. */
export type JobCounts = Record<SettledJob['outcome'], number>

/** Creates counts of 0. */
export function createJobCounts(): JobCounts {
  return { done: 0, failed: 0, aborted: 0, released: 0, lost: 0 }
}

/**
 * Describes the outcome of a job: `Job 12, rate-limit-test of aB3dE5f: done in 12.1 s`. Omits the
 * duration of a job that was not started.
 */
export function describeSettledJob(left: SettledJob): string {
  const { outcome, reason, durationMs } = left
  const when =
    durationMs === undefined
      ? ''
      : ` ${outcome === 'done' ? 'in' : 'after'} ${(durationMs / 1000).toFixed(1)} s`
  const because = reason === '' || outcome === 'done' ? '' : `: ${reason}`
  return `${formatJobName(left)}: ${OUTCOMES[outcome]}${when}${because}`
}

/** Describes a due job whose requirements this process does not meet. */
export function describeWaitingJob(job: ListedJob): string {
  return `${formatJobName(job)}: needs a worker with ${job.needs}`
}

/** Summarises jobs by state: `3 jobs: 2 done, 1 failed.` */
export function summarizeJobCounts(counts: JobCounts): string {
  const known = Object.keys(OUTCOMES) as readonly SettledJob['outcome'][]
  const some = known.filter((as) => counts[as] > 0)
  const sum = some.reduce((total, as) => total + counts[as], 0)
  const parts = some.map((as) => `${counts[as]} ${OUTCOMES[as]}`)
  return `${sum} ${sum === 1 ? 'job' : 'jobs'}: ${parts.join(', ')}.`
}

/** Converts the outcome of a job to JSON. */
export function toSettledJobJson(left: SettledJob) {
  const { id, number, kind, subject, accountId, attempts, outcome, reason, durationMs } = left
  const about = { id, number, kind, subject, account_id: accountId, attempts }
  return { ...about, outcome, failure: reason, ms: durationMs ?? null }
}

const OUTCOMES: Readonly<Record<SettledJob['outcome'], string>> = {
  done: 'done',
  failed: 'failed',
  aborted: 'aborted',
  released: 'returned to the queue',
  lost: 'lost to another worker',
}

function formatJobName({ id, kind, subject }: Pick<ListedJob, 'id' | 'kind' | 'subject'>): string {
  return `Job ${id}, ${kind}${subject === '' ? '' : ` of ${subject}`}`
}
