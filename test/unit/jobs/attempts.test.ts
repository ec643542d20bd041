import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import type { JobEnd, JobHandler } from '../../../core/jobs/records.ts'
import { ADA, withJobs } from '../../helpers/job-bench.ts'

const DONE: JobEnd = { state: 'done', result: '{"ok":true}', failure: '' }

describe('A job', () => {
  it('runs once, and its result is stored', () =>
    withJobs(
      { handlers: { sample: async (job) => ({ ...DONE, result: job.input }) } },
      async (bench) => {
        const id = await bench.add({ input: '{"city":"Tartu"}', subject: 'weather' })
        await bench.jobs.run()
        expect(await bench.jobs.find(ADA, id)).toEqual({
          id,
          number: 1,
          kind: 'sample',
          accountId: ADA.id,
          subject: 'weather',
          lock: '',
          needs: '',
          summary: '',
          input: '{"city":"Tartu"}',
          state: 'done',
          attempts: 1,
          maxAttempts: 5,
          isCancelled: false,
          checkpoint: '',
          result: '{"city":"Tartu"}',
          failure: '',
          createdAt: bench.clock(),
          dueAt: bench.clock(),
          startedAt: bench.clock(),
          endedAt: bench.clock(),
        })
        expect(bench.logged).toEqual([
          { level: 'info', event: 'job_began', id, kind: 'sample', attempt: 1 },
          { level: 'info', event: 'job_left', id, kind: 'sample', attempt: 1, as: 'done', ms: 0 },
        ])
        expect(await bench.jobs.readGauges()).toEqual([
          {
            name: 'jobs',
            help: 'Jobs of the queue, by kind and state.',
            samples: [{ labels: { kind: 'sample', state: 'done' }, value: 1 }],
          },
        ])
      },
    ))

  it('of an unknown kind stays queued', () =>
    withJobs({ handlers: {} }, async ({ jobs, add }) => {
      const id = await add()
      await jobs.run()
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'queued', attempts: 0 })
    }))

  it('is retried with exponential backoff, until its attempts are used up', () => {
    const begun: number[] = []
    const sample: JobHandler = async () => {
      begun.push(0)
      throw new Error('connect to db://user:secret@10.0.0.1 at /home/app/x.ts')
    }
    return withJobs({ handlers: { sample } }, async ({ jobs, add, runFor, clock, logged }) => {
      const id = await add({ maxAttempts: 4 })
      const from = clock()
      await runFor(60_000)
      expect(begun.length).toBe(4)
      const job = await jobs.find(ADA, id)
      expect(job).toMatchObject({
        state: 'failed',
        attempts: 4,
        result: '',
        failure: 'Internal error (attempt 4)',
      })
      // The random bytes are 0 here, so each delay is half of its maximum.
      expect(Number(job?.dueAt) - from >= 500 + 1000 + 2000).toBe(true)
      expect(logged.filter(({ event }) => event === 'job_attempt_failed').length).toBe(4)
    })
  })

  it('fails with the message of a service error', () => {
    const sample: JobHandler = async () => {
      throw new ServiceError('not_found', 'Cannot test the endpoint: there is none')
    }
    return withJobs({ handlers: { sample } }, async ({ jobs, add }) => {
      const id = await add({ maxAttempts: 1 })
      await jobs.run()
      expect(await jobs.find(ADA, id)).toMatchObject({
        state: 'failed',
        failure: 'Cannot test the endpoint: there is none',
      })
    })
  })

  it('passes its checkpoint to the next attempt', () => {
    const seen: unknown[] = []
    const sample: JobHandler = async (job, { attempt, save }) => {
      seen.push([attempt, job.checkpoint])
      if (attempt === 3) return DONE
      await save(`{"attempt":${attempt}}`)
      throw new Error('broke off')
    }
    return withJobs({ handlers: { sample } }, async ({ jobs, add, runFor }) => {
      const id = await add()
      await runFor(20_000)
      expect(seen).toEqual([
        [1, ''],
        [2, '{"attempt":1}'],
        [3, '{"attempt":2}'],
      ])
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'done', attempts: 3 })
    })
  })

  it('keeps its lease however long it runs', () => {
    let others = 0
    const sample: JobHandler = async (_, { signal }) => {
      await sleepLong(signal)
      return DONE
    }
    let sleepLong = async (_: AbortSignal) => {}
    return withJobs({ handlers: { sample } }, async ({ jobs, add, another, timers }) => {
      sleepLong = (signal) => timers.sleep(300_000, signal)
      const id = await add()
      const running = jobs.run()
      const other = another({
        sample: async () => {
          others += 1
          return DONE
        },
      })
      const stop = new AbortController()
      const idle = other.run({ until: 'aborted', signal: stop.signal })
      await running
      stop.abort()
      await idle
      expect(others).toBe(0)
      expect(await jobs.find(ADA, id)).toMatchObject({ state: 'done', attempts: 1 })
    })
  })

  it('is stored despite a temporary storage failure', () => {
    let failures = 0
    return withJobs(
      {
        handlers: { sample: async () => DONE },
        change: (store) => ({
          ...store,
          async endJob(claim, end) {
            failures += 1
            if (failures < 6) throw new ServiceError('storage_unavailable', 'Gone for a moment')
            return store.endJob(claim, end)
          },
        }),
      },
      async ({ jobs, add }) => {
        const id = await add()
        await jobs.run()
        expect(await jobs.find(ADA, id)).toMatchObject({ state: 'done', attempts: 1 })
      },
    )
  })
})
