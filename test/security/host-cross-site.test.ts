import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { type ApiDiscovery, createApiDiscovery } from '../../core/index.ts'

const ALICE = { account: { id: 'a', name: 'Alice' }, scopes: ['read', 'import'] } as const
const PARTNER = 'https://partner.example'

let app: ApiDiscovery

beforeAll(async () => {
  app = createApiDiscovery({
    storage: await openSqlite({ file: ':memory:' }),
    authenticate: (request) => (request.header('cookie') === 'who=alice' ? ALICE : undefined),
    allowedOrigins: [PARTNER],
  })
})
afterAll(() => app.close())

let vendors = 0

/** Creates a vendor with the cookie of a logged-in user. */
async function enterVendor(headers: Readonly<Record<string, string>>): Promise<number> {
  vendors += 1
  const response = await app.fetch(
    new Request('https://apis.example/api/vendors', {
      method: 'POST',
      headers: {
        host: 'apis.example',
        cookie: 'who=alice',
        'content-type': 'text/plain',
        ...headers,
      },
      body: JSON.stringify({ name: `Vendor ${vendors}` }),
    }),
  )
  return response.status
}

async function countVendors(): Promise<number> {
  const headers = { host: 'apis.example', cookie: 'who=alice', 'sec-fetch-site': 'cross-site' }
  const response = await app.fetch(
    new Request('https://apis.example/api/search/vendor', { headers }),
  )
  return (await response.json()).num_results
}

describe('host with cookie authentication', () => {
  it('does not mention keys to a caller without the scope', async () => {
    const response = await app.fetch(
      new Request('https://apis.example/metrics', {
        headers: { host: 'apis.example', cookie: 'who=alice' },
      }),
    )
    expect(await response.json()).toMatchObject({
      title: 'Permission denied',
      status: 403,
      detail: 'The caller lacks the scope "admin"',
    })
  })

  it.each([
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'https://sub.apis.example', 'sec-fetch-site': 'same-site' }],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
  ])('rejects changes of data for %j', async (headers) => {
    const before = await countVendors()
    expect(await enterVendor(headers)).toBe(403)
    expect(await countVendors()).toBe(before)
  })

  it.each([
    [{}],
    [{ origin: 'https://apis.example', 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'https://apis.example' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ origin: PARTNER, 'sec-fetch-site': 'cross-site' }],
  ])('accepts changes of data for %j', async (headers) => {
    const before = await countVendors()
    expect(await enterVendor(headers)).toBe(200)
    expect(await countVendors()).toBe(before + 1)
  })
})
