import type { SteppedWork } from '../../shared/time-slices.ts'

/** Replaces a secret. */
const REDACTED = '[redacted]'

/** Shorter secrets would match by chance. */
const MIN_LENGTH = 4
const MIN_SKELETON = 6
/** For base64 and hex, in which any text may occur. */
const MIN_ENCODED = 10

/** After this many partial matches at the end of a text, the rest is redacted without checking. */
const MAX_TRIES = 1000

const NAME =
  '[\\w.-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authorization|credential|session[-_]?id|cookie|signature|jwt)[\\w.-]{0,40}'

/** JSON members, XML attributes and elements, and parameters with names that denote a secret. */
const NAMED_SECRETS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`("${NAME}"\\s{0,9}:\\s{0,9}")(?:[^"\\\\]|\\\\.)*`, 'gi'), `$1${REDACTED}`],
  [
    new RegExp(`("${NAME}"\\s{0,9}:\\s{0,9})(?:-?\\d[\\d.eE+-]*|true|false)`, 'gi'),
    `$1"${REDACTED}"`,
  ],
  [new RegExp(`(<(?:\\w{1,40}:)?${NAME}(?:\\s[^<>]{0,200})?>)[^<]+`, 'gi'), `$1${REDACTED}`],
  [new RegExp(`((?:^|[?&;\\s])${NAME}=)[^&;\\s"'<]+`, 'gim'), `$1${REDACTED}`],
]

/**
 * Secrets that are recognizable by their format: tokens of HTTP, JOSE, this service and known
 * issuers.
 */
const TOKEN_FORMATS: readonly RegExp[] = [
  /\b(?:Bearer|Basic) +[\w.~+/=-]{8,}/g,
  /\badk_live_[0-9A-Za-z]+/gi,
  /\b(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{8,}/g,
  /\bgh[opsur]_[0-9A-Za-z]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g,
]

/**
 * Possible JOSE tokens. Each run of characters is scanned once, regardless of where a token starts
 * in it.
 */
const JOSE_TOKENS = /(?<![\w-])[\w-]{11,}\.[\w-]{8,}(?:\.[\w-]*)?/g

/**
 * Creates a function that redacts the passed secrets, however they are escaped, and everything that
 * resembles a secret by name or format. Prefers to redact too much.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => SteppedWork<string> {
  // Longest first: a secret may be a prefix of another one.
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .sort((left, right) => right.length - left.length)
  // Cached across texts: an account may have a thousand secrets, a response many headers.
  const forms = new Map<string, SecretForms>()
  const getForms = (secret: string): SecretForms => {
    const found = forms.get(secret) ?? {
      spellings: toSpellings(secret),
      skeletons: toSearchSkeletons(secret),
    }
    forms.set(secret, found)
    return found
  }
  return function* redact(text) {
    let redacted = text
    for (const secret of known) {
      for (const spelling of getForms(secret).spellings) {
        redacted = redacted.replaceAll(spelling, REDACTED)
        const cut = findTruncatedSecret(redacted, spelling, MIN_LENGTH)
        if (cut !== undefined) redacted = redacted.slice(0, cut) + REDACTED
      }
      yield
    }
    redacted = yield* redactEscaped(
      redacted,
      known.flatMap((secret) => getForms(secret).skeletons),
    )
    for (const [pattern, replacement] of NAMED_SECRETS) {
      redacted = redacted.replace(pattern, replacement)
      yield
    }
    for (const pattern of TOKEN_FORMATS) redacted = redacted.replace(pattern, REDACTED)
    return redacted.replace(JOSE_TOKENS, (found) => {
      const at = found.indexOf('eyJ')
      return at < 0 ? found : found.slice(0, at) + REDACTED
    })
  }
}

/** Search patterns for one secret. */
interface SecretForms {
  readonly spellings: ReadonlySet<string>
  readonly skeletons: readonly string[]
}

/**
 * Redacts secrets by their ASCII letters and digits alone, ignoring case: escaped, reversed, in hex
 * and in base64. Needs a minimum number of letters and digits.
 */
function* redactEscaped(text: string, skeletons: readonly string[]): SteppedWork<string> {
  const skeleton = toSkeleton(text)
  const { starts, ends } = skeleton
  const ranges: (readonly [start: number, end: number])[] = []
  for (const wanted of skeletons) {
    yield
    let at = skeleton.text.indexOf(wanted)
    for (; at >= 0; at = skeleton.text.indexOf(wanted, at + wanted.length)) {
      ranges.push([starts[at] ?? 0, ends[at + wanted.length - 1] ?? 0])
    }
    const cut = findTruncatedSecret(skeleton.text, wanted, MIN_SKELETON)
    if (cut !== undefined) ranges.push([starts[cut] ?? 0, text.length])
  }
  ranges.sort(([left], [right]) => left - right)
  const kept: string[] = []
  let from = 0
  for (const [start, end] of ranges) {
    if (start >= from) kept.push(text.slice(from, start), REDACTED)
    from = Math.max(from, end)
  }
  return kept.join('') + text.slice(from)
}

/** Returns the skeletons of a secret's possible forms, except those that are too short. */
function toSearchSkeletons(secret: string): readonly string[] {
  const plain = toSkeleton(secret).text
  const bytes = new TextEncoder().encode(secret)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const encoded = [hex, ...[0, 1, 2].map((before) => toBase64Part(bytes, before))]
  return [
    ...[plain, [...plain].reverse().join('')].filter(({ length }) => length >= MIN_SKELETON),
    ...encoded.map((text) => toSkeleton(text).text).filter(({ length }) => length >= MIN_ENCODED),
  ]
}

/** Encodes bytes at an offset as base64, without the digits that they share with adjacent bytes. */
function toBase64Part(bytes: Uint8Array, before: number): string {
  const length = before + bytes.length
  const binary =
    '\0'.repeat(before) + Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).slice(Math.ceil((before * 4) / 3), Math.floor((length * 4) / 3))
}

/**
 * Finds the position at which a truncated text ends within a secret, with at least `min` of its
 * characters.
 */
function findTruncatedSecret(text: string, secret: string, min: number): number | undefined {
  if (secret.length <= min) return undefined
  const head = secret.slice(0, min)
  let at = text.indexOf(head, Math.max(0, text.length - secret.length + 1))
  for (let tries = 0; at >= 0; tries += 1) {
    if (tries >= MAX_TRIES || secret.startsWith(text.slice(at))) return at
    at = text.indexOf(head, at + 1)
  }
  return undefined
}

function toSpellings(secret: string): ReadonlySet<string> {
  const encoded = toUrlEncoded(secret)
  const inJson = JSON.stringify(secret).slice(1, -1)
  return new Set([secret, inJson, encoded, encoded.replaceAll('%20', '+')])
}

/** Lone surrogates cannot be encoded. */
function toUrlEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret
  }
}

/** A text reduced to the characters that all its spellings have in common. */
interface Skeleton {
  /** ASCII letters and digits in lower case, also those that were escaped. */
  readonly text: string
  /** Start of each character in the source text. */
  readonly starts: Uint32Array
  /** End of each character in the source text. */
  readonly ends: Uint32Array
}

/**
 * Matches escapes of URLs, JSON and XML, including nested ones, and everything else that may be
 * escaped: all but ASCII letters and digits.
 */
const ESCAPE_OR_SEPARATOR =
  /%(?:25)*([0-9A-Fa-f]{2})|\\+(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))?|&(?:amp;)*(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|#\w{1,8}|[A-Za-z]{2,8});|[^A-Za-z0-9%\\&]+|[%&]/g

/** Reduces a text to its skeleton. All escaped forms of a text have the same skeleton. */
function toSkeleton(text: string): Skeleton {
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  const kept: string[] = []
  let length = 0
  let from = 0
  const keep = (end: number) => {
    for (let at = from; at < end; at += 1) {
      starts[length] = at
      ends[length] = at + 1
      length += 1
    }
    kept.push(text.slice(from, end))
  }
  for (const match of text.matchAll(ESCAPE_OR_SEPARATOR)) {
    const end = match.index + match[0].length
    keep(match.index)
    from = end
    const escaped = decodeEscape(match)
    if (!/^[A-Za-z0-9]$/.test(escaped)) continue
    starts[length] = match.index
    ends[length] = end
    length += 1
    kept.push(escaped)
  }
  keep(text.length)
  return { text: kept.join('').toLowerCase(), starts, ends }
}

/** Decodes an escape to its character; empty if the match is no escape. */
function decodeEscape(match: readonly (string | undefined)[]): string {
  const [, ofUrl, ofJson, ofScript, decimal, hex] = match
  const digits = ofUrl ?? ofJson ?? ofScript ?? hex
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
  return decimal === undefined ? '' : String.fromCharCode(Number(decimal))
}
