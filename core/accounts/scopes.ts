import { ServiceError } from '../http/problems.ts'
import { SCOPES, type Scope } from '../shared/account.ts'
import { quote } from './names.ts'

/**
 * Scopes as they are stored: each once, in the order of `SCOPES`. Throws `invalid_input` for none,
 * or one that there is not; `purpose` ends the sentence "Cannot …".
 */
export function parseScopes(purpose: string, scopes: readonly Scope[]): readonly Scope[] {
  const unknown = scopes.find((scope) => !SCOPES.includes(scope))
  if (unknown === undefined && scopes.length > 0) {
    return SCOPES.filter((scope) => scopes.includes(scope))
  }
  const present = unknown === undefined ? 'no scopes' : `the scope ${quote(unknown)}`
  throw new ServiceError(
    'invalid_input',
    `Cannot ${purpose} with ${present}: scopes must be some of ${SCOPES.join(', ')}`,
  )
}
