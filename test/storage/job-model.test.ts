import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { Job, JobClaim, ListedJob } from '../../core/jobs/records.ts'
import type { JobStore } from '../../core/jobs/store.ts'
import { ADA } from '../conformance/storage/gateway-samples.ts'
import { LEASE_MS, NOW, sampleJob } from '../conformance/storage/job-samples.ts'
import { runs } from '../helpers/runs.ts'
import { createJobModel, type JobModel } from './job-model.ts'

/** Three workers exceed their leases, crash and return late; time advances in jumps. */
const WORKERS = 3
/** Fewer do not reach every state. */
const TRACES = Math.max(40, runs(200))

const index = fc.nat({ max: 9 })
const adding = fc.record({
  kind: fc.constant('add' as const),
  lock: fc.constantFrom('', 'a', 'b'),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  waitMs: fc.constantFrom(0, 0, 5_000, 40_000),
})
const passing = fc.record({
  kind: fc.constant('pass' as const),
  ms: fc.constantFrom(1, 900, 14_999, 15_000, 60_000),
})
const cancelling = fc.record({ kind: fc.constant('cancel' as const), index })
const working = fc.record({
  kind: fc.constantFrom('claim', 'claim', 'renew', 'save', 'end', 'release', 'crash'),
  worker: fc.nat({ max: WORKERS - 1 }),
  waitMs: fc.constantFrom(0, 3_000),
})
const step = fc.oneof(
  { arbitrary: adding, weight: 3 },
  { arbitrary: passing, weight: 2 },
  { arbitrary: cancelling, weight: 1 },
  { arbitrary: working, weight: 9 },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

describe('jobs that are claimed, renewed, lost, ended and swept in any order', () => {
  it(`match a simple list over ${TRACES} traces`, async () => {
    let steps = 0
    const states = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
        async (trace) => {
          const storage = await openSqlite({ file: ':memory:' })
          const traced = await follow(storage.jobs, trace)
          steps += trace.length
          for (const state of traced) states.set(state, (states.get(state) ?? 0) + 1)
          await storage.close()
        },
      ),
      { seed: 63, numRuns: TRACES },
    )
    expect([...states.keys()].toSorted()).toEqual([
      'aborted',
      'done',
      'failed',
      'queued',
      'running',
    ])
    console.log(`${steps} steps; jobs at the end:`, Object.fromEntries(states))
  }, 300_000)
})

/** Applies a trace to the store and the model; returns the final job states. */
async function follow(store: JobStore, trace: readonly Step[]): Promise<readonly string[]> {
  const model = createJobModel()
  const ids: number[] = []
  /** By worker; in a claim of the model, the ID is the index of the job. */
  const claims: (JobClaim | undefined)[] = []
  const results = new Map<number, number>()
  const ended = new Map<number, Job>()
  let now = NOW
  for (const each of trace) {
    if (each.kind === 'pass') now += each.ms
    else if (each.kind === 'add') await add(each)
    else if (each.kind === 'cancel') {
      const id = ids[each.index]
      model.cancel(each.index)
      if (id !== undefined) await store.cancelJob(ADA, { id, now })
    } else if ('worker' in each) await work(each)
    await compare()
  }
  // Includes jobs that ended long ago.
  ended.clear()
  await compare()
  for (const count of results.values()) expect(count).toBe(1)
  return model.list().map(({ state }) => state)

  async function add({ lock, maxAttempts, waitMs }: Extract<Step, { lock: string }>) {
    const job = sampleJob({ lock, maxAttempts, createdAt: now, dueAt: now + waitMs })
    const expected = model.add(job)
    const added = await store.addJob(job).catch((error: { code: string }) => error)
    if ('code' in added) expect([added.code, expected]).toEqual(['conflict', 'taken'])
    else expect(ids.push(added.id) - 1).toBe(expected)
  }

  async function work({ kind, worker, waitMs }: Extract<Step, { worker: number }>) {
    if (kind === 'claim') {
      const request = { kinds: ['sample'], now, leaseMs: LEASE_MS }
      const claimed = await store.claimJob(request)
      const expected = model.claim(now, LEASE_MS)
      claims[worker] = expected
      expect(claimed && { ...toModel(claimed), attempts: claimed.attempts }).toEqual(expected)
      if (claimed) expect(claimed.attempts <= claimed.maxAttempts).toBe(true)
      return
    }
    const claim = claims[worker]
    if (!claim) return
    if (kind === 'crash') claims[worker] = undefined
    else await useClaim(kind, { claim, waitMs })
  }

  async function useClaim(
    kind: string,
    { claim, waitMs }: { readonly claim: JobClaim; readonly waitMs: number },
  ) {
    const own = { ...claim, id: ids[claim.id] ?? 0 }
    const mark = `${claim.id}/${claim.fence}`
    if (kind === 'renew') {
      const renewed = await store.renewJob(own, { now, leaseMs: LEASE_MS })
      expect(renewed).toBe(model.renew(claim, now + LEASE_MS))
    } else if (kind === 'save') {
      expect(await store.saveCheckpoint(own, mark)).toBe(model.save(claim, mark))
    } else if (kind === 'release') {
      const request = { now, dueAt: now + waitMs }
      expect(await store.releaseJob(own, request)).toBe(model.release(claim, request.dueAt))
    } else {
      const end = { state: 'done', result: mark, failure: '' } as const
      const isStored = await store.endJob(own, { ...end, now })
      expect(isStored).toBe(model.end(claim, end))
      if (isStored) results.set(claim.id, (results.get(claim.id) ?? 0) + 1)
    }
  }

  function toModel({ id, fence }: JobClaim): JobClaim {
    return { id: ids.indexOf(id), fence }
  }

  /** Removed jobs are read again at the end of the trace. */
  async function read({ id, endedAt }: ListedJob): Promise<Job | undefined> {
    const job = ended.get(id) ?? (await store.findJob(undefined, { id }))
    if (job && endedAt !== undefined) ended.set(id, job)
    return job
  }

  async function compare(): Promise<void> {
    const { items } = await store.listJobs(undefined, { size: 100, page: 1 })
    const whole = await Promise.all(items.map(read))
    const present = whole
      .toReversed()
      .flatMap((job) => job ?? [])
      .map(({ state, attempts, isCancelled, checkpoint, result }) => ({
        state,
        attempts,
        isCancelled,
        checkpoint,
        result,
      }))
    expect(present).toEqual(model.list() satisfies ReturnType<JobModel['list']>)
    const locks = items.flatMap(({ state, lock }) =>
      lock !== '' && (state === 'queued' || state === 'running') ? [lock] : [],
    )
    expect(new Set(locks).size).toBe(locks.length)
  }
}
