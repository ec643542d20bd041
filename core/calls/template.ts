import { encodeLiteral } from './encode.ts'

/** A part of a path template: literal text, already encoded, or the name of a placeholder. */
export type TemplatePart = { readonly text: string } | { readonly name: string }

/** A parsed path template. */
export interface Template {
  readonly parts: readonly TemplatePart[]
  /** Whether it contains `?`. */
  readonly hasQuery: boolean
}

/**
 * Parses a template such as `/users/{id}?kind=a`. Omits the fragment, which servers do not receive.
 */
export function parseTemplate(path: string): Template {
  const written = path.startsWith('/') ? path : `/${path}`
  const parts: TemplatePart[] = []
  let hasQuery = false
  for (const piece of written.split(/(\{[^{}]+\})/)) {
    if (piece.startsWith('{') && piece.endsWith('}')) {
      parts.push({ name: piece.slice(1, -1) })
      continue
    }
    const [text = '', ...rest] = piece.split('#')
    if (text !== '') parts.push({ text: encodeLiteral(text) })
    hasQuery ||= text.includes('?')
    if (rest.length > 0) break
  }
  return { parts, hasQuery }
}

/** Returns why a string would change the structure of the path; undefined if it is safe. */
export function findPathRefusal(text: string): string | undefined {
  if (text === '') return 'must not be empty: it is part of the path'
  if (/\p{Cs}/u.test(text)) return 'is not well-formed Unicode'
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters: it is part of the path'
  return text.includes('.') || text.includes('%') ? findDotSegmentRefusal(text) : undefined
}

/** Whether a path contains a `.` or `..` segment, in any encoding. */
export function hasDotSegment(path: string): boolean {
  return /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i.test(path)
}

/** How many times a value may have been encoded, or a server may decode it. */
const MAX_DECODINGS = 3

/**
 * Refuses dot segments. A server that decodes before it parses the path would resolve them, even
 * with encoded slashes.
 */
function findDotSegmentRefusal(text: string): string | undefined {
  let decoded = text
  for (let round = 0; round <= MAX_DECODINGS; round += 1) {
    for (const segment of decoded.split(/[/\\]/)) {
      const name = segment.split(';', 1)[0]
      if (name === '.' || name === '..') return 'must not contain . or .. as a path segment'
    }
    if (!decoded.includes('%')) return undefined
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  return undefined
}
