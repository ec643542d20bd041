import type * as v from 'valibot'
import { toTimestamp } from '../shared/dates.ts'
import { type Page, type PageRequest, toPageEnvelope } from '../shared/pages.ts'
import { describeTest } from './probe/describe-test.ts'
import { toSentAt } from './probe/find-limit.ts'
import { toPercentile } from './probe/percentiles.ts'
import type { ProbeRecord, RateLimit, TestResult } from './records.ts'
import type { ListedRun, TestRun } from './runs.ts'
import type { HostConsent, StartedTest } from './service.ts'
import type { consentSchema, resultSchema, runListSchema, runSchema } from './wire.ts'

type Extended = NonNullable<v.InferInput<typeof resultSchema>['extended']>

/** Events in a tenth of a second. */
interface TimelineRow {
  /** Start of the step, in milliseconds since the run began. */
  readonly at: number
  readonly sent: number
  /**
   * Outcomes of requests that ended in this step. `failed` includes timeouts, refusals and all
   * errors.
   */
  readonly ok: number
  readonly limited: number
  readonly failed: number
  /** Latencies of the requests that ended in this step, in milliseconds; undefined without one. */
  readonly p50: number | undefined
  readonly p99: number | undefined
}

/** Converts the start reply (Specification 2.15). */
export function toStartReply({ run, isNew }: StartedTest) {
  const { requests, rate } = run.input.budget
  const what = `run ${run.id}: at most ${requests} requests at ${rate} per second to ${run.host}`
  const result = isNew
    ? `Queued as ${what}. Read the result later.`
    : `A test of this endpoint is already ${run.state} as ${what}. Read the result later.`
  return { result, info: run.id }
}

/** Converts a result (Specification 2.15). An open run reports its progress. */
export function toResultWire(
  run: TestRun,
  options: { readonly isExtended: boolean; readonly hasRequests: boolean },
): v.InferInput<typeof resultSchema> {
  const began = run.result?.beganAt ?? run.startedAt ?? run.createdAt
  return {
    datetime: new Date(began).toISOString().slice(0, 10).replaceAll('-', '/'),
    result: describeResult(run),
    test_case: describeTestCase(run),
    ...(options.isExtended || options.hasRequests
      ? { extended: toExtended(run, options.hasRequests) }
      : {}),
  }
}

/** Converts a run as shown in lists. */
export function toRunWire(run: ListedRun): v.InferInput<typeof runSchema> {
  const { requests, rate, payloadBytes } = run.budget
  return {
    run: run.id,
    endpoint_id: run.endpoint,
    host: run.host,
    state: run.state,
    verdict: run.verdict ?? null,
    sent: run.sent,
    budget: { requests, rate, payload_bytes: payloadBytes },
    is_stopped: run.isStopped,
    failure: run.failure,
    created_at: toTimestamp(run.createdAt),
    started_at: run.startedAt === undefined ? null : toTimestamp(run.startedAt),
    ended_at: run.endedAt === undefined ? null : toTimestamp(run.endedAt),
  }
}

/** Converts a page of runs. */
export function toRunListWire(
  { items, total }: Page<ListedRun>,
  request: PageRequest,
): v.InferInput<typeof runListSchema> {
  return { ...toPageEnvelope(total, request), runs: items.map(toRunWire) }
}

/** Converts the consent of a host. */
export function toConsentWire(consent: HostConsent): v.InferInput<typeof consentSchema> {
  return {
    host: consent.host,
    origin: consent.origin,
    is_given: consent.isGiven,
    by: consent.by ?? null,
    token: consent.token,
    token_url: consent.tokenUrl,
    reason: consent.reason ?? null,
    missing: consent.missing,
  }
}

function describeResult(run: TestRun): string {
  const { state, result, sent } = run
  const most = run.input.budget.requests
  const progress = `${sent === 0 ? 'none' : sent} of at most ${most} requests sent so far`
  const ending = run.isStopped ? ', stop requested' : ''
  switch (state) {
    case 'queued':
      return `Queued${ending}: ${progress}.`
    case 'running':
      return `Running${ending}: ${progress}.`
    case 'done':
      return result ? describeVerdict(result) : 'Done without a result.'
    default: {
      const why = `${state === 'failed' ? 'Failed' : 'Aborted'}: ${toFailureSentence(run.failure)}`
      return result ? `${why} ${describeVerdict(result)}` : `${why} No verdict.`
    }
  }
}

/** Describes the verdict: `Protected: A rate limit was reached …`. */
function describeVerdict({ verdict: { verdict, text } }: TestResult): string {
  return `${verdict.slice(0, 1).toUpperCase()}${verdict.slice(1)}: ${text}`
}

function toFailureSentence(text: string): string {
  if (text === '') return 'unknown reason.'
  return text.endsWith('.') ? text : `${text}.`
}

function describeTestCase(run: TestRun): string {
  if (run.result) return describeTest(run.result)
  const { requests, rate } = run.input.budget
  return `${run.sent} of at most ${requests} requests, at most ${rate} requests per second`
}

function toExtended(run: TestRun, hasRequests: boolean): Extended {
  const { input, result } = run
  const records = result?.evidence.records ?? []
  return {
    ...toRunWire(run),
    consent: input.consent,
    uses_credentials: input.usesCredentials,
    attempts: run.attempts,
    stop: result?.evidence.stop ?? null,
    ...toVerdictWire(result),
    declared: result ? toDeclaredWire(result) : null,
    timeline: toTimeline(records).map(({ at, sent, ok, limited, failed, p50, p99 }) => ({
      at_ms: at,
      sent,
      ok,
      limited,
      failed,
      p50_ms: p50 === undefined ? null : toTenths(p50),
      p99_ms: p99 === undefined ? null : toTenths(p99),
    })),
    ...(hasRequests ? { requests: records.map(toRequestWire) } : {}),
  }
}

function toVerdictWire(
  result: TestResult | undefined,
): Pick<Extended, 'reason' | 'rate' | 'payload' | 'page'> {
  if (!result) return { reason: null, rate: null, payload: null, page: null }
  const { reason, rate, payload, page } = result.verdict
  return {
    reason: reason ?? null,
    rate: {
      found: rate.found,
      summary: rate.summary ?? null,
      signal: rate.signal ?? null,
      observed: toLimitWire(rate.observed),
      bounds: rate.bounds
        ? { calls: [...rate.bounds.calls], window_ms: toWireRange(rate.bounds.windowMs) }
        : null,
      at_once: rate.atOnce ?? null,
      at_rate: rate.atRate ?? null,
      declared: toLimitWire(rate.declared),
      comparison: rate.comparison ?? null,
      recovery_ms: rate.recoveryMs === undefined ? null : toTenths(rate.recoveryMs),
    },
    payload: {
      state: payload.state,
      largest_taken_bytes: payload.largestTaken ?? null,
      smallest_refused_bytes: payload.smallestRefused ?? null,
    },
    page: {
      state: page.state,
      parameter: page.parameter ?? null,
      asked: page.asked ?? null,
      items: page.items ?? null,
      usual_items: page.usualItems ?? null,
    },
  }
}

function toDeclaredWire({ evidence: { declared } }: TestResult): Extended['declared'] {
  return {
    has_429: declared.has429,
    headers: [...declared.headers],
    limits: declared.limits.map(({ calls, windowMs, source }) => ({
      calls,
      window_ms: windowMs ?? null,
      source,
    })),
    seen: { calls: declared.seen.calls, limited: declared.seen.limited },
  }
}

function toLimitWire(limit: RateLimit | undefined) {
  return limit ? { calls: limit.calls, window_ms: limit.windowMs ?? null } : null
}

function toWireRange(range: readonly [number, number] | undefined): [number, number] | null {
  return range ? [range[0], range[1]] : null
}

function toRequestWire(record: ProbeRecord): NonNullable<Extended['requests']>[number] {
  const { waitMs, remaining, limit, windowMs, size, bytes, items, hasMore, signal } = record
  return {
    stage: record.stage,
    at_ms: toTenths(record.at),
    late_ms: toTenths(record.lateMs),
    ms: toTenths(record.ms),
    outcome: record.outcome,
    status: record.status,
    in_flight: record.inFlight,
    ...(signal === undefined ? {} : { signal }),
    ...(waitMs === undefined ? {} : { wait_ms: waitMs }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(limit === undefined ? {} : { limit }),
    ...(windowMs === undefined ? {} : { window_ms: windowMs }),
    ...(size === undefined ? {} : { size }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(items === undefined ? {} : { items }),
    ...(hasMore === undefined ? {} : { has_more: hasMore }),
  }
}

function toTenths(value: number): number {
  return Math.round(value * 10) / 10
}

const TIMELINE_STEP_MS = 100

/** Builds the timeline of a run in steps of 100 ms; empty steps are omitted. */
export function toTimeline(records: readonly ProbeRecord[]): readonly TimelineRow[] {
  const steps = new Map<number, { sent: number; ended: ProbeRecord[] }>()
  const stepOf = (ms: number) => {
    const index = Math.floor(ms / TIMELINE_STEP_MS)
    const step = steps.get(index) ?? { sent: 0, ended: [] }
    steps.set(index, step)
    return step
  }
  for (const record of records) {
    stepOf(toSentAt(record)).sent += 1
    stepOf(record.at + record.ms).ended.push(record)
  }
  const sorted = [...steps].sort(([a], [b]) => a - b)
  return sorted.map(([index, { sent, ended }]) =>
    toTimelineRow(index * TIMELINE_STEP_MS, { sent, ended }),
  )
}

function toTimelineRow(
  at: number,
  step: { readonly sent: number; readonly ended: readonly ProbeRecord[] },
): TimelineRow {
  const times = step.ended.map(({ ms }) => ms)
  const ok = step.ended.filter(({ outcome }) => outcome === 'ok').length
  const limited = step.ended.filter(({ outcome }) => outcome === 'limited').length
  return {
    at,
    sent: step.sent,
    ok,
    limited,
    failed: step.ended.length - ok - limited,
    p50: toPercentile(times, 0.5),
    p99: toPercentile(times, 0.99),
  }
}
