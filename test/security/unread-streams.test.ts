import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../helpers/service.ts'

const ALLOWED = 16
const SEARCH = JSON.stringify({ search_term: 'cve', extended: true })

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})

afterAll(() => service.close())

/** Resolves with a streamed response whose body is not read yet. */
async function openStream(key: string, index = 0): Promise<Response> {
  const isList = index % 2 === 0
  const headers = { 'api-key': key, 'content-type': 'application/json' }
  const url = `http://service.test/api${isList ? '/endpoint_list' : '/cvesearch/'}`
  const init = isList ? { headers } : { method: 'POST', headers, body: SEARCH }
  return service.app.fetch(new Request(url, init))
}

describe('key that reads none of its responses', () => {
  it.each<readonly [string, (response: Response) => Promise<unknown> | undefined]>([
    ['reads them', (response) => response.text()],
    ['leaves', (response) => response.body?.cancel()],
  ])('is refused its 17th request until it %s; other keys are served', async (_, end) => {
    const { keys } = service
    const open: Response[] = []
    for (let index = 0; index < ALLOWED; index += 1) {
      open.push(await openStream(keys.readOnly, index))
    }
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await openStream(keys.readOnly)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.json()).toMatchObject({
      code: 'too_many_requests',
      detail: 'Request limit reached: a key may send at most 16 requests at a time',
    })
    const other = await openStream(keys.other)
    expect(other.status).toBe(200)
    await other.text()
    for (const response of open) await end(response)
    const again = await openStream(keys.readOnly)
    expect(again.status).toBe(200)
    await again.text()
  })
})
