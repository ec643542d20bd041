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

/**
 * Wraps a host's own authentication for the dispatcher. Throws a `ServiceError` with code
 * `unauthenticated` when there is no caller, and `forbidden` for a request that changes data and
 * that a browser sends for a page of another site: a host may authenticate by a cookie, which
 * browsers add to such requests too. Origins of `allowedOrigins` (CORS) may send them.
 */
export function toHostAuthentication(
  authenticate: Authenticate,
  allowedOrigins: readonly string[],
) {
  return async (request: HttpRequest): Promise<Caller> => {
    const caller = await authenticate(request)
    if (!caller) {
      throw new ServiceError('unauthenticated', 'Cannot authenticate: nobody is logged in')
    }
    if (isCrossSite(request, allowedOrigins)) {
      throw new ServiceError(
        'forbidden',
        'Cannot accept the request: a page of another site sent it; add its origin to the option "allowedOrigins" to permit it',
      )
    }
    return toCaller(caller)
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Decides by the headers that browsers set and pages cannot change; other clients send none. */
function isCrossSite(request: HttpRequest, allowedOrigins: readonly string[]): boolean {
  if (SAFE_METHODS.has(request.method)) return false
  const site = request.header('sec-fetch-site')
  const sender = request.header('origin')
  if (sender !== undefined && allowedOrigins.includes(sender)) return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return sender !== undefined && toHost(sender) !== toHost(request.origin)
}

/** Without the scheme, since a proxy that ends TLS may not report it. */
function toHost(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
