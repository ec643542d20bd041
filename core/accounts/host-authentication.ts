import type { HttpRequest } from '../http/message.ts'
import { ServiceError } from '../http/problems.ts'
import type { Account, Caller, Scope } from '../shared/account.ts'

/** Whose request it is, as a host says that has its own log-in. */
export interface HostCaller {
  /** Whose data is read and written: a person, a team or a tenant. The id must stay the same. */
  readonly account: Account
  /** What the caller may do: `['read', 'call']`, or a `Set` of these. */
  readonly scopes: Iterable<Scope>
  /** The person who acts, as reviews name them. */
  readonly person?: string | undefined
  /** Id of the credential in use, for limits and logs; never the credential itself. */
  readonly keyId?: string | undefined
}

/** A host's own authentication: the caller, or undefined when nobody is logged in (401). */
export type Authenticate = (
  request: HttpRequest,
) => HostCaller | undefined | Promise<HostCaller | undefined>

/** The caller as operations see it. */
export function toCaller(caller: HostCaller): Caller {
  const { scopes } = caller
  return { ...caller, scopes: scopes instanceof Set ? scopes : new Set(scopes) }
}

/** The same, which throws a `ServiceError` with code `unauthenticated` when there is no caller. */
export function toHostAuthentication(authenticate: Authenticate) {
  return async (request: HttpRequest): Promise<Caller> => {
    const caller = await authenticate(request)
    if (caller) return toCaller(caller)
    throw new ServiceError('unauthenticated', 'The request carries no valid API key')
  }
}
