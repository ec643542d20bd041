import type { HttpRequest } from '../../core/index.ts'
import { toSha256Hex } from '../../core/shared/digests.ts'

/**
 * Derives the token of a browser's forms from a cookie that other sites can neither read nor set.
 * It does not reveal the cookie.
 */
export function toFormToken(cookie: string): Promise<string> {
  return toSha256Hex(`form\n${cookie}`)
}

/**
 * Returns why a request cannot come from a page of this service, by headers that pages of other
 * sites cannot forge. Returns undefined if it may, or if no such header is present, as with clients
 * other than browsers.
 */
export function findForeignOrigin(
  request: HttpRequest,
  publicOrigin: string | undefined,
): string | undefined {
  const site = request.header('sec-fetch-site') ?? 'same-origin'
  const sender = request.header('origin')
  const [theirs, ours] = [toOriginHost(sender), toOriginHost(request.origin)]
  if (site !== 'same-origin') return OTHER_SITE
  if (sender === undefined || (theirs !== undefined && theirs === ours)) return undefined
  if (theirs !== undefined && theirs === toOriginHost(publicOrigin)) return undefined
  if (theirs === undefined || !request.header('sec-fetch-site')) return OTHER_SITE
  return `its page is from ${theirs}, but the request is for ${ours}. Configure the proxy to forward the Host header`
}

const OTHER_SITE = 'it was sent from another site'

/** Ignores the scheme: a proxy that terminates TLS may not forward it. */
function toOriginHost(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
