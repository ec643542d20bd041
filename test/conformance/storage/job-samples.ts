import type { ClaimedJob, Job, NewJob } from '../../../core/jobs/records.ts'
import type { JobStore } from '../../../core/jobs/store.ts'
import { ADA } from './gateway-samples.ts'

/** Time at which the samples begin. */
export const NOW = Date.UTC(2026, 5, 1, 12)
export const LEASE_MS = 15_000
export const KIND = 'sample'

/** A successful end of a sample. */
export const DONE = { state: 'done', result: '{"ok":true}', failure: '' } as const

export function sampleJob(changes: Partial<NewJob> = {}): NewJob {
  return {
    kind: KIND,
    accountId: ADA.id,
    subject: 'weather',
    lock: '',
    needs: '',
    input: '{"city":"Tartu"}',
    summary: '{"city":"Tartu"}',
    maxAttempts: 3,
    createdAt: NOW,
    dueAt: NOW,
    ...changes,
  }
}

/** Returns the stored form of a sample before any change. */
export function toQueued({ id, number }: Pick<Job, 'id' | 'number'>, job: NewJob): Job {
  return {
    ...job,
    id,
    number,
    state: 'queued',
    attempts: 0,
    isCancelled: false,
    checkpoint: '',
    result: '',
    failure: '',
    startedAt: undefined,
    endedAt: undefined,
  }
}

/** Claims a job at this time, for `LEASE_MS`. */
export function claimAt(
  jobs: JobStore,
  now: number,
  kinds: readonly string[] = [KIND],
): Promise<ClaimedJob | undefined> {
  return jobs.claimJob({ kinds, has: [], now, leaseMs: LEASE_MS })
}

/** Claims a job that must exist. */
export async function claimSome(jobs: JobStore, now: number): Promise<ClaimedJob> {
  const claimed = await claimAt(jobs, now)
  if (!claimed) throw new Error('There is no job to claim')
  return claimed
}
