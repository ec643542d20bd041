import type { HttpRequest } from '../../core/index.ts'
import { toSha256Hex } from '../../core/shared/digests.ts'

/**
 * The token that forms of a browser carry: derived from a cookie that no other site can read or
 * set. It says nothing of the cookie.
 */
export function toFormToken(cookie: string): Promise<string> {
  return toSha256Hex(`form\n${cookie}`)
}

/**
 * Whether a request can have been sent by a page of ours: by what browsers say of its origin, and
 * no page of another site can change. True where nothing is said, by clients that are no browser.
 */
export function isFromOurPage(request: HttpRequest): boolean {
  const site = request.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin') return false
  const sender = request.header('origin')
  if (sender === undefined) return true
  return toHost(sender) !== undefined && toHost(sender) === toHost(request.origin)
}

/** Without the scheme: a proxy that ends TLS may not tell of it. */
function toHost(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
