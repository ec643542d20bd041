/** How many of the requests of a ramp come at a rising rate: what they meet is the baseline. */
export function toWarmUp(count: number): number {
  return Math.ceil(count / 5)
}

/**
 * When the requests of a ramp are to be sent, in milliseconds from its start, whatever comes of them
 * (open loop): the first fifth at a rate that rises from a fifth of `rate`, the others at `rate`.
 */
export function toOffsets(ramp: {
  readonly count: number
  /** A second, from 1 on. */
  readonly rate: number
}): readonly number[] {
  const { count, rate } = ramp
  const warmUp = toWarmUp(count)
  const offsets: number[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    offsets.push(at)
    const share = index < warmUp ? 0.2 + (0.8 * index) / warmUp : 1
    at += 1000 / (rate * share)
  }
  return offsets
}

/** Holds requests to a rate, whenever they are due. */
export interface Pacer {
  /** No request may be sent before. */
  earliest(): number
  /** Tells that one is sent; times never go back. */
  note(sentAt: number): void
}

/**
 * Creates a pacer: of any second at most `rate` requests, and no two closer than half of the usual
 * distance, so that who is late catches up slowly.
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
