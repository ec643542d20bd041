import type { IncomingMessage } from 'node:http'
import { isHost } from '../../core/http/client-address.ts'
import { ServiceError } from '../../core/http/problems.ts'

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
export function readHead({ rawHeaders, readableDidRead }: IncomingMessage): NodeHead {
  let hasBody = false
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts += 1
      if (hosts > 1 || (value !== '' && !isHost(value))) return refuse(BAD_HOST)
    } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      hasBody ||= value !== '0'
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      hasBody = true
      if (value.toLowerCase() !== 'chunked') return refuse(BAD_CODING)
    }
  }
  if (!hasBody) return EMPTY
  return readableDidRead ? refuse(READ_BEFORE) : BODY
}

const BAD_HOST = new ServiceError(
  'invalid_input',
  'Cannot read the Host header: must be one host',
  {
    issues: [{ in: 'header', name: 'host', message: 'must be one host with an optional port' }],
  },
)
const BAD_CODING = new ServiceError(
  'invalid_body',
  'Cannot read the body: its coding must be chunked',
)
const READ_BEFORE = new ServiceError(
  'internal',
  'Cannot read the body: it was read before, so this must be mounted before body parsers',
)

function refuse(refusal: ServiceError): NodeHead {
  return { hasBody: true, refusal }
}
