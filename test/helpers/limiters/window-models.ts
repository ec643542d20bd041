import type { Clock } from '../../../core/ports/clock.ts'
import type { LimitSignal, TestBudget, Verdict } from '../../../core/rate-limits/records.ts'
import { DIALECTS, type Dialect, SILENT } from './dialects.ts'
import { type Limiter, type LimiterAnswer, type LimiterModel, toServed } from './limiter.ts'
import { drawMet, fixedWindow, type Rule, slidingWindow, toRampTimes } from './rules.ts'
import type { Seeded } from './seeded.ts'

interface Made {
  readonly seed: number
  readonly budget: TestBudget
}

interface Window {
  readonly calls: number
  readonly windowMs: number
  /** For consecutive windows: time since the start of the first one when the test begins. */
  readonly phaseMs?: number | undefined
}

/** Windows that begin with a call, or consecutive windows. */
export const fixedWindowModel: LimiterModel = (made) =>
  createCounted(made, {
    rule: (window) => fixedWindow(window),
    values: (seeded) => {
      const window = drawWindow(seeded, made.budget)
      const phaseMs = Math.floor(window.windowMs * seeded.share())
      return { ...window, phaseMs: seeded.share() < 0.3 ? phaseMs : undefined }
    },
  })

export const slidingWindowModel: LimiterModel = (made) =>
  createCounted(made, {
    rule: (window) => slidingWindow(window),
    values: (seeded) => drawWindow(seeded, made.budget),
  })

/** A separate window per key. Other keys are in use. */
export const perKeyModel: LimiterModel = (made) => {
  const { values, seeded } = drawMet(made, {
    values: (drawn) => drawWindow(drawn, made.budget),
    rule: (window) => fixedWindow(window),
  })
  const rules = new Map<string, Rule>()
  const ruleOf = (key: string) => {
    const rule = rules.get(key) ?? fixedWindow(values)
    rules.set(key, rule)
    return rule
  }
  const reply = createReply(seeded, { window: values, dialect: seeded.pick(DIALECTS) })
  return {
    ...toTruth(values, { verdict: 'protected', signal: 'status' }),
    isTold: reply.dialect.tellsLimit,
    about: { ...values, dialect: reply.dialect.name },
    answer({ key }, clock) {
      for (let other = 0; other < 3; other += 1) ruleOf(`other ${other}`)(clock())
      return reply.answer(ruleOf(key)(clock()), clock)
    },
  }
}

/** Responds to excess calls with status 200 and a message. */
export const quotaTextModel: LimiterModel = (made) =>
  createCounted(made, {
    ...longWindow(made, { leastCalls: 4, pauseMs: 1000 }),
    signal: 'body',
    dialect: () => SILENT,
    refuse: (seeded) => ({
      status: 200,
      headers: [],
      body: seeded.pick(QUOTA_BODIES),
      delayMs: 12,
    }),
  })

/** Responds with 503, with or without `Retry-After`. */
export const unavailableModel: LimiterModel = (made) =>
  createCounted(made, {
    // Without a header, five responses in a row are needed to detect it.
    ...longWindow(made, { leastCalls: 8, pauseMs: 4000 }),
    signal: 'unavailable',
    dialect: (seeded) => seeded.pick([SILENT, ...DIALECTS.slice(1, 3)]),
    refuse: () => ({ status: 503, headers: [], body: 'Service Unavailable', delayMs: 12 }),
  })

/** Stops responding. */
export const silentDropModel: LimiterModel = (made) =>
  createCounted(made, {
    ...longWindow(made, { leastCalls: 5, pauseMs: 13_000 }),
    signal: 'dropped',
    dialect: () => SILENT,
    refuse: () => 'silent',
  })

/** Responds more slowly. */
export const slowDownModel: LimiterModel = (made) => {
  const times = toRampTimes(made.budget)
  const least = Math.ceil(times.length / 5) + 2
  const { values, seeded } = drawMet(made, longWindow(made, { leastCalls: least, pauseMs: 8000 }))
  const rule = fixedWindow(values)
  const reply = createReply(seeded, { window: values, dialect: SILENT })
  const factor = seeded.between(5, 12)
  return {
    ...toTruth(values, { verdict: 'partly', signal: 'slowed' }),
    isTold: false,
    about: { ...values, times: factor },
    answer(_, clock) {
      const { isAllowed } = rule(clock())
      const delayMs = reply.delay()
      return toServed(isAllowed ? delayMs : 150 + delayMs * factor)
    },
  }
}

/** Draws a window that lasts at least `pauseMs` after its calls are used up. */
function longWindow(
  made: Made,
  least: { readonly leastCalls: number; readonly pauseMs: number },
): { readonly values: (seeded: Seeded) => Window; readonly rule: (window: Window) => Rule } {
  const times = toRampTimes(made.budget)
  return {
    values(seeded) {
      const calls = seeded.integer(least.leastCalls, Math.floor(times.length * 0.6))
      const windowMs = (times[calls] ?? 0) + seeded.between(least.pauseMs, 40_000)
      return { calls, windowMs: Math.round(windowMs) }
    },
    rule: (window) => fixedWindow(window),
  }
}

/** Draws a long window, or one so short that several pass during the ramp. */
function drawWindow(seeded: Seeded, budget: TestBudget): Window {
  const times = toRampTimes(budget)
  if (seeded.share() < 0.6) {
    const calls = seeded.integer(3, Math.floor(times.length * 0.8))
    const windowMs = Math.round((times[calls] ?? 0) * seeded.between(1.05, 4) + 500)
    return { calls, windowMs: Math.min(windowMs, 55_000) }
  }
  const windowMs = seeded.integer(1, 5) * 1000
  const calls = Math.ceil((budget.rate * windowMs * seeded.between(0.3, 0.8)) / 1000)
  return { calls, windowMs }
}

function createCounted(
  made: Made,
  model: {
    readonly values: (seeded: Seeded) => Window
    readonly rule: (window: Window) => Rule
    readonly signal?: LimitSignal
    readonly dialect?: (seeded: Seeded) => Dialect
    readonly refuse?: (seeded: Seeded) => LimiterAnswer
  },
): Limiter {
  const { values, seeded } = drawMet(made, model)
  const rule = model.rule(values)
  const dialect = model.dialect?.(seeded) ?? seeded.pick(DIALECTS)
  const refusal = model.refuse?.(seeded)
  const reply = createReply(seeded, { window: values, dialect, refusal })
  return {
    ...toTruth(values, { verdict: 'protected', signal: model.signal ?? 'status' }),
    isTold: dialect.tellsLimit,
    about: { ...values, dialect: dialect.name },
    answer: (_, clock) => reply.answer(rule(clock()), clock),
  }
}

function toTruth(
  { calls, windowMs }: Window,
  found: { readonly verdict: Verdict['verdict']; readonly signal: LimitSignal },
): Pick<Limiter, 'verdict' | 'signal' | 'limit'> {
  return { ...found, limit: { calls, windowMs } }
}

function createReply(
  seeded: Seeded,
  more: {
    readonly window: Window
    readonly dialect: Dialect
    readonly refusal?: LimiterAnswer | undefined
  },
) {
  const { window, dialect, refusal = TOO_MANY } = more
  const usualMs = seeded.between(5, 150)
  const delay = () => usualMs * seeded.between(0.7, 1.4)
  return {
    dialect,
    delay,
    answer(decision: ReturnType<Rule>, clock: Clock): LimiterAnswer {
      const headers = dialect.write({
        limit: window.calls,
        windowMs: window.windowMs,
        remaining: decision.remaining,
        resetMs: decision.resetMs,
        now: clock(),
        isRefused: !decision.isAllowed,
      })
      if (decision.isAllowed) return toServed(delay(), { headers })
      if (typeof refusal === 'string') return refusal
      return { ...refusal, headers: [...refusal.headers, ...headers] }
    },
  }
}

/** Refuses a call as in RFC 6585. */
export const TOO_MANY: Exclude<LimiterAnswer, string> = {
  status: 429,
  headers: [['content-type', 'text/plain']],
  body: 'Too many requests',
  delayMs: 8,
}

const QUOTA_BODIES = [
  '{"status":"OVER_QUERY_LIMIT","error_message":"You have exceeded your daily request quota"}',
  '{"Note":"Our standard call frequency is 5 calls per minute. Thank you!"}',
  '{"success":false,"error":{"code":429,"info":"Usage limit has been reached"}}',
  '<error><code>RateLimitExceeded</code></error>',
  'Too many requests, please try again later.',
] as const
