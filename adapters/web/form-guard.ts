import { ServiceError } from '../../core/errors.ts'
import type { HttpRequest, PublicAddress } from '../../core/index.ts'
import { toBase64Url } from '../../core/shared/base64url.ts'
import { toSha256Hex } from '../../core/shared/digests.ts'
import { areCookiesStored, FORM_COOKIE, findCookie, SESSION_COOKIE } from './cookies.ts'
import { readFormValues } from './forms.ts'

/**
 * Prepares the forms of one request: their token and cookie, and a reader for the submitted form.
 */
export async function openForms(request: HttpRequest, { origin, path }: PublicAddress) {
  const cookies = request.header('cookie')
  const known =
    findCookie(cookies, { name: SESSION_COOKIE, path }) ??
    findCookie(cookies, { name: FORM_COOKIE, path })
  const value = known ?? toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const token = await toFormToken(value)
  return {
    token,
    cookie: known === undefined ? ({ name: FORM_COOKIE, value } as const) : undefined,
    async read(maxBytes = 1024 * 1024) {
      const foreign = findForeignOrigin(request, origin)
      if (foreign !== undefined) throw createFormError(foreign)
      const form = await readFormValues(request, maxBytes)
      if (known !== undefined && form.text('form_token') === token) return form
      throw createFormError(areCookiesStored(origin ?? request.origin) ? TOO_OLD : PLAIN_HTTP)
    },
  }
}

const TOO_OLD = 'the page has expired, or the browser blocks cookies. Reload the page and try again'
const PLAIN_HTTP =
  'its page was loaded over plain HTTP, but browsers store its cookie only over HTTPS or from the local machine'

function createFormError(reason: string): ServiceError {
  return new ServiceError('forbidden', `Cannot accept the form: ${reason}`)
}

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
function findForeignOrigin(
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
