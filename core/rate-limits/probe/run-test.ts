import type { Clock } from '../../ports/clock.ts'
import type { Timers } from '../../shared/timers.ts'
import {
  type DeclaredLimits,
  type Evidence,
  FINAL_STOPS,
  type PageParameter,
  type Probe,
  type ProbeRecord,
  type ProbeResponse,
  type StopReason,
  type TestBudget,
} from '../records.ts'
import { countWarmUp } from './arrivals.ts'
import { toRamp } from './find-limit.ts'
import { planStages } from './plan-stages.ts'
import { createProber, type Prober } from './prober.ts'
import { runRamp } from './ramp.ts'
import { isServed, MAX_ANNOUNCED_MS, runRecovery } from './recovery.ts'
import { createStopWatch, type StopWatch, toAbortStop } from './stops.ts'

/** Inputs of a run. */
export interface RunTestRequest {
  readonly budget: TestBudget
  readonly declared: DeclaredLimits
  /** Stages that the endpoint supports. */
  readonly supports: {
    /** The body can be enlarged. */
    readonly payload: boolean
    readonly page: PageParameter | undefined
  }
  readonly timers: Timers
  /** For absolute times in headers. */
  readonly clock: Clock
  /** Sends one request. Resolves with its response or failure; never rejects. */
  readonly send: (probe: Probe, signal: AbortSignal) => Promise<ProbeResponse>
  /** Called `inMs` milliseconds before a request is due, so that `take` can respond quickly. */
  readonly prepare?: ((inMs: number) => void) | undefined
  /** Called before each request. Resolves with true, or with the reason to stop. */
  readonly take: () => Promise<true | Evidence['stop']>
  /** Called for each completed request, to persist it for later attempts. */
  readonly onRecord?: ((record: ProbeRecord) => void) | undefined
  /** Observations of earlier attempts; the run continues with the remaining budget. */
  readonly earlier?: Pick<Evidence, 'records' | 'attempts' | 'sent'> | undefined
  /** Ends the run as `consent_withdrawn` if that is the abort reason, else as `cancelled`. */
  readonly signal: AbortSignal
}

/**
 * Runs a rate-limit test (Specification 4.13).
 * - Ramp: requests at a rising, then steady rate, until a limit is reached or the ramp's share of
 *   the budget is used.
 * - Recovery: single requests until a target that refused calls serves them again.
 * - Larger bodies and pages, if the endpoint supports them.
 * The stop rules include the records of earlier attempts. Never exceeds the budget, or the rate in
 * any second, and ends within five minutes. Rejects only if `take` or `send` does.
 */
export async function runTest(request: RunTestRequest): Promise<Evidence> {
  const prober = createProber(request)
  const { rampStop, stop } = await runStages(request, prober)
  const { budget, declared, earlier, supports } = request
  return {
    budget,
    declared,
    records: prober.records.toSorted((a, b) => a.at - b.at),
    rampStop,
    stop: request.signal.aborted ? toAbortStop(request.signal) : stop,
    attempts: (earlier?.attempts ?? 0) + 1,
    sent: prober.sent(),
    page: supports.page,
  }
}

/** Why the ramp and the run ended. */
interface RunStops {
  readonly rampStop: StopReason
  readonly stop: StopReason
}

async function runStages(
  { budget, supports, signal, earlier }: RunTestRequest,
  prober: ReturnType<typeof createProber>,
): Promise<RunStops> {
  const plan = planStages(supports, { budget, left: prober.left() })
  const whole = planStages(supports, { budget, left: budget.requests })
  const watch = createStopWatch({ warmUp: countWarmUp(whole.ramp), rate: budget.rate })
  // A limit or failure that ended an earlier attempt's ramp is not provoked again.
  const ended = replayRecords(watch, earlier?.records ?? [])
  const ramp = ended
    ? { stop: ended, baseline: watch.baseline() }
    : await runRamp(prober, { count: plan.ramp, rate: budget.rate, watch, signal })
  const end = (stop: StopReason) => ({ rampStop: ramp.stop, stop })
  if (FINAL_REASONS.has(ramp.stop)) return end(ramp.stop)
  if (NEEDS_RECOVERY.has(ramp.stop)) {
    if (!prober.records.some(({ outcome }) => outcome === 'ok')) return end(ramp.stop)
    const isBack = earlier?.records.some(
      (record) => record.stage === 'recovery' && isServed(record, ramp.baseline),
    )
    const recovery = isBack ? { recovered: true, stop: undefined } : await runRecovery(prober, ramp)
    if (recovery.stop && FINAL_REASONS.has(recovery.stop)) return end(recovery.stop)
    if (!recovery.recovered || ramp.stop !== 'limit_found') return end(ramp.stop)
  }
  const later = (await runPayloads(prober, plan.payloads)) ?? (await runPages(prober, plan.pages))
  return end(later && FINAL_REASONS.has(later) ? later : ramp.stop)
}

/** Replays the ramp records of earlier attempts; returns why they end the ramp. */
function replayRecords(watch: StopWatch, records: readonly ProbeRecord[]): StopReason | undefined {
  for (const record of toRamp({ records })) {
    const stop = watch.add(record)
    if (stop) return stop
  }
  return undefined
}

/** Reasons that end a run in any stage. */
const FINAL_REASONS: ReadonlySet<StopReason> = new Set(FINAL_STOPS)

/** Reasons after which recovery is checked. */
const NEEDS_RECOVERY = new Set<StopReason>([
  'limit_found',
  'timeouts',
  'server_errors',
  'slow',
  'rejected',
  'unreachable',
])

/**
 * Sends bodies of these sizes, at most one per second, until one is not accepted. Resolves with the
 * stop reason if the run must end; so does `runPages`.
 */
async function runPayloads(
  prober: Prober,
  sizes: readonly number[],
): Promise<StopReason | undefined> {
  return sendEach(
    prober,
    sizes.map((bytes) => ({ stage: 'payload', bytes })),
  )
}

/** Requests pages of these sizes, at most one per second, until one is not served. */
async function runPages(prober: Prober, sizes: readonly number[]): Promise<StopReason | undefined> {
  return sendEach(
    prober,
    sizes.map((pageSize) => ({ stage: 'page', pageSize })),
  )
}

/** Retries a request once after the announced wait if a limit refuses it. */
async function sendEach(prober: Prober, probes: readonly Probe[]): Promise<StopReason | undefined> {
  for (const probe of probes) {
    let waitMs = 1000
    let record: ProbeRecord | undefined
    for (let tried = 0; tried < 2 && (!record || record.outcome === 'limited'); tried += 1) {
      if (!prober.hasTime(waitMs)) return 'time_used'
      const sending = await prober.send({ probe, at: prober.now() + waitMs })
      if (typeof sending !== 'object') return sending
      record = await sending.done
      waitMs = Math.min(MAX_ANNOUNCED_MS, Math.max(1000, record.waitMs ?? 2000))
    }
    if (record?.outcome !== 'ok') return undefined
  }
  return undefined
}
