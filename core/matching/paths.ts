/** Maximum depth of a path; deeper ones are matched by host only. */
const MAX_SEGMENTS = 64

/** A normalised path of a template or request. */
export interface PathShape {
  /**
   * Percent-decoded, without empty segments, with `.` and `..` resolved. Holes are parameters in a
   * template and placeholders in a request.
   */
  readonly segments: readonly string[]
  /** Also true for `/` itself. */
  readonly hasTrailingSlash: boolean
}

/** Parses a path (without query and fragment); undefined if it is too deep. */
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
 * Percent-decodes as UTF-8, and preserves invalid escapes or encodings as far as possible. Never
 * decodes to the marks `HOLE` and `REST`.
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
