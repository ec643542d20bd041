import { describe, expect, it } from 'vitest'
import { EGRESS_LIMITS } from '../../../../core/egress/limits.ts'
import { sendWithRetry } from '../../../../core/gateway/guard/send-with-retry.ts'
import {
  type Egress,
  EgressError,
  type EgressFailure,
  type EgressLimits,
  type EgressRequest,
  type EgressResponse,
} from '../../../../core/ports/egress.ts'
import { createManualClock } from '../../../helpers/random.ts'

const REQUEST: EgressRequest = { method: 'GET', url: 'https://api.example.com/', headers: [] }

function toAnswer(status: number): EgressResponse {
  return {
    status,
    headers: [],
    url: REQUEST.url,
    body: (async function* () {})(),
    discard() {},
  }
}

/** Sends a request to an egress that produces these outcomes in order, one second apart. */
async function sendWithOutcomes(
  outcomes: readonly (number | Error)[],
  call: {
    readonly isIdempotent: boolean
    readonly request?: Partial<EgressRequest>
    readonly limits?: EgressLimits
  },
) {
  const clock = createManualClock()
  const requests: EgressRequest[] = []
  const egress: Egress = {
    limits: call.limits ?? EGRESS_LIMITS,
    async send(request) {
      const outcome = outcomes[requests.length]
      requests.push(request)
      clock.advance(1000)
      if (typeof outcome === 'number') return toAnswer(outcome)
      throw outcome
    },
  }
  const request = { ...REQUEST, ...call.request }
  const result = sendWithRetry({ egress, clock }, { request, isIdempotent: call.isIdempotent })
  const outcome = await result.then(
    ({ status }) => status,
    (error: unknown) => error,
  )
  return { outcome, requests }
}

function failure(kind: EgressFailure, isUnsent: boolean): EgressError {
  return new EgressError(kind, 'The target did not answer', { isUnsent })
}

describe('sendWithRetry', () => {
  it.each([200, 301, 404, 429, 500, 502, 503, 504])(
    'does not retry after status %i',
    async (status) => {
      const { outcome, requests } = await sendWithOutcomes([status, 200], { isIdempotent: true })
      expect([outcome, requests]).toEqual([status, [REQUEST]])
    },
  )

  it.each<readonly [EgressFailure, isUnsent: boolean, isIdempotent: boolean, attempts: number]>([
    ['connect_failed', true, true, 2],
    ['connect_failed', true, false, 2],
    ['connect_failed', false, true, 2],
    ['connect_failed', false, false, 1],
    ['connect_timeout', true, false, 2],
    ['refused_url', true, true, 1],
    ['refused_address', true, true, 1],
    ['unresolved', true, true, 1],
    ['first_byte_timeout', false, true, 1],
    ['total_timeout', false, true, 1],
    ['malformed_answer', false, true, 1],
    ['too_large', false, true, 1],
    ['too_slow', false, true, 1],
  ])(
    'after %s (unsent: %s, idempotent: %s) makes %i attempts',
    async (kind, isUnsent, isIdempotent, attempts) => {
      const first = failure(kind, isUnsent)
      const { outcome, requests } = await sendWithOutcomes([first, 200], { isIdempotent })
      expect([outcome, requests.length]).toEqual([attempts === 2 ? 200 : first, attempts])
    },
  )

  it('sends at most twice, and fails like the second attempt', async () => {
    const [first, second] = [failure('connect_failed', true), failure('connect_failed', true)]
    const { outcome, requests } = await sendWithOutcomes([first, second, 200], {
      isIdempotent: true,
    })
    expect(outcome).toBe(second)
    expect(requests).toEqual([REQUEST, { ...REQUEST, limits: { totalMs: 29_000 } }])
  })

  it('limits the second attempt to the remaining time, with the other limits unchanged', async () => {
    const limits = { totalMs: 5000, connectMs: 10 }
    const { requests } = await sendWithOutcomes([failure('connect_failed', true), 200], {
      isIdempotent: true,
      request: { limits },
    })
    expect(requests.map((request) => request.limits)).toEqual([
      limits,
      { totalMs: 4000, connectMs: 10 },
    ])
  })

  it('uses the total time of the egress by default', async () => {
    const { requests } = await sendWithOutcomes([failure('connect_failed', true), 200], {
      isIdempotent: true,
      limits: { ...EGRESS_LIMITS, totalMs: 7000 },
    })
    expect(requests.map((request) => request.limits)).toEqual([undefined, { totalMs: 6000 }])
  })

  it('does not retry after its time has elapsed', async () => {
    const { requests } = await sendWithOutcomes([failure('connect_failed', true), 200], {
      isIdempotent: true,
      request: { limits: { totalMs: 1000 } },
    })
    expect(requests).toHaveLength(1)
  })

  it('does not retry after an abort by the caller, or our own failure', async () => {
    const gone = await sendWithOutcomes([failure('connect_failed', true), 200], {
      isIdempotent: true,
      request: { signal: AbortSignal.abort() },
    })
    expect(gone.requests).toHaveLength(1)
    const broken = new TypeError('undefined is no function')
    const { outcome, requests } = await sendWithOutcomes([broken, 200], { isIdempotent: true })
    expect([outcome, requests.length]).toEqual([broken, 1])
  })
})
