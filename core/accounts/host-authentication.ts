import { ServiceError } from '../errors.ts'
import type { HttpRequest } from '../http/message.ts'
import type { Account, Caller, Scope } from '../shared/account.ts'

/** The caller of a request, as determined by a host with its own authentication. */
export interface HostCaller {
  /** The owner of the data: a user, team or tenant. Its ID must be stable. */
  readonly account: Account
  /** Permissions of the caller: `['read', 'call']`, or a `Set` of scopes. */
  readonly scopes: Iterable<Scope>
  /** Name of the acting user, shown in reviews. */
  readonly userName?: string | undefined
  /** ID of the credential, for limits and logs; never the credential itself. */
  readonly keyId?: string | undefined
}

/**
 * The host's own authentication: returns the caller, or undefined if no user is logged in (401).
 */
export type Authenticate = (
  request: HttpRequest,
) => HostCaller | undefined | Promise<HostCaller | undefined>

/**
 * Converts the caller for use in operations.
 *
 * @example
 * ```ts
 * import { toCaller } from 'api-discovery'
 *
 * const account = { id: 'team-1', name: 'Team 1' }
 * const caller = toCaller({ account, scopes: ['read', 'call'] })
 * caller.scopes.has('call') // true
 * ```
 */
export function toCaller(caller: HostCaller): Caller {
  const { scopes } = caller
  return { ...caller, scopes: scopes instanceof Set ? scopes : new Set(scopes) }
}

/**
 * Adapts a host's authentication to the dispatcher. Throws a `ServiceError` with code
 * `unauthenticated` if there is no caller. Throws `forbidden` if a page of another site sends a
 * request that changes data: the host may use cookies, which browsers add to such requests too.
 * Origins in `allowedOrigins` (CORS) are exempt.
 */
export function toHostAuthentication(
  authenticate: Authenticate,
  allowedOrigins: readonly string[],
) {
  return async (request: HttpRequest): Promise<Caller> => {
    const caller = await authenticate(request)
    if (!caller) {
      throw new ServiceError('unauthenticated', 'Cannot authenticate: no user is logged in')
    }
    if (isCrossSite(request, allowedOrigins)) {
      throw new ServiceError(
        'forbidden',
        'Cannot accept the request: it was sent from another site. To allow it, add the origin to the option "allowedOrigins"',
      )
    }
    return toCaller(caller)
  }
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Checks headers that browsers set and pages cannot change; other clients don't send them. */
function isCrossSite(request: HttpRequest, allowedOrigins: readonly string[]): boolean {
  if (SAFE_METHODS.has(request.method)) return false
  const site = request.header('sec-fetch-site')
  const sender = request.header('origin')
  if (sender !== undefined && allowedOrigins.includes(sender)) return false
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return sender !== undefined && parseOriginHost(sender) !== parseOriginHost(request.origin)
}

/** Ignores the scheme, as a proxy that terminates TLS may not report it. */
function parseOriginHost(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
