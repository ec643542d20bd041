import { ServiceError } from '../../core/http/problems.ts'
import type { HttpRequest, PublicAddress } from '../../core/index.ts'
import { toBase64Url } from '../../core/shared/base64url.ts'
import { areCookiesStored, FORM_COOKIE, findCookie, SESSION_COOKIE } from './cookies.ts'
import { findForeignOrigin, toFormToken } from './form-token.ts'
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
