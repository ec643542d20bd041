import type { HeaderLine } from '../ports/egress.ts'
import { isJsonType, isMultipartFormType, isUrlencodedType } from '../shared/media-types.ts'
import type { OutgoingCall, SecretPosition } from './call.ts'
import { quoteName } from './multipart.ts'

/** A request as plain data, for display. */
export interface DryRun {
  readonly method: string
  readonly url: string
  /** Multiple lines of one header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** A string if the body is UTF-8; null without a body; only its length if it exceeds 1 MiB. */
  readonly body: string | { readonly base64: string } | { readonly bytes: number } | null
}

/** Converts a call to plain data with masked secrets. */
export function toDryRun(call: OutgoingCall): DryRun {
  const { method, url, headers, body } = maskCall(omitLongBody(call))
  const lines = new Map<string, string>()
  for (const [name, value] of headers) {
    const known = lines.get(name)
    lines.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  return {
    method,
    url,
    headers: Object.fromEntries(lines),
    body: hasLongBody(call) ? { bytes: call.body.length } : body ? toShownBody(body) : null,
  }
}

/**
 * Converts a call to a curl command for a POSIX shell, with masked secrets. A binary body is piped
 * from `printf`; a body above 1 MiB is read from a file named `body`. Non-ASCII headers are sent in
 * the encoding of the terminal.
 */
export function toCurl(call: OutgoingCall): string {
  const { method, url, headers, body } = maskCall(omitLongBody(call))
  // Prevents curl from expanding patterns in the URL or normalising its path.
  const words = ['curl', '--globoff', '--path-as-is']
  // With `-X HEAD`, curl would wait for a body.
  words.push(
    ...(method === 'HEAD' ? ['--head'] : ['-X', quoteShellWord(method)]),
    quoteShellWord(url),
  )
  for (const [name, value] of headers) {
    // curl omits a header with nothing after the colon.
    words.push('-H', quoteShellWord(value.trim() === '' ? `${name};` : `${name}: ${value}`))
  }
  if (hasLongBody(call)) return [...words, '--data-binary', '@body'].join(' ')
  if (!body || body.length === 0) return words.join(' ')
  const text = decodeUtf8Text(body)
  if (text !== undefined) return [...words, '--data-raw', quoteShellWord(text)].join(' ')
  let octal = ''
  for (const byte of body) octal += OCTAL[byte]
  return `printf '${octal}' | ${[...words, '--data-binary', '@-'].join(' ')}`
}

/** Escaping a longer body takes seconds, and the caller has it as a file anyway. */
const MAX_SHOWN = 1024 * 1024

function hasLongBody(call: OutgoingCall): call is OutgoingCall & { readonly body: Uint8Array } {
  return call.body !== undefined && call.body.length > MAX_SHOWN
}

function omitLongBody(call: OutgoingCall): OutgoingCall {
  return hasLongBody(call) ? { ...call, body: undefined } : call
}

function toShownBody(body: Uint8Array): string | { readonly base64: string } {
  return decodeUtf8Text(body) ?? { base64: toBase64(body) }
}

/** The `printf` escape of each byte. */
const OCTAL = Array.from({ length: 256 }, (_, byte) => `\\${byte.toString(8).padStart(3, '0')}`)

/** Quotes a word for a POSIX shell (2.2.2): single quotes preserve all characters. */
function quoteShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Decodes UTF-8. Returns undefined if it is invalid or contains NUL, which a shell cannot pass. */
function decodeUtf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Replaces a secret. */
const MASK = '***'

/** Masks the secrets of a call. */
function maskCall(call: OutgoingCall): OutgoingCall {
  const { secrets } = call
  if (secrets.length === 0) return call
  const headerNames = secretNamesOf(secrets, ['header'])
  const cookieNames = secretNamesOf(secrets, ['cookie'])
  return {
    ...call,
    url: maskUrl(call.url, secrets),
    headers: call.headers.map(([name, value]): HeaderLine => {
      if (headerNames.has(name)) return [name, maskHeader(value)]
      return name === 'cookie' ? [name, maskPairs(value, '; ', cookieNames)] : [name, value]
    }),
    body: call.body && maskBody(call.body, contentTypeOf(call), secretNamesOf(secrets, BODIES)),
  }
}

/** Returns the `content-type` header, or an empty string. */
function contentTypeOf({ headers }: Pick<OutgoingCall, 'headers'>): string {
  return headers.find(([name]) => name === 'content-type')?.[1] ?? ''
}

const BODIES = ['body', 'formData']

function secretNamesOf(
  secrets: readonly SecretPosition[],
  placements: readonly string[],
): ReadonlySet<string> {
  const found = secrets.filter(({ placement }) => placements.includes(placement))
  return new Set(found.map(({ name }) => name))
}

function maskUrl(url: string, secrets: readonly SecretPosition[]): string {
  const at = url.indexOf('?')
  let path = at < 0 ? url : url.slice(0, at)
  let query = at < 0 ? '' : url.slice(at + 1)
  query = maskPairs(query, '&', secretNamesOf(secrets, ['query']))
  if (secrets.some(({ placement }) => placement === 'querystring')) query = MASK
  const ranges = secrets.flatMap(({ range }) => (range ? [range] : []))
  // Replaces from the end, so that earlier offsets remain valid.
  for (const [start, end] of ranges.toSorted(([a], [b]) => b - a)) {
    if (end <= path.length) path = path.slice(0, start) + MASK + path.slice(end)
    else query = MASK
  }
  return at < 0 ? path : `${path}?${query}`
}

/** Masks `name=value` pairs. `name[key]=value` belongs to `name`. */
function maskPairs(text: string, separator: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text
  return text
    .split(separator)
    .map((pair) => {
      const at = pair.indexOf('=')
      const name = at < 0 ? pair : pair.slice(0, at)
      const bare = decodeName(name).split('[', 1)[0] ?? ''
      return names.has(decodeName(name)) || names.has(bare) ? `${name}=${MASK}` : pair
    })
    .join(separator)
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Invalid encodings, which a description may contain, are compared as they are.
    return text
  }
}

/** Keeps the scheme: it is no secret and shows how the credential is used. */
function maskHeader(value: string): string {
  const scheme = /^(?:Basic|Bearer|Digest|Token|OAuth|ApiKey) (?=.)/i.exec(value)?.[0] ?? ''
  return scheme + MASK
}

function maskBody(bytes: Uint8Array, contentType: string, names: ReadonlySet<string>): Uint8Array {
  if (names.size === 0) return bytes
  if (isMultipartFormType(contentType)) return maskMultipart(bytes, contentType, names)
  const encoder = new TextEncoder()
  const text = new TextDecoder().decode(bytes)
  if (isUrlencodedType(contentType)) return encoder.encode(maskPairs(text, '&', names))
  const isObject = isJsonType(contentType) && text.startsWith('{')
  return encoder.encode(isObject ? maskMembers(text, names) : MASK)
}

/**
 * Masks members of a JSON object without parsing the rest, because parsed numbers would lose
 * digits.
 */
function maskMembers(json: string, names: ReadonlySet<string>): string {
  let masked = ''
  let at = 0
  let depth = 0
  let isName = true
  let isSecret = false
  for (const { 0: token, index } of json.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    if (depth === 0 || (depth === 1 && token === ',')) {
      if (isSecret) {
        masked += JSON.stringify(MASK)
        at = index
      }
      isSecret = false
      isName = true
    } else if (depth === 1 && isName && token.startsWith('"')) {
      isName = false
      isSecret = names.has(JSON.parse(token))
      const end = index + `${token}:`.length
      if (isSecret) masked += json.slice(at, end)
    }
  }
  return masked + json.slice(at)
}

/** Strings and structural characters of JSON. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g

/** Maps each byte to one character, so that binary parts are preserved. */
function maskMultipart(
  bytes: Uint8Array,
  contentType: string,
  names: ReadonlySet<string>,
): Uint8Array {
  const mark = `--${contentType.split('boundary=', 2)[1] ?? ''}`
  const quoted = [...names].map((name) => toBinaryString(new TextEncoder().encode(quoteName(name))))
  const parts = toBinaryString(bytes)
    .split(mark)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n')
      const head = part.slice(0, end)
      const isSecret = end >= 0 && quoted.some((name) => head.includes(`form-data; name="${name}"`))
      return isSecret ? `${head}\r\n\r\n${MASK}\r\n` : part
    })
  return fromBinaryString(parts.join(mark))
}

/** Number of arguments per `fromCharCode` call, below the engine's limit. */
const CHUNK_BYTES = 8192

function toBinaryString(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))
  }
  return text
}

function fromBinaryString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}
