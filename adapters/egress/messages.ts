import type { EgressFailure, HeaderLine } from '../../core/egress/egress.ts'
import { ServiceError } from '../../core/http/problems.ts'

interface OutgoingHead {
  readonly method: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array | undefined
  /** Of the `host` header. */
  readonly authority: string
}

interface IncomingHead {
  readonly headers: readonly HeaderLine[]
  /** Bytes that `content-length` announces. */
  readonly length: number | undefined
  /** How long the target lets the connection rest, less a second. */
  readonly restMs: number | undefined
}

/** Methods of which two have the effect of one (RFC 9110 9.2.2). */
export function isIdempotent(method: string): boolean {
  return IDEMPOTENT.has(method)
}

/** Whether a header, named in lower case, is for the egress itself to write. */
export function isOwnHeader(name: string): boolean {
  return OWN.has(name)
}

/** Whether an answer of this status has no content, whatever its headers say. */
export function isContentless(status: number): boolean {
  return status === 204 || status === 304
}

/**
 * A request's headers as node:http takes them fastest. Throws `invalid_input` for a method, a name
 * or a value that cannot stand in a message: Deno would write line ends as they are given.
 */
export function toFlatHeaders({ method, headers, body, authority }: OutgoingHead): string[] {
  if (!TOKEN.test(method) || method === 'CONNECT') {
    throw new ServiceError('invalid_input', 'Cannot send the request: its method must be valid')
  }
  const flat = ['host', authority]
  for (const [name, value] of headers) {
    if (!TOKEN.test(name) || !VALUE.test(value)) {
      const shown = JSON.stringify(name)
      throw new ServiceError('invalid_input', `Cannot send header ${shown}: its text must be valid`)
    }
    if (!isOwnHeader(name)) flat.push(name, value)
  }
  if (body !== undefined || WITH_BODY.has(method)) {
    flat.push('content-length', String(body?.byteLength ?? 0))
  }
  return flat
}

/** An answer's headers, their names in lower case, and what this side needs of them. */
export function toHeaderLines(raw: readonly string[]): IncomingHead {
  const headers: HeaderLine[] = []
  let length: number | undefined
  let restMs: number | undefined
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    const value = raw[at + 1] ?? ''
    headers.push([name, value])
    if (name === 'content-length') length = Number(value)
    else if (name === 'keep-alive') restMs = toRestMs(value)
  }
  return { headers, length, restMs }
}

/** What is wrong with the bytes that came instead of an answer; undefined when none did. */
export function whatIsWrong(
  error: Error,
  given: { readonly hasAnswered: boolean; readonly maxHeaderBytes: number },
): { readonly failure: EgressFailure; readonly reason: string } | undefined {
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'HPE_HEADER_OVERFLOW') {
    const reason = `its head is larger than ${given.maxHeaderBytes} bytes`
    return { failure: 'too_large', reason }
  }
  if (!given.hasAnswered && !code.startsWith('HPE_')) return undefined
  return { failure: 'malformed_answer', reason: 'its answer is no HTTP' }
}

function toRestMs(value: string): number | undefined {
  const seconds = /(?:^|[\s,])timeout=(\d{1,6})/i.exec(value)?.[1]
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - 1000)
}

const IDEMPOTENT: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'TRACE',
])
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
/** Names that this side writes itself, or that would change how the message is read. */
const OWN: ReadonlySet<string> = new Set([
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
// RFC 9110 5.1 and 5.5: a token; visible characters, blanks and bytes above ASCII.
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
