import { encodeLiteral } from './encode.ts'

/** A part of a path template: text as it is sent, or the name of a placeholder. */
export type TemplatePart = { readonly text: string } | { readonly name: string }

/** A path template, cut in parts. */
export interface Template {
  readonly parts: readonly TemplatePart[]
  /** There is a `?` in it. */
  readonly hasQuery: boolean
}

/** Cuts `/users/{id}?kind=a` in its parts. A fragment, which no server sees, is left out. */
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

/** Why a text cannot stand in a path without changing its shape; undefined when it can. */
export function refusePathText(text: string): string | undefined {
  if (text === '') return 'must not be empty: it is a part of the path'
  if (/\p{Cs}/u.test(text)) return 'is not well-formed text'
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters: it is a part of the path'
  return text.includes('.') || text.includes('%') ? refuseDots(text) : undefined
}

/** True when a path, as sent, has a `.` or `..` between two slashes, in any spelling. */
export function hasDotSegment(path: string): boolean {
  return /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i.test(path)
}

/** How many times a text may have been encoded, or a careless server may decode it. */
const MAX_DECODINGS = 3

/** Servers that decode before they look at the shape would climb: encoded slashes do not help. */
function refuseDots(text: string): string | undefined {
  let decoded = text
  for (let round = 0; round <= MAX_DECODINGS; round += 1) {
    for (const segment of decoded.split(/[/\\]/)) {
      const name = segment.split(';', 1)[0]
      if (name === '.' || name === '..') return 'must not hold . or .. as a step of the path'
    }
    if (!decoded.includes('%')) return undefined
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  return undefined
}
