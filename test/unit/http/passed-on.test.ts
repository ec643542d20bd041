import { describe, expect, it } from 'vitest'
import { runAdmitted } from '../../../core/http/admission.ts'
import { toFetchHandler } from '../../../core/http/fetch.ts'
import { askJson, askSmallService, createSmallService, KEY } from './small-service.ts'
import { toHttpRequest } from './support.ts'

const post = (how: string, more = {}) => ({
  method: 'POST',
  target: `/api/pass?how=${how}`,
  headers: { ...KEY, 'x-request-id': 'r-1' },
  ...more,
})

describe('a forwarded response', () => {
  it('is unchanged for any status, with the passed values', async () => {
    const service = createSmallService()
    const { status, headers, text } = await askSmallService(
      service,
      post('bytes', { body: 'a=1&a=2' }),
    )
    expect([status, headers['gateway-error'], text]).toEqual([418, undefined, '{"a":["1","2"]}'])
    expect((await askSmallService(service, post(''))).text).toBe('passed')
  })

  it('differs from our own failures by a header', async () => {
    const service = createSmallService()
    const cases = [
      [post('refuse'), 403, 'address_refused'],
      [post('bytes', { headers: {} }), 401, 'unauthenticated'],
      [post('bytes', { headers: { 'api-key': 'other' } }), 403, 'forbidden'],
      [post('bytes', { body: '[]' }), 400, 'invalid_body'],
      [post('bytes', { body: `a=${'x'.repeat(1_000)}` }), 413, 'too_large'],
    ] as const
    for (const [parts, status, code] of cases) {
      const answer = await askSmallService(service, parts)
      expect([answer.status, answer.headers['gateway-error']]).toEqual([status, code])
      expect(JSON.parse(answer.text).code).toBe(code)
    }
    const [status, problem] = await askJson(service, { target: '/api/fail?how=known' })
    expect([status, problem['gateway-error']]).toEqual([409, undefined])
    const other = await askSmallService(service, { target: '/api/fail?how=known', headers: KEY })
    expect(other.headers['gateway-error']).toBeUndefined()
  })

  it("that fails before its first byte is a problem document, with the error's message", async () => {
    const cases = [
      ['break', 502, 'target_failed', "The target's response ended before its first byte"],
      ['late', 504, 'target_timeout', 'The target took too long'],
    ] as const
    for (const [how, status, code, detail] of cases) {
      const service = createSmallService()
      const handle = toFetchHandler(service.handle)
      const { method, target, headers } = post(how)
      const response = await handle(new Request(`http://a${target}`, { method, headers }))
      expect([response.status, response.headers.get('gateway-error')]).toEqual([status, code])
      expect(await response.json()).toMatchObject({ status, code, detail, request_id: 'r-1' })
      const failures = service.logged.filter(({ event }) => event === 'failure')
      expect(failures.map(({ level }) => level)).toEqual(['info'])
    }
  })

  it('is complete for hosts with standard requests', async () => {
    const handle = toFetchHandler(createSmallService().handle)
    const { method, target, headers } = post('')
    const response = await handle(new Request(`http://a${target}`, { method, headers }))
    expect([response.status, await response.text()]).toEqual([200, 'passed'])
  })

  it('that is a stream of Node remains one during its admission', async () => {
    const listeners = new Map<string, () => void>()
    const body = {
      once: (event: string, listener: () => void) => listeners.set(event, listener),
      destroy: () => undefined,
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true as const, value: 0 }) }),
    } as unknown as AsyncIterable<Uint8Array>
    let left = 0
    const response = await runAdmitted(
      { headers: { ratelimit: 'x' }, release: () => left++ },
      {
        request: toHttpRequest({}),
        work: () => ({ status: 200, headers: {} as Record<string, string>, body }),
      },
    )
    expect([response.body === body, response.headers, left]).toEqual([true, { ratelimit: 'x' }, 0])
    listeners.get('close')?.()
    expect(left).toBe(1)
  })
})
