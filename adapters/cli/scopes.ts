import { parseDuration } from '../../core/accounts/index.ts'
import { SCOPES, type Scope } from '../../core/index.ts'
import { UsageError } from './errors.ts'

/** Parses scopes such as `read,import`. Throws a `UsageError` that names the first unknown one. */
export function parseScopes(text: string): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(SCOPES as readonly string[]).includes(name))
  if (unknown === undefined) return names as readonly Scope[]
  throw new UsageError(`Cannot use the scope "${unknown}": it must be one of ${SCOPES.join(', ')}`)
}

/** Parses a duration such as `90d` to milliseconds. Throws a `UsageError` if it is invalid. */
export function parseDurationOption(text: string): number {
  const ms = parseDuration(text)
  if (ms !== undefined) return ms
  throw new UsageError(`Invalid duration "${text}": it must have the form 90d, 12h or 30m`)
}
