import { parseDuration, SCOPES, type Scope } from '../../core/index.ts'
import { UsageError } from './errors.ts'

/** Scopes out of `read,import`. Throws a `UsageError` that names the first unknown one. */
export function parseScopes(text: string): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(SCOPES as readonly string[]).includes(name))
  if (unknown === undefined) return names as readonly Scope[]
  throw new UsageError(`Cannot use the scope "${unknown}": it must be one of ${SCOPES.join(', ')}`)
}

/** Milliseconds of a duration as it is typed. Throws a `UsageError`. */
export function toMs(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new UsageError(`Cannot read the duration "${text}": it must look like 90d, 12h or 30m`)
}
