import { describe, expect, it } from 'vitest'
import type { ClaimedJob } from '../../../core/jobs/records.ts'
import type { Storage } from '../../../core/ports.ts'
import type { TakeRequest } from '../../../core/rate-limits/store.ts'
import type { Account } from '../../../core/shared/account.ts'
import type { WithStorage } from '../storage.ts'
import { ADA, BOB, DAY } from './gateway-samples.ts'

const HOST = 'api.example:443'
const NOW = Date.UTC(2026, 2, 14, 8)

export function describeRateLimits(withStorage: WithStorage): void {
  describe('tokens of accounts', () => {
    it('are the first that was given, for each account', () =>
      withStorage(async ({ storage: { rateLimits } }) => {
        expect(await rateLimits.getConsentToken(ADA, 'token-1')).toBe('token-1')
        expect(await rateLimits.getConsentToken(ADA, 'token-2')).toBe('token-1')
        expect(await rateLimits.getConsentToken(BOB, 'token-3')).toBe('token-3')
      }))

    it('are one for all who ask at once', () =>
      withStorage(async ({ storage: { rateLimits } }) => {
        const asked = Array.from({ length: 20 }, (_, n) =>
          rateLimits.getConsentToken(ADA, `token-${n}`),
        )
        expect(new Set(await Promise.all(asked)).size).toBe(1)
      }))
  })

  describe('budgets of rate-limit tests', () => {
    it('give what is wanted as long as there is some, then what is left, then say what is used', () =>
      withStorage(async ({ storage }) => {
        const { rateLimits } = storage
        const take = takerOf(storage, { claim: await claimRun(storage), runBudget: 10 })
        expect([await take(4), await take(4), await take(4), await take(1)]).toEqual([
          { count: 4 },
          { count: 4 },
          { count: 2 },
          { count: 0, reason: 'run' },
        ])
        expect(await take(0)).toEqual({ count: 0 })
        expect(await rateLimits.countRun(1)).toBe(10)
        expect(await rateLimits.countRun(2)).toBe(0)
        const day = { host: HOST, day: DAY }
        expect(await rateLimits.countDay(ADA, day)).toEqual({ account: 10, host: 10 })
        expect(await rateLimits.countDay(BOB, day)).toEqual({ account: 0, host: 10 })
        const nobodys = { account: 0, host: 0 }
        expect(await rateLimits.countDay(BOB, { host: 'b.example:443', day: DAY })).toEqual(nobodys)
        expect(await rateLimits.countDay(ADA, { host: HOST, day: '2026-03-15' })).toEqual(nobodys)
      }))

    it('are of the account and of the host too, each for a day', () =>
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
        expect(await storage.rateLimits.countRun(claim.id)).toBe(9 + 5 + 7)
      }))

    it('give nothing to who has lost the run, or is to end it', () =>
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
        expect(await storage.rateLimits.countRun(claim.id)).toBe(1)
      }))

    it('of 500 requests give not one more to many who take at once', () =>
      withStorage(async ({ storage, reopen }) => {
        const others = reopen ? [await reopen(), await reopen()] : []
        try {
          const runs = [
            { account: ADA, claim: await claimRun(storage) },
            { account: BOB, claim: await claimRun(storage, BOB, 'b.example:443') },
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
          const day = { host: HOST, day: DAY }
          const [ada, bob] = await Promise.all(
            [ADA, BOB].map((account) => storage.rateLimits.countDay(account, day)),
          )
          expect([ada?.host, (ada?.account ?? 0) + (bob?.account ?? 0)]).toEqual([500, 500])
        } finally {
          for (const other of others) await other.close()
        }
      }))
  })
}

const LOST = { count: 0, reason: 'lost' }

/** A run that is under way. */
async function claimRun(
  { jobs }: Storage,
  account: Account = ADA,
  lock = HOST,
): Promise<ClaimedJob> {
  await jobs.addJob({
    kind: 'rate-limit-test',
    accountId: account.id,
    subject: 'abcdefg',
    lock,
    input: '{}',
    maxAttempts: 5,
    createdAt: NOW,
    dueAt: NOW,
  })
  const request = { kinds: ['rate-limit-test'], now: NOW, leaseMs: 15_000 }
  const job = await jobs.claimJob(request)
  if (!job) throw new Error('There is no job to claim')
  return job
}

function takerOf(
  { rateLimits }: Storage,
  changes: Partial<TakeRequest> & Pick<TakeRequest, 'claim'>,
) {
  return (wanted: number) =>
    rateLimits.takeRequests({
      account: ADA,
      host: HOST,
      day: DAY,
      runBudget: 1000,
      accountBudget: 2000,
      hostBudget: 2000,
      ...changes,
      wanted,
    })
}
