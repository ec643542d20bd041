import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress, type PinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { Account } from '../../core/shared/account.ts'
import { createSinkConnect } from '../helpers/egress/sink.ts'
import { importThings } from '../helpers/rate-limit-bench.ts'

/** Acts as every host: serves the token and counts all other requests. */
let token = ''
let reached = 0
const server = createServer((request, response) => {
  if (request.url?.startsWith('/.well-known/')) return void response.end(token)
  reached += 1
  response.end('done')
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

interface Tested {
  readonly app: ApiDiscovery
  readonly egress: PinnedEgress
  readonly ada: Account
  readonly endpointId: string
  readonly opened: readonly string[]
}

let tested: Tested

afterEach(async () => {
  await tested.app.close()
  tested.egress.close()
})

/** Opens a service with the name resolution of the test. */
async function openRateLimitTests(options: {
  readonly origin: string
  readonly resolve: () => Promise<readonly string[]>
  readonly hosts?: readonly string[]
}): Promise<Tested> {
  reached = 0
  const { connect, opened } = createSinkConnect((server.address() as AddressInfo).port)
  const { resolve, hosts = [] } = options
  const egress = createPinnedEgress({ resolve, connect, addressTtlMs: 0 })
  const storage = await openSqlite({ file: ':memory:' })
  const app = createApiDiscovery({ storage, egress, rateLimitTests: { hosts } })
  const ada = await app.accounts.createAccount('Ada')
  const ids = await importThings(app, storage, options.origin)
  token = await storage.rateLimits.getConsentToken(ada, 'ada-token')
  tested = { app, egress, ada, endpointId: ids.getThing ?? '', opened }
  return tested
}

const asked = (endpointId: string) => ({ endpointId, values: { id: '7' }, requests: 30, rate: 50 })

describe('rate-limit test', () => {
  it.each(['http://10.0.0.7', 'http://169.254.169.254', 'http://[::1]', 'http://localhost'])(
    'of %s is rejected before anything is sent, also for the operator',
    async (origin) => {
      const resolve = async () => ['8.8.8.8']
      const { app, ada, endpointId, opened } = await openRateLimitTests({
        origin,
        resolve,
        hosts: [new URL(origin).host],
      })
      await expect(app.rateLimits.start(asked(endpointId), { account: ada })).rejects.toMatchObject(
        { code: 'address_refused' },
      )
      expect(opened).toEqual([])
    },
  )

  it('of a private network name is rejected when its host is checked', async () => {
    const { app, ada, endpointId, opened } = await openRateLimitTests({
      origin: 'http://api.example.com',
      resolve: async () => ['10.0.0.7'],
    })
    await expect(app.rateLimits.start(asked(endpointId), { account: ada })).rejects.toMatchObject({
      code: 'address_refused',
    })
    expect(opened).toEqual([])
  })

  it('reaches no target if the name is private by then', async () => {
    let address = '8.8.8.8'
    const { app, ada, endpointId, opened } = await openRateLimitTests({
      origin: 'http://api.example.com',
      resolve: async () => [address],
      hosts: ['api.example.com'],
    })
    await app.rateLimits.start(asked(endpointId), { account: ada })
    address = '192.168.0.1'
    await app.runJobs()
    const run = await app.rateLimits.result(ada, { endpointId })
    expect(run.result?.verdict.verdict).toBe('inconclusive')
    expect({ opened, reached }).toEqual({ opened: [], reached: 0 })
  })

  it('of a name with changing addresses calls only the address with the token', async () => {
    let lookups = 0
    const addresses = ['8.8.8.8', '8.8.4.4', '1.1.1.1']
    const { app, ada, endpointId, opened } = await openRateLimitTests({
      origin: 'http://api.example.com',
      resolve: async () => [addresses[lookups++ % 3] ?? ''],
    })
    await app.rateLimits.start(asked(endpointId), { account: ada })
    await app.runJobs()
    const run = await app.rateLimits.result(ada, { endpointId })
    expect(reached > 0 && reached <= run.sent).toBe(true)
    // One lookup at the start, one before the first request, none after that.
    expect(lookups).toBe(2)
    expect(opened[0]).toBe('8.8.8.8:80')
    expect(new Set(opened.slice(1))).toEqual(new Set(['8.8.4.4:80']))
  })
})
