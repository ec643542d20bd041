import { normalizeHost } from './hosts.ts'
import { type PathShape, parsePath } from './paths.ts'
import { HOLE, markPlaceholders, withoutMarks } from './placeholders.ts'

/** Maximum length of a text; longer ones are truncated. */
const MAX_TEXT = 8192

/** Maximum length of a path; less than `MAX_TEXT`, so that truncated paths are ignored. */
const MAX_PATH = 4096

/** Any port: it is a variable or a placeholder. */
export const ANY_PORT = '*'

/** Normalised target of a URL. */
export interface Location {
  /** Normalised; holes for unknown parts. */
  readonly host: string
  /** Decimal digits, `ANY_PORT`, or empty for a default port. */
  readonly port: string
  /** Undefined if the path is unknown, too long or too deep. */
  readonly path: PathShape | undefined
  /** Without `?`. */
  readonly query: string
  /** Without `#`. */
  readonly fragment: string
}

/** Parses a URL from code; undefined without a host or for non-web schemes. Never throws. */
export function parseLocation(text: string): Location | undefined {
  return parseMarked(markPlaceholders(trimUrlText(text)))
}

/** Parses parts of a URL from traffic; undefined if `host` is invalid. Never throws. */
export function parseParts(parts: {
  readonly host: string
  readonly port?: number | undefined
  readonly path?: string | undefined
  readonly scheme?: string | undefined
}): Location | undefined {
  const scheme = (parts.scheme ?? '').toLowerCase().replace(/:.*$/s, '')
  const name = trimUrlText(parts.host)
  const isBareAddress = name.indexOf(':') !== name.lastIndexOf(':') && !name.startsWith('[')
  const authority = markPlaceholders(isBareAddress ? `[${name}]` : name)
  if (/[/\\?#]/.test(authority)) return undefined
  const place = parseAuthority(authority, scheme)
  if (!place) return undefined
  const port = parts.port === undefined ? place.port : normalizePort(String(parts.port), scheme)
  if (port === undefined) return undefined
  if (parts.path === undefined) {
    return { host: place.host, port, path: undefined, query: '', fragment: '' }
  }
  return { host: place.host, port, ...splitTail(markPlaceholders(trimUrlText(parts.path))) }
}

/** Parses a URL whose placeholders are already holes; undefined without a host. */
export function parseMarked(text: string): Location | undefined {
  const start = findAuthority(text)
  if (!start) return undefined
  const end = endOfAuthority(text, start.index)
  const place = parseAuthority(text.slice(start.index, end), start.scheme)
  if (!place) return undefined
  if (start.isGuess && place.port === '' && !place.host.includes('.')) return undefined
  return { host: place.host, port: place.port, ...splitTail(text.slice(end)) }
}

/** Splits the text after the authority; omits paths that are too long. */
export function splitTail(text: string): Pick<Location, 'path' | 'query' | 'fragment'> {
  const hash = text.indexOf('#')
  const beforeHash = hash < 0 ? text : text.slice(0, hash)
  const mark = beforeHash.indexOf('?')
  const path = mark < 0 ? beforeHash : beforeHash.slice(0, mark)
  return {
    path: path.length > MAX_PATH ? undefined : parsePath(path),
    query: mark < 0 ? '' : beforeHash.slice(mark + 1),
    fragment: hash < 0 ? '' : text.slice(hash + 1),
  }
}

/** Removes surrounding white space, tabs and line breaks (URL standard 4.4), and truncates. */
export function trimUrlText(text: string): string {
  const cut = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const isClean = cut.charCodeAt(0) > 32 && cut.charCodeAt(cut.length - 1) > 32
  const trimmed = isClean ? cut : cut.trim()
  return withoutMarks(/[\t\n\r]/.test(trimmed) ? trimmed.replaceAll(/[\t\n\r]/g, '') : trimmed)
}

interface AuthorityStart {
  readonly index: number
  readonly scheme: string
  /** Whether scheme and slashes are missing, so that the text may also be a path. */
  readonly isGuess: boolean
}

function findAuthority(text: string): AuthorityStart | undefined {
  const colon = text.indexOf(':')
  const scheme = colon < 0 ? '' : text.slice(0, colon).toLowerCase()
  if (scheme === 'https' || scheme === 'http' || scheme === 'wss' || scheme === 'ws') {
    return { index: skipSlashes(text, colon + 1), scheme, isGuess: false }
  }
  if (scheme === HOLE && text.startsWith('//', colon + 1)) {
    return { index: skipSlashes(text, colon + 1), scheme: '', isGuess: false }
  }
  const slashes = skipSlashes(text, 0)
  if (slashes > 1) return { index: slashes, scheme: '', isGuess: false }
  if (slashes === 1 || /^[^/\\?#]*:(?![0-9\0*])/.test(text)) return undefined
  return { index: 0, scheme: '', isGuess: true }
}

function skipSlashes(text: string, start: number): number {
  let index = start
  while (text[index] === '/' || text[index] === '\\') index += 1
  return index
}

function endOfAuthority(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 47 || code === 63 || code === 35 || code === 92) return index
  }
  return text.length
}

function parseAuthority(
  text: string,
  scheme: string,
): { readonly host: string; readonly port: string } | undefined {
  const place = text.slice(text.lastIndexOf('@') + 1)
  const colon = place.lastIndexOf(':')
  const hasPort = colon >= 0 && !place.endsWith(']')
  const host = normalizeHost(hasPort ? place.slice(0, colon) : place)
  const port = hasPort ? normalizePort(place.slice(colon + 1), scheme) : ''
  return host === undefined || port === undefined ? undefined : { host, port }
}

function normalizePort(text: string, scheme: string): string | undefined {
  if (text === '') return ''
  if (text.includes(HOLE) || text === ANY_PORT) return ANY_PORT
  if (!/^[0-9]+$/.test(text) || Number(text) > 65535) return undefined
  const port = String(Number(text))
  const isSecure = scheme === 'https' || scheme === 'wss'
  if (scheme === '') return port === '80' || port === '443' ? '' : port
  return port === (isSecure ? '443' : '80') ? '' : port
}
