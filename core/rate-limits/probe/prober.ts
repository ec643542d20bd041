import { createRateHintReader } from '../../egress/rate-headers.ts'
import type { Probe, ProbeAnswer, ProbeRecord, StopReason } from '../records.ts'
import { createPacer } from './arrivals.ts'
import { type Judged, judgeAnswer } from './outcomes.ts'
import { toUsualWords } from './quota-words.ts'
import type { RunTestRequest } from './run-test.ts'
import { toAbortStop } from './stops.ts'

/** How long a run takes at most, with the last answer, whatever is asked of it: five minutes. */
export const MAX_RUN_MS = 300_000

/** How long an answer is waited for, until the baseline says how long they usually take. */
export const MAX_ANSWER_MS = 10_000

/** Sends the requests of a run one by one: within the budget, the rate, the time and the consent. */
export interface Prober {
  /** Of those that have ended, former ones included; the newest last. */
  readonly records: readonly ProbeRecord[]
  /** Requests that the budget still allows. */
  left(): number
  /** Milliseconds since the run began. */
  now(): number
  /** False when no request could be sent and waited for after so many milliseconds. */
  hasTime(ms: number): boolean
  /** At once when the signal, or the run's own, ends it. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** How long answers are waited for from now on, milliseconds. */
  setPatience(ms: number): void
  /**
   * Sends a request at `at`, or as soon after as rate and permission allow. Resolves when it is on
   * its way, with the promise of its record, or with why none is sent; with undefined when the
   * order's own signal ended it before.
   */
  send(order: {
    readonly probe: Probe
    readonly at: number
    readonly signal?: AbortSignal
  }): Promise<{ readonly done: Promise<ProbeRecord> } | StopReason | undefined>
  /** Resolves when nothing is under way any more. */
  settle(): Promise<void>
}

/** Creates the prober of a run. */
export function createProber(request: RunTestRequest): Prober & { readonly sent: () => number } {
  const { budget, timers, signal, former } = request
  const startedAt = timers.now()
  // Times of a run that goes on lie after those of its former attempts.
  const base = Math.max(0, ...(former?.records ?? []).map(({ at, ms }) => at + ms + 1000))
  const records: ProbeRecord[] = [...(former?.records ?? [])]
  const pacer = createPacer(budget.rate)
  const hints = createRateHintReader()
  const usual = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  let sent = former?.sent ?? 0
  let sampled = 0
  let patienceMs = MAX_ANSWER_MS

  const now = () => base + timers.now() - startedAt

  async function sleep(ms: number, until: AbortSignal = signal): Promise<void> {
    await (ms > 0 ? timers.sleep(ms, until) : undefined)
  }

  /** Timers may fire too early: nothing may be sent so. */
  async function sleepUntil(due: number, until: AbortSignal): Promise<void> {
    for (let left = due - now(); left > 0 && !until.aborted; left = due - now()) {
      await sleep(Math.max(left, 0.1), until)
    }
  }

  function judge(answer: ProbeAnswer): Judged {
    if (sampled < USUAL_BODIES && 'text' in answer && answer.status < 400) {
      sampled += 1
      for (const words of toUsualWords(answer.text)) usual.add(words)
    }
    return judgeAnswer(answer, { usual, now: request.clock(), hints })
  }

  async function sendOne(probe: Probe, at: number): Promise<ProbeRecord> {
    const sentAt = now()
    const inFlight = underWay.size
    const answer = await race(probe)
    const size = probe.bytes ?? probe.pageSize
    const page = probe.stage === 'page' && 'bytes' in answer ? answer : undefined
    const record: ProbeRecord = {
      stage: probe.stage,
      at,
      lateMs: sentAt - at,
      ms: now() - at,
      ...judge(answer),
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

  /** The answer, or that none came in time; nothing is waited for once the run is to end. */
  async function race(probe: Probe): Promise<ProbeAnswer> {
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
    setPatience(ms) {
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
      // Who waits for it hears of a failure; here it only must not go unheard.
      const leave = () => underWay.delete(done)
      done.then(leave, leave)
      return { done }
    },
    async settle() {
      await Promise.allSettled(underWay)
    },
  }
}

/** Permission is prepared so long before a request is due at most. */
const PREPARE_MS = 100

/** So many first answers tell which words are usual in the target's bodies. */
const USUAL_BODIES = 2
