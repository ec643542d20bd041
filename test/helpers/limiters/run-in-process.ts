import { type RunTestRequest, runTest } from '../../../core/rate-limits/probe/run-test.ts'
import {
  DEFAULT_BUDGET,
  type DeclaredLimits,
  type Evidence,
  type Probe,
  type ProbeResponse,
} from '../../../core/rate-limits/records.ts'
import type { LimiterAnswer, LimiterRequest } from './limiter.ts'
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts'

/** Limits of an endpoint without declarations and earlier calls. */
export const NOTHING_DECLARED: DeclaredLimits = {
  has429: false,
  headers: [],
  limits: [],
  seen: { calls: 0, limited: 0 },
}

/** Converts a probe to the request that a model receives. */
function toLimiterRequest(probe: Probe): LimiterRequest {
  return { path: '/things', key: 'ours', bytes: probe.bytes ?? 0, pageSize: probe.pageSize }
}

/** Creates a function that sends requests to a model in process. */
function toSend(
  answer: (request: LimiterRequest, clock: () => number) => LimiterAnswer,
  { timers, clock }: VirtualClock,
): RunTestRequest['send'] {
  return async (probe, signal): Promise<ProbeResponse> => {
    const answered = answer(toLimiterRequest(probe), clock)
    if (answered === 'silent') {
      await timers.sleep(3_600_000, signal)
      return { failure: signal.aborted ? 'aborted' : 'first_byte_timeout' }
    }
    await timers.sleep(answered === 'closed' ? 5 : answered.delayMs, signal)
    if (signal.aborted) return { failure: 'aborted' }
    if (answered === 'closed') return { failure: 'connect_failed' }
    const { status, headers, body } = answered
    return { status, headers, text: body.slice(0, 4096), bytes: body.length }
  }
}

/** Runs a test against a model, in virtual time. */
export async function runInProcess(
  answer: (request: LimiterRequest, clock: () => number) => LimiterAnswer,
  more: Partial<RunTestRequest> & { readonly virtual?: VirtualClock } = {},
): Promise<Evidence> {
  const { virtual = createVirtualClock(), ...request } = more
  return virtual.run(() =>
    runTest({
      budget: DEFAULT_BUDGET,
      declared: NOTHING_DECLARED,
      supports: { payload: false, page: undefined },
      timers: virtual.timers,
      clock: virtual.clock,
      send: toSend(answer, virtual),
      take: async () => true,
      signal: new AbortController().signal,
      ...request,
    }),
  )
}
