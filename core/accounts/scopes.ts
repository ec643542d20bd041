import { ServiceError } from '../errors.ts'
import { SCOPES, type Scope } from '../shared/account.ts'
import { quoteInput } from './names.ts'

/**
 * Normalizes scopes: distinct, in the order of `SCOPES`. Throws `invalid_input` for an empty list
 * or an unknown scope; `purpose` completes the sentence "Cannot …".
 */
export function parseScopes(purpose: string, scopes: readonly Scope[]): readonly Scope[] {
  const unknown = scopes.find((scope) => !SCOPES.includes(scope))
  if (unknown === undefined && scopes.length > 0) {
    return SCOPES.filter((scope) => scopes.includes(scope))
  }
  const present = unknown === undefined ? 'no scopes' : `the scope ${quoteInput(unknown)}`
  throw new ServiceError(
    'invalid_input',
    `Cannot ${purpose} with ${present}: choose one or more of ${SCOPES.join(', ')}`,
  )
}
