import { decodeLatin1, findByte, normalizeHostName } from './host-names.ts'

/** Head of an HTTP request; may be incomplete. */
export interface RequestHead {
  /** Lower case. */
  readonly method: string
  /** Lower case, without port; undefined if absent. */
  readonly host: string | undefined
  /** As sent; undefined for the scheme's default port. */
  readonly port: string | undefined
  /** `http` unless the target contains another scheme. */
  readonly scheme: string
  /** Without query; undefined for targets without a path (`*`, CONNECT). */
  readonly path: string | undefined
  readonly isChunked: boolean
  /** Length of the body in bytes; 0 if not announced. */
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
/** Accepts a damaged version number. */
const VERSION = / HTTP\/\S{1,3}$/i
const ABSOLUTE = /^([a-z][a-z0-9+.-]{1,15}):\/\/([^/?#]*)([^?#]*)/i

/** Whether bytes may start a request: upper-case letters, then a space. */
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

/** Finds the end of a request's head, including its empty line; -1 if incomplete. */
export function findHeadEnd(bytes: Uint8Array, { at, end }: Span): number {
  for (let from = findByte(bytes, { at, end, byte: LINE_FEED }); from !== -1; ) {
    const next = bytes[from + 1] === RETURN ? from + 2 : from + 1
    if (next >= end) return -1
    if (bytes[next] === LINE_FEED) return next + 1
    from = findByte(bytes, { at: from + 1, end, byte: LINE_FEED })
  }
  return -1
}

/** Finds the end of the first line, including its line feed; undefined if incomplete. */
export function findFirstLineEnd(bytes: Uint8Array, { at, end }: Span): number | undefined {
  const feed = findByte(bytes, { at, end, byte: LINE_FEED })
  return feed === -1 ? undefined : feed + 1
}

/**
 * Reads a complete or partial request head (RFC 9112); undefined if its first line is not a request
 * line. Accepts folded lines and bare line feeds.
 */
export function readRequestHead(bytes: Uint8Array, span: Span): RequestHead | undefined {
  const firstEnd = findFirstLineEnd(bytes, span) ?? span.end
  const first = decodeLatin1(bytes, { at: span.at, end: firstEnd }).trimEnd()
  const lines = decodeLatin1(bytes, { at: firstEnd, end: span.end })
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

/** Builds the URL of a request, without query; undefined if its path or host is unknown. */
export function toRequestUrl(
  { scheme, port, path }: RequestHead,
  host: string,
): string | undefined {
  if (path === undefined) return undefined
  const authority = host.includes(':') ? `[${host}]` : host
  const text = `${scheme}://${authority}${port === undefined ? '' : `:${port}`}${path}`
  return URL.parse(text)?.href
}

/** Removes query and fragment from a path. */
export function removeQuery(path: string): string {
  return path.split(/[?#]/, 1)[0] ?? ''
}

/** Reads a host and its port; undefined for port 80. */
export function readAuthority(text: string): Pick<RequestHead, 'host' | 'port'> {
  const port = /:(\d{1,5})$/.exec(text)?.[1]
  return { host: normalizeHostName(text), port: port === '80' ? undefined : port }
}

/** Reads the first value of each field. A field truncated by the end of the bytes is included. */
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
  const path = target.startsWith('/') ? removeQuery(target) : undefined
  return { ...readAuthority(host ?? ''), scheme: 'http', path }
}
