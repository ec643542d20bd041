import type { HeaderLine } from '../ports/egress.ts'
import { isJsonType, isMultipartFormType, isUrlencodedType } from '../shared/media-types.ts'
import type { OutgoingCall, SecretPosition } from './call.ts'
import { quoteName } from './multipart.ts'

/** Replaces a secret. */
const MASK = '***'

/** Masks the secrets of a call. */
export function maskCall(call: OutgoingCall): OutgoingCall {
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
