import { parseBasePath } from '../../core/index.ts'
import { UsageError } from './errors.ts'

/** Parses a base path and removes its final slash. Throws a `UsageError` if it is invalid. */
export function readBasePath(text: string): string {
  const path = parseBasePath(text)
  if (path !== undefined) return path
  throw new UsageError(`Invalid base path "${text}": must look like /api`)
}
