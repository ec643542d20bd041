import { type ErrorCode, ServiceError } from '../errors.ts'

/** A location in a source; lines and columns count from 1. */
export interface SourceLocation {
  readonly pointer?: string
  readonly line?: number
  readonly column?: number
}

/** Creates the error for an unreadable description, with the location as members of the problem. */
export function createImportError(
  code: ErrorCode,
  detail: string,
  location: SourceLocation = {},
): ServiceError {
  return new ServiceError(code, detail, { extra: { ...location } })
}

/** Converts an offset in a text to line and column, from 1. */
export function toSourceLocation(
  text: string,
  offset: number,
): Required<Omit<SourceLocation, 'pointer'>> {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

/** Formats a location as `line 3, column 7`. */
export function formatLocation(place: SourceLocation): string {
  return `line ${place.line}, column ${place.column}`
}
