import { describe, expect, it } from 'vitest'
import type { Job, ListedJob } from '../../../core/jobs/records.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB } from './gateway-samples.ts'
import { describeJobClaims } from './job-claims.ts'
import { describeJobEnds } from './job-ends.ts'
import { claimAt, claimSome, DONE, KIND, NOW, sampleJob, toQueued } from './job-samples.ts'
import { TEXTS, toClean } from './texts.ts'

const FIRST = { size: 100, page: 1 }

export function describeJobs(withStorage: WithStorage, more: readonly string[]): void {
  describeQueue(withStorage, more)
  describeJobClaims(withStorage)
  describeJobEnds(withStorage)
}

function describeQueue(withStorage: WithStorage, more: readonly string[]): void {
  describe('the job queue', () => {
    it('assigns increasing IDs, which are not reused after a sweep', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const one = await jobs.addJob(sampleJob())
        const two = await jobs.addJob(sampleJob({ accountId: BOB.id }))
        expect(one).toEqual(toQueued(one, sampleJob()))
        expect(two.id > one.id).toBe(true)
        await jobs.cancelJobs({ kind: KIND, now: NOW })
        expect(await jobs.sweepJobs({ before: NOW + 1, limit: 10 })).toBe(2)
        expect((await jobs.addJob(sampleJob())).id > two.id).toBe(true)
      }))

    it('numbers the jobs of each account and kind from 1, without reuse', () =>
      withStorage(async ({ storage: { jobs }, reopen, has }) => {
        const other = reopen ? await reopen() : undefined
        const add = (accountId: string, kind = KIND) =>
          (other ?? { jobs }).jobs.addJob(sampleJob({ accountId, kind, lock: '' }))
        const added = await Promise.all(
          [1, 2, 3, 4].flatMap(() => [jobs.addJob(sampleJob()), add(ADA.id), add(BOB.id)]),
        )
        await other?.close()
        const numbersOf = (accountId: string) =>
          added
            .filter((job) => job.accountId === accountId)
            .toSorted((one, two) => one.id - two.id)
            .map(({ number }) => number)
        expect(numbersOf(ADA.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
        expect(numbersOf(BOB.id)).toEqual([1, 2, 3, 4])
        const locked = sampleJob({ kind: 'other', lock: 'one' })
        const first = await jobs.addJob(locked)
        const claimOther = async () => (await claimAt(jobs, NOW, ['other'])) ?? { id: 0, fence: 0 }
        await expect(jobs.addJob(locked)).rejects.toMatchObject({ code: 'conflict' })
        await jobs.endJob(await claimOther(), { ...DONE, now: NOW })
        if (has('jobs', 'sweepJobs')) await jobs.sweepJobs({ before: NOW + 1, limit: 10 })
        const second = await jobs.addJob(locked)
        expect([first.number, second.number]).toEqual([1, 2])
        const which = { kind: 'other', number: 2 }
        expect(await jobs.findJob(ADA, which)).toEqual(second)
        expect(await jobs.findJob(BOB, which)).toBe(undefined)
        const gone = has('jobs', 'sweepJobs')
          ? undefined
          : expect.objectContaining({ id: first.id })
        expect(await jobs.findJob(ADA, { ...which, number: 1 })).toEqual(gone)
      }))

    it("lists an account's own jobs, newest first, and all of them to the operator", () =>
      withStorage(async ({ storage: { jobs }, has }) => {
        const added: ListedJob[] = []
        for (let number = 0; number < 6; number += 1) {
          const kind = number < 4 ? KIND : 'other'
          const { id: accountId } = number % 2 === 0 ? ADA : BOB
          added.unshift(
            toListed(await jobs.addJob(sampleJob({ kind, accountId, subject: `${number}` }))),
          )
        }
        const pick = (...numbers: readonly string[]) =>
          added.filter(({ subject }) => numbers.includes(subject))
        expect(await jobs.listJobs(undefined, FIRST)).toEqual({ items: added, total: 6 })
        expect(await jobs.listJobs(ADA, FIRST)).toEqual({ items: pick('0', '2', '4'), total: 3 })
        const kinds = { ...FIRST, kind: KIND }
        expect(await jobs.listJobs(ADA, kinds)).toEqual({ items: pick('0', '2'), total: 2 })
        expect(await jobs.listJobs(BOB, { size: 2, page: 2 })).toEqual({
          items: pick('1'),
          total: 3,
        })
        expect(await jobs.listJobs(undefined, { ...FIRST, state: 'running' })).toEqual({
          items: [],
          total: 0,
        })
        await claimSome(jobs, NOW)
        const running = await jobs.listJobs(ADA, { ...FIRST, state: 'running', kind: KIND })
        expect(running).toMatchObject({ items: [{ subject: '0' }], total: 1 })
        if (!has('jobs', 'countJobs')) return
        expect(await jobs.countJobs()).toEqual([
          { kind: 'other', state: 'queued', count: 2 },
          { kind: KIND, state: 'queued', count: 3 },
          { kind: KIND, state: 'running', count: 1 },
        ])
      }))

    it('finds a job by ID, and the newest of a subject, within the account', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const about = { kind: KIND, subject: 'weather' }
        expect(await jobs.findJob(ADA, about)).toBe(undefined)
        const first = await jobs.addJob(sampleJob())
        const second = await jobs.addJob(sampleJob({ input: '{}' }))
        await jobs.addJob(sampleJob({ subject: 'news' }))
        await jobs.addJob(sampleJob({ kind: 'other' }))
        const foreign = await jobs.addJob(sampleJob({ accountId: BOB.id }))
        expect(await jobs.findJob(ADA, about)).toEqual(second)
        expect(await jobs.findJob(ADA, { id: first.id })).toEqual(first)
        expect(await jobs.findJob(ADA, { id: foreign.id })).toBe(undefined)
        expect(await jobs.findJob(undefined, { id: foreign.id })).toEqual(foreign)
        expect(await jobs.findJob(undefined, { id: foreign.id + 1 })).toBe(undefined)
      }))

    it('has at most one open job per lock, under concurrent requests', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const locked = sampleJob({ lock: 'api.example.com:443' })
        const attempts = await Promise.allSettled(
          Array.from({ length: 20 }, () => jobs.addJob(locked)),
        )
        const added = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        expect(added.length).toBe(1)
        const id = added[0]?.id ?? 0
        await expect(jobs.addJob(locked)).rejects.toMatchObject({
          code: 'conflict',
          message: `Cannot queue the job: job ${id} is open`,
          extra: { job_id: id },
        })
        await expect(jobs.addJob({ ...locked, accountId: BOB.id })).rejects.toMatchObject({
          code: 'conflict',
          message: 'Cannot queue the job: another job is open',
          extra: {},
        })
        const other = await jobs.addJob({ ...locked, lock: 'other' })
        const claimed = await claimSome(jobs, NOW)
        expect(claimed.id).toBe(id)
        await expect(jobs.addJob(locked)).rejects.toMatchObject({ code: 'conflict' })
        await jobs.endJob(claimed, { ...DONE, now: NOW })
        const next = await jobs.addJob({ ...locked, accountId: BOB.id })
        expect(next.id > other.id).toBe(true)
      }))

    it('rejects names that are too long for an index', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const long = 'x'.repeat(5000)
        for (const changes of [{ kind: long }, { subject: long }, { lock: long }]) {
          const adding = jobs.addJob(sampleJob(changes))
          await expect(adding).rejects.toMatchObject({ code: 'invalid_input' })
        }
      }))

    it('stores texts of every kind', () =>
      withStorage(async ({ storage: { jobs } }) => {
        const all = [...TEXTS, ...more].join('\n')
        const added = await jobs.addJob(sampleJob({ input: all }))
        expect(added.input).toBe(toClean(all))
        const claimed = await claimSome(jobs, NOW)
        expect(await jobs.saveCheckpoint(claimed, all)).toBe(true)
        expect((await jobs.findJob(ADA, { id: added.id }))?.checkpoint).toBe(toClean(all))
        const texts = { result: all, failure: all, summary: all }
        await jobs.endJob(claimed, { state: 'failed', ...texts, now: NOW })
        expect(await jobs.findJob(ADA, { id: added.id })).toMatchObject({
          input: toClean(all),
          summary: toClean(all),
          checkpoint: '',
          result: toClean(all),
          failure: toClean(all),
        })
      }))

    it('is swept of ended jobs, oldest first, some at a time', () =>
      withStorage(async ({ storage: { jobs } }) => {
        for (let number = 0; number < 5; number += 1) {
          await jobs.addJob(sampleJob())
          const claimed = await claimSome(jobs, NOW)
          if (number < 4) await jobs.endJob(claimed, { ...DONE, now: NOW + number })
        }
        expect(await jobs.sweepJobs({ before: NOW + 3, limit: 2 })).toBe(2)
        const left = await jobs.listJobs(undefined, { ...FIRST, state: 'done' })
        expect(left.items.map(({ endedAt }) => endedAt)).toEqual([NOW + 3, NOW + 2])
        expect(await jobs.sweepJobs({ before: NOW + 3, limit: 2 })).toBe(1)
        expect(await jobs.sweepJobs({ before: NOW + 3, limit: 2 })).toBe(0)
        expect((await jobs.listJobs(undefined, FIRST)).total).toBe(2)
      }))
  })
}

function toListed({ input, checkpoint, result, ...listed }: Job): ListedJob {
  return listed
}
