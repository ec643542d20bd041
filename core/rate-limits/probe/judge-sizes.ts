import type { Evidence, Verdict } from '../records.ts'

/** Statuses that refuse a body for its size, or a request for its length. */
const TOO_LARGE = new Set([413, 414, 431])

/**
 * Judges the larger bodies: `bounded` where one was refused for its size. A 400 counts from the
 * second size on, as the first may have been refused for what it says.
 */
export function judgePayloads({ records, budget }: Evidence): Verdict['payload'] {
  const sent = records.filter(({ stage }) => stage === 'payload')
  const sizes = sent.filter(({ outcome }) => outcome === 'ok').map(({ size = 0 }) => size)
  const largestTaken = sizes.length === 0 ? undefined : Math.max(...sizes)
  const refused = sent.find(
    ({ status }) => TOO_LARGE.has(status) || (status === 400 && largestTaken !== undefined),
  )
  const smallestRefused = refused?.size
  if (smallestRefused !== undefined) return { state: 'bounded', largestTaken, smallestRefused }
  const isWhole = largestTaken !== undefined && largestTaken >= budget.payloadBytes
  return { state: isWhole ? 'unbounded' : 'untested', largestTaken, smallestRefused }
}

/**
 * Judges the larger page: `bounded` where it was refused, or its answer is not about as many times
 * as large as that of the usual page.
 */
export function judgePages({ records, page }: Evidence): Verdict['page'] {
  const parameter = page?.parameter
  const sent = records.filter(({ stage }) => stage === 'page')
  const usual = sent.find(({ size, outcome }) => size === page?.size && outcome === 'ok')
  const larger = sent.findLast(({ size }) => size !== page?.size)
  if (!usual || !larger) return { state: 'untested', parameter }
  if (larger.outcome === 'rejected') return { state: 'bounded', parameter }
  if (larger.outcome !== 'ok') return { state: 'untested', parameter }
  const times = (larger.bytes ?? 0) / Math.max(1, usual.bytes ?? 0)
  return { state: times >= LEAST_TIMES ? 'unbounded' : 'bounded', parameter }
}

/** A page of ten times the size is one where the answer is so many times as large at least. */
const LEAST_TIMES = 5
