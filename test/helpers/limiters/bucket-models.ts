import { DIALECTS } from './dialects.ts'
import { type LimiterModel, toServed } from './limiter.ts'
import { drawMet, type Rule, tokenBucket, toRampTimes } from './rules.ts'
import { createSeeded } from './seeded.ts'
import { TOO_MANY } from './window-models.ts'

/** A token bucket. Its headers describe the bucket as a window. */
export const tokenBucketModel: LimiterModel = (made) => {
  const { values, seeded } = drawMet(made, {
    values: (drawn) => ({
      size: drawn.integer(5, Math.floor(made.budget.requests / 2.5)),
      perSecond: made.budget.rate * drawn.between(0.02, 0.5),
    }),
    rule: tokenBucket,
  })
  const rule = tokenBucket(values)
  const dialect = seeded.pick([DIALECTS[0], ...DIALECTS.slice(1, 3)])
  const usualMs = seeded.between(5, 150)
  return {
    verdict: 'protected',
    signal: 'status',
    limit: undefined,
    isTold: false,
    allows: (ms) => values.size + (ms / 1000) * values.perSecond,
    about: { ...values, dialect: dialect.name },
    answer(_, clock) {
      const { isAllowed, ...left } = rule(clock())
      const windowMs = (values.size / values.perSecond) * 1000
      const state = { ...left, limit: values.size, windowMs, now: clock(), isRefused: !isAllowed }
      const headers = dialect.write(state)
      if (isAllowed) return toServed(usualMs * seeded.between(0.7, 1.4), { headers })
      return { ...TOO_MANY, headers: [...TOO_MANY.headers, ...headers] }
    },
  }
}

/** A queue that drains at a fixed rate and refuses calls when it is full. */
export const leakyBucketModel: LimiterModel = (made) => {
  const { values, seeded } = drawMet(made, {
    values: (drawn) => ({
      queue: drawn.integer(2, 6),
      perSecond: made.budget.rate * drawn.between(0.2, 0.5),
    }),
    rule: ({ queue, perSecond }) => createQueue({ queue, perSecond }),
  })
  const rule = createQueue(values)
  const usualMs = seeded.between(5, 60)
  return {
    verdict: 'protected',
    signal: 'status',
    limit: undefined,
    isTold: false,
    allows: (ms) => values.queue + 1 + (ms / 1000) * values.perSecond,
    about: values,
    answer(_, clock) {
      const { isAllowed, resetMs } = rule(clock())
      return isAllowed ? toServed(resetMs + usualMs * seeded.between(0.7, 1.4)) : TOO_MANY
    },
  }
}

/** A limit on concurrent calls. */
export const concurrencyModel: LimiterModel = (made) => {
  const seeded = createSeeded(made.seed)
  const usualMs = seeded.between(900, 2200)
  const most = Math.floor((made.budget.rate * usualMs * 0.75) / 1000)
  const slots = seeded.integer(1, Math.max(1, most))
  const times = toRampTimes(made.budget)
  const isUnavailable = seeded.share() < 0.3
  let ends: number[] = []
  return {
    verdict: 'protected',
    signal: isUnavailable ? 'unavailable' : 'status',
    limit: undefined,
    isTold: false,
    about: { usualMs, slots, isUnavailable, requests: times.length },
    answer(_, clock) {
      ends = ends.filter((end) => end > clock())
      if (ends.length >= slots) {
        if (!isUnavailable) return TOO_MANY
        return { ...TOO_MANY, status: 503, headers: [['retry-after', '1']] }
      }
      const delayMs = usualMs * seeded.between(0.8, 1.3)
      ends.push(clock() + delayMs)
      return toServed(delayMs)
    },
  }
}

/** Creates the queue. `resetMs` is the wait of a call. */
function createQueue(made: { readonly queue: number; readonly perSecond: number }): Rule {
  const stepMs = 1000 / made.perSecond
  let freeAt = -Infinity
  return (at) => {
    const waitMs = Math.max(0, freeAt - at)
    const waiting = Math.ceil(waitMs / stepMs)
    const isAllowed = waiting <= made.queue
    if (isAllowed) freeAt = Math.max(at, freeAt) + stepMs
    return { isAllowed, remaining: made.queue - waiting, resetMs: waitMs }
  }
}
