import type { Clock } from '../../ports.ts'
import type { Timers } from '../../shared/timers.ts'
import type {
  DeclaredLimits,
  Evidence,
  PageParameter,
  Probe,
  ProbeAnswer,
  ProbeRecord,
  StopReason,
  TestBudget,
} from '../records.ts'
import { isSureLimit } from './outcomes.ts'
import { runPages, runPayloads } from './payload.ts'
import { planStages } from './plan.ts'
import { createProber } from './prober.ts'
import { runRamp } from './ramp.ts'
import { runRecovery } from './recovery.ts'

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
  readonly signal: AbortSignal
}

/**
 * Runs a rate-limit test: a ramp of requests at a rising and then even rate until a limit is met or
 * the ramp's share is used, single requests until a target that refused serves again, then larger
 * bodies and pages where the endpoint takes them. Sends no more than the budget allows, of any
 * second no more than its rate, and ends within five minutes. Rejects only when `take` or `send`
 * does. (Specification 4.13)
 */
export async function runTest(request: RunTestRequest): Promise<Evidence> {
  const prober = createProber(request)
  const stop = await runStages(request, prober)
  const { budget, declared, former, takes } = request
  return {
    budget,
    declared,
    records: prober.records.toSorted((a, b) => a.at - b.at),
    stop: request.signal.aborted ? 'cancelled' : stop,
    attempts: (former?.attempts ?? 0) + 1,
    sent: prober.sent(),
    page: takes.page,
  }
}

async function runStages(
  { budget, takes, signal, former }: RunTestRequest,
  prober: ReturnType<typeof createProber>,
): Promise<StopReason> {
  const plan = planStages(takes, { budget, left: prober.left() })
  // A former attempt's limit is not tried again.
  const wasFound = former?.records.some(isSureLimit) === true
  const ramp = wasFound
    ? { stop: 'limit_found' as const, baseline: undefined }
    : await runRamp(prober, { count: plan.ramp, rate: budget.rate, signal })
  if (FINAL.has(ramp.stop)) return ramp.stop
  if (NEEDS_RECOVERY.has(ramp.stop)) {
    if (!prober.records.some(({ outcome }) => outcome === 'ok')) return ramp.stop
    const recovery = await runRecovery(prober, ramp)
    if (recovery.stop && FINAL.has(recovery.stop)) return recovery.stop
    if (!recovery.recovered || ramp.stop !== 'limit_found') return ramp.stop
  }
  const later = (await runPayloads(prober, plan.payloads)) ?? (await runPages(prober, plan.pages))
  return later && FINAL.has(later) ? later : ramp.stop
}

/** What ends a run at once, whatever stage it is in. */
const FINAL = new Set<StopReason>(['cancelled', 'consent_withdrawn', 'daily_budget_used'])

/** What needs a look at whether the target serves again. */
const NEEDS_RECOVERY = new Set<StopReason>([
  'limit_found',
  'timeouts',
  'server_errors',
  'slow',
  'rejected',
  'unreachable',
])
