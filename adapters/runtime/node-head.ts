import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../core/http/problems.ts'
import { BAD_TARGET, findHeadRefusal, isRequestTarget } from '../../core/http/request-head.ts'

/** What the adapter itself must know of a request's head. */
export interface NodeHead {
  /** A body is announced, with whatever method (RFC 9112 6). */
  readonly hasBody: boolean
  /** Why the request is unusable whatever the handler is. */
  readonly refusal: ServiceError | undefined
}

const EMPTY: NodeHead = { hasBody: false, refusal: undefined }
const BODY: NodeHead = { hasBody: true, refusal: undefined }

/** Reads the head from the raw list: most requests need no table of headers before the handler. */
export function readHead(incoming: IncomingMessage): NodeHead {
  const { rawHeaders, method = 'GET', url = '/', httpVersion } = incoming
  let host: string | undefined
  let contentLength: string | undefined
  let transferEncoding: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      host = join(host, value)
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      contentLength = join(contentLength, value)
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      transferEncoding = join(transferEncoding, value)
    }
  }
  const refusal = findHeadRefusal({ method, host, contentLength, transferEncoding })
  if (refusal) return refuse(refusal)
  if (!isRequestTarget(url, method)) return refuse(BAD_TARGET)
  if (httpVersion !== '1.1') {
    if (httpVersion !== '1.0') return refuse(BAD_VERSION)
    // RFC 9112 6.1: chunked is unknown to HTTP/1.0, so the frame of such a request is faulty.
    if (transferEncoding !== undefined) return refuse(BAD_VERSION)
  }
  const hasBody = transferEncoding !== undefined || Number(contentLength ?? 0) > 0
  if (!hasBody) return EMPTY
  return incoming.readableDidRead ? refuse(READ_BEFORE) : BODY
}

const BAD_VERSION = new ServiceError(
  'invalid_input',
  'Cannot read the request: must be HTTP/1.1, or HTTP/1.0 without Transfer-Encoding',
)
const READ_BEFORE = new ServiceError(
  'internal',
  'Cannot read the body: it was read before, so this must be mounted before body parsers',
)

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}

function refuse(refusal: ServiceError): NodeHead {
  return { hasBody: true, refusal }
}
