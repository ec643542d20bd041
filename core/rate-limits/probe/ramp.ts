import type { ProbeRecord, StopReason } from '../records.ts'
import { toSendOffsets } from './arrivals.ts'
import { MAX_RAMP_MS } from './plan-stages.ts'
import { MAX_RESPONSE_MS, type Prober } from './prober.ts'
import { type Baseline, type StopWatch, toAbortStop } from './stops.ts'

/** How a ramp ended. */
export interface RampEnd {
  readonly stop: StopReason
  /** Undefined if the ramp ended before the warm-up did, or too few requests were served. */
  readonly baseline: Baseline | undefined
}

/**
 * Sends `count` requests at their scheduled times, until there is a reason to stop. Then sends no
 * more and waits for requests in flight.
 * Slow responses do not delay later requests (open loop). Requests in flight stay bounded, because
 * the third timeout ends the ramp and responses time out after at most 10 seconds. Only before the
 * first response, three requests in flight delay all later ones.
 */
export async function runRamp(
  prober: Prober,
  ramp: {
    readonly count: number
    readonly rate: number
    /** Has replayed the records of earlier attempts. */
    readonly watch: StopWatch
    readonly signal: AbortSignal
  },
): Promise<RampEnd> {
  const { watch } = ramp
  const silence = createFirstResponseGate()
  const halt = new AbortController()
  const cancel = () => halt.abort()
  ramp.signal.addEventListener('abort', cancel, { once: true })
  let stop: StopReason | undefined = ramp.signal.aborted ? toAbortStop(ramp.signal) : undefined
  let fault: { readonly error: unknown } | undefined

  function addRecord(record: ProbeRecord): void {
    const hadBaseline = watch.baseline() !== undefined
    stop ??= watch.add(record)
    const baseline = watch.baseline()
    if (baseline && !hadBaseline) prober.setTimeoutMs(toTimeoutMs(baseline))
    if (stop) halt.abort()
  }

  function fail(error: unknown): void {
    fault ??= { error }
    halt.abort()
    silence.release()
  }

  const known = watch.baseline()
  if (known) prober.setTimeoutMs(toTimeoutMs(known))
  let startedAt = prober.now()
  const beganAt = startedAt
  for (const offset of toSendOffsets(ramp)) {
    const wasHeld = await silence.whenOpen()
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
        addRecord(record)
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

/** Returns the response timeout: ten times the baseline's 95th percentile, within bounds. */
function toTimeoutMs(baseline: Baseline): number {
  return Math.min(MAX_RESPONSE_MS, Math.max(MIN_TIMEOUT_MS, 10 * baseline.p95))
}

const MIN_TIMEOUT_MS = 3000

/** Delays a ramp until the target has responded for the first time. */
interface FirstResponseGate {
  /** Records that a request is in flight. Call the returned function with its record. */
  begin(): (record: ProbeRecord) => void
  /** Resolves when the next request may be sent: with false at once, or with true after a wait. */
  whenOpen(): Promise<boolean>
  /** Releases waiting callers. */
  release(): void
}

/**
 * Creates the gate of a ramp. Before the first response, at most three requests may be in flight,
 * because nothing is known about the target. After it, the gate stays open, even if the target
 * pauses.
 */
function createFirstResponseGate(): FirstResponseGate {
  let open = 0
  let isOver = false
  let wake = () => {}
  const isTooMuch = () => !isOver && open >= MAX_IN_FLIGHT

  return {
    begin() {
      open += 1
      return ({ outcome }) => {
        open -= 1
        if (outcome !== 'timed_out') isOver = true
        wake()
      }
    },
    async whenOpen() {
      if (!isTooMuch()) return false
      while (isTooMuch()) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return true
    },
    release() {
      isOver = true
      wake()
    },
  }
}

/** Maximum number of requests in flight before the first response. */
const MAX_IN_FLIGHT = 3
