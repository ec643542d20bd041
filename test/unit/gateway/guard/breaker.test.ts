import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Breaker, type BreakerLimits } from '../../../../core/gateway/guard/breaker.ts'
import { createManualClock } from '../../../helpers/random.ts'
import { runs } from '../../../helpers/runs.ts'

const LIMITS: BreakerLimits = { failures: 5, windowMs: 30_000, openMs: 30_000 }

type End = 'good' | 'bad' | 'dropped'

/** A call of the reference, with the state that admitted it. */
interface Call {
  readonly state: State
  readonly ticket: number
}

interface State {
  readonly kind: 'closed' | 'open'
  /** Only for an open state. */
  readonly until: number
  readonly ended: { readonly at: number; readonly isGood: boolean }[]
  probe: { readonly at: number; readonly ticket: number } | undefined
}

/** A slow reference implementation that stores every ended call and creates new states. */
class Reference {
  state: State = newState('closed')

  mayEnter(now: number): boolean {
    const { kind, until, probe } = this.state
    if (kind === 'closed') return true
    if (now < until) return false
    return probe === undefined || now >= probe.at + LIMITS.openMs
  }

  enter(now: number, ticket: number): Call {
    if (this.state.kind === 'open') this.state.probe = { at: now, ticket }
    return { state: this.state, ticket }
  }

  end(call: Call, end: End, now: number): void {
    if (call.state !== this.state) return
    const { kind, ended, probe } = this.state
    if (kind === 'open') {
      if (probe?.ticket !== call.ticket) return
      if (end === 'dropped') this.state.probe = undefined
      if (end === 'bad') this.state = newState('open', now + LIMITS.openMs)
      if (end === 'good') {
        this.state = newState('closed')
        this.state.ended.push({ at: now, isGood: true })
      }
      return
    }
    if (end === 'dropped') return
    ended.push({ at: now, isGood: end === 'good' })
    const slot = (at: number) => Math.floor(at / 3000)
    const lately = ended.filter(({ at }) => slot(now) - slot(at) < 10)
    const bad = lately.filter(({ isGood }) => !isGood).length
    if (end === 'bad' && bad >= LIMITS.failures && bad * 2 >= lately.length) {
      this.state = newState('open', now + LIMITS.openMs)
    }
  }
}

function newState(kind: State['kind'], until = 0): State {
  return { kind, until, ended: [], probe: undefined }
}

/** A breaker with a function for calls that end immediately. */
function createSubject() {
  const clock = createManualClock(0)
  const breaker = new Breaker(LIMITS)
  const call = (end: End) => {
    const ticket = breaker.enter(clock())
    if (end === 'good') breaker.succeeded(ticket, clock())
    else if (end === 'bad') breaker.failed(ticket, clock())
    else breaker.aborted(ticket)
  }
  return { clock, breaker, call, waitMs: () => breaker.waitMs(clock()) }
}

describe('circuit breaker', () => {
  it('opens at the fifth failure, tries once after 30 seconds, and closes on success', () => {
    const { clock, breaker, call, waitMs } = createSubject()
    for (let failure = 0; failure < 4; failure += 1) call('bad')
    expect([breaker.isClosed, waitMs()]).toEqual([true, 0])
    call('bad')
    expect([breaker.isClosed, waitMs()]).toEqual([false, 30_000])
    clock.advance(29_999)
    expect(waitMs()).toBe(1)
    clock.advance(1)
    expect(waitMs()).toBe(0)
    const probe = breaker.enter(clock())
    expect(waitMs()).toBe(1000)
    breaker.succeeded(probe, clock())
    expect([breaker.isClosed, waitMs()]).toEqual([true, 0])
    for (let failure = 0; failure < 4; failure += 1) call('bad')
    expect(breaker.isClosed).toBe(true)
  })

  it('calls a dead origin once in 30 seconds', () => {
    const { clock, call, waitMs } = createSubject()
    let calls = 0
    for (let second = 0; second < 600; second += 1) {
      if (waitMs() === 0) {
        call('bad')
        calls += 1
      }
      clock.advance(1000)
    }
    // Five requests in the first five seconds, then one at 34 s, 64 s, and so on.
    expect(calls).toBe(5 + 19)
  })

  it('ignores failures older than 30 seconds', () => {
    const { clock, breaker, call } = createSubject()
    for (let failure = 0; failure < 20; failure += 1) {
      call('bad')
      clock.advance(7500)
    }
    expect(breaker.isClosed).toBe(true)
    expect(breaker.isIdle(clock())).toBe(false)
    clock.advance(30_000)
    expect(breaker.isIdle(clock())).toBe(true)
  })

  it('stays closed for an origin with more successes than failures', () => {
    const { clock, breaker, call } = createSubject()
    for (let round = 0; round < 50; round += 1) {
      call('good')
      call('good')
      call('bad')
      clock.advance(100)
    }
    expect(breaker.isClosed).toBe(true)
  })

  it('lets the next call try if the trial call has no result or never ends', () => {
    const { clock, breaker, call, waitMs } = createSubject()
    for (let failure = 0; failure < 5; failure += 1) call('bad')
    clock.advance(30_000)
    call('dropped')
    expect(waitMs()).toBe(0)
    const lost = breaker.enter(clock())
    clock.advance(29_999)
    expect(waitMs()).toBe(1)
    clock.advance(1)
    expect(waitMs()).toBe(0)
    const probe = breaker.enter(clock())
    breaker.succeeded(lost, clock())
    expect(breaker.isClosed).toBe(false)
    breaker.succeeded(probe, clock())
    expect(breaker.isClosed).toBe(true)
  })

  it('does not wait for a clock that was set back', () => {
    const { clock, call, waitMs } = createSubject()
    clock.advance(3_600_000)
    for (let failure = 0; failure < 5; failure += 1) call('bad')
    clock.advance(-3_600_000)
    expect(waitMs()).toBe(0)
  })

  it(`follows its rules in ${runs(10_000)} random traces`, () => {
    const step = fc.nat(2 ** 20)
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const clock = createManualClock(0)
        const breaker = new Breaker(LIMITS)
        const reference = new Reference()
        const calls: { readonly call: Call; readonly ticket: number }[] = []
        for (const [at, value] of steps.entries()) {
          const now = clock()
          const [kind, rest] = [value % 8, Math.floor(value / 8)]
          if (kind < 3) {
            const mayEnter = breaker.waitMs(now) === 0
            expect(mayEnter).toBe(reference.mayEnter(now))
            if (mayEnter) calls.push({ call: reference.enter(now, at), ticket: breaker.enter(now) })
          } else if (kind < 7) {
            const [ended] = calls.splice(rest % Math.max(1, calls.length), 1)
            if (!ended) continue
            const end: End = kind === 3 ? 'good' : kind === 4 ? 'dropped' : 'bad'
            reference.end(ended.call, end, now)
            if (end === 'good') breaker.succeeded(ended.ticket, now)
            else if (end === 'bad') breaker.failed(ended.ticket, now)
            else breaker.aborted(ended.ticket)
          } else clock.advance(rest % 7 === 0 ? 15_000 : rest % 4000)
          expect(breaker.isClosed).toBe(reference.state.kind === 'closed')
        }
      }),
      { seed: 9, numRuns: runs(10_000) },
    )
  })
})
