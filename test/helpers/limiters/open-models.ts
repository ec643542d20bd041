import { type LimiterAnswer, type LimiterModel, toServed } from './limiter.ts'
import { fixedWindow } from './rules.ts'
import { createSeeded } from './seeded.ts'
import { TOO_MANY } from './window-models.ts'

const OPEN = { signal: undefined, limit: undefined, isTold: false } as const

/** Serves every call quickly. */
export const fastModel: LimiterModel = ({ seed }) => {
  const seeded = createSeeded(seed)
  const usualMs = seeded.between(1, 30)
  return {
    ...OPEN,
    verdict: 'unprotected',
    about: { usualMs },
    answer: () => toServed(usualMs * seeded.between(0.5, 2)),
  }
}

/** Serves every call slowly. */
export const slowModel: LimiterModel = ({ seed }) => {
  const seeded = createSeeded(seed)
  const usualMs = seeded.between(600, 2500)
  return {
    ...OPEN,
    verdict: 'unprotected',
    about: { usualMs },
    answer: () => toServed(usualMs * seeded.between(0.5, 1.6)),
  }
}

/** Fails at random, in 5 to 40 % of calls. */
export const flakyModel: LimiterModel = ({ seed }) => {
  const seeded = createSeeded(seed)
  const share = seeded.between(0.05, 0.4)
  const usualMs = seeded.between(5, 200)
  const block = Math.floor(1 / share)
  let asked = 0
  let failing = 0
  return {
    ...OPEN,
    verdict: 'inconclusive',
    about: { share, usualMs },
    answer() {
      // At least one failure per block, so that every test observes failures.
      if (asked % block === 0) failing = asked + seeded.integer(0, block - 1)
      const fails = asked === failing || seeded.share() < share / 4
      asked += 1
      if (!fails) return toServed(usualMs * seeded.between(0.5, 2))
      return seeded.pick(FAILURES)
    },
  }
}

/** Limits another path, and mentions it in its responses. */
export const otherPathModel: LimiterModel = ({ seed }) => {
  const seeded = createSeeded(seed)
  const usualMs = seeded.between(1, 80)
  const rule = fixedWindow({ calls: seeded.integer(1, 10), windowMs: 60_000 })
  const body =
    '{"path":"/open","note":"This path is free. The rate limit of /limited is 10 requests per minute: too many requests are answered with 429."}'
  return {
    ...OPEN,
    verdict: 'unprotected',
    about: { usualMs },
    answer({ path }, clock) {
      if (path === '/limited' && !rule(clock()).isAllowed) return TOO_MANY
      // Other callers use the limited path at the same time.
      rule(clock())
      return toServed(usualMs * seeded.between(0.5, 1.8), { body })
    },
  }
}

const failed = (status: number): LimiterAnswer => ({
  status,
  headers: [['content-type', 'text/html']],
  body: '<h1>Error</h1>',
  delayMs: 20,
})

const FAILURES = [failed(500), failed(502), failed(503), failed(504), 'silent', 'closed'] as const
