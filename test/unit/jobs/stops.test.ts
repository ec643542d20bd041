import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import type { JobContext, JobEnd, JobHandler } from '../../../core/jobs/records.ts'
import { ADA, withJobs } from '../../helpers/job-bench.ts'

const DONE: JobEnd = { state: 'done', result: '{}', failure: '' }
const ABORTED: JobEnd = { state: 'aborted', result: '{"sent":3}', failure: 'Stopped after 3' }

/** Creates a handler that waits until it must stop and records the reason. */
function createWaiter(finish: (context: JobContext) => JobEnd) {
  const stops: unknown[] = []
  const handler: JobHandler = (_, context) =>
    new Promise((resolve, reject) => {
      context.signal.addEventListener('abort', () => {
        stops.push(context.stopReason())
        try {
          resolve(finish(context))
        } catch (error) {
          reject(error)
        }
      })
    })
  return { stops, handler }
}

function rethrow({ signal }: JobContext): JobEnd {
  throw signal.reason
}

describe('A running job that is cancelled', () => {
  it('is stopped immediately by this process, and its result is stored', async () => {
    const { stops, handler } = createWaiter(() => ABORTED)
    await withJobs({ handlers: { sample: handler } }, async ({ jobs, add, timers, clock }) => {
      const id = await add()
      const running = jobs.run()
      await timers.sleep(10_100)
      const at = clock()
      expect(await jobs.cancel(ADA, id)).toMatchObject({ state: 'running', isCancelled: true })
      await running
      expect(await jobs.find(ADA, id)).toMatchObject({ ...ABORTED, attempts: 1, endedAt: at })
      expect(stops).toEqual(['cancelled'])
    })
  })

  it('leaves no pending timers', async () => {
    const { handler } = createWaiter(rethrow)
    await withJobs({ handlers: { sample: handler } }, async ({ jobs, add, timers, waiting }) => {
      const id = await add()
      const running = jobs.run()
      await timers.sleep(1_000)
      await jobs.cancel(ADA, id)
      await running
      expect(waiting()).toBe(0)
    })
  })

  it('is stopped within a second by another process, with all jobs of its kind', async () => {
    const { stops, handler } = createWaiter(rethrow)
    await withJobs({ handlers: { sample: handler } }, async (bench) => {
      const { jobs, add, timers, clock, another } = bench
      const ids = [await add(), await add()]
      const running = jobs.run()
      await timers.sleep(4_300)
      const at = clock()
      expect(await another({}).cancelAll('other')).toBe(0)
      expect(await another({}).cancelAll('sample')).toBe(2)
      await running
      for (const id of ids) {
        const job = await jobs.find(ADA, id)
        expect(job).toMatchObject({ state: 'aborted', result: '', failure: 'Cancelled' })
        expect(Number(job?.endedAt) - at < 1_000).toBe(true)
      }
      expect(stops).toEqual(['cancelled', 'cancelled'])
    })
  })

  it('is done if it finishes anyway', async () => {
    const { handler } = createWaiter(() => DONE)
    await withJobs({ handlers: { sample: handler } }, async ({ jobs, add, timers }) => {
      const id = await add()
      const running = jobs.run()
      await timers.sleep(100)
      await jobs.cancel(ADA, id)
      await running
      expect(await jobs.find(ADA, id)).toMatchObject({ ...DONE, isCancelled: true })
    })
  })

  it('ends without its handler if that does not stop', () =>
    withJobs({ handlers: { sample: () => new Promise<never>(() => {}) } }, async (bench) => {
      const { jobs, add, timers, clock } = bench
      const id = await add()
      const running = jobs.run()
      await timers.sleep(100)
      const at = clock()
      await jobs.cancel(ADA, id)
      await running
      const job = await jobs.find(ADA, id)
      expect(job).toMatchObject({ state: 'aborted', failure: 'Cancelled' })
      expect(Number(job?.endedAt) - at < 5_000).toBe(true)
    }))

  it('is not found if it belongs to another account or does not exist', () =>
    withJobs({ handlers: {} }, async ({ jobs, add }) => {
      const id = await add()
      const other = { id: 'acc_bob', name: 'bob' }
      await expect(jobs.cancel(other, id)).rejects.toMatchObject({
        code: 'not_found',
        message: `Job ${id} not found`,
      })
      await expect(jobs.cancel(undefined, id + 1)).rejects.toMatchObject({ code: 'not_found' })
    }))
})

describe('A job in a closing process', () => {
  it('is released and due at once, also if its handler aborts it', async () => {
    for (const finish of [rethrow, () => ABORTED]) {
      const { stops, handler } = createWaiter(finish)
      await withJobs({ handlers: { sample: handler } }, async (bench) => {
        const { jobs, add, timers, clock, another } = bench
        const id = await add()
        const running = jobs.run({ until: 'aborted' })
        await timers.sleep(5_000)
        await jobs.close()
        await running
        expect(await jobs.find(ADA, id)).toMatchObject({
          state: 'queued',
          attempts: 1,
          dueAt: clock(),
          result: '',
        })
        await another({ sample: async () => DONE }).run()
        expect(await jobs.find(ADA, id)).toMatchObject({ ...DONE, attempts: 2 })
        expect(stops).toEqual(['closed'])
      })
    }
  })

  it('is stored if it has just finished', async () => {
    const { handler } = createWaiter(() => DONE)
    await withJobs({ handlers: { sample: handler } }, async ({ jobs, add, runFor }) => {
      const id = await add()
      await runFor(500)
      expect(await jobs.find(ADA, id)).toMatchObject(DONE)
    })
  })

  it('is released without its handler if that does not stop', () =>
    withJobs({ handlers: { sample: () => new Promise<never>(() => {}) } }, async (bench) => {
      const id = await bench.add()
      await bench.runFor(500)
      expect(await bench.jobs.find(ADA, id)).toMatchObject({ state: 'queued', attempts: 1 })
    }))
})

describe('A job in a process that closes during a storage failure', () => {
  it('is abandoned within two seconds, until its lease expires', async () => {
    const { handler } = createWaiter(rethrow)
    await withJobs(
      {
        handlers: { sample: handler },
        change: (store) => ({
          ...store,
          async releaseJob() {
            throw new ServiceError('storage_unavailable', 'Gone')
          },
        }),
      },
      async ({ jobs, add, timers, clock }) => {
        const id = await add()
        const running = jobs.run()
        await timers.sleep(1_000)
        const at = clock()
        await jobs.close()
        await running
        expect(clock() - at).toBe(2_000)
        expect(await jobs.find(ADA, id)).toMatchObject({ state: 'running', attempts: 1 })
      },
    )
  })
})

describe('A lost job', () => {
  it('that another worker claimed is stopped, and nothing is stored', async () => {
    const { stops, handler } = createWaiter(() => DONE)
    await withJobs({ handlers: { sample: handler } }, async (bench) => {
      const { jobs, store, add, timers, clock } = bench
      const id = await add()
      const running = jobs.run()
      await timers.sleep(1_000)
      const later = { kinds: ['sample'], now: clock() + 60_000, leaseMs: 15_000 }
      const claimed = await store.claimJob(later)
      expect(claimed).toMatchObject({ id, attempts: 2 })
      await timers.sleep(1_000)
      expect(stops).toEqual(['lost'])
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'running', attempts: 2, result: '' })
      if (claimed) await store.endJob(claimed, { ...DONE, now: clock() })
      await running
    })
  })

  it('cannot save checkpoints', async () => {
    const failures: unknown[] = []
    const sample: JobHandler = async (_, { save, signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await save('{}').catch((error: unknown) => failures.push(error))
      return DONE
    }
    await withJobs({ handlers: { sample } }, async ({ jobs, store, add, timers, clock }) => {
      await add()
      const running = jobs.run({ until: 'aborted' })
      await timers.sleep(1_000)
      await store.claimJob({ kinds: ['sample'], now: clock() + 60_000, leaseMs: 15_000 })
      await timers.sleep(1_000)
      await jobs.close()
      await running
    })
    expect(failures).toMatchObject([
      {
        code: 'conflict',
        message: 'Cannot save the checkpoint: another worker has claimed the job',
      },
    ])
  })

  it('is stopped before another worker can claim it if the storage fails', async () => {
    const { stops, handler } = createWaiter(() => DONE)
    let isGone = false
    const begun: number[] = []
    await withJobs(
      {
        handlers: { sample: handler },
        change: (store) => ({
          ...store,
          async renewJob(claim, request) {
            if (isGone) throw new ServiceError('storage_unavailable', 'Gone')
            return store.renewJob(claim, request)
          },
        }),
      },
      async ({ jobs, add, timers, another }) => {
        const id = await add()
        const running = jobs.run()
        await timers.sleep(3_000)
        isGone = true
        const next = another({
          sample: async () => {
            begun.push(stops.length)
            return { ...DONE, result: '2' }
          },
        })
        const closing = new AbortController()
        const others = next.run({ until: 'aborted', signal: closing.signal })
        await timers.sleep(20_000)
        closing.abort()
        await Promise.all([others, running])
        expect(stops).toEqual(['lost'])
        expect(begun).toEqual([1])
        expect(await jobs.find(ADA, id)).toMatchObject({ state: 'done', attempts: 2, result: '2' })
      },
    )
  })

  it('is stopped if the storage hangs', async () => {
    const { stops, handler } = createWaiter(() => DONE)
    let isHanging = false
    await withJobs(
      {
        handlers: { sample: handler },
        change: (store) => ({
          ...store,
          renewJob: (claim, request) =>
            isHanging ? new Promise<never>(() => {}) : store.renewJob(claim, request),
        }),
      },
      async ({ add, timers, runFor }) => {
        await add()
        const running = runFor(30_000)
        await timers.sleep(2_000)
        isHanging = true
        await timers.sleep(14_000)
        expect(stops).toEqual(['lost'])
        isHanging = false
        await running
      },
    )
  })
})
