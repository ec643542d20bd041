import type { ProbeRecord, StopReason } from '../records.ts'
import { toOffsets } from './arrivals.ts'
import { MAX_RAMP_MS } from './plan.ts'
import { MAX_ANSWER_MS, type Prober } from './prober.ts'
import { createSilence } from './silence.ts'
import { type Baseline, type StopWatch, toAbortStop } from './stops.ts'

/** How a ramp ended. */
export interface RampEnd {
  readonly stop: StopReason
  /** Undefined when it ended before, or too little was served. */
  readonly baseline: Baseline | undefined
}

/**
 * Sends `count` requests at their times, until something speaks against it: then what is under way
 * is waited for, and no more is sent. Neither a slow answer nor a pause of the target holds anything
 * back (open loop): as the third time-out ends the ramp, no more are ever open than come in the time
 * that an answer may take, 10 seconds at most, and two. Only before the very first answer, three
 * under way put all later times off.
 */
export async function runRamp(
  prober: Prober,
  ramp: {
    readonly count: number
    readonly rate: number
    /** Knows of what former attempts saw. */
    readonly watch: StopWatch
    readonly signal: AbortSignal
  },
): Promise<RampEnd> {
  const { watch } = ramp
  const silence = createSilence()
  const halt = new AbortController()
  const cancel = () => halt.abort()
  ramp.signal.addEventListener('abort', cancel, { once: true })
  let stop: StopReason | undefined = ramp.signal.aborted ? toAbortStop(ramp.signal) : undefined
  let fault: { readonly error: unknown } | undefined

  function take(record: ProbeRecord): void {
    const hadBaseline = watch.baseline() !== undefined
    stop ??= watch.add(record)
    const baseline = watch.baseline()
    if (baseline && !hadBaseline) prober.setPatience(toPatience(baseline))
    if (stop) halt.abort()
  }

  function fail(error: unknown): void {
    fault ??= { error }
    halt.abort()
    silence.release()
  }

  const known = watch.baseline()
  if (known) prober.setPatience(toPatience(known))
  let startedAt = prober.now()
  const beganAt = startedAt
  for (const offset of toOffsets(ramp)) {
    const wasHeld = await silence.over()
    if (halt.signal.aborted) break
    if (wasHeld) startedAt = Math.max(startedAt, prober.now() - offset)
    if (startedAt + offset - beganAt > MAX_RAMP_MS || !prober.hasTime(0)) {
      stop ??= 'time_used'
      break
    }
    const order = { probe: { stage: 'ramp' }, at: startedAt + offset, signal: halt.signal } as const
    const sending = await prober.send(order)
    if (typeof sending === 'object') {
      const end = silence.begin()
      sending.done.then((record) => {
        take(record)
        end(record)
      }, fail)
    } else stop ??= sending
    if (stop) break
  }
  await prober.settle()
  ramp.signal.removeEventListener('abort', cancel)
  if (fault) throw fault.error
  if (ramp.signal.aborted) stop = toAbortStop(ramp.signal)
  return { stop: stop ?? 'budget_used', baseline: watch.baseline() }
}

/** Ten times what answers usually take; an answer later than that is none. */
function toPatience(baseline: Baseline): number {
  return Math.min(MAX_ANSWER_MS, Math.max(LEAST_PATIENCE_MS, 10 * baseline.p95))
}

const LEAST_PATIENCE_MS = 3000
