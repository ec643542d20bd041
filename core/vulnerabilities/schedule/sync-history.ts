import type { JobState, ListedJob } from '../../jobs/records.ts'
import type { JobStore } from '../../jobs/store.ts'
import type { Account } from '../../shared/account.ts'
import type { SyncSourceResult } from './options.ts'

/** Kind and lock of the jobs: one sync is open at a time, across all servers of a database. */
export const SYNC_KIND = 'vulnerability-sync'

/** Owner of the jobs, which belong to no account. */
export const SYNC_OWNER: Account = { id: 'operator', name: 'operator' }

/** A sync of all sources; times are milliseconds since the epoch. */
export interface SyncRun {
  readonly id: number
  readonly state: JobState
  readonly startedAt: number
  /** Undefined while it is queued or running. */
  readonly endedAt: number | undefined
  /** Empty while it is open, or if it ended without an attempt. */
  readonly results: readonly SyncSourceResult[]
}

/** Number of runs that are read: more than the retries between two regular starts. */
const MAX_RUNS = 20

/** Reads the newest runs of all servers, newest first. */
export async function readSyncRuns(store: Pick<JobStore, 'listJobs'>): Promise<readonly SyncRun[]> {
  const filter = { kind: SYNC_KIND, page: 1, size: MAX_RUNS }
  const { items } = await store.listJobs(SYNC_OWNER, filter)
  return items.map(toRun)
}

/** Serialises results for the summary of a job. */
export function formatResults(results: readonly SyncSourceResult[]): string {
  return JSON.stringify({ results })
}

function toRun({ id, state, createdAt, startedAt, endedAt, summary }: ListedJob): SyncRun {
  const { results } = JSON.parse(summary || '{}') as { results?: readonly SyncSourceResult[] }
  return { id, state, startedAt: startedAt ?? createdAt, endedAt, results: results ?? [] }
}
