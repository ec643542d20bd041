import type { EgressRequest, HeaderLine } from '../ports/egress.ts'

/** Redirect statuses (RFC 9110 15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const BODY_HEADER = /^content-/

/** True if the status is a redirect. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * Creates the request of a redirect. 303, and 301 and 302 after POST, become GET without a body.
 * Returns undefined for redirects that are not followed: an invalid location, a body to another
 * origin, or from https to http.
 */
export function createRedirectRequest(
  request: EgressRequest,
  redirect: {
    readonly status: number
    readonly location: string | undefined
    /**
     * The only headers sent to another origin. They replace those of the request, whose values may
     * be credentials or parameters with any name.
     */
    readonly portableHeaders: readonly HeaderLine[]
  },
): EgressRequest | undefined {
  const { status, location, portableHeaders } = redirect
  if (location === undefined || !isRedirect(status)) return undefined
  const from = new URL(request.url)
  const to = URL.parse(location, request.url)
  if (!to || (from.protocol === 'https:' && to.protocol === 'http:')) return undefined
  to.hash = ''
  const { method } = request
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST')
  const isSameOrigin = to.origin === from.origin
  const body = becomesGet ? undefined : request.body
  if (body !== undefined && !isSameOrigin) return undefined
  const headers = isSameOrigin ? request.headers : portableHeaders
  return {
    ...request,
    method: becomesGet ? 'GET' : method,
    url: to.href,
    headers: becomesGet ? headers.filter(([name]) => !BODY_HEADER.test(name)) : headers,
    body,
  }
}
