import { ServiceError } from '../errors.ts'
import type { Caller } from '../shared/account.ts'
import type { DispatcherDeps } from './dispatcher.ts'
import type { Operation } from './operation.ts'

/** What a call needs. */
interface NeededScope {
  /** Name of the operation or tool, for the list of refusals that the account sees. */
  readonly operation: string
  readonly scope: Operation['scope']
}

/** Checks the scope of a caller. Throws `forbidden`. */
export type RequireScope = (caller: Caller, needed: NeededScope) => void

/** Throws `forbidden` if the caller lacks the scope, and records the refusal of its key. */
export function requireScope(
  deps: Pick<DispatcherDeps, 'recordRefusal'>,
  caller: Caller,
  { operation, scope }: NeededScope,
): void {
  if (scope === 'public' || caller.scopes.has(scope)) return
  deps.recordRefusal({ caller, operation, reason: 'scope' })
  const subject = caller.keyId === undefined ? 'caller' : 'key'
  throw new ServiceError('forbidden', `The ${subject} lacks the scope "${scope}"`)
}
