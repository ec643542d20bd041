import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { ProbeRecord, TestInput, TestResult, Verdict } from '../../core/rate-limits/records.ts'
import type { Account } from '../../core/shared/account.ts'

/** Short ID of the endpoint that the seeded account has tested. */
export const TESTED = 'xFPVwEp'

/** A host that the operator of the seeded service allows. */
export const OPEN_HOST = 'api.ledgerly.example'

const ORIGIN = 'https://eu.api.skycast.example'

const INPUT: TestInput = {
  endpoint: TESTED,
  origin: ORIGIN,
  budget: { requests: 60, rate: 5, payloadBytes: 65_536 },
  values: { lat: 46.95, lon: 7.45 },
  server: '',
  usesCredentials: false,
  consent: 'token',
}

function request(at: number, more: Partial<ProbeRecord> = {}): ProbeRecord {
  const plain = { stage: 'ramp', lateMs: 0.25, ms: 20, outcome: 'ok', status: 200 } as const
  return { ...plain, at, inFlight: 0, ...more }
}

const REFUSED = { outcome: 'limited', status: 429, signal: 'status', waitMs: 2000 } as const

const RECORDS: readonly ProbeRecord[] = [
  ...Array.from({ length: 10 }, (_, index) => request(index * 200, { ms: 20 + index })),
  request(2000, { ms: 5, remaining: 0, limit: 10, windowMs: 4000, ...REFUSED }),
  request(4100, { stage: 'recovery', ms: 21.46 }),
]

const VERDICT: Verdict = {
  verdict: 'protected',
  text: 'A rate limit was reached after 10 requests in 2.0 s: the target responded with status 429.',
  rate: {
    found: true,
    summary: '10 calls in 4.0 s, announced in response headers',
    signal: 'status',
    observed: { calls: 10, windowMs: 4000 },
    atRate: 5,
    bounds: { calls: [10, 10], windowMs: [2000, 4100] },
    declared: { calls: 10, windowMs: 4000 },
    comparison: 'kept',
    recoveryMs: 2100.04,
  },
  payload: { state: 'untested', largestTaken: undefined, smallestRefused: undefined },
  page: { state: 'untested', parameter: undefined },
}

const RESULT: Omit<TestResult, 'beganAt' | 'endedAt'> = {
  verdict: VERDICT,
  evidence: {
    budget: INPUT.budget,
    declared: {
      has429: true,
      headers: ['x-ratelimit-limit'],
      limits: [{ calls: 10, windowMs: 4000, source: 'x-ratelimit' }],
      seen: { calls: 3, limited: 1 },
    },
    records: RECORDS,
    stop: 'limit_found',
    attempts: 1,
    sent: 12,
  },
}

/** Adds three ended runs of an endpoint to an account: 1 failed, 2 was stopped, 3 has a verdict. */
export async function fillRateLimits(
  { jobs }: FullStorage,
  given: { readonly account: Account; readonly clock: Clock },
): Promise<void> {
  const now = given.clock()
  const result = JSON.stringify({ ...RESULT, beganAt: now, endedAt: now + 4_200 })
  const { verdict } = VERDICT
  const summary = JSON.stringify({ budget: INPUT.budget, verdict, sent: RESULT.evidence.sent })
  const ends = [
    { state: 'failed', result: '', failure: 'Cannot reach the target: it refuses connections' },
    { state: 'aborted', result: '', failure: 'The run was stopped' },
    { state: 'done', result, failure: '', summary },
  ] as const
  for (const end of ends) {
    await jobs.addJob({
      kind: 'rate-limit-test',
      accountId: given.account.id,
      subject: TESTED,
      lock: 'eu.api.skycast.example:443',
      needs: '',
      input: JSON.stringify(INPUT),
      summary: JSON.stringify({ budget: INPUT.budget }),
      maxAttempts: 5,
      createdAt: now,
      dueAt: now,
    })
    const claim = { kinds: ['rate-limit-test'], has: [], now, leaseMs: 15_000 }
    const claimed = await jobs.claimJob(claim)
    if (claimed) await jobs.endJob(claimed, { ...end, now: now + 4_200 })
  }
}
