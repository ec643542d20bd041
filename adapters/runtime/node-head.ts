import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../core/errors.ts'
import { BAD_TARGET, findHeadError, isRequestTarget } from '../../core/http/request-head.ts'

/** The parts of a request's head that the adapter needs. */
export interface NodeHead {
  /** The head declares a body, with any method (RFC 9112 6). */
  readonly hasBody: boolean
  /** Error of a request that no handler can process. */
  readonly error: ServiceError | undefined
}

const HEAD_WITHOUT_BODY: NodeHead = { hasBody: false, error: undefined }
const HEAD_WITH_BODY: NodeHead = { hasBody: true, error: undefined }

/** Parses the raw header list: most requests are handled without a header table. */
export function readHead(incoming: IncomingMessage): NodeHead {
  const { rawHeaders, method = 'GET', url = '/', httpVersion } = incoming
  let host: string | undefined
  let contentLength: string | undefined
  let transferEncoding: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      host = joinHeaderValues(host, value)
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      contentLength = joinHeaderValues(contentLength, value)
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      transferEncoding = joinHeaderValues(transferEncoding, value)
    }
  }
  const refusal = findHeadError({ method, host, contentLength, transferEncoding })
  if (refusal) return rejectHead(refusal)
  if (!isRequestTarget(url, method)) return rejectHead(BAD_TARGET)
  if (httpVersion !== '1.1') {
    if (httpVersion !== '1.0') return rejectHead(BAD_VERSION)
    // RFC 9112 6.1: HTTP/1.0 has no chunked coding, so the framing of such a request is invalid.
    if (transferEncoding !== undefined) return rejectHead(BAD_VERSION)
  }
  const hasBody = transferEncoding !== undefined || Number(contentLength ?? 0) > 0
  if (!hasBody) return HEAD_WITHOUT_BODY
  return incoming.readableDidRead ? rejectHead(READ_BEFORE) : HEAD_WITH_BODY
}

const BAD_VERSION = new ServiceError(
  'invalid_input',
  'Invalid request: must be HTTP/1.1, or HTTP/1.0 without Transfer-Encoding',
)
const READ_BEFORE = new ServiceError(
  'internal',
  'Cannot read the body: it has already been read. Mount this handler before body parsers',
)

function joinHeaderValues(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`
}

function rejectHead(refusal: ServiceError): NodeHead {
  return { hasBody: true, error: refusal }
}
