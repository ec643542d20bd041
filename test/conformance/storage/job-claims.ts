import { describe, expect, it } from 'vitest'
import type { Job } from '../../../core/jobs/records.ts'
import { MAX_LEASE_MS, NEEDED_WITHIN_MS } from '../../../core/jobs/store.ts'
import type { WithStorage } from '../storage.ts'
import { ADA } from './gateway-samples.ts'
import { claimAt, claimSome, DONE, KIND, LEASE_MS, NOW, sampleJob } from './job-samples.ts'

export function describeJobClaims(withStorage: WithStorage): void {
  describe('claims of jobs', () => {
    it('select the job of the requested kinds that has been due longest', () =>
      withStorage(async ({ storage: { jobs } }) => {
        expect(await claimAt(jobs, NOW)).toBe(undefined)
        const late = await jobs.addJob(sampleJob({ dueAt: NOW + 10 }))
        const early = await jobs.addJob(sampleJob({ dueAt: NOW + 5 }))
        const other = await jobs.addJob(sampleJob({ kind: 'other' }))
        expect(await claimAt(jobs, NOW + 4)).toBe(undefined)
        expect(await claimAt(jobs, NOW + 20, [])).toBe(undefined)
        expect(await claimSome(jobs, NOW + 20)).toEqual({
          ...early,
          state: 'running',
          attempts: 1,
          fence: 1,
          startedAt: NOW + 20,
        })
        expect((await claimSome(jobs, NOW + 20)).id).toBe(late.id)
        expect(await claimAt(jobs, NOW + 20)).toBe(undefined)
        expect((await claimAt(jobs, NOW + 20, ['none', 'other', KIND]))?.id).toBe(other.id)
      }))

    it('succeed for one of many concurrent requests, across connections', () =>
      withStorage(async ({ storage, reopen }) => {
        const others = reopen ? [await reopen(), await reopen()] : []
        const ids: number[] = []
        for (let number = 0; number < 30; number += 1) {
          ids.push((await storage.jobs.addJob(sampleJob())).id)
        }
        const claimed = await Promise.all(
          [storage, ...others].map(async ({ jobs }) => {
            const own: number[] = []
            for (;;) {
              const some = await Promise.all([1, 2, 3].map(() => claimAt(jobs, NOW)))
              const found = some.flatMap((job) => job?.id ?? [])
              if (found.length === 0) return own
              own.push(...found)
            }
          }),
        )
        for (const other of others) await other.close()
        expect(claimed.flat().toSorted((one, two) => one - two)).toEqual(ids)
      }))

    it('remain valid for their lease and its renewals', () =>
      withStorage(async ({ storage: { jobs } }) => {
        await jobs.addJob(sampleJob())
        const first = await claimSome(jobs, NOW)
        const renew = (now: number) => jobs.renewJob(first, { now, leaseMs: LEASE_MS })
        expect(await claimAt(jobs, NOW + LEASE_MS - 1)).toBe(undefined)
        expect(await renew(NOW + LEASE_MS - 1)).toBe('held')
        expect(await claimAt(jobs, NOW + LEASE_MS)).toBe(undefined)
        expect(await jobs.saveCheckpoint(first, '{"sent":3}')).toBe(true)
        const second = await claimSome(jobs, NOW + 3 * LEASE_MS)
        expect(second).toMatchObject({
          id: first.id,
          fence: first.fence + 1,
          attempts: 2,
          checkpoint: '{"sent":3}',
          startedAt: NOW,
        })
        expect(await renew(NOW + 3 * LEASE_MS)).toBe('lost')
        expect(await jobs.saveCheckpoint(first, '{}')).toBe(false)
        expect(await jobs.endJob(first, { ...DONE, now: NOW })).toBe(false)
        expect(await jobs.releaseJob(first, { now: NOW, dueAt: NOW })).toBe(false)
        expect(await jobs.findJob(ADA, { id: first.id })).toMatchObject({
          state: 'running',
          attempts: 2,
          checkpoint: '{"sent":3}',
        })
      }))

    it('are restricted to a requested job', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const first = await jobs.addJob(sampleJob())
        const second = await jobs.addJob(sampleJob({ dueAt: NOW + 5 }))
        const claim = (id: number, now: number, kinds = [KIND]) =>
          jobs.claimJob({ kinds, id, now, leaseMs: LEASE_MS })
        expect(await claim(second.id, NOW + 4)).toBe(undefined)
        expect(await claim(second.id, NOW + 5, ['other'])).toBe(undefined)
        expect(await claim(second.id + 1, NOW + 5)).toBe(undefined)
        expect((await claim(second.id, NOW + 5))?.id).toBe(second.id)
        expect(await claim(second.id, NOW + 5)).toBe(undefined)
        expect((await claim(first.id, NOW + 5))?.id).toBe(first.id)
        expect((await claim(second.id, NOW + 5 + LEASE_MS))?.fence).toBe(2)
      }))

    it('require the capabilities of a job, except to end it', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const needs = 'a key to "Bell\'s"'
        const add = (maxAttempts = 3) => jobs.addJob(sampleJob({ needs, maxAttempts }))
        const claim = (now: number, has?: readonly string[]) =>
          jobs.claimJob({ kinds: [KIND], has, now, leaseMs: LEASE_MS })
        const done = await add()
        expect(await claim(NOW)).toBe(undefined)
        expect(await claim(NOW, ['a key', 'more'])).toBe(undefined)
        expect(await jobs.findJob(ADA, { id: done.id })).toEqual(done)
        const claimed = await claim(NOW, ['more', needs])
        expect(claimed).toMatchObject({ id: done.id, needs, attempts: 1 })
        expect(await claim(NOW + LEASE_MS)).toBe(undefined)
        expect(await jobs.endJob(claimed ?? { id: 0, fence: 0 }, { ...DONE, now: NOW })).toBe(true)
        const [late, cancelled, broken] = [await add(), await add(), await add(1)]
        const [id, brokenId] = [cancelled.id, broken.id]
        await jobs.claimJob({ kinds: [KIND], id, has: [needs], now: NOW, leaseMs: LEASE_MS })
        await jobs.claimJob({
          kinds: [KIND],
          id: brokenId,
          has: [needs],
          now: NOW,
          leaseMs: LEASE_MS,
        })
        await jobs.cancelJob(ADA, { id, now: NOW })
        expect(await claim(NOW + NEEDED_WITHIN_MS - 1)).toBe(undefined)
        const states = async () =>
          (
            await Promise.all(
              [late, cancelled, broken].map((job) => jobs.findJob(ADA, { id: job.id })),
            )
          ).map((job) => [job?.state, job?.attempts, job?.failure])
        const ended = [
          ['aborted', 1, 'Cancelled'],
          ['failed', 1, 'All attempts were interrupted: 1 of 1'],
        ]
        expect(await states()).toEqual([['queued', 0, ''], ...ended])
        const told: Job[] = []
        expect(
          await jobs.claimJob({
            ...{ kinds: [KIND], now: NOW + NEEDED_WITHIN_MS, leaseMs: LEASE_MS },
            onEnded: (job) => void told.push(job),
          }),
        ).toBe(undefined)
        expect(told).toEqual([await jobs.findJob(ADA, { id: late.id })])
        const why = `Not started within an hour: it requires a worker with ${needs}`
        expect(await states()).toEqual([['failed', 0, why], ...ended])
      }))

    it('are renewed even after their lease, unless the job was claimed again', () =>
      withStorage(async ({ storage: { jobs } }) => {
        await jobs.addJob(sampleJob())
        const claimed = await claimSome(jobs, NOW)
        const later = NOW + 9 * LEASE_MS
        expect(await jobs.renewJob(claimed, { now: later, leaseMs: LEASE_MS })).toBe('held')
        expect(await claimAt(jobs, later + LEASE_MS - 1)).toBe(undefined)
      }))

    it("are possible again after a job's release, once it is due", () =>
      withStorage(async ({ storage: { jobs } }) => {
        const added = await jobs.addJob(sampleJob())
        const claimed = await claimSome(jobs, NOW)
        const dueAt = NOW + 500
        expect(await jobs.releaseJob(claimed, { now: NOW + 1, dueAt })).toBe(true)
        expect(await jobs.findJob(ADA, { id: added.id })).toEqual({
          ...added,
          attempts: 1,
          dueAt,
          startedAt: NOW,
        })
        expect(await jobs.renewJob(claimed, { now: NOW, leaseMs: LEASE_MS })).toBe('lost')
        expect(await jobs.endJob(claimed, { ...DONE, now: NOW })).toBe(false)
        expect(await claimAt(jobs, dueAt - 1)).toBe(undefined)
        expect(await claimSome(jobs, dueAt)).toMatchObject({ attempts: 2, fence: 2, dueAt })
      }))

    it('do not wait for a clock that was set back', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const ahead = NOW + 2 * MAX_LEASE_MS
        const claimable = await jobs.addJob(sampleJob({ createdAt: ahead, dueAt: ahead }))
        const held = await claimSome(jobs, ahead)
        const planned = await jobs.addJob(sampleJob({ dueAt: ahead }))
        expect((await claimSome(jobs, NOW)).fence).toBe(held.fence + 1)
        const queued = await jobs.addJob(sampleJob({ createdAt: ahead, dueAt: ahead }))
        expect((await claimSome(jobs, NOW)).id).toBe(queued.id)
        expect(await claimAt(jobs, NOW)).toBe(undefined)
        expect([claimable.id < planned.id, planned.id < queued.id]).toEqual([true, true])
      }))
  })
}
