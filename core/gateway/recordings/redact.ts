/** What stands in the place of a secret. */
export const REDACTED = '[redacted]'

/** Shorter ones would be found by chance. */
const MIN_LENGTH = 4

const NAME =
  '[\\w.-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authorization|credential|session[-_]?id|cookie|signature|jwt)[\\w.-]{0,40}'

/** Members, attributes, elements and parameters whose names say that they are secret. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`("${NAME}"\\s{0,9}:\\s{0,9}")(?:[^"\\\\]|\\\\.)*`, 'gi'), `$1${REDACTED}`],
  [
    new RegExp(`("${NAME}"\\s{0,9}:\\s{0,9})(?:-?\\d[\\d.eE+-]*|true|false)`, 'gi'),
    `$1"${REDACTED}"`,
  ],
  [new RegExp(`(<(?:\\w{1,40}:)?${NAME}(?:\\s[^<>]{0,200})?>)[^<]+`, 'gi'), `$1${REDACTED}`],
  [new RegExp(`((?:^|[?&;\\s])${NAME}=)[^&;\\s"'<]+`, 'gim'), `$1${REDACTED}`],
]

/** What is a secret by its shape: tokens of HTTP, of JOSE, of this service and of known issuers. */
const SHAPED: readonly RegExp[] = [
  /\b(?:Bearer|Basic) +[\w.~+/=-]{8,}/g,
  /\beyJ[\w-]{8,500}\.[\w-]{8,8000}(?:\.[\w-]*)?/g,
  /\badk_live_[0-9A-Za-z]+/gi,
  /\b(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{8,}/g,
  /\bgh[opsur]_[0-9A-Za-z]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g,
]

/**
 * Creates what takes secrets out of texts: those given, as they are and as JSON, URLs and Basic
 * write them, and whatever looks like one by its name or shape. Too much rather than too little.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const spellings = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < MIN_LENGTH) continue
    for (const spelling of toSpellings(secret)) spellings.add(spelling)
  }
  // A secret may be the beginning of another one.
  const known = [...spellings].sort((left, right) => right.length - left.length)
  return (text) => {
    let redacted = text
    for (const secret of known) redacted = redacted.replaceAll(secret, REDACTED)
    redacted = cutTail(redacted, known)
    for (const [pattern, replacement] of NAMED) redacted = redacted.replace(pattern, replacement)
    for (const pattern of SHAPED) redacted = redacted.replace(pattern, REDACTED)
    return redacted
  }
}

function toSpellings(secret: string): readonly string[] {
  const encoded = toUrlText(secret)
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, encoded.replaceAll('%20', '+')]
}

/** Lone surrogates have no bytes. */
function toUrlText(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret
  }
}

/** A text that was cut may end within a secret. */
function cutTail(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= MIN_LENGTH; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + REDACTED
    }
  }
  return text
}
