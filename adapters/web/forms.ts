import { ServiceError } from '../../core/errors.ts'
import { BODY_LIMITS, decodeUtf8, readBytes } from '../../core/http/body.ts'
import type { HttpRequest } from '../../core/http/message.ts'
import {
  createPartTextReader,
  findMultipartBoundary,
  getPartBytes,
  readMultipartParts,
} from '../../core/http/multipart.ts'
import type { UploadedFile } from '../../core/http/operation.ts'
import { parsePairs } from '../../core/http/query.ts'
import type { PublicAddress } from '../../core/index.ts'
import { toBase64Url } from '../../core/shared/base64url.ts'
import { toSha256Hex } from '../../core/shared/digests.ts'
import { createYieldIfDue } from '../../core/shared/time-slices.ts'
import { areCookiesStored, FORM_COOKIE, findCookie, SESSION_COOKIE } from './cookies.ts'

/** The values of a submitted form. */
export interface FormValues {
  /** First value of a field, unmodified; empty if absent. */
  text(name: string): string
  /** Every value of a field. */
  all(name: string): readonly string[]
  /** First uploaded file of a field; undefined if none was chosen. */
  file(name: string): UploadedFile | undefined
  /** All uploaded files of a field, in order. */
  files(name: string): readonly UploadedFile[]
  readonly names: readonly string[]
}

const TOO_OLD = 'the page has expired, or the browser blocks cookies. Reload the page and try again'
const PLAIN_HTTP =
  'its page was loaded over plain HTTP, but browsers store its cookie only over HTTPS or from the local machine'

const OTHER_SITE = 'it was sent from another site'

/** The form of a request without one. */
export const NO_FORM: FormValues = toFormValues([], new Map())

const MAX_FIELDS = 2000

/**
 * Parses a form sent by a browser, urlencoded or multipart. Throws `too_large` above `maxBytes`, or
 * if the fields besides its files exceed 1 MiB. Throws `invalid_body` if the body is not a form.
 */
async function readFormValues(request: HttpRequest, maxBytes: number): Promise<FormValues> {
  const bytes = await readBytes(request.body, maxBytes)
  const boundary = findMultipartBoundary(bytes, request.header('content-type') ?? '')
  if (boundary === undefined) {
    return toFormValues(parsePairs(decodeUtf8(bytes), MAX_FIELDS), new Map())
  }
  const pairs: [string, string][] = []
  const files = new Map<string, UploadedFile[]>()
  const readText = createPartTextReader(BODY_LIMITS.maxBodyBytes)
  const pause = createYieldIfDue()
  for (const part of readMultipartParts(bytes, { boundary, maxParts: MAX_FIELDS })) {
    await pause()
    if (!part) continue
    const name = part.name ?? ''
    const { filename } = part
    if (filename === undefined) pairs.push([name, readText(part)])
    else if (filename !== '' || part.size > 0) {
      const file = { bytes: getPartBytes(part), filename, mediaType: part.mediaType ?? '' }
      files.set(name, [...(files.get(name) ?? []), file])
    }
  }
  return toFormValues(pairs, files)
}

function toFormValues(
  pairs: readonly (readonly [string, string])[],
  files: ReadonlyMap<string, readonly UploadedFile[]>,
): FormValues {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    const former = values.get(name)
    if (former) former.push(value)
    else values.set(name, [value])
  }
  return {
    text: (name) => values.get(name)?.[0] ?? '',
    all: (name) => values.get(name) ?? [],
    file: (name) => files.get(name)?.[0],
    files: (name) => files.get(name) ?? [],
    names: [...values.keys()],
  }
}

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

/** Ignores the scheme: a proxy that terminates TLS may not forward it. */
function toOriginHost(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
