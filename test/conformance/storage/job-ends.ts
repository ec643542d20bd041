import { describe, expect, it } from 'vitest'
import { MAX_LEASE_MS } from '../../../core/jobs/store.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB } from './gateway-samples.ts'
import { claimAt, claimSome, DONE, KIND, LEASE_MS, NOW, sampleJob } from './job-samples.ts'

export function describeJobEnds(withStorage: WithStorage): void {
  describe('ends of jobs', () => {
    it('are stored once', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const added = await jobs.addJob(sampleJob())
        const claimed = await claimSome(jobs, NOW + 1)
        await jobs.saveCheckpoint(claimed, '{"sent":3}')
        const ends = await Promise.all(
          [1, 2, 3].map((number) =>
            jobs.endJob(claimed, {
              ...DONE,
              result: `${number}`,
              summary: `{"of":${number}}`,
              now: NOW + 2,
            }),
          ),
        )
        expect(ends.filter((isStored) => isStored).length).toBe(1)
        expect(await jobs.findJob(ADA, { id: added.id })).toEqual({
          ...added,
          state: 'done',
          attempts: 1,
          summary: `{"of":${ends.indexOf(true) + 1}}`,
          checkpoint: '',
          result: `${ends.indexOf(true) + 1}`,
          startedAt: NOW + 1,
          endedAt: NOW + 2,
        })
        expect(await jobs.renewJob(claimed, { now: NOW, leaseMs: LEASE_MS })).toBe('lost')
        expect(await claimAt(jobs, NOW + MAX_LEASE_MS)).toBe(undefined)
      }))

    it('are automatic when no attempts are left', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const added = await jobs.addJob(sampleJob({ maxAttempts: 2, lock: 'one' }))
        const next = await jobs.addJob(sampleJob({ dueAt: NOW + 4 * LEASE_MS }))
        for (const turn of [0, 1]) {
          await jobs.saveCheckpoint(await claimSome(jobs, NOW + turn * LEASE_MS), '{"sent":3}')
        }
        const now = NOW + 9 * LEASE_MS
        expect((await claimSome(jobs, now)).id).toBe(next.id)
        expect(await jobs.findJob(ADA, { id: added.id })).toEqual({
          ...added,
          state: 'failed',
          attempts: 2,
          failure: 'All attempts were interrupted: 2 of 2',
          startedAt: NOW,
          endedAt: now,
        })
        await jobs.addJob(sampleJob({ lock: 'one' }))
      }))

    it('are immediate when a queued job is cancelled', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const added = await jobs.addJob(sampleJob())
        const aborted = {
          ...added,
          state: 'aborted',
          isCancelled: true,
          failure: 'Cancelled',
          endedAt: NOW + 3,
        }
        expect(await jobs.cancelJob(BOB, { id: added.id, now: NOW })).toBe(undefined)
        expect(await jobs.cancelJob(ADA, { id: added.id + 1, now: NOW })).toBe(undefined)
        expect(await jobs.cancelJob(ADA, { id: added.id, now: NOW + 3 })).toEqual(aborted)
        expect(await jobs.cancelJob(ADA, { id: added.id, now: NOW + 4 })).toEqual(aborted)
        expect(await claimAt(jobs, NOW + 5)).toBe(undefined)
      }))

    it('wait for the worker when a running job is cancelled, unless it is lost', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const kept = await jobs.addJob(sampleJob())
        const given = await jobs.addJob(sampleJob())
        const left = await jobs.addJob(sampleJob())
        const [one, two, three] = [
          await claimSome(jobs, NOW),
          await claimSome(jobs, NOW),
          await claimSome(jobs, NOW),
        ]
        for (const { id } of [kept, given, left]) {
          expect(await jobs.cancelJob(undefined, { id, now: NOW + 1 })).toMatchObject({
            state: 'running',
            isCancelled: true,
            endedAt: undefined,
          })
        }
        expect(await jobs.renewJob(one, { now: NOW + 2, leaseMs: LEASE_MS })).toBe('cancelled')
        const end = { state: 'aborted', result: '{}', failure: 'Cancelled after 3' } as const
        expect(await jobs.endJob(one, { ...end, now: NOW + 3 })).toBe(true)
        expect(await jobs.releaseJob(two, { now: NOW + 4, dueAt: NOW + 9 })).toBe(true)
        expect(await claimAt(jobs, NOW + LEASE_MS)).toBe(undefined)
        expect(await jobs.renewJob(three, { now: NOW, leaseMs: LEASE_MS })).toBe('lost')
        const found = await Promise.all(
          [kept, given, left].map(({ id }) => jobs.findJob(ADA, { id })),
        )
        expect(found).toMatchObject([
          { ...end, endedAt: NOW + 3 },
          { state: 'aborted', failure: 'Cancelled', endedAt: NOW + 4 },
          { state: 'aborted', failure: 'Cancelled', endedAt: NOW + LEASE_MS },
        ])
      }))

    it('apply to all open jobs of a kind at once', () =>
      withStorage(async ({ storage: { jobs } }) => {
        for (const accountId of [ADA.id, BOB.id, ADA.id])
          await jobs.addJob(sampleJob({ accountId }))
        const other = await jobs.addJob(sampleJob({ kind: 'other' }))
        const done = await claimSome(jobs, NOW)
        await jobs.endJob(done, { ...DONE, now: NOW })
        const running = await claimSome(jobs, NOW)
        expect(await jobs.cancelJobs({ kind: KIND, now: NOW + 1 })).toBe(2)
        expect(await jobs.renewJob(running, { now: NOW, leaseMs: LEASE_MS })).toBe('cancelled')
        expect(await jobs.countJobs()).toEqual([
          { kind: 'other', state: 'queued', count: 1 },
          { kind: KIND, state: 'aborted', count: 1 },
          { kind: KIND, state: 'done', count: 1 },
          { kind: KIND, state: 'running', count: 1 },
        ])
        expect(await jobs.findJob(ADA, { id: other.id })).toEqual(other)
      }))
  })
}
