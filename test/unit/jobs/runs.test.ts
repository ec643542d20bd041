import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import type { JobEnd, JobHandler } from '../../../core/jobs/records.ts'
import type { JobStore } from '../../../core/jobs/store.ts'
import { ADA, withJobs } from '../../helpers/job-bench.ts'

const DONE: JobEnd = { state: 'done', result: '{}', failure: '' }
const DAY_MS = 86_400_000

describe('A run until idle', () => {
  it('runs all due jobs up to the concurrency limit, then returns', async () => {
    let present = 0
    let most = 0
    let pause = async () => {}
    const sample: JobHandler = async () => {
      present += 1
      most = Math.max(most, present)
      await pause()
      present -= 1
      return DONE
    }
    await withJobs({ handlers: { sample } }, async ({ jobs, add, timers, clock }) => {
      pause = () => timers.sleep(100)
      for (let number = 0; number < 10; number += 1) await add()
      const later = await add({ dueAt: clock() + 60_000 })
      await jobs.run({ concurrency: 3 })
      expect(most).toBe(3)
      expect(await jobs.readGauges()).toMatchObject([
        {
          samples: [
            { labels: { state: 'done' }, value: 10 },
            { labels: { state: 'queued' }, value: 1 },
          ],
        },
      ])
      expect(await jobs.find(ADA, later)).toMatchObject({ state: 'queued' })
    })
  })

  it('runs jobs that other jobs queued', async () => {
    const done: string[] = []
    await withJobs(
      {
        handlers: {
          sample: async ({ input }) => {
            done.push(input)
            if (Number(input) < 5) await addNext(String(Number(input) + 1))
            return DONE
          },
        },
      },
      async ({ jobs, add }) => {
        addNext = async (input) => {
          await add({ input })
        }
        await add({ input: '1' })
        await jobs.run()
        expect(done).toEqual(['1', '2', '3', '4', '5'])
      },
    )
  })
  let addNext = async (_: string) => {}

  it('returns immediately without jobs, and rejects if the storage fails', () => {
    let isGone = false
    return withJobs(
      {
        handlers: { sample: async () => DONE },
        change: (store) => ({
          ...store,
          claimJob: async (request) => {
            if (isGone) throw new ServiceError('storage_unavailable', 'Gone')
            return store.claimJob(request)
          },
        }),
      },
      async ({ jobs, clock }) => {
        const at = clock()
        await jobs.run()
        expect(clock()).toBe(at)
        isGone = true
        await expect(jobs.run()).rejects.toMatchObject({ code: 'storage_unavailable' })
      },
    )
  })
})

describe('A run until aborted', () => {
  it('starts jobs queued by this process immediately, and others within a second', async () => {
    const waits: Record<string, number> = {}
    let now = () => 0
    const sample: JobHandler = async ({ subject, createdAt }) => {
      waits[subject] = now() - createdAt
      return DONE
    }
    await withJobs({ handlers: { sample } }, async ({ jobs, add, another, timers, clock }) => {
      now = clock
      const closing = new AbortController()
      const running = jobs.run({ until: 'aborted', signal: closing.signal })
      await timers.sleep(5_100)
      await add({ subject: 'own' })
      await timers.sleep(2_050)
      await another({}).add(ADA, { kind: 'sample', subject: 'foreign', input: '' })
      await timers.sleep(2_000)
      closing.abort()
      await running
      expect(waits.own).toBe(0)
      expect(Number(waits.foreign) < 1_000).toBe(true)
    })
  })

  it('continues after a storage failure, which it logs once', () => {
    let isGone = true
    return withJobs(
      {
        handlers: { sample: async () => DONE },
        change: (store) => ({
          ...store,
          claimJob: async (request) => {
            if (isGone) throw new ServiceError('storage_unavailable', 'Gone')
            return store.claimJob(request)
          },
        }),
      },
      async ({ jobs, add, timers, runFor, logged }) => {
        const id = await add()
        const running = runFor(30_000)
        await timers.sleep(10_000)
        isGone = false
        await running
        expect(await jobs.find(ADA, id)).toMatchObject({ state: 'done' })
        expect(logged.filter(({ level }) => level === 'error')).toEqual([
          { level: 'error', event: 'jobs_not_claimed', reason: 'storage_unavailable' },
        ])
      },
    )
  })

  it('ends immediately if it was already aborted', () =>
    withJobs({ handlers: { sample: async () => DONE } }, async ({ jobs, add }) => {
      const id = await add()
      await jobs.run({ until: 'aborted', signal: AbortSignal.abort() })
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'queued', attempts: 0 })
    }))

  it('releases a job claimed while closing without starting it', () => {
    let begun = 0
    let close = async () => {}
    return withJobs(
      {
        handlers: {
          sample: async () => {
            begun += 1
            return DONE
          },
        },
        change: (store) => ({
          ...store,
          async claimJob(request) {
            const claimed = await store.claimJob(request)
            void close()
            return claimed
          },
        }),
      },
      async ({ jobs, add }) => {
        close = () => jobs.close()
        const id = await add()
        await jobs.run({ until: 'aborted' })
        expect(await jobs.find(ADA, id)).toMatchObject({ state: 'queued', attempts: 1 })
        expect(begun).toBe(0)
      },
    )
  })

  it('deletes expired jobs in batches', () =>
    withJobs({ handlers: { sample: async () => DONE }, keepMs: 2 * DAY_MS }, async (bench) => {
      const { jobs, add, timers, runFor } = bench
      for (let number = 0; number < 450; number += 1) await add()
      await jobs.run()
      await timers.sleep(DAY_MS)
      const kept = await add()
      await runFor(1_000)
      expect((await jobs.list(undefined, { size: 1, page: 1 })).total).toBe(451)
      await timers.sleep(DAY_MS + 1)
      await runFor(5_000)
      expect(await jobs.list(undefined, { size: 1, page: 1 })).toMatchObject({
        items: [{ id: kept }],
        total: 1,
      })
    }))
})

describe('A lock', () => {
  it('belongs to one open job across all accounts', () =>
    withJobs({ handlers: { sample: async () => DONE } }, async ({ jobs, add }) => {
      const id = await add({ lock: 'api.example.com:443' })
      await expect(add({ lock: 'api.example.com:443' })).rejects.toMatchObject({
        code: 'conflict',
        extra: { job_id: id },
      })
      await jobs.run()
      await add({ lock: 'api.example.com:443' })
    }))
})

describe('The onSettled callback', () => {
  it('receives jobs that end without an attempt', () =>
    withJobs({ handlers: { sample: async () => DONE } }, async ({ jobs, add, timers, logged }) => {
      const id = await add({ needs: 'a key', subject: 'weather' })
      await timers.sleep(3_600_000)
      const told: object[] = []
      await jobs.run({ onSettled: (left) => void told.push(left) })
      expect(told).toEqual([
        {
          ...{ id, number: 1, kind: 'sample', accountId: ADA.id, subject: 'weather', attempts: 0 },
          ...{ outcome: 'failed', durationMs: undefined },
          reason: 'Not started within an hour: it requires a worker with a key',
        },
      ])
      expect(logged).toEqual([
        { level: 'info', event: 'job_left', id, kind: 'sample', attempt: 0, as: 'failed' },
      ])
    }))

  it('receives the outcome and reason of each attempt', async () => {
    const sample: JobHandler = async ({ input, attempts }) => {
      if (input === 'again' && attempts === 1) throw new ServiceError('overloaded', 'Too busy')
      if (input === 'bad') throw new Error('secret')
      return DONE
    }
    await withJobs({ handlers: { sample } }, async ({ jobs, add, timers }) => {
      const told: object[] = []
      const ids = [await add({ input: 'again', subject: 'weather' })]
      ids.push(await add({ input: 'bad', maxAttempts: 1 }))
      const onLeft = (left: object) => void told.push(left)
      await jobs.run({ onSettled: onLeft, concurrency: 1 })
      await timers.sleep(1_000)
      await jobs.run({ onSettled: onLeft })
      const [first, second] = ids
      const weather = {
        id: first,
        number: 1,
        kind: 'sample',
        accountId: ADA.id,
        subject: 'weather',
      }
      expect(told).toEqual([
        { ...weather, attempts: 1, outcome: 'released', reason: 'Too busy', durationMs: 0 },
        {
          ...{ ...weather, id: second, number: 2, subject: '', attempts: 1 },
          ...{ outcome: 'failed', reason: 'Internal error', durationMs: 0 },
        },
        { ...weather, attempts: 2, outcome: 'done', reason: '', durationMs: 0 },
      ])
    })
  })
})

describe('A job that needs a capability', () => {
  it('is left to a worker that has it, without an attempt and without repeated claims', async () => {
    let looks = 0
    const change = (store: JobStore): JobStore => ({
      ...store,
      claimJob(request) {
        looks += 1
        return store.claimJob(request)
      },
    })
    const handlers = { sample: async () => DONE }
    await withJobs({ handlers, change }, async ({ jobs, add, another, runFor }) => {
      const id = await add({ needs: 'a printer' })
      await runFor(60_000)
      expect(looks <= 100).toBe(true)
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'queued', attempts: 0 })
      await another(handlers, ['a scanner', 'a printer']).run()
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'done', attempts: 1 })
    })
  })
})
