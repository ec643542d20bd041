import { type ProblemCode, ServiceError } from '../http/problems.ts'

/** Where in a source something is wrong; lines and columns count from 1. */
export interface SourcePlace {
  readonly pointer?: string
  readonly line?: number
  readonly column?: number
}

/** The error for a description that cannot be read, with its place as members of the problem document. */
export function refusal(code: ProblemCode, detail: string, place: SourcePlace = {}): ServiceError {
  return new ServiceError(code, detail, { extra: { ...place } })
}

/** Line and column, from 1, of an offset in a text. */
export function toPlace(text: string, offset: number): Required<Omit<SourcePlace, 'pointer'>> {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** `line 3, column 7`. */
export function describePlace(place: SourcePlace): string {
  return `line ${place.line}, column ${place.column}`
}
