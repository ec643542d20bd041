import {
  findFirstLineEnd,
  findHeadEnd,
  isRequestStart,
  type RequestHead,
  readRequestHead,
} from './http.ts'
import { createHttp2Reader, type Http2Reader, isHttp2Preface } from './http2/requests.ts'
import type { Span, StreamReader } from './tcp-stream.ts'
import { isTlsHandshake, readTlsHello } from './tls.ts'

/** Events of one direction of a TCP connection. */
export interface ApplicationEvents {
  onRequest(head: RequestHead): void
  /** A ClientHello, with its server name if present. */
  onHello(host: string | undefined): void
  /** A message of DNS over TCP. */
  onDns(bytes: Uint8Array, span: Span): void
  /** The direction is recognised as the server's. */
  onServer(protocol: string): void
  /** No host name is expected in this direction. */
  onNothing(): void
}

type Mode = 'start' | 'http' | 'chunks' | 'http2' | 'dns' | 'other'

const STOP = -1
const MAX_OTHER_CHUNKS = 32
const MAX_HEAD = 1 << 15
const MAX_LINE = 64
const MAX_MODES = 8
const LINE_FEED = 10
const RETURN = 13
const HELLO_BYTES = 6

/**
 * Recognises TLS, HTTP/1, HTTP/2 without TLS and, if `isDns`, DNS in one direction of a connection.
 * Uses its bytes, not its port. HTTP is followed from request to request. After a loss of
 * synchronisation, waits for a chunk that starts a request, or TLS after plain text (STARTTLS,
 * CONNECT).
 */
export function createApplicationReader(
  events: ApplicationEvents,
  { isDns }: { readonly isDns: boolean },
): StreamReader {
  const state: State = { mode: isDns ? 'dns' : 'start' }
  const http = createHttpReader(events.onRequest, state)
  let http2: Http2Reader | undefined
  let isStarted = false
  let others = 0

  const readStart = (bytes: Uint8Array, span: Span): number => {
    if (isTlsHandshake(bytes, span)) {
      const hello = readTlsHello(bytes, span)
      if (hello.kind === 'server') {
        events.onServer('tls')
        return STOP
      }
      if (hello.kind === 'client' || (hello.kind === 'partial' && hello.host !== undefined)) {
        events.onHello(hello.host)
        return STOP
      }
      if (hello.kind === 'partial') return 0
    }
    if (startsWithResponse(bytes, span)) {
      events.onServer('http')
      return STOP
    }
    if (isHttp2Preface(bytes, span)) state.mode = 'http2'
    else state.mode = isRequestStart(bytes, span) ? 'http' : 'other'
    return 0
  }
  const readHttp2 = (bytes: Uint8Array, span: Span): number => {
    // A stream that starts with less than the preface may still be HTTP/1.
    if (!isStarted && !isHttp2Preface(bytes, span)) {
      state.mode = 'http'
      return 0
    }
    http2 ??= createHttp2Reader(events.onRequest)
    const used = http2.read(bytes, span)
    isStarted ||= used > 0
    return used
  }
  const readDnsMessage = (bytes: Uint8Array, { at, end }: Span): number => {
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    if (end - at >= 2 && length < 12) return http.loseSync()
    if (end - at < 2 || end - at < 2 + length) return 0
    events.onDns(bytes, { at: at + 2, end: at + 2 + length })
    return 2 + length
  }
  const readOther = (bytes: Uint8Array, span: Span): number => {
    const mayHello = span.end - span.at >= HELLO_BYTES && isTlsHandshake(bytes, span)
    if (mayHello && readTlsHello(bytes, span).kind !== 'none') {
      state.mode = 'start'
      return 0
    }
    const line = isRequestStart(bytes, span) ? findFirstLineEnd(bytes, span) : undefined
    if (line !== undefined && readRequestHead(bytes, { at: span.at, end: line })) {
      state.mode = 'http'
      return 0
    }
    others += 1
    if (others < MAX_OTHER_CHUNKS) return span.end - span.at
    events.onNothing()
    return STOP
  }
  const readNext = (bytes: Uint8Array, span: Span): number => {
    if (state.mode === 'start') return readStart(bytes, span)
    if (state.mode === 'http') return http.readHead(bytes, span)
    if (state.mode === 'chunks') return http.readChunk(bytes, span)
    if (state.mode === 'http2') return readHttp2(bytes, span)
    return state.mode === 'dns' ? readDnsMessage(bytes, span) : readOther(bytes, span)
  }

  return {
    read(bytes, { at, end }) {
      let from = at
      let unread = 0
      while (from < end && unread < MAX_MODES) {
        const before = state.mode
        const used = readNext(bytes, { at: from, end })
        if (used === STOP) return STOP
        from += used
        unread = used === 0 ? unread + 1 : 0
        if (used === 0 && state.mode === before) return from - at
      }
      // Skip bytes that no mode consumes.
      if (from < end) from = end
      return from - at
    },
    cut(bytes, { at, end }) {
      if (state.mode === 'start' && isTlsHandshake(bytes, { at, end })) {
        const hello = readTlsHello(bytes, { at, end })
        if (hello.kind === 'partial') events.onHello(hello.host)
      } else if (state.mode === 'http') {
        http.giveUpHead(bytes, { at, end })
      }
      http.loseSync()
    },
  }
}

/** The mode of a direction, which its readers change. */
interface State {
  mode: Mode
}

/** Reads HTTP/1: heads, and the chunks of their bodies. */
function createHttpReader(onRequest: ApplicationEvents['onRequest'], state: State) {
  /**
   * State of an incomplete head: bytes searched for its end, and whether its first line is valid.
   */
  let searched = 0
  let isRequest = false

  const readHead = (bytes: Uint8Array, span: Span): number => {
    const at = skipEmptyLines(bytes, span)
    const rest = { at, end: span.end }
    if (at === span.end) return at - span.at
    if (!isRequestStart(bytes, rest)) return loseSync()
    const headEnd = findHeadEnd(bytes, { at: at + Math.max(0, searched - 2), end: span.end })
    if (headEnd === -1) {
      const line = isRequest ? undefined : findFirstLineEnd(bytes, rest)
      if (line !== undefined) isRequest = readRequestHead(bytes, { at, end: line }) !== undefined
      if (line !== undefined && !isRequest) return loseSync()
      searched = span.end - at
      return span.end - at > MAX_HEAD ? giveUpHead(bytes, rest) + at - span.at : at - span.at
    }
    const head = readRequestHead(bytes, { at, end: headEnd })
    if (head === undefined) return loseSync()
    forgetHead()
    onRequest(head)
    if (head.method === 'connect') state.mode = 'start'
    else if (head.isChunked) state.mode = 'chunks'
    return headEnd - span.at + (head.isChunked ? 0 : head.bodyBytes)
  }
  /** Reports an incomplete head, then waits for the next request. */
  const giveUpHead = (bytes: Uint8Array, { at, end }: Span): number => {
    const lastLine = bytes.subarray(at, end).lastIndexOf(LINE_FEED)
    const head = readRequestHead(bytes, { at, end: at + lastLine + 1 })
    if (head !== undefined) onRequest(head)
    loseSync()
    return end - at
  }
  const forgetHead = () => {
    searched = 0
    isRequest = false
  }
  const loseSync = (): number => {
    forgetHead()
    state.mode = 'other'
    return 0
  }
  const readChunk = (bytes: Uint8Array, span: Span): number => {
    const at = skipEmptyLines(bytes, span)
    const line = findFirstLineEnd(bytes, { at, end: Math.min(span.end, at + MAX_LINE) })
    if (line === undefined) return span.end - at >= MAX_LINE ? loseSync() : at - span.at
    let size = 0
    let digits = 0
    for (; digits < 8; digits += 1) {
      const digit = Number.parseInt(String.fromCharCode(bytes[at + digits] ?? 0), 16)
      if (Number.isNaN(digit)) break
      size = size * 16 + digit
    }
    if (digits === 0) return loseSync()
    if (size === 0) state.mode = 'http'
    return line - span.at + size
  }

  return { readHead, readChunk, giveUpHead, loseSync }
}

function startsWithResponse(bytes: Uint8Array, { at, end }: Span): boolean {
  return (
    end - at >= 9 &&
    String.fromCharCode(...bytes.subarray(at, at + 7)) === 'HTTP/1.' &&
    bytes[at + 8] === 0x20
  )
}

function skipEmptyLines(bytes: Uint8Array, { at, end }: Span): number {
  let from = at
  while (from < end && (bytes[from] === RETURN || bytes[from] === LINE_FEED)) from += 1
  return from
}
