import { findByte, toHostName, toLatin } from './host-names.ts'

/** The head of an HTTP request, as far as it was seen. */
export interface RequestHead {
  /** Lower case. */
  readonly method: string
  /** Lower case, without port; undefined where none is named. */
  readonly host: string | undefined
  /** As it was named; undefined for the scheme's own. */
  readonly port: string | undefined
  /** `http` unless the target names another. */
  readonly scheme: string
  /** Without query; undefined for targets that have none (`*`, CONNECT). */
  readonly path: string | undefined
  readonly isChunked: boolean
  /** Bytes of the body; 0 where none is announced. */
  readonly bodyBytes: number
}

interface Span {
  readonly at: number
  readonly end: number
}

const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const MAX_METHOD = 20
/** Its number may be damaged. */
const VERSION = / HTTP\/\S{1,3}$/i
const ABSOLUTE = /^([a-z][a-z0-9+.-]{1,15}):\/\/([^/?#]*)([^?#]*)/i

/** Whether bytes may begin a request: capitals, then a space. */
export function isRequestStart(bytes: Uint8Array, { at, end }: Span): boolean {
  const last = Math.min(end, at + MAX_METHOD)
  for (let index = at; index < last; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte === SPACE) return index - at >= 3
    const isLetter = byte >= 0x41 && byte <= 0x5a
    if (!isLetter && byte !== 0x2d && byte !== 0x5f) return false
  }
  return end - at < MAX_METHOD
}

/** Where the head of a request ends, its empty line included; -1 while that is missing. */
export function findHeadEnd(bytes: Uint8Array, { at, end }: Span): number {
  for (let from = findByte(bytes, { at, end, byte: LINE_FEED }); from !== -1; ) {
    const next = bytes[from + 1] === RETURN ? from + 2 : from + 1
    if (next >= end) return -1
    if (bytes[next] === LINE_FEED) return next + 1
    from = findByte(bytes, { at: from + 1, end, byte: LINE_FEED })
  }
  return -1
}

/** Where the first line ends, its line feed included; undefined while that is missing. */
export function toFirstLine(bytes: Uint8Array, { at, end }: Span): number | undefined {
  const feed = findByte(bytes, { at, end, byte: LINE_FEED })
  return feed === -1 ? undefined : feed + 1
}

/**
 * The request's head in bytes that hold it wholly or in part (RFC 9112); undefined when its first
 * line is no request's. Lines may be folded and end with a bare line feed.
 */
export function readRequestHead(bytes: Uint8Array, span: Span): RequestHead | undefined {
  const firstEnd = toFirstLine(bytes, span) ?? span.end
  const first = toLatin(bytes, { at: span.at, end: firstEnd }).trimEnd()
  const lines = toLatin(bytes, { at: firstEnd, end: span.end })
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
  const version = VERSION.exec(first)
  if (version === null) return undefined
  const space = first.indexOf(' ')
  const method = first.slice(0, space)
  if (!/^[A-Z][A-Z_-]{2,}$/.test(method)) return undefined
  const target = first.slice(space + 1, Math.max(space + 1, version.index)).trim()
  const fields = readFields(lines)
  const place = readTarget({ method, target, host: fields.get('host') })
  const length = Number(fields.get('content-length') ?? 0)
  return {
    ...place,
    method: method.toLowerCase(),
    isChunked: /chunked/i.test(fields.get('transfer-encoding') ?? ''),
    bodyBytes: Number.isSafeInteger(length) && length > 0 ? length : 0,
  }
}

/**
 * The request's address as URLs are written, without query; undefined where its path or host is not
 * known.
 */
export function toRequestUrl(
  { scheme, port, path }: RequestHead,
  host: string,
): string | undefined {
  if (path === undefined) return undefined
  const authority = host.includes(':') ? `[${host}]` : host
  const text = `${scheme}://${authority}${port === undefined ? '' : `:${port}`}${path}`
  return URL.parse(text)?.href
}

/** A path before its query or fragment, whatever stands in it. */
export function withoutQuery(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? ''
}

/** A host and, unless it is 80, its port. */
export function readAuthority(text: string): Pick<RequestHead, 'host' | 'port'> {
  const port = /:(\d{1,5})$/.exec(text)?.[1]
  return { host: toHostName(text), port: port === '80' ? undefined : port }
}

/** The first of each field; a value that is cut off by the bytes' end counts when it is a line. */
function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines) {
    if (line === '') break
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

function readTarget({
  method,
  target,
  host,
}: {
  readonly method: string
  readonly target: string
  readonly host: string | undefined
}): Pick<RequestHead, 'host' | 'port' | 'path' | 'scheme'> {
  const absolute = ABSOLUTE.exec(target)
  if (absolute) {
    const [, scheme = 'http', authority = '', path = ''] = absolute
    const bare = authority.slice(authority.lastIndexOf('@') + 1)
    return { ...readAuthority(bare), scheme: scheme.toLowerCase(), path: path || '/' }
  }
  if (method === 'CONNECT') return { ...readAuthority(target), scheme: 'http', path: undefined }
  const path = target.startsWith('/') ? withoutQuery(target) : undefined
  return { ...readAuthority(host ?? ''), scheme: 'http', path }
}
