/** Deepest path that is looked at; a deeper one is known by its host only. */
const MAX_SEGMENTS = 64

/** A path in the form in which templates and requests are compared. */
export interface PathShape {
  /**
   * Percent-decoded, without empty ones and with `.` and `..` resolved. In a template a parameter
   * is a hole, in a request a placeholder is one.
   */
  readonly segments: readonly string[]
  /** True for `/` alone, too. */
  readonly hasTrailingSlash: boolean
}

/** Splits a path (no query, no fragment) into what is compared; undefined when it is too deep. */
export function parsePath(text: string): PathShape | undefined {
  const path = text.includes('\\') ? text.replaceAll('\\', '/') : text
  const segments: string[] = []
  let start = 0
  let hasTrailingSlash = false
  while (start <= path.length) {
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    const segment = decodeSegment(path.slice(start, end))
    hasTrailingSlash = segment === '' || segment === '.' || segment === '..'
    if (segment === '..') segments.pop()
    if (!hasTrailingSlash) segments.push(segment)
    if (segments.length > MAX_SEGMENTS) return undefined
    start = end + 1
  }
  return { segments, hasTrailingSlash: hasTrailingSlash && path !== '' }
}

/**
 * Percent-decodes as UTF-8; what is no UTF-8 or no escape stays as near to the text as can be. The
 * characters that serve as marks are never decoded to.
 */
function decodeSegment(text: string): string {
  if (!text.includes('%')) return text
  const safe = text.replaceAll(/%0[01]/g, '%EF%BF%BD')
  return decodeStrictly(safe) ?? decodeLoosely(safe)
}

function decodeStrictly(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function decodeLoosely(text: string): string {
  const bytes: number[] = []
  const encoded = new TextEncoder().encode(text)
  for (let index = 0; index < encoded.length; index += 1) {
    const byte = encoded[index] ?? 0
    const high = hexValue(encoded[index + 1])
    const low = hexValue(encoded[index + 2])
    if (byte === 0x25 && high >= 0 && low >= 0) {
      bytes.push(high * 16 + low)
      index += 2
    } else {
      bytes.push(byte)
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  if (byte >= 65 && byte <= 70) return byte - 55
  return byte >= 97 && byte <= 102 ? byte - 87 : -1
}
