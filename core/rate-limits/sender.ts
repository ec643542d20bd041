import type { EndpointCalls } from '../calls/call-maker.ts'
import { isOfOrigin } from '../calls/origins.ts'
import { ServiceError } from '../errors.ts'
import { type Egress, EgressError, type EgressResponse } from '../ports/egress.ts'
import { countItems } from './probe/count-items.ts'
import type { RunTestRequest } from './probe/run-test.ts'
import type { ProbePlan } from './probes.ts'
import type { ProbeResponse, TestInput } from './records.ts'

const LIMITS = {
  connectMs: 3_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  maxBodyBytes: 1024 ** 3,
} as const
const READ_BYTES = 64 * 1024
/** Maximum bytes read of a page. Items of a longer page are not counted. */
const PAGE_BYTES = 2 * 1024 * 1024
const TEXT_BYTES = 4 * 1024

/**
 * Creates the function that sends a run's requests. Each goes through the egress with all its
 * checks, once, without following redirects. It bypasses the gateway's circuit breaker, which would
 * hide the target's limit from the run. Conversely, failures provoked by a run must not block other
 * callers. Calls `onFault` if a request cannot be built.
 */
export function createSender(deps: {
  readonly calls: EndpointCalls
  readonly plan: ProbePlan
  readonly egress: Egress
  readonly input: Pick<TestInput, 'origin' | 'usesCredentials'> & {
    readonly server: string | undefined
  }
  readonly userAgent: string
  /** The only address to connect to; undefined to accept any address of the host name. */
  readonly address: () => string | undefined
  readonly onFault: (error: unknown) => void
}): RunTestRequest['send'] {
  const { calls, plan, egress, userAgent } = deps
  const { origin, server, usesCredentials } = deps.input
  return async (probe, signal) => {
    try {
      const call = await calls.build(plan.toValues(probe), { server, usesCredentials })
      if (!isOfOrigin(call.url, origin)) throw createOriginChangedError(origin)
      const { method, url, body } = call
      const headers = call.headers.filter(([name]) => name !== 'user-agent')
      const answer = await egress.send({
        method,
        url,
        body,
        headers: [...headers, ['user-agent', userAgent]],
        address: deps.address(),
        limits: LIMITS,
        signal,
      })
      return await (probe.stage === 'page' ? readPageResponse(answer) : readResponse(answer))
    } catch (error) {
      if (error instanceof EgressError) return { failure: error.failure }
      if (!signal.aborted) deps.onFault(error)
      return { failure: 'aborted' }
    }
  }
}

/** Creates the error for an endpoint whose origin has changed since the test was queued. */
export function createOriginChangedError(origin: string): ServiceError {
  return new ServiceError(
    'origin_changed',
    `Cannot continue the test of ${origin}: the API description now names another server`,
  )
}

/** Reads the beginning of a response body. A truncated body counts up to its last byte. */
async function readResponse({ status, headers, body }: EgressResponse): Promise<ProbeResponse> {
  const { bytes, text } = await readLimitedBody(body, {
    maxBytes: READ_BYTES,
    textBytes: TEXT_BYTES,
  })
  return { status, headers, text, bytes }
}

/** Reads a response, and counts the items of a complete page. */
async function readPageResponse({ status, headers, body }: EgressResponse): Promise<ProbeResponse> {
  const read = await readLimitedBody(body, { maxBytes: PAGE_BYTES, textBytes: PAGE_BYTES })
  const counted = read.isWhole ? countItems(read.text, headers) : {}
  return { status, headers, text: read.text.slice(0, TEXT_BYTES), bytes: read.bytes, ...counted }
}

async function readLimitedBody(
  body: EgressResponse['body'],
  limits: { readonly maxBytes: number; readonly textBytes: number },
): Promise<{ readonly bytes: number; readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  try {
    for await (const chunk of body) {
      const left = limits.textBytes - bytes
      if (left > 0) text += decoder.decode(chunk.subarray(0, left), { stream: true })
      bytes = Math.min(limits.maxBytes, bytes + chunk.byteLength)
      if (bytes >= limits.maxBytes) return { bytes, text, isWhole: false }
    }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { bytes, text, isWhole: false }
  }
  return { bytes, text: text + decoder.decode(), isWhole: true }
}
