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
 * Why a request cannot have been sent by a page of ours: by what browsers say of its origin, and no
 * page of another site can change. Undefined where it can, and where nothing is said, by clients
 * that are no browser.
 */
export function findForeign(
  request: HttpRequest,
  publicOrigin: string | undefined,
): string | undefined {
  const site = request.header('sec-fetch-site') ?? 'same-origin'
  const sender = request.header('origin')
  const [theirs, ours] = [toHost(sender), toHost(request.origin)]
  if (site !== 'same-origin') return OTHER_SITE
  if (sender === undefined || (theirs !== undefined && theirs === ours)) return undefined
  if (theirs !== undefined && theirs === toHost(publicOrigin)) return undefined
  if (theirs === undefined || !request.header('sec-fetch-site')) return OTHER_SITE
  return `its page came from ${theirs}, and this service was asked as ${ours}: a proxy before it has to pass the header Host on`
}

const OTHER_SITE = 'it was sent by a page of another site'

/** Without the scheme: a proxy that ends TLS may not tell of it. */
function toHost(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
