import { afterEach, expect, it } from 'vitest'
import { openTestService, type TestService } from '../helpers/service.ts'

const PAGE = { size: 100, page: 1 }
const OPTIONS = {
  isEmpty: true,
  app: { requestLimits: { requests: { quota: 3, windowSeconds: 60 } } },
} as const

let service: TestService
afterEach(() => service.close())

/** Sends a request over HTTP and returns the status. */
async function fetchStatus(key: string, path = '/api/imports', method = 'GET'): Promise<number> {
  const request = new Request(`http://service.test${path}`, { method, headers: { 'api-key': key } })
  return (await service.app.fetch(request)).status
}

/** Lists refused requests by key name. */
async function refusals(account = service.caller.account) {
  const keys = await service.app.accounts.listKeys(account)
  const { items, total } = await service.app.accounts.listRefusals(account, PAGE)
  expect(total).toBe(items.length)
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return items
    .map(({ keyId, operation, reason, count }) => [names.get(keyId), operation, reason, count])
    .sort((a, b) => String(a).localeCompare(String(b)))
}

it('Lists refusals only for the account of the key', async () => {
  service = await openTestService(OPTIONS)
  const { app, keys, caller, clock } = service
  const { account } = caller
  const make = (name: string, expiresInMs?: number) =>
    app.accounts.createKey({ account, name, scopes: ['read'], expiresInMs })
  const [reader, ended, old] = [await make('reader'), await make('ended'), await make('old', 1000)]
  await app.accounts.revokeKey({ account, keyId: ended.record.id })
  clock.advance(2000)
  expect(await fetchStatus(reader.key, '/api/gateway?endpoint_id=x', 'POST')).toBe(403)
  expect(await Promise.all([fetchStatus(ended.key), fetchStatus(ended.key)])).toEqual([401, 401])
  expect(await fetchStatus(old.key)).toBe(401)
  for (const status of [200, 200, 429, 429]) expect(await fetchStatus(reader.key)).toBe(status)
  for (const nobodys of [keys.unknown, keys.malformed, ''])
    expect(await fetchStatus(nobodys)).toBe(401)
  expect(await refusals()).toEqual([
    ['ended', 'listImports', 'revoked', 2],
    ['old', 'listImports', 'expired', 1],
    ['reader', 'callEndpoint', 'scope', 1],
    ['reader', 'listImports', 'limit', 2],
  ])
  const other = await app.accounts.createAccount('Other')
  expect(await refusals(other)).toEqual([])
  const { items } = await app.accounts.listRefusals(other, { ...PAGE, keyId: reader.record.id })
  expect(items).toEqual([])
})

it('Stores one row per refusal for 90 days, without the key', async () => {
  service = await openTestService(OPTIONS)
  const { app, storage, caller, clock } = service
  const { account } = caller
  const { key, record } = await app.accounts.createKey({ account, name: 'a', scopes: ['read'] })
  await app.accounts.revokeKey({ account, keyId: record.id })
  for (let n = 0; n < 40; n += 1) await fetchStatus(key, `/api/imports?secret=${n}`)
  const list = () => app.accounts.listRefusals(account, PAGE)
  const row = { keyId: record.id, operation: 'listImports', reason: 'revoked', count: 40 }
  expect(await list()).toEqual({ items: [{ ...row, lastAt: clock() }], total: 1 })
  clock.advance(90 * 86_400_000)
  expect((await list()).total).toBe(1)
  clock.advance(1)
  expect((await list()).total).toBe(0)
  await fetchStatus(key, '/api/cvesearch/status')
  const left = await storage.accounts.listRefusals(account, { ...PAGE, since: 0 })
  expect(left.items.map(({ operation }) => operation)).toEqual(['listImports'])
  expect((await list()).items.map(({ operation }) => operation)).toEqual(['getVulnerabilityStatus'])
  const swept = await storage.accounts.listRefusals(account, { ...PAGE, since: 0 })
  expect(swept.total).toBe(1)
})
