import { toSendOffsets } from '../../../core/rate-limits/probe/arrivals.ts'
import { planStages } from '../../../core/rate-limits/probe/plan-stages.ts'
import type { RateLimit, TestBudget } from '../../../core/rate-limits/records.ts'
import { createSeeded, type Seeded } from './seeded.ts'

/** Whether a rule allows a call, and the remaining calls. */
export interface Decision {
  readonly isAllowed: boolean
  readonly remaining: number
  /** Time until calls are available: the end of the window, or the next available call. */
  readonly resetMs: number
}

/** A rule that counts calls. Times are in milliseconds and must not decrease. */
export type Rule = (at: number) => Decision

/**
 * Allows `calls` per window. Windows begin with their first call. With `phaseMs`, they are
 * consecutive, and the first one began `phaseMs` before the first call.
 */
export function fixedWindow(limit: RateLimit & { readonly phaseMs?: number | undefined }): Rule {
  const { calls, windowMs = 0, phaseMs } = limit
  let origin: number | undefined
  let began = -Infinity
  let count = 0
  return (at) => {
    origin ??= at - (phaseMs ?? 0)
    if (at >= began + windowMs) {
      const passed = Math.floor((at - origin) / windowMs)
      began = phaseMs === undefined ? at : origin + passed * windowMs
      count = 0
    }
    const isAllowed = count < calls
    if (isAllowed) count += 1
    return { isAllowed, remaining: calls - count, resetMs: began + windowMs - at }
  }
}

/** Allows `calls` in any window. */
export function slidingWindow({ calls, windowMs = 0 }: RateLimit): Rule {
  const taken: number[] = []
  return (at) => {
    while (taken[0] !== undefined && taken[0] + windowMs <= at) taken.shift()
    const isAllowed = taken.length < calls
    if (isAllowed) taken.push(at)
    return { isAllowed, remaining: calls - taken.length, resetMs: (taken[0] ?? at) + windowMs - at }
  }
}

/** A bucket with `size` tokens that refills at a fixed rate. */
export function tokenBucket(bucket: { readonly size: number; readonly perSecond: number }): Rule {
  let tokens = bucket.size
  let last: number | undefined
  return (at) => {
    tokens = Math.min(bucket.size, tokens + ((at - (last ?? at)) / 1000) * bucket.perSecond)
    last = at
    const isAllowed = tokens >= 1
    if (isAllowed) tokens -= 1
    const missing = Math.max(0, 1 - tokens)
    return {
      isAllowed,
      remaining: Math.floor(tokens),
      resetMs: (missing / bucket.perSecond) * 1000,
    }
  }
}

/** Returns the send times of a test's ramp, in milliseconds since its start. */
export function toRampTimes(budget: TestBudget): readonly number[] {
  const plan = planStages({ payload: false, page: undefined }, { budget, left: budget.requests })
  return toSendOffsets({ count: plan.ramp, rate: budget.rate })
}

/** Draws values until their rule refuses a call within the first 90 % of the ramp. */
export function drawMet<T>(
  made: { readonly seed: number; readonly budget: TestBudget },
  draw: { readonly values: (seeded: Seeded) => T; readonly rule: (values: T) => Rule },
): { readonly values: T; readonly seeded: Seeded; readonly metAt: number } {
  const seeded = createSeeded(made.seed)
  const times = toRampTimes(made.budget)
  const tried = times.slice(0, Math.floor(times.length * 0.9))
  for (let round = 0; round < 500; round += 1) {
    const values = draw.values(seeded)
    const rule = draw.rule(values)
    const metAt = tried.find((at) => !rule(at).isAllowed)
    if (metAt !== undefined) return { values, seeded, metAt }
  }
  throw new Error(`Cannot draw a limit that a ramp of ${times.length} requests meets`)
}
