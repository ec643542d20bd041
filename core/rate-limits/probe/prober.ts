import { createRateHintReader } from '../../egress/rate-headers.ts'
import type { Probe, ProbeRecord, ProbeResponse, StopReason } from '../records.ts'
import { createPacer } from './arrivals.ts'
import { type JudgedResponse, judgeResponse } from './outcomes.ts'
import { readUsualWords } from './quota-words.ts'
import type { RunTestRequest } from './run-test.ts'
import { toAbortStop } from './stops.ts'

/** Maximum duration of a run, including its last response: five minutes. */
export const MAX_RUN_MS = 300_000

/** Response timeout until there is a baseline. */
export const MAX_RESPONSE_MS = 10_000

/**
 * Sends the requests of a run one by one, within the budget, the rate, the time and the consent.
 */
export interface Prober {
  /** Completed requests, including those of earlier attempts; newest last. */
  readonly records: readonly ProbeRecord[]
  /** Number of requests left in the budget. */
  left(): number
  /** Milliseconds since the run began. */
  now(): number
  /** Whether there is time for a request and its timeout after `ms` milliseconds. */
  hasTime(ms: number): boolean
  /** Sleeps, but resolves at once if `signal` (default: the run's signal) is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Sets the response timeout for later requests, in milliseconds. */
  setTimeoutMs(ms: number): void
  /**
   * Sends a request at `at`, or later if the rate or the permission requires it. Resolves once the
   * request is in flight, with the promise of its record. Resolves with the stop reason if the run
   * must end, or with undefined if the order's own signal is aborted first.
   */
  send(order: {
    readonly probe: Probe
    readonly at: number
    readonly signal?: AbortSignal
  }): Promise<{ readonly done: Promise<ProbeRecord> } | StopReason | undefined>
  /** Resolves when no request is in flight. */
  settle(): Promise<void>
}

/** Creates the prober of a run. */
export function createProber(request: RunTestRequest): Prober & { readonly sent: () => number } {
  const { budget, timers, signal, earlier } = request
  const startedAt = timers.now()
  // Times of a resumed run follow those of its earlier attempts.
  const base = Math.max(0, ...(earlier?.records ?? []).map(({ at, ms }) => at + ms + 1000))
  const records: ProbeRecord[] = [...(earlier?.records ?? [])]
  const pacer = createPacer(budget.rate)
  const hints = createRateHintReader()
  const usual = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  let sent = earlier?.sent ?? 0
  let sampled = 0
  let patienceMs = MAX_RESPONSE_MS

  const now = () => base + timers.now() - startedAt

  async function sleep(ms: number, until: AbortSignal = signal): Promise<void> {
    await (ms > 0 ? timers.sleep(ms, until) : undefined)
  }

  /** Repeats the sleep if a timer fires early: nothing may be sent before its time. */
  async function sleepUntil(due: number, until: AbortSignal): Promise<void> {
    for (let left = due - now(); left > 0 && !until.aborted; left = due - now()) {
      await sleep(Math.max(left, 0.1), until)
    }
  }

  function judgeProbe(answer: ProbeResponse): JudgedResponse {
    if (sampled < USUAL_BODIES && 'text' in answer && answer.status < 400) {
      sampled += 1
      for (const words of readUsualWords(answer.text)) usual.add(words)
    }
    return judgeResponse(answer, { usual, now: request.clock(), hints })
  }

  async function sendOne(probe: Probe, at: number): Promise<ProbeRecord> {
    const sentAt = now()
    const inFlight = underWay.size
    const answer = await sendWithTimeout(probe)
    const size = probe.bytes ?? probe.pageSize
    const page = probe.stage === 'page' && 'bytes' in answer ? answer : undefined
    const record: ProbeRecord = {
      stage: probe.stage,
      at,
      lateMs: sentAt - at,
      ms: now() - at,
      ...judgeProbe(answer),
      inFlight,
      ...(size === undefined ? {} : { size }),
      ...(page === undefined ? {} : { bytes: page.bytes }),
      ...(page?.items === undefined ? {} : { items: page.items }),
      ...(page?.hasMore === undefined ? {} : { hasMore: page.hasMore }),
      ...(page?.lists === undefined ? {} : { lists: page.lists }),
    }
    records.push(record)
    request.onRecord?.(record)
    return record
  }

  /** Resolves with the response, or with a failure on timeout or when the run is aborted. */
  async function sendWithTimeout(probe: Probe): Promise<ProbeResponse> {
    const call = new AbortController()
    const timer = new AbortController()
    const end = () => {
      call.abort()
      timer.abort()
    }
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    try {
      const late = timers
        .sleep(patienceMs, timer.signal)
        .then(() => ({ failure: signal.aborted ? 'aborted' : 'first_byte_timeout' }) as const)
      return await Promise.race([request.send(probe, call.signal), late])
    } finally {
      signal.removeEventListener('abort', end)
      end()
    }
  }

  return {
    records,
    now,
    sleep,
    sent: () => sent,
    left: () => Math.max(0, Math.floor(budget.requests) - sent),
    hasTime: (ms) => now() - base + ms + patienceMs <= MAX_RUN_MS,
    setTimeoutMs(ms) {
      patienceMs = ms
    },
    async send({ probe, at, signal: until = signal }) {
      const due = Math.max(at, pacer.earliest() + base - startedAt)
      await sleepUntil(due - PREPARE_MS, until)
      if (signal.aborted) return toAbortStop(signal)
      if (until.aborted) return undefined
      if (sent >= Math.floor(budget.requests)) return 'budget_used'
      request.prepare?.(due - now())
      await sleepUntil(due, until)
      if (signal.aborted) return toAbortStop(signal)
      if (until.aborted) return undefined
      const permission = await request.take()
      if (permission !== true) return permission
      if (signal.aborted) return toAbortStop(signal)
      if (until.aborted) return undefined
      sent += 1
      pacer.note(timers.now())
      const done = sendOne(probe, at)
      underWay.add(done)
      // Callers await `done`. This handler only prevents an unhandled rejection.
      const leave = () => underWay.delete(done)
      done.then(leave, leave)
      return { done }
    },
    async settle() {
      await Promise.allSettled(underWay)
    },
  }
}

/** How long before a request is due its permission is prepared. */
const PREPARE_MS = 100

/** Number of first responses that define the usual words of the target's bodies. */
const USUAL_BODIES = 2
