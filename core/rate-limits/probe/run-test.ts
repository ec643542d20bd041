import type { Clock } from '../../ports.ts'
import type { Timers } from '../../shared/timers.ts'
import {
  type DeclaredLimits,
  type Evidence,
  FINAL_STOPS,
  type PageParameter,
  type Probe,
  type ProbeAnswer,
  type ProbeRecord,
  type StopReason,
  type TestBudget,
} from '../records.ts'
import { toWarmUp } from './arrivals.ts'
import { toRamp } from './find-limit.ts'
import { runPages, runPayloads } from './payload.ts'
import { planStages } from './plan.ts'
import { createProber } from './prober.ts'
import { runRamp } from './ramp.ts'
import { isServed, runRecovery } from './recovery.ts'
import { createStopWatch, type StopWatch, toAbortStop } from './stops.ts'

/** What a run is made with. */
export interface RunTestRequest {
  readonly budget: TestBudget
  readonly declared: DeclaredLimits
  /** Which stages the endpoint allows. */
  readonly takes: {
    /** A body can be made larger. */
    readonly payload: boolean
    readonly page: PageParameter | undefined
  }
  readonly timers: Timers
  /** For the instants that headers name. */
  readonly clock: Clock
  /** Sends one request; resolves when its answer is there, or none will come. Never rejects. */
  readonly send: (probe: Probe, signal: AbortSignal) => Promise<ProbeAnswer>
  /** Told of a request that is due in so many milliseconds, so that `take` is quick by then. */
  readonly prepare?: ((inMs: number) => void) | undefined
  /** Asked before each request: whether it may be sent, else why the run ends. */
  readonly take: () => Promise<true | Evidence['stop']>
  /** Is told of each request once it is over, so that a later attempt knows of it. */
  readonly onRecord?: ((record: ProbeRecord) => void) | undefined
  /** What former attempts of the run saw; it goes on with what is left. */
  readonly former?: Pick<Evidence, 'records' | 'attempts' | 'sent'> | undefined
  /** Ends the run as `consent_withdrawn` where that is its reason, else as `cancelled`. */
  readonly signal: AbortSignal
}

/**
 * Runs a rate-limit test: a ramp of requests at a rising and then even rate until a limit is met or
 * the ramp's share is used, single requests until a target that refused serves again, then larger
 * bodies and pages where the endpoint takes them. The stop rules count what former attempts saw. Sends no more than the budget allows, of any
 * second no more than its rate, and ends within five minutes. Rejects only when `take` or `send`
 * does. (Specification 4.13)
 */
export async function runTest(request: RunTestRequest): Promise<Evidence> {
  const prober = createProber(request)
  const { rampStop, stop } = await runStages(request, prober)
  const { budget, declared, former, takes } = request
  return {
    budget,
    declared,
    records: prober.records.toSorted((a, b) => a.at - b.at),
    rampStop,
    stop: request.signal.aborted ? toAbortStop(request.signal) : stop,
    attempts: (former?.attempts ?? 0) + 1,
    sent: prober.sent(),
    page: takes.page,
  }
}

/** Why the ramp ended, and why the run did. */
interface Stops {
  readonly rampStop: StopReason
  readonly stop: StopReason
}

async function runStages(
  { budget, takes, signal, former }: RunTestRequest,
  prober: ReturnType<typeof createProber>,
): Promise<Stops> {
  const plan = planStages(takes, { budget, left: prober.left() })
  const whole = planStages(takes, { budget, left: budget.requests })
  const watch = createStopWatch({ warmUp: toWarmUp(whole.ramp), rate: budget.rate })
  // What ended the ramp of a former attempt, such as a limit, is not tried again.
  const ended = replay(watch, former?.records ?? [])
  const ramp = ended
    ? { stop: ended, baseline: watch.baseline() }
    : await runRamp(prober, { count: plan.ramp, rate: budget.rate, watch, signal })
  const end = (stop: StopReason) => ({ rampStop: ramp.stop, stop })
  if (FINAL.has(ramp.stop)) return end(ramp.stop)
  if (NEEDS_RECOVERY.has(ramp.stop)) {
    if (!prober.records.some(({ outcome }) => outcome === 'ok')) return end(ramp.stop)
    const isBack = former?.records.some(
      (record) => record.stage === 'recovery' && isServed(record, ramp.baseline),
    )
    const recovery = isBack ? { recovered: true, stop: undefined } : await runRecovery(prober, ramp)
    if (recovery.stop && FINAL.has(recovery.stop)) return end(recovery.stop)
    if (!recovery.recovered || ramp.stop !== 'limit_found') return end(ramp.stop)
  }
  const later = (await runPayloads(prober, plan.payloads)) ?? (await runPages(prober, plan.pages))
  return end(later && FINAL.has(later) ? later : ramp.stop)
}

/** Tells a watch what former attempts saw, in the order in which it ended; why that ends the ramp. */
function replay(watch: StopWatch, records: readonly ProbeRecord[]): StopReason | undefined {
  for (const record of toRamp({ records })) {
    const stop = watch.add(record)
    if (stop) return stop
  }
  return undefined
}

/** What ends a run at once, whatever stage it is in. */
const FINAL: ReadonlySet<StopReason> = new Set(FINAL_STOPS)

/** What needs a look at whether the target serves again. */
const NEEDS_RECOVERY = new Set<StopReason>([
  'limit_found',
  'timeouts',
  'server_errors',
  'slow',
  'rejected',
  'unreachable',
])
