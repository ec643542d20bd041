import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../core/errors.ts'
import { createTargetGuard, type GuardPass } from '../../../../core/gateway/guard/target-guard.ts'
import type { EgressFailure } from '../../../../core/ports/egress.ts'
import { createManualClock } from '../../../helpers/random.ts'
import { runs } from '../../../helpers/runs.ts'

const LIMITS = { failures: 2, perOrigin: 4, total: 7, maxOrigins: 4, maxPairs: 6 }
const ORIGINS = Array.from({ length: 6 }, (_, at) => `https://${at}.example.com`)
const FAILURES: readonly (EgressFailure | 'aborted')[] = [
  'connect_failed',
  'first_byte_timeout',
  'too_large',
  'refused_address',
  'aborted',
]
const ANSWERS = [
  { status: 200, header: ['x-ratelimit-remaining', '1'] },
  { status: 200, header: ['x-ratelimit-remaining', '50'] },
  { status: 429, header: ['retry-after', '20'] },
  { status: 502, header: ['server', 'nginx'] },
  { status: 404, header: ['server', 'nginx'] },
] as const

interface Call {
  readonly origin: string
  readonly id: string
  readonly pass: GuardPass
}

describe(`target guard in ${runs(10_000)} random traces`, () => {
  it('respects its limits, refuses with a reason, and recovers from everything', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 24), { maxLength: 80, size: 'max' }), (trace) => {
        const clock = createManualClock()
        const guard = createTargetGuard({ clock, limits: LIMITS })
        const calls: Call[] = []
        const enter = (origin: string, id: string): string => {
          try {
            calls.push({ origin, id, pass: guard.enter({ origin, account: { id } }) })
            return 'entered'
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error
            const { code, retryAfter = 0 } = error
            return retryAfter >= 1 && retryAfter <= 30 ? code : `${code} for ${retryAfter} s`
          }
        }
        for (const value of trace) {
          const [kind, rest] = [value % 8, Math.floor(value / 8)]
          const at = rest % Math.max(1, calls.length)
          const call = calls[at]
          if (kind < 4) {
            const origin = ORIGINS[Math.floor(rest / 2) % ORIGINS.length] ?? ''
            const id = rest % 2 === 0 ? 'a' : 'b'
            const to = calls.filter((each) => each.origin === origin)
            const own = calls.filter((each) => each.id === id)
            const ownTo = own.filter((each) => each.origin === origin)
            const isOwnFull = ownTo.length >= 3 || own.length >= 4
            const isFull =
              isOwnFull || to.length >= LIMITS.perOrigin || calls.length >= LIMITS.total
            const outcome = enter(origin, id)
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
            if (outcome === (isFull ? 'entered' : 'overloaded')) expect(outcome).toBe('the other')
          } else if (kind === 4) clock.advance(rest % 12_000)
          else if (!call) continue
          else if (kind === 5) call.pass.failed(FAILURES[rest % FAILURES.length] ?? 'aborted')
          else if (kind === 6) {
            const { status, header } = ANSWERS[rest % ANSWERS.length] ?? ANSWERS[0]
            call.pass.responded(status, [header, ['x-ratelimit-reset', '15']])
          } else {
            call.pass.leave()
            if (rest % 3 === 0) call.pass.leave()
            calls.splice(at, 1)
          }
        }
        expect(guard.gauges()[0]?.samples[0]?.value).toBe(calls.length)
        for (const { pass } of calls.splice(0)) pass.leave()
        clock.advance(30_000)
        for (const origin of ORIGINS) {
          const outcome = enter(origin, 'a')
          if (outcome !== 'entered') expect(outcome).toBe('entered')
          calls.pop()?.pass.leave()
        }
        expect(guard.gauges()[0]?.samples[0]?.value).toBe(0)
      }),
      { seed: 44, numRuns: runs(10_000) },
    )
    // The traces contain every outcome often, and no unexpected ones.
    expect([...seen.values()].filter((count) => count < runs(1000))).toEqual([])
    expect([...seen.keys()].sort()).toEqual([
      'entered',
      'overloaded',
      'target_throttled',
      'target_unavailable',
    ])
  })
})
