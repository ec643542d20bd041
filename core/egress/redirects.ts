import type { EgressRequest, HeaderLine } from './egress.ts'

/** Statuses of RFC 9110 15.4 that send a client elsewhere. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const AT_ANY_ORIGIN: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'accept-encoding',
  'user-agent',
])
const OF_BODY = /^content-/

/** Whether an answer sends its client elsewhere. */
export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * The request that a redirect asks for: 303, and 301 and 302 after POST, become a GET without a
 * body. Another origin gets no headers but `accept`, `accept-language`, `accept-encoding` and
 * `user-agent`. Undefined when it is not to be followed: a location that is no URL, one that would
 * carry a body to another origin, one that leads from https to http.
 */
export function toRedirected(
  request: EgressRequest,
  { status, location }: { readonly status: number; readonly location: string | undefined },
): EgressRequest | undefined {
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
  const mayGo = ([name]: HeaderLine) =>
    (isSameOrigin || AT_ANY_ORIGIN.has(name)) && !(becomesGet && OF_BODY.test(name))
  return {
    ...request,
    method: becomesGet ? 'GET' : method,
    url: to.href,
    headers: request.headers.filter(mayGo),
    body,
  }
}
