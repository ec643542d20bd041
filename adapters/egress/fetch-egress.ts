import { EGRESS_LIMITS } from '../../core/egress/limits.ts'
import { parseEncodings } from '../../core/egress/parse-encodings.ts'
import { createEgressPolicy, type EgressPolicy, findRefusal } from '../../core/egress/policy.ts'
import {
  type Egress,
  EgressError,
  type EgressFailure,
  type EgressLimits,
  type EgressRequest,
  type EgressResponse,
} from '../../core/ports/egress.ts'
import { isOwnHeader } from './messages.ts'

/** The used subset of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface FetchEgressOptions {
  /** See `PinnedEgressOptions`. */
  readonly allow?: readonly string[] | undefined
  readonly limits?: Partial<EgressLimits> | undefined
  /** Default: the platform's own. */
  readonly fetch?: Fetch | undefined
}

/**
 * Creates an `Egress` with `fetch`, for edge platforms without sockets and private networks.
 * Elsewhere use `createPinnedEgress`.
 *
 * UNPINNED: schemes, names, ports and literal addresses are checked, but the platform resolves
 * names.
 *
 * Requests responses without content encoding, and rejects encoded ones with `malformed_answer`:
 * some platforms decode them, others do not, and neither is detectable. `connectMs` and
 * `firstByteMs` form one combined limit. The size of the head is limited by the platform, and the
 * rate of a body only by `idleMs`.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { createFetchEgress } from 'api-discovery/egress'
 *
 * const app = createApiDiscovery({ storage, egress: createFetchEgress() })
 * ```
 */
export function createFetchEgress(options: FetchEgressOptions = {}): Egress {
  const policy = createEgressPolicy({ allow: options.allow })
  const send = options.fetch ?? globalThis.fetch
  const limits = { ...EGRESS_LIMITS, ...options.limits }
  return {
    send: (request) =>
      sendOnce({ request, policy, fetch: send, limits: { ...limits, ...request.limits } }),
    check: (url) => findRefusal(policy, url),
    limits,
  }
}

interface FetchCall {
  readonly request: EgressRequest
  readonly policy: EgressPolicy
  readonly fetch: Fetch
  readonly limits: EgressLimits
}

async function sendOnce({ request, policy, fetch, limits }: FetchCall): Promise<EgressResponse> {
  const { method, url, headers, body, signal } = request
  const clock = createCallTimer(signal, limits.totalMs)
  try {
    checkUrl(policy, url)
    clock.expireIn(limits.connectMs + limits.firstByteMs, 'first_byte_timeout')
    const response = await fetch(url, {
      method,
      headers: [
        ...headers
          .filter(([name]) => name !== 'accept-encoding' && !isOwnHeader(name))
          .map(([name, value]): [string, string] => [name, value]),
        ['accept-encoding', 'identity'],
      ],
      ...(body ? { body: new Uint8Array(body) } : {}),
      redirect: 'manual',
      signal: clock.signal,
    })
    clock.pause()
    const { status } = response
    if (status < 200 || status > 599 || isEncoded(response))
      throw createFetchError('malformed_answer', url)
    return toEgressResponse(response, { url, limits, clock })
  } catch (error) {
    clock.end()
    signal?.throwIfAborted()
    if (error instanceof EgressError) throw error
    throw createFetchError(clock.failure ?? 'connect_failed', url, error)
  }
}

function isEncoded({ headers }: Response): boolean {
  return parseEncodings(headers.get('content-encoding') ?? undefined).length > 0
}

interface CallTimer {
  readonly signal: AbortSignal
  /** Why this side ended the call; undefined otherwise. */
  readonly failure: EgressFailure | undefined
  expireIn(ms: number, failure: EgressFailure): void
  /** Pauses the phase limit while the reader is waited for. */
  pause(): void
  end(): void
}

function createCallTimer(outer: AbortSignal | undefined, totalMs: number): CallTimer {
  const ending = new AbortController()
  let failure: EgressFailure | undefined
  let isAtRest = false
  let phase: ReturnType<typeof setTimeout> | undefined
  const expire = (reason: EgressFailure) => {
    failure ??= reason
    ending.abort()
  }
  const onAbort = () => ending.abort(outer?.reason)
  const onTotal = () => expire(isAtRest ? 'reader_too_slow' : 'total_timeout')
  const total = setTimeout(onTotal, totalMs)
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort)
  return {
    signal: ending.signal,
    get failure() {
      return failure
    },
    expireIn(ms, reason) {
      isAtRest = false
      clearTimeout(phase)
      phase = setTimeout(() => expire(reason), ms)
    },
    pause() {
      isAtRest = true
      clearTimeout(phase)
    },
    end() {
      clearTimeout(phase)
      clearTimeout(total)
      outer?.removeEventListener('abort', onAbort)
      ending.abort()
    },
  }
}

function toEgressResponse(
  response: Response,
  more: { readonly url: string; readonly limits: EgressLimits; readonly clock: CallTimer },
): EgressResponse {
  const { clock } = more
  if (!response.body) clock.end()
  return {
    status: response.status,
    headers: [...response.headers],
    body: readFetchBody(response, more),
    url: more.url,
    discard: () => clock.end(),
  }
}

async function* readFetchBody(
  response: Response,
  { url, limits, clock }: Parameters<typeof toEgressResponse>[1],
): AsyncGenerator<Uint8Array> {
  if (!response.body) return
  const reader = response.body.getReader()
  let bytes = 0
  try {
    for (;;) {
      clock.expireIn(limits.idleMs, 'too_slow')
      const { done, value } = await reader.read()
      clock.pause()
      if (done) return
      bytes += value.byteLength
      if (bytes > limits.maxBodyBytes) throw createFetchError('too_large', url)
      yield value
    }
  } catch (error) {
    if (error instanceof EgressError) throw error
    if (clock.signal.aborted && clock.failure === undefined) throw clock.signal.reason
    throw createFetchError(clock.failure ?? 'malformed_answer', url, error)
  } finally {
    clock.end()
  }
}

function checkUrl(policy: EgressPolicy, url: string): void {
  const refusal = findRefusal(policy, url)
  if (refusal) throw refusal
}

function createFetchError(failure: EgressFailure, url: string, cause?: unknown): EgressError {
  return new EgressError(failure, `Cannot call ${new URL(url).origin}: ${REASONS[failure]}`, {
    cause,
  })
}

const REASONS: Readonly<Partial<Record<EgressFailure, string>>> = {
  connect_failed: 'connection failed',
  first_byte_timeout: 'no response in time',
  malformed_answer: 'its response is incomplete or not valid HTTP',
  reader_too_slow: 'its response was not read in time',
  too_large: 'its response is too large',
  too_slow: 'its response is too slow',
  total_timeout: 'no complete response in time',
}
