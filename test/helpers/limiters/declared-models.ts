import type { RateLimit, TestBudget } from '../../../core/rate-limits/records.ts'
import { type Limiter, toServed } from './limiter.ts'
import { fixedWindow, type Rule, slidingWindow, tokenBucket, toRampTimes } from './rules.ts'
import { createSeeded, type Seeded } from './seeded.ts'
import { TOO_MANY } from './window-models.ts'

/** A target that enforces its declared limit, which a ramp does not reach. */
export interface DeclaredLimiter extends Pick<Limiter, 'answer' | 'about'> {
  readonly declared: RateLimit & { readonly windowMs: number }
}

type Made = { readonly seed: number; readonly budget: TestBudget }
type Windowed = DeclaredLimiter['declared']

/** Targets that enforce a declared limit with different algorithms. */
export const DECLARED_MODELS: Readonly<Record<string, (made: Made) => DeclaredLimiter>> = {
  bucket: (made) =>
    createDeclared(made, {
      toRule: ({ calls, windowMs }) =>
        tokenBucket({ size: calls, perSecond: calls / (windowMs / 1000) }),
      isBurst: true,
    }),
  'fixed window': (made) =>
    createDeclared(made, {
      toRule: (limit, phase) => fixedWindow({ ...limit, phaseMs: phase * limit.windowMs }),
      isBurst: true,
    }),
  'window that begins with a call': (made) =>
    createDeclared(made, {
      // Calls of others began the first window before the test.
      toRule(limit, phase) {
        const rule = fixedWindow(limit)
        rule(-phase * limit.windowMs)
        return rule
      },
      isBurst: true,
    }),
  'sliding window': (made) => createDeclared(made, { toRule: slidingWindow, isBurst: false }),
}

/**
 * Creates a target. If `isBurst`, some window of the declared length contains more calls than
 * declared.
 */
function createDeclared(
  made: Made,
  model: {
    readonly toRule: (limit: Windowed, phase: number) => Rule
    readonly isBurst: boolean
  },
): DeclaredLimiter {
  const seeded = createSeeded(made.seed)
  const { declared, phase } = draw(seeded, { ...model, times: toRampTimes(made.budget) })
  let rule: Rule | undefined
  let began = 0
  const upMs = seeded.between(1, 40)
  const jitterMs = seeded.pick([0, 0, 20, 300])
  let last = -Infinity
  return {
    declared,
    about: { ...declared, phase, jitterMs },
    answer(_, clock) {
      if (!rule) {
        rule = model.toRule(declared, phase)
        began = clock()
      }
      const sentAt = clock() - began
      const arrivedAt = Math.max(last, sentAt + upMs + seeded.share() * jitterMs)
      last = arrivedAt
      const delayMs = arrivedAt - sentAt + upMs
      return rule(arrivedAt - upMs).isAllowed ? toServed(delayMs) : { ...TOO_MANY, delayMs }
    },
  }
}

/** Draws a limit that serves calls at all of these times. */
function draw(
  seeded: Seeded,
  model: Parameters<typeof createDeclared>[1] & { readonly times: readonly number[] },
): { readonly declared: Windowed; readonly phase: number } {
  const { times, toRule, isBurst } = model
  for (let round = 0; round < 5000; round += 1) {
    const windowMs = seeded.integer(1, seeded.pick([4, 15, 60])) * 1000
    const calls = seeded.integer(1, times.length)
    const phase = seeded.share()
    const most = countMost(times, windowMs)
    if (isBurst ? calls >= most : calls > most + 2) continue
    const rule = toRule({ calls, windowMs }, phase)
    if (times.every((at) => rule(at).isAllowed)) return { declared: { calls, windowMs }, phase }
  }
  throw new Error(`Cannot draw a limit that serves ${times.length} requests`)
}

function countMost(times: readonly number[], windowMs: number): number {
  const counts = times.map((began) => {
    return times.filter((at) => at >= began && at < began + windowMs).length
  })
  return Math.max(...counts)
}
