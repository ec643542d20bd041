import { parseDemand, type QueryDemand } from './demands.ts'
import { splitTail, trimUrlText } from './locations.ts'
import { HOLE, joinHoles, markPlaceholders, REST } from './placeholders.ts'

/** A normalised path template. */
export interface PathTemplate {
  /** Parameters are holes; a parameter for the rest of the path is a final `REST`. */
  readonly segments: readonly string[]
  readonly hasTrailingSlash: boolean
  /** Set if the template contains a query or a fragment. */
  readonly demand: QueryDemand | undefined
}

/** Parses a path template; undefined if it is too deep. */
export function parseTemplate(text: string): PathTemplate | undefined {
  const { path, query, fragment } = splitTail(markPlaceholders(trimUrlText(text)))
  if (!path) return undefined
  const last = path.segments.length - 1
  const segments = path.segments.map((segment, index) => normalizeSegment(segment, index === last))
  const { hasTrailingSlash } = path
  return { segments, hasTrailingSlash, demand: parseDemand(query, fragment) }
}

/**
 * Returns the literal parts around the parameters of a partly literal segment: `['', '.json']` for
 * `{ID}.json`. Undefined for other segments.
 */
export function toLiteralParts(segment: string): readonly string[] | undefined {
  return segment.length > 1 && segment.includes(HOLE) ? segment.split(HOLE) : undefined
}

/** Whether a text contains the literal parts in order, with at least one character in each gap. */
export function fitsLiteralParts(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts[parts.length - 1] ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) {
    return false
  }
  const end = text.length - last.length
  let position = first.length
  for (let index = 1; index < parts.length - 1; index += 1) {
    const part = parts[index] ?? ''
    const found = text.indexOf(part, position + 1)
    if (found < 0) return false
    position = found + part.length
  }
  return position < end
}

function normalizeSegment(segment: string, isLast: boolean): string {
  const isRest = segment === REST || segment === '*' || segment === '**'
  if (isRest) return isLast ? REST : HOLE
  return segment.includes(REST) ? joinHoles(segment.replaceAll(REST, HOLE)) : segment
}
