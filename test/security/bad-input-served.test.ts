import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BAD_INPUT_CASES } from '../contract/bad-input-cases.ts'
import { askInProcess, askOverHttp, type Way } from '../contract/ways.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const listeners = 'Bun' in globalThis || 'Deno' in globalThis ? ['node', 'native'] : ['node']

describe.each(listeners)('bad input over the %s listener', (listener) => {
  let services: readonly TestService[]
  let served: Way
  let direct: Way
  beforeAll(async () => {
    // Writes must find the same catalogue over HTTP and in process.
    services = [await openTestService(), await openTestService()]
    const [first, second] = services as readonly [TestService, TestService]
    served = await askOverHttp(first, listener === 'native' ? 'native' : 'node')
    direct = askInProcess(second)
  })
  afterAll(async () => {
    await served.close()
    for (const service of services) await service.close()
  })

  it.each(Object.entries(BAD_INPUT_CASES))('%s responds as in process', async (name, cases) => {
    for (const { name: what, request } of cases) {
      const headers = {
        'api-key': services[0]?.keys.all ?? '',
        'x-request-id': 'same',
        ...request.headers,
      }
      const expected = await direct.ask({ ...request, headers })
      const answer = await served.ask({ ...request, headers })
      const type = answer.headers['content-type']
      expect([what, answer.status, type]).toEqual([
        what,
        expected.status,
        expected.headers['content-type'],
      ])
      if (name !== 'getMetrics') expect(answer.body).toBe(expected.body)
    }
  })
})
