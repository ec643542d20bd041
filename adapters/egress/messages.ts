import { ServiceError } from '../../core/errors.ts'
import type { EgressFailure, HeaderLine } from '../../core/ports/egress.ts'

interface OutgoingHead {
  readonly method: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array | undefined
  /** Value of the `host` header. */
  readonly authority: string
}

interface IncomingHead {
  readonly headers: readonly HeaderLine[]
  /** Body size in bytes, from `content-length`. */
  readonly length: number | undefined
  /** Idle timeout of the target for this connection, minus one second. */
  readonly maxIdleMs: number | undefined
}

/** True for methods that can be repeated safely (RFC 9110 9.2.2). */
export function isIdempotent(method: string): boolean {
  return IDEMPOTENT_METHODS.has(method)
}

/** True for headers that the egress sets itself; expects lower case. */
export function isOwnHeader(name: string): boolean {
  return OWN_HEADERS.has(name)
}

/** True if a response with this status has no body, regardless of its headers. */
export function isContentless(status: number): boolean {
  return status === 204 || status === 304
}

/**
 * Converts headers to the fastest format for node:http. Throws `invalid_input` for an invalid
 * method, name or value: Deno would write line breaks unchanged.
 */
export function toFlatHeaders({ method, headers, body, authority }: OutgoingHead): string[] {
  if (!HEADER_TOKEN.test(method) || method === 'CONNECT') {
    throw new ServiceError('invalid_input', 'Cannot send the request: its method is invalid')
  }
  const flat = ['host', authority]
  for (const [name, value] of headers) {
    if (!HEADER_TOKEN.test(name) || !HEADER_VALUE.test(value)) {
      const shown = JSON.stringify(name)
      throw new ServiceError(
        'invalid_input',
        `Cannot send header ${shown}: its name or value is invalid`,
      )
    }
    if (!isOwnHeader(name)) flat.push(name, value)
  }
  if (body !== undefined || METHODS_WITH_BODY.has(method)) {
    flat.push('content-length', String(body?.byteLength ?? 0))
  }
  return flat
}

/** Parses raw headers: names in lower case, and the values that the egress needs. */
export function toHeaderLines(raw: readonly string[]): IncomingHead {
  const headers: HeaderLine[] = []
  let length: number | undefined
  let restMs: number | undefined
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    const value = raw[at + 1] ?? ''
    headers.push([name, value])
    if (name === 'content-length') length = Number(value)
    else if (name === 'keep-alive') restMs = parseKeepAliveMs(value)
  }
  return { headers, length, maxIdleMs: restMs }
}

/** Classifies an error of the HTTP parser; undefined if no data was received. */
export function classifyParserError(
  error: Error,
  context: { readonly hasAnswered: boolean; readonly maxHeaderBytes: number },
): { readonly failure: EgressFailure; readonly reason: string } | undefined {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'HPE_HEADER_OVERFLOW') {
    const reason = `its response head is larger than ${context.maxHeaderBytes} bytes`
    return { failure: 'too_large', reason }
  }
  if (!context.hasAnswered && !code.startsWith('HPE_')) return undefined
  return { failure: 'malformed_answer', reason: 'its response is not valid HTTP' }
}

function parseKeepAliveMs(value: string): number | undefined {
  const seconds = /(?:^|[\s,])timeout=(\d{1,6})/i.exec(value)?.[1]
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - 1000)
}

const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'TRACE',
])
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** Headers that the egress sets itself, or that affect the framing of the message. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
])
// RFC 9110 5.1 and 5.5: a token; visible characters, spaces and bytes above ASCII.
const HEADER_TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
