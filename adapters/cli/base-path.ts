import { parseBasePath } from '../../core/index.ts'
import { UsageError } from './errors.ts'

/** A base path as the command line names it, without its final slash. Throws a `UsageError`. */
export function toBasePath(text: string): string {
  const path = parseBasePath(text)
  if (path !== undefined) return path
  throw new UsageError(`Invalid base path "${text}": must look like /api`)
}
