/**
 * Returns the number of requests in the warm-up of a ramp, which is sent at a rising rate and
 * yields the baseline.
 */
export function countWarmUp(count: number): number {
  return Math.ceil(count / 5)
}

/**
 * Returns the send times of a ramp, in milliseconds from its start, independent of the responses
 * (open loop). The rate rises from a fifth of `rate` during the first fifth of the requests, then
 * stays at `rate`.
 */
export function toSendOffsets(ramp: {
  readonly count: number
  /** Requests per second, at least 1. */
  readonly rate: number
}): readonly number[] {
  const { count, rate } = ramp
  const warmUp = countWarmUp(count)
  const offsets: number[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    offsets.push(at)
    const share = index < warmUp ? 0.2 + (0.8 * index) / warmUp : 1
    at += 1000 / (rate * share)
  }
  return offsets
}

/** Limits the rate of requests, regardless of when they are due. */
export interface Pacer {
  /** Earliest time for the next request. */
  earliest(): number
  /** Records that a request is sent. Times must not decrease. */
  note(sentAt: number): void
}

/**
 * Creates a pacer that allows at most `rate` requests in any second. Two requests are at least half
 * the usual interval apart, so that late requests catch up slowly.
 */
export function createPacer(rate: number): Pacer {
  const most = Math.max(1, Math.floor(rate))
  const sent: number[] = []
  return {
    earliest() {
      const last = sent.at(-1)
      if (last === undefined) return -Infinity
      const first = sent.length < most ? -Infinity : (sent[0] ?? -Infinity)
      return Math.max(first + 1000, last + 500 / most)
    },
    note(sentAt) {
      sent.push(sentAt)
      if (sent.length > most) sent.shift()
    },
  }
}
