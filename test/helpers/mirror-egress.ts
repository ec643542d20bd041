import {
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
  type HeaderLine,
} from '../../core/ports/egress.ts'

/** Headers that depend on the transport or on the release. */
const LEFT_OUT = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

/** Response headers that must not reach callers, next to those that may. */
const RUDE: readonly HeaderLine[] = [
  ['set-cookie', 'session=1'],
  ['server', 'mirror/1.0'],
  ['gateway-error', 'internal'],
  ['access-control-allow-origin', '*'],
  ['connection', 'x-hop'],
  ['x-hop', 'yes'],
  ['transfer-encoding', 'chunked'],
]

/**
 * Echoes every request as deterministic JSON: method, URL, headers and body as text. The last path
 * segment can select a status, or `down` and `slow` for no response.
 */
export const mirrorEgress: Egress = {
  async send(request) {
    const last = request.url.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
    if (last === 'down') {
      throw new EgressError('connect_failed', 'Cannot reach the target: it refuses connections')
    }
    if (last === 'slow') {
      throw new EgressError('first_byte_timeout', 'The target took too long: no answer in 10 s')
    }
    if (last === '204') return answer(request, { status: 204, headers: RUDE, text: '' })
    if (last === '302') {
      return answer(request, { status: 302, headers: [['location', '../moved?to=1']], text: '' })
    }
    if (last === '404') {
      const headers: readonly HeaderLine[] = [...RUDE, ['content-type', 'text/html']]
      return answer(request, { status: 404, headers, text: '<script>nobody()</script>' })
    }
    return answer(request, {
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['x-ratelimit-limit', '100'],
      ],
      text: describe(request),
    })
  },
}

function describe({ method, url, headers, body }: EgressRequest): string {
  const sent = headers.filter(([name]) => !LEFT_OUT.has(name))
  return JSON.stringify({ method, url, headers: sent, body: new TextDecoder().decode(body) })
}

function answer(
  { url }: EgressRequest,
  given: {
    readonly status: number
    readonly headers: readonly HeaderLine[]
    readonly text: string
  },
): EgressResponse {
  const { status, headers, text } = given
  return { status, headers, url, body: encodeBody(text), discard: () => undefined }
}

async function* encodeBody(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield new TextEncoder().encode(text)
}
