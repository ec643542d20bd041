import type { Job, JobClaim, JobEnd, NewJob } from '../../core/jobs/records.ts'

/** Models the queue as a list that is always read from its start. */
export interface JobModel {
  add(job: NewJob): 'taken' | number
  claim(now: number, leaseMs: number): (JobClaim & { readonly attempts: number }) | undefined
  renew(claim: JobClaim, until: number): 'held' | 'cancelled' | 'lost'
  save(claim: JobClaim, checkpoint: string): boolean
  end(claim: JobClaim, end: JobEnd): boolean
  release(claim: JobClaim, dueAt: number): boolean
  cancel(index: number): void
  /** In the order of addition. */
  list(): readonly Pick<Job, 'state' | 'attempts' | 'isCancelled' | 'checkpoint' | 'result'>[]
}

interface Row {
  readonly lock: string
  readonly maxAttempts: number
  state: Job['state']
  /** Time from which it may be claimed. */
  at: number
  attempts: number
  isCancelled: boolean
  checkpoint: string
  result: string
}

/** Creates the model; the ID of a job is its index. */
export function createJobModel(): JobModel {
  const rows: Row[] = []
  const isOpen = ({ state }: Row) => state === 'queued' || state === 'running'
  const findHeld = ({ id, fence }: JobClaim) => {
    const row = rows[id]
    return row?.state === 'running' && row.attempts === fence ? row : undefined
  }
  const endWithoutResult = (row: Row, state: Job['state']) => {
    Object.assign(row, { state, checkpoint: '' })
  }
  const endCancelled = (row: Row) => {
    if (row.state === 'queued' && row.isCancelled) endWithoutResult(row, 'aborted')
  }

  return {
    add({ lock, maxAttempts, dueAt }) {
      if (lock !== '' && rows.some((row) => isOpen(row) && row.lock === lock)) return 'taken'
      const fresh = { attempts: 0, isCancelled: false, checkpoint: '', result: '' }
      rows.push({ lock, maxAttempts, state: 'queued', at: dueAt, ...fresh })
      return rows.length - 1
    },

    claim(now, leaseMs) {
      const due = rows
        .filter((row) => isOpen(row) && row.at <= now)
        // The sort is stable: jobs due at the same time remain in the order of their IDs.
        .sort((one, other) => one.at - other.at)
      for (const row of due) {
        if (row.isCancelled) endWithoutResult(row, 'aborted')
        else if (row.attempts >= row.maxAttempts) endWithoutResult(row, 'failed')
        else {
          row.state = 'running'
          row.attempts += 1
          row.at = now + leaseMs
          return { id: rows.indexOf(row), fence: row.attempts, attempts: row.attempts }
        }
      }
      return undefined
    },

    renew(claim, until) {
      const row = findHeld(claim)
      if (!row) return 'lost'
      row.at = until
      return row.isCancelled ? 'cancelled' : 'held'
    },

    save(claim, checkpoint) {
      const row = findHeld(claim)
      if (row) row.checkpoint = checkpoint
      return row !== undefined
    },

    end(claim, { state, result }) {
      const row = findHeld(claim)
      if (row) Object.assign(row, { state, result, checkpoint: '' })
      return row !== undefined
    },

    release(claim, dueAt) {
      const row = findHeld(claim)
      if (!row) return false
      Object.assign(row, { state: 'queued', at: dueAt })
      endCancelled(row)
      return true
    },

    cancel(index) {
      const row = rows[index]
      if (!row || !isOpen(row)) return
      row.isCancelled = true
      endCancelled(row)
    },

    list: () =>
      rows.map(({ state, attempts, isCancelled, checkpoint, result }) => ({
        state,
        attempts,
        isCancelled,
        checkpoint,
        result,
      })),
  }
}
