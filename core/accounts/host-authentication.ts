import type { HttpRequest } from '../http/message.ts'
import { ServiceError } from '../http/problems.ts'
import type { Caller } from '../shared/account.ts'

/** A host's own authentication: the caller, or undefined when nobody's. */
type Authenticate = (request: HttpRequest) => Caller | undefined | Promise<Caller | undefined>

/** The same, which throws a `ServiceError` with code `unauthenticated` when there is no caller. */
export function toHostAuthentication(authenticate: Authenticate) {
  return async (request: HttpRequest): Promise<Caller> => {
    const caller = await authenticate(request)
    if (caller) return caller
    throw new ServiceError('unauthenticated', 'The request carries no valid API key')
  }
}
