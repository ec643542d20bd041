import type { Evidence, LimitSignal, ProbeRecord, StopReason } from '../records.ts'
import { countWarmUp } from './arrivals.ts'
import { isSureLimit } from './outcomes.ts'
import { isAsFastAsBefore, isServed } from './recovery.ts'
import { type Baseline, isSlow, toBaseline, toResponseMs } from './stops.ts'

/** A limit that a run reached. */
export interface FoundLimit {
  readonly signal: LimitSignal
  /** Requests of the ramp that were sent before the first refusal, in order. */
  readonly served: readonly ProbeRecord[]
  /** Refused or slowed requests, until the target served one again. */
  readonly refused: readonly [ProbeRecord, ...ProbeRecord[]]
  /** The first request served again; undefined if not observed. */
  readonly recovered: ProbeRecord | undefined
}

/** Returns the actual send time, in milliseconds since the run began. */
export function toSentAt(record: ProbeRecord): number {
  return record.at + record.lateMs
}

/** Returns the requests of the ramp, in order. */
export function toRamp(evidence: Pick<Evidence, 'records'>): readonly ProbeRecord[] {
  return evidence.records.filter(({ stage }) => stage === 'ramp')
}

/** Returns why the ramp ended. The end of a later stage is no evidence of a rate limit. */
export function toRampStop({ rampStop, stop }: Evidence): StopReason {
  return rampStop ?? stop
}

/**
 * Computes the baseline from the first fifth of the ramp; undefined if too few requests were
 * served.
 */
export function toRampBaseline(ramp: readonly ProbeRecord[]): Baseline | undefined {
  return toBaseline(ramp.slice(0, Math.max(3, countWarmUp(ramp.length))))
}

/**
 * Finds the limit that a run reached, trying in order:
 * - a limit that responses announce;
 * - a clean switch, with all requests served before, none after, and normal service later;
 * - a slowdown.
 */
export function findLimit(evidence: Evidence): FoundLimit | undefined {
  return findAnnounced(evidence) ?? findSwitch(evidence) ?? findSlowed(evidence)
}

function findAnnounced(evidence: Evidence): FoundLimit | undefined {
  const limited = evidence.records.filter(({ outcome }) => outcome === 'limited')
  const isSure = limited.some(isSureLimit) || toRampStop(evidence) === 'limit_found'
  const signal = (limited.find(isSureLimit) ?? limited[0])?.signal
  if (!isSure || signal === undefined) return undefined
  return toFoundLimit(evidence, {
    signal,
    refused: limited,
    isBack: ({ outcome }) => outcome === 'ok',
  })
}

function findSwitch(evidence: Evidence): FoundLimit | undefined {
  const { signal, least } = SWITCHES[toRampStop(evidence)] ?? {}
  const ramp = toRamp(evidence)
  const first = ramp.findIndex(({ outcome }) => outcome !== 'ok')
  const failed = ramp[first]
  if (signal === undefined || least === undefined || !failed || first < least) return undefined
  const isAlike = ({ outcome, status }: ProbeRecord) =>
    outcome === failed.outcome && status === failed.status
  if (!ramp.slice(first).every(isAlike)) return undefined
  const later = evidence.records.filter(({ stage }) => stage === 'recovery')
  const end = later.findIndex(({ outcome }) => outcome === 'ok')
  const back = later[end]
  if (!back || !later.slice(0, end).every(isAlike)) return undefined
  if (!isAsFastAsBefore(back, toRampBaseline(ramp))) return undefined
  const refused = [...ramp.slice(first), ...later.slice(0, end)]
  return toFoundLimit(evidence, { signal, refused, isBack: ({ outcome }) => outcome === 'ok' })
}

function findSlowed(evidence: Evidence): FoundLimit | undefined {
  const ramp = toRamp(evidence)
  const baseline = toRampBaseline(ramp)
  if (toRampStop(evidence) !== 'slow' || !baseline) return undefined
  if (evidence.records.some(({ outcome }) => outcome !== 'ok')) return undefined
  const isLate = (record: ProbeRecord) => isSlow(toResponseMs(record), baseline)
  // From this record on, nearly all responses are slow. Isolated slow ones indicate no limit.
  const start = ramp.find((record, index) => {
    const slow = ramp.slice(index).filter(isLate).length
    return isLate(record) && slow >= LEAST_SLOW && slow >= SLOW_SHARE * (ramp.length - index)
  })
  const found = toFoundLimit(evidence, {
    signal: 'slowed',
    refused: start ? evidence.records.filter(({ at }) => at >= start.at).filter(isLate) : [],
    isBack: (record) => isServed(record, baseline),
  })
  // Without recovery it could also be an outage.
  return found?.recovered ? found : undefined
}

const LEAST_SLOW = 3
const SLOW_SHARE = 0.8

function toFoundLimit(
  evidence: Evidence,
  found: {
    readonly signal: LimitSignal
    readonly refused: readonly ProbeRecord[]
    readonly isBack: (record: ProbeRecord) => boolean
  },
): FoundLimit | undefined {
  const [first, ...others] = found.refused
  if (!first) return undefined
  const recovered = evidence.records.find(
    (record) => record.stage !== 'ramp' && record.at > first.at && found.isBack(record),
  )
  const until = recovered?.at ?? Infinity
  return {
    signal: found.signal,
    served: toRamp(evidence).filter(({ at }) => at < first.at),
    refused: [first, ...others.filter(({ at }) => at < until)],
    recovered,
  }
}

/**
 * Ramp stops that may be a limit without a message, with the minimum number of requests served
 * before.
 */
const SWITCHES: Partial<
  Record<StopReason, { readonly signal: LimitSignal; readonly least: number }>
> = {
  timeouts: { signal: 'dropped', least: 5 },
  server_errors: { signal: 'unavailable', least: 8 },
  unreachable: { signal: 'refused', least: 5 },
  rejected: { signal: 'status', least: 5 },
}
