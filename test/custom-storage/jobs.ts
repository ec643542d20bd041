import { ServiceError } from '../../core/errors.ts'
import type { ClaimedJob, Job, JobClaim, JobState, NewJob } from '../../core/jobs/index.ts'
import { MAX_LEASE_MS, NEEDED_WITHIN_MS, type Storage } from '../../core/storage.ts'
import { clean, rejectLongName, toPage } from './texts.ts'

interface StoredJob extends ClaimedJob {
  /** From when the job may be claimed; undefined after its end. */
  readonly claimAt: number | undefined
}

/** Creates the job queue and the budgets of rate-limit tests, which are jobs. */
export function createJobs(): Pick<Storage, 'jobs' | 'rateLimits'> {
  const jobs = new Map<number, StoredJob>()
  const numbers = new Map<string, number>()

  function insert(job: NewJob): Job {
    for (const name of [job.kind, job.accountId, job.subject, job.lock]) rejectLongName(name)
    const holder = [...jobs.values()].find(
      ({ lock, claimAt }) => lock !== '' && lock === clean(job.lock) && claimAt !== undefined,
    )
    if (holder) {
      const isOwn = holder.accountId === job.accountId
      const name = isOwn ? `job ${holder.id}` : 'another job'
      const extra = isOwn ? { job_id: holder.id } : {}
      throw new ServiceError('conflict', `Cannot queue the job: ${name} is open`, { extra })
    }
    const counter = `${job.accountId}\n${job.kind}`
    const number = (numbers.get(counter) ?? 0) + 1
    numbers.set(counter, number)
    const id = Math.max(0, ...jobs.keys()) + 1
    jobs.set(id, {
      ...clean(job),
      ...{ id, number, state: 'queued', attempts: 0, isCancelled: false, fence: 0 },
      ...{ checkpoint: '', result: '', failure: '', startedAt: undefined, endedAt: undefined },
      claimAt: job.dueAt,
    })
    return toJob(jobs.get(id) as StoredJob)
  }

  function update(job: StoredJob, change: Partial<StoredJob>): StoredJob {
    const changed = { ...job, ...clean(change) }
    jobs.set(job.id, changed)
    return changed
  }

  const findClaimed = ({ id, fence }: JobClaim) => {
    const job = jobs.get(id)
    return job?.state === 'running' && job.fence === fence ? job : undefined
  }
  const updateClaimed = async (claim: JobClaim, change: Partial<StoredJob>) => {
    const job = findClaimed(claim)
    if (job) update(job, change)
    return job !== undefined
  }

  return {
    rateLimits: createRateLimits({ jobs, insert, findClaimed }),
    jobs: {
      addJob: async (job) => insert(job),
      async claimJob({ kinds, has = [], id, now, leaseMs, onEnded }) {
        for (;;) {
          const open = [...jobs.values()].filter(
            (job) => kinds.includes(job.kind) && job.id === (id ?? job.id),
          )
          const due = findDue(open, { has, now })
          if (!due) return undefined
          const failure = findFailure(due, has)
          if (failure === undefined) {
            return toClaimed(
              update(due, {
                state: 'running',
                fence: due.fence + 1,
                attempts: due.attempts + 1,
                claimAt: now + Math.min(leaseMs, MAX_LEASE_MS),
                startedAt: due.startedAt ?? now,
              }),
            )
          }
          const state = due.isCancelled ? 'aborted' : 'failed'
          const ended = update(due, toEnded({ state, failure }, now))
          onEnded?.(toJob(ended))
        }
      },
      async renewJob(claim, { now, leaseMs }) {
        const job = findClaimed(claim)
        if (!job) return 'lost'
        update(job, { claimAt: now + leaseMs })
        return job.isCancelled ? 'cancelled' : 'held'
      },
      saveCheckpoint: (claim, checkpoint) => updateClaimed(claim, { checkpoint }),
      endJob: (claim, { now, result, summary, ...end }) =>
        updateClaimed(claim, {
          ...toEnded(end, now),
          result,
          ...(summary === undefined ? {} : { summary }),
        }),
      releaseJob: (claim, { now, dueAt }) =>
        updateClaimed(
          claim,
          findClaimed(claim)?.isCancelled
            ? toEnded({ state: 'aborted', failure: 'Cancelled' }, now)
            : { state: 'queued', dueAt, claimAt: dueAt },
        ),
      async findJob(account, which) {
        const wanted = Object.entries(which)
        const found = [...jobs.values()].findLast(
          (job) =>
            job.accountId === (account?.id ?? job.accountId) &&
            wanted.every(([name, value]) => job[name as keyof Job] === value),
        )
        return found && toJob(found)
      },
      async listJobs(account, { kind, state, ...request }) {
        const found = [...jobs.values()].filter(
          (job) =>
            job.accountId === (account?.id ?? job.accountId) &&
            job.kind === (kind ?? job.kind) &&
            job.state === (state ?? job.state),
        )
        const listed = found.map(toJob).map(({ input, checkpoint, result, ...rest }) => rest)
        return toPage(listed.reverse(), request)
      },
    },
  }
}

function toClaimed({ claimAt, ...job }: StoredJob): ClaimedJob {
  return job
}

function toJob({ claimAt, fence, ...job }: StoredJob): Job {
  return job
}

function toEnded(end: { readonly state: JobState; readonly failure: string }, now: number) {
  return { ...end, claimAt: undefined, endedAt: now, checkpoint: '' }
}

/** Finds the job that has been due longest and can run, or must be ended. */
function findDue(
  jobs: readonly StoredJob[],
  { has, now }: { readonly has: readonly string[]; readonly now: number },
): StoredJob | undefined {
  const open = jobs
    .flatMap((job) => (job.claimAt === undefined ? [] : [{ job, at: job.claimAt }]))
    .sort((one, other) => one.at - other.at || one.job.id - other.job.id)
  const canRun = ({ needs }: StoredJob) => needs === '' || has.includes(needs)
  // Times further ahead come from a clock that was set back since.
  const far = now + MAX_LEASE_MS
  const due =
    open.find(
      ({ job, at }) =>
        at <= now &&
        (canRun(job) || findFailure(job, ['', job.needs]) || at <= now - NEEDED_WITHIN_MS),
    ) ??
    open.find(
      ({ job, at }) => at > far && canRun(job) && (job.state === 'running' || job.createdAt > far),
    )
  return due?.job
}

/** Returns why a job cannot be claimed; undefined if it can. */
function findFailure(job: StoredJob, has: readonly string[]): string | undefined {
  if (job.isCancelled) return 'Cancelled'
  if (job.attempts >= job.maxAttempts)
    return `All attempts were interrupted: ${job.attempts} of ${job.maxAttempts}`
  if (job.needs === '' || has.includes(job.needs)) return undefined
  return `Not started within an hour: it requires a worker with ${job.needs}`
}

function createRateLimits({
  jobs,
  insert,
  findClaimed,
}: {
  readonly jobs: ReadonlyMap<number, StoredJob>
  readonly insert: (job: NewJob) => Job
  readonly findClaimed: (claim: JobClaim) => StoredJob | undefined
}): Storage['rateLimits'] {
  const tokens = new Map<string, string>()
  const runs = new Map<number, { readonly budget: number; taken: number }>()
  const days = new Map<string, number>()
  const toDay = (scope: 'account' | 'host', name: string, day: string) => `${scope} ${day} ${name}`
  return {
    async getConsentToken({ id }, fresh) {
      const token = tokens.get(id) ?? fresh
      tokens.set(id, token)
      return token
    },
    async addRun(job, { requests, day, accountBudget, hostBudget }) {
      const open = [...runs].filter(([id]) => {
        const run = jobs.get(id)
        return run?.accountId === job.accountId && run.claimAt !== undefined
      })
      const reserved = open.reduce((sum, [, { budget, taken }]) => sum + budget - taken, 0)
      const used = days.get(toDay('account', job.accountId, day)) ?? 0
      const left = accountBudget - used - reserved
      const leftOfHost = hostBudget - (days.get(toDay('host', job.lock, day)) ?? 0)
      const isLocked = [...jobs.values()].some(
        ({ lock, claimAt }) => lock === job.lock && claimAt !== undefined,
      )
      if (!isLocked && left < requests) return { short: 'account', left, reserved }
      if (!isLocked && leftOfHost < requests)
        return { short: 'host', left: leftOfHost, reserved: 0 }
      const added = insert(job)
      runs.set(added.id, { budget: requests, taken: 0 })
      return { job: added }
    },
    async takeRequests({ claim, account, host, day, wanted, accountBudget, hostBudget }) {
      const job = findClaimed(claim)
      if (!job || job.isCancelled) return { count: 0, reason: job ? 'cancelled' : 'lost' }
      if (wanted <= 0) return { count: 0 }
      const run = runs.get(claim.id) ?? { budget: 0, taken: 0 }
      const keys = [toDay('account', account.id, day), toDay('host', host, day)] as const
      const left = [
        ['run', run.budget - run.taken],
        ['account', accountBudget - (days.get(keys[0]) ?? 0)],
        ['host', hostBudget - (days.get(keys[1]) ?? 0)],
      ] as const
      const used = left.find(([, count]) => count <= 0)
      if (used) return { count: 0, reason: used[0] }
      const count = Math.min(wanted, ...left.map(([, each]) => each))
      run.taken += count
      for (const key of keys) days.set(key, (days.get(key) ?? 0) + count)
      return { count }
    },
    async countRuns(jobIds) {
      return new Map(jobIds.flatMap((id) => (runs.has(id) ? [[id, runs.get(id)?.taken ?? 0]] : [])))
    },
  }
}
