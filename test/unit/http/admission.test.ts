import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { type Admission, runAdmitted } from '../../../core/http/admission.ts'
import type { HttpRequest, HttpResponse } from '../../../core/http/message.ts'

const HEADERS = { ratelimit: '"requests";r=1;t=60' }

function admit(): Admission & { left: number } {
  const admission = {
    headers: HEADERS,
    left: 0,
    release() {
      admission.left += 1
    },
  }
  return admission
}

function createRequest(method: string, controller = new AbortController()): HttpRequest {
  return {
    method,
    target: '/',
    header: () => undefined,
    body: undefined,
    signal: controller.signal,
    clientAddress: '',
  }
}

async function* twoChunks(): AsyncIterable<Uint8Array> {
  yield new Uint8Array([1])
  yield new Uint8Array([2])
}

function toStream(body: HttpResponse['body'] = twoChunks()): HttpResponse {
  return { status: 200, headers: {}, body }
}

describe('an admitted call', () => {
  it('ends with its complete response', async () => {
    const admission = admit()
    const work = () => ({ status: 200, headers: {}, body: 'text' })
    const response = await runAdmitted(admission, { request: createRequest('GET'), work })
    expect([response, admission.left]).toEqual([{ status: 200, headers: HEADERS, body: 'text' }, 1])
  })

  it('ends with the last bytes of a stream, not before', async () => {
    const admission = admit()
    const { body } = await runAdmitted(admission, { request: createRequest('GET'), work: toStream })
    const taken: number[] = []
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      expect(admission.left).toBe(0)
      taken.push(...chunk)
    }
    expect([taken, admission.left]).toEqual([[1, 2], 1])
  })

  it('ends when a stream is abandoned, even unread, or when the client disconnects', async () => {
    const admission = admit()
    const { body } = await runAdmitted(admission, { request: createRequest('GET'), work: toStream })
    const iterator = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await iterator.return?.()
    expect(admission.left).toBe(1)
    const controller = new AbortController()
    const other = admit()
    await runAdmitted(other, { request: createRequest('GET', controller), work: toStream })
    expect(other.left).toBe(0)
    controller.abort()
    expect(other.left).toBe(1)
  })

  it('ends at once for a HEAD, whose stream is not read', async () => {
    const admission = admit()
    await runAdmitted(admission, { request: createRequest('HEAD'), work: toStream })
    expect(admission.left).toBe(1)
  })

  it('adds its headers to failures and ends', async () => {
    const admission = admit()
    const work = () => {
      throw new ServiceError('invalid_input', 'page must be an integer')
    }
    const request = createRequest('GET')
    const refusal = expect.objectContaining({ code: 'invalid_input', headers: HEADERS })
    expect(() => runAdmitted(admission, { request, work })).toThrow(refusal)
    const failing = runAdmitted(admission, { request, work: async () => work() })
    await expect(failing).rejects.toEqual(refusal)
    expect(admission.left).toBe(2)
  })
})
