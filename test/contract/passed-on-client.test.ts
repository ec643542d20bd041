import { describe, expect, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { ClientError, createClient } from '../../core/client.ts'
import { readBodyValues } from '../../core/http/forms.ts'
import type { HttpHandler, HttpRequest } from '../../core/http/message.ts'
import { runInTimeSlices } from '../../core/shared/time-slices.ts'

interface Seen {
  readonly target: string
  readonly accept: string | undefined
  readonly encoding: string | undefined
  readonly values: unknown
}

async function see(request: HttpRequest): Promise<Seen> {
  const chunks: number[] = []
  for await (const chunk of request.body ?? []) chunks.push(...chunk)
  return {
    target: request.target,
    accept: request.header('accept'),
    encoding: request.header('accept-encoding'),
    values: await runInTimeSlices(
      readBodyValues(Uint8Array.from(chunks), {
        contentType: request.header('content-type') ?? '',
        maxTextBytes: 1_000,
      }),
    ),
  }
}

/** Returns a client's request and result over a real connection. */
async function exchange(
  body: Readonly<Record<string, unknown>> | undefined,
  answer: Awaited<ReturnType<HttpHandler>>,
) {
  let seen: Seen | undefined
  const server = await serve(
    async (request) => {
      seen = await see(request)
      return answer
    },
    { port: 0 },
  )
  const client = createClient({ baseUrl: `${server.url}/api`, apiKey: 'k' })
  const got = await client
    .callEndpoint({ endpoint_id: 'aB3', follow_redirects: true, ...(body ? { body } : {}) })
    .catch((error: unknown) => error)
  await server.close(0)
  return { seen, got }
}

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the client calls an endpoint', () => {
  it('with values as JSON, and returns status, headers and body of any target response', async () => {
    const body = { q: 'ü', list: [1, null], deep: { a: true } }
    for (const status of [200, 302, 404, 500]) {
      const { seen, got } = await exchange(body, {
        status,
        headers: { 'content-type': 'image/png', location: 'https://other.test/' },
        body: bytes('\u{1}x'),
      })
      expect(seen).toEqual({
        target: '/api/gateway?endpoint_id=aB3&follow_redirects=true',
        accept: '*/*',
        encoding: 'identity',
        values: body,
      })
      expect(got).toMatchObject({
        status,
        headers: { 'content-type': 'image/png', location: 'https://other.test/' },
        body: bytes('\u{1}x'),
      })
    }
  })

  it('without values', async () => {
    const { seen, got } = await exchange(undefined, { status: 204, headers: {}, body: undefined })
    expect([seen?.values, got]).toMatchObject([{}, { status: 204, body: new Uint8Array(0) }])
  })

  it('with a form if it sends files', async () => {
    const { seen } = await exchange(
      {
        note: 'ü',
        n: 5,
        none: null,
        list: [1, 'b'],
        deep: { a: [true] },
        raw: bytes('raw'),
        photo: { bytes: bytes('png'), filename: 'ä "1".png', mediaType: 'image/png' },
      },
      { status: 200, headers: {}, body: '' },
    )
    expect(seen?.values).toMatchObject({
      note: 'ü',
      n: '5',
      list: ['1', 'b'],
      deep: '{"a":[true]}',
      raw: { bytes: bytes('raw'), filename: 'file' },
      photo: { bytes: bytes('png'), mediaType: 'image/png' },
    })
    expect(Object.keys(seen?.values as object)).not.toContain('none')
  })

  it("and rejects with an error for failures that are not the target's", async () => {
    const problem = { code: 'address_refused', detail: 'Cannot call it: the address is private' }
    const { got } = await exchange(
      {},
      {
        status: 403,
        headers: { 'content-type': 'application/problem+json', 'gateway-error': problem.code },
        body: JSON.stringify(problem),
      },
    )
    expect(got).toBeInstanceOf(ClientError)
    expect(got).toMatchObject({ status: 403, code: problem.code, message: problem.detail, problem })
  })
})
