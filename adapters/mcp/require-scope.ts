import { type Caller, type Scope, ServiceError } from '../../core/index.ts'

/** Throws `forbidden` unless the caller has the scope, as operations over HTTP do. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return
  throw new ServiceError('forbidden', `The caller lacks the scope "${scope}"`)
}
