import type { EgressRequest, HeaderLine } from './egress.ts'

/** Statuses of RFC 9110 15.4 that send a client elsewhere. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const OF_BODY = /^content-/

/** Whether an answer sends its client elsewhere. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * Builds the request that a redirect asks for: 303, and 301 and 302 after POST, become a GET without
 * a body. Returns undefined for a redirect that is not followed: a location that is no URL, one that
 * would carry a body to another origin, one that leads from https to http.
 */
export function toRedirected(
  request: EgressRequest,
  redirect: {
    readonly status: number
    readonly location: string | undefined
    /**
     * The only headers that another origin gets. They replace those of the request, whose values may
     * be credentials or parameters under any name.
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
    headers: becomesGet ? headers.filter(([name]) => !OF_BODY.test(name)) : headers,
    body,
  }
}
