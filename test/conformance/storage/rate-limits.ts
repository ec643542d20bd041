import { describe, expect, it } from 'vitest'
import type { ClaimedJob, NewJob } from '../../../core/jobs/records.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import type { RunReservation, TakeRequest } from '../../../core/rate-limits/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB, DAY } from './gateway-samples.ts'
import { countTaken, HOST, NOW, sampleRun } from './rate-limit-samples.ts'

export function describeRateLimits(withStorage: WithStorage): void {
  describe('consent tokens', () => {
    it('are fixed by the first request of each account', () =>
      withStorage(async ({ storage: { rateLimits } }) => {
        expect(await rateLimits.getConsentToken(ADA, 'token-1')).toBe('token-1')
        expect(await rateLimits.getConsentToken(ADA, 'token-2')).toBe('token-1')
        expect(await rateLimits.getConsentToken(BOB, 'token-3')).toBe('token-3')
      }))

    it('are unique under concurrent requests', () =>
      withStorage(async ({ storage: { rateLimits } }) => {
        const asked = Array.from({ length: 20 }, (_, n) =>
          rateLimits.getConsentToken(ADA, `token-${n}`),
        )
        expect(new Set(await Promise.all(asked)).size).toBe(1)
      }))
  })

  describe('budgets of rate-limit tests', () => {
    it('are reserved for open runs, and unused requests return at their end', () =>
      withStorage(async ({ storage }) => {
        const { jobs } = storage
        const first = await addRun(storage, { lock: 'a:443' })
        expect(first).toMatchObject({ job: { state: 'queued', number: 1, lock: 'a:443' } })
        for (const lock of ['b:443', 'c:443']) {
          expect(await addRun(storage, { lock })).toHaveProperty('job')
        }
        const short = { short: 'account', left: 100, reserved: 900 }
        expect(await addRun(storage, { lock: 'd:443' })).toEqual(short)
        expect((await jobs.listJobs(ADA, { page: 1, size: 9 })).total).toBe(3)
        await expect(addRun(storage, { lock: 'a:443', requests: 1 })).rejects.toMatchObject({
          code: 'conflict',
        })
        expect(await addRun(storage, { lock: 'd:443', accountId: BOB.id })).toHaveProperty('job')
        const request = { kinds: ['rate-limit-test'], now: NOW, leaseMs: 15_000 }
        const claim = await jobs.claimJob(request)
        const lease = claim ?? { id: 0, fence: 0 }
        const take = takerOf(storage, { claim: lease, host: 'a:443' })
        expect([await take(40), await take(10)]).toEqual([{ count: 40 }, { count: 10 }])
        // Taken requests count once, whether or not they are part of the reservation.
        expect(await addRun(storage, { lock: 'e:443' })).toEqual({ ...short, reserved: 850 })
        const read = (account: Account, host: string, day = DAY) =>
          storage.rateLimits.readDay({ account, host, day })
        const reserved = 850
        expect(await read(ADA, 'a:443')).toEqual({ ofAccount: 50, reserved, ofHost: 50 })
        expect(await read(ADA, 'b:443')).toEqual({ ofAccount: 50, reserved, ofHost: 0 })
        const next = await read(ADA, 'a:443', '2026-03-15')
        expect(next).toEqual({ ofAccount: 0, reserved, ofHost: 0 })
        expect(await read(BOB, 'a:443')).toEqual({ ofAccount: 0, reserved: 300, ofHost: 50 })
        // A new day has the same reservations, but no taken requests.
        expect(await addRun(storage, { lock: 'e:443', day: '2026-03-15' })).toEqual({
          ...{ short: 'account', left: 150, reserved: 850 },
        })
        const end = { state: 'done' as const, result: '{}', failure: '', now: NOW }
        expect(await jobs.endJob(lease, end)).toBe(true)
        const after = { short: 'account', left: 350, reserved: 600 }
        expect(await addRun(storage, { lock: 'e:443', requests: 351 })).toEqual(after)
        expect(await addRun(storage, { lock: 'e:443', requests: 350 })).toHaveProperty('job')
        await jobs.cancelJobs({ kind: 'rate-limit-test', now: NOW })
        const ofHost = { lock: 'a:443', hostBudget: 349 }
        expect(await addRun(storage, ofHost)).toEqual({ short: 'host', left: 299, reserved: 0 })
        expect(await addRun(storage, { ...ofHost, requests: 299 })).toHaveProperty('job')
        await jobs.cancelJobs({ kind: 'rate-limit-test', now: NOW })
        expect(await countTaken(storage, { account: ADA, host: 'a:443', day: DAY })).toEqual({
          account: 50,
          host: 50,
        })
      }))

    it('are not reserved twice by concurrent starts, even at midnight', () =>
      withStorage(async ({ storage, reopen }) => {
        const others = reopen ? [await reopen(), await reopen()] : []
        try {
          const all = [storage, ...others]
          const added = await Promise.all(
            Array.from({ length: 60 }, (_, n) =>
              addRun(all[n % all.length] ?? storage, {
                lock: `${n}:443`,
                requests: 40 + (n % 2),
                // Clocks disagree on when a day begins.
                day: n % 5 < 2 ? DAY : '2026-03-15',
              }),
            ),
          )
          const sizes = added.flatMap((each, n) => ('job' in each ? 40 + (n % 2) : []))
          const sum = sizes.reduce((total, size) => total + size, 0)
          expect(sum <= 1000 && sum > 1000 - 41).toBe(true)
          const { items } = await storage.jobs.listJobs(ADA, { page: 1, size: 100 })
          expect(items.map(({ number }) => number).toReversed()).toEqual(
            sizes.map((_, index) => index + 1),
          )
        } finally {
          for (const other of others) await other.close()
        }
      }))

    it('grant the requested number, then the rest, then report the exhausted budget', () =>
      withStorage(async ({ storage }) => {
        const { rateLimits } = storage
        const claim = await claimRun(storage, { requests: 10 })
        const take = takerOf(storage, { claim })
        expect([await take(4), await take(4), await take(4), await take(1)]).toEqual([
          { count: 4 },
          { count: 4 },
          { count: 2 },
          { count: 0, reason: 'run' },
        ])
        expect(await take(0)).toEqual({ count: 0 })
        expect(await rateLimits.countRuns([1, 2])).toEqual(new Map([[1, 10]]))
        expect(await rateLimits.countRuns([])).toEqual(new Map())
        const end = { state: 'done' as const, result: '{}', failure: '', now: NOW }
        await storage.jobs.endJob(claim, end)
        const count = (account: Account, host = HOST, day = DAY) =>
          countTaken(storage, { account, host, day })
        expect(await count(ADA)).toEqual({ account: 10, host: 10 })
        expect(await count(BOB)).toEqual({ account: 0, host: 10 })
        const nobodys = { account: 0, host: 0 }
        expect(await count(BOB, 'b.example:443')).toEqual(nobodys)
        expect(await count(ADA, HOST, '2026-03-15')).toEqual(nobodys)
      }))

    it('grant nothing to a run without a budget', () =>
      withStorage(async ({ storage }) => {
        await storage.jobs.addJob(sampleRun())
        const take = takerOf(storage, { claim: await claimNext(storage) })
        expect(await take(1)).toEqual({ count: 0, reason: 'run' })
      }))

    it('apply to account and host, for each day', () =>
      withStorage(async ({ storage }) => {
        const claim = await claimRun(storage)
        const take = (changes: Partial<TakeRequest>) =>
          takerOf(storage, { claim, ...changes })(changes.wanted ?? 5)
        expect(await take({ accountBudget: 7 })).toEqual({ count: 5 })
        expect(await take({ accountBudget: 7 })).toEqual({ count: 2 })
        expect(await take({ accountBudget: 7 })).toEqual({ count: 0, reason: 'account' })
        expect(await take({ hostBudget: 9 })).toEqual({ count: 2 })
        expect(await take({ hostBudget: 9 })).toEqual({ count: 0, reason: 'host' })
        const other = { host: 'b.example:443', hostBudget: 9 }
        expect(await take(other)).toEqual({ count: 5 })
        const next = { day: '2026-03-15', accountBudget: 7, hostBudget: 9 }
        expect(await take({ ...next, wanted: 100 })).toEqual({ count: 7 })
        expect(await countRun(storage, claim)).toBe(9 + 5 + 7)
      }))

    it('grant nothing to a run that is lost or cancelled', () =>
      withStorage(async ({ storage }) => {
        const { jobs } = storage
        const claim = await claimRun(storage)
        const take = takerOf(storage, { claim })
        expect(await takerOf(storage, { claim: { id: 99, fence: 1 } })(1)).toEqual(LOST)
        expect(await takerOf(storage, { claim: { ...claim, fence: claim.fence - 1 } })(1)).toEqual(
          LOST,
        )
        const request = { kinds: ['rate-limit-test'], now: NOW + 60_000, leaseMs: 15_000 }
        const next = await jobs.claimJob(request)
        expect(await take(1)).toEqual(LOST)
        const takeNext = takerOf(storage, { claim: next ?? claim })
        expect(await takeNext(1)).toEqual({ count: 1 })
        await jobs.cancelJob(ADA, { id: claim.id, now: NOW })
        const cancelled = { count: 0, reason: 'cancelled' }
        expect([await takeNext(1), await takeNext(0)]).toEqual([cancelled, cancelled])
        const end = { state: 'aborted' as const, result: '', failure: '', now: NOW }
        await jobs.endJob(next ?? claim, end)
        expect(await takeNext(1)).toEqual(LOST)
        expect(await countRun(storage, claim)).toBe(1)
      }))

    it('of 500 requests never grant more under concurrency', () =>
      withStorage(async ({ storage, reopen }) => {
        const others = reopen ? [await reopen(), await reopen()] : []
        try {
          const runs = [
            { account: ADA, claim: await claimRun(storage) },
            {
              account: BOB,
              claim: await claimRun(storage, { accountId: BOB.id, lock: 'b.example:443' }),
            },
          ]
          const takers = [storage, ...others].flatMap((each) =>
            runs.flatMap((run) =>
              [run, run].map((one) => takerOf(each, { ...one, hostBudget: 500 })),
            ),
          )
          const taken = await Promise.all(
            takers.map(async (take, index) => {
              let sum = 0
              for (let turn = 0; turn < 500; turn += 1) {
                const { count } = await take(1 + ((index * 3 + turn * 7) % 10))
                if (count === 0) return sum
                sum += count
                await new Promise((resolve) => setTimeout(resolve, turn % 3))
              }
              return sum
            }),
          )
          expect(taken.reduce((sum, count) => sum + count, 0)).toBe(500)
          await storage.jobs.cancelJobs({ kind: 'rate-limit-test', now: NOW })
          const end = { state: 'aborted' as const, result: '', failure: '', now: NOW }
          for (const { claim } of runs) await storage.jobs.endJob(claim, end)
          const [ada, bob] = await Promise.all(
            [ADA, BOB].map((account) => countTaken(storage, { account, host: HOST, day: DAY })),
          )
          expect([ada?.host, (ada?.account ?? 0) + (bob?.account ?? 0)]).toEqual([500, 500])
        } finally {
          for (const other of others) await other.close()
        }
      }))
  })
}

async function countRun({ rateLimits }: FullStorage, { id }: { readonly id: number }) {
  return (await rateLimits.countRuns([id])).get(id)
}

const LOST = { count: 0, reason: 'lost' }

/** Starts a run, by default of 1,000 requests. */
async function claimRun(
  storage: FullStorage,
  changes: Partial<NewJob> & Partial<RunReservation> = {},
): Promise<ClaimedJob> {
  await addRun(storage, { requests: 1000, lock: HOST, ...changes })
  return claimNext(storage)
}

async function claimNext({ jobs }: FullStorage): Promise<ClaimedJob> {
  const request = { kinds: ['rate-limit-test'], now: NOW, leaseMs: 15_000 }
  const job = await jobs.claimJob(request)
  if (!job) throw new Error('There is no job to claim')
  return job
}

/** Queues a run, by default of 300 requests on its own host. */
function addRun(
  { rateLimits }: FullStorage,
  changes: Partial<NewJob> & Partial<RunReservation> = {},
) {
  const { requests = 300, day = DAY, accountBudget = 1000, hostBudget = 1000, ...job } = changes
  const reserved = { requests, day, accountBudget, hostBudget }
  return rateLimits.addRun(sampleRun(job), reserved)
}

function takerOf(
  { rateLimits }: FullStorage,
  changes: Partial<TakeRequest> & Pick<TakeRequest, 'claim'>,
) {
  return (wanted: number) =>
    rateLimits.takeRequests({
      account: ADA,
      host: HOST,
      day: DAY,
      accountBudget: 2000,
      hostBudget: 2000,
      ...changes,
      wanted,
    })
}
