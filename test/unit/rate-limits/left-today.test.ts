import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPEN_HOST } from '../../helpers/rate-limit-seed.ts'
import { openTestService, type TestService } from '../../helpers/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

/** An endpoint of the examples whose host allows tests. */
async function target() {
  const { catalogue } = service.app
  const { items } = await catalogue.browse({
    q: 'ledgerly',
    chosen: {},
    page: { size: 1, page: 1 },
  })
  const filter = { apiId: items[0]?.api.id ?? 0, method: 'get' }
  const found = await catalogue.listEndpoints(filter, { size: 1, page: 1 })
  return { endpointId: found.items[0]?.shortId ?? '' }
}

it('returns the remaining budgets of account, host and key without using them', async () => {
  const { app, caller } = service
  const { account } = caller
  const asked = await target()
  const budgets = {
    host: `${OPEN_HOST}:443`,
    ofAccount: { left: 2000, budget: 2000 },
    reserved: 0,
    ofHost: { left: 2000, budget: 2000 },
    ofKey: undefined,
    until: Date.UTC(2026, 2, 15),
  }
  expect(await app.rateLimits.leftToday({ account }, asked)).toEqual(budgets)

  const { record } = await app.accounts.createKey({ account, name: 'few', scopes: ['benchmark'] })
  const keyed = { account, keyId: record.id }
  expect((await app.rateLimits.leftToday(keyed, asked)).ofKey).toBeUndefined()
  await app.gateway.policies.put(account, { keyId: record.id, dailyBudget: 30 })
  const { run } = await app.rateLimits.start({ ...asked, requests: 50 }, keyed)
  const left = await app.rateLimits.leftToday(keyed, asked)
  expect(left).toEqual({
    ...budgets,
    ofAccount: { left: 1950, budget: 2000 },
    reserved: 50,
    ofKey: { left: 30, budget: 30 },
  })
  expect(await app.rateLimits.leftToday(keyed, asked)).toEqual(left)
  const other = await app.accounts.createAccount('Other')
  const theirs = await app.rateLimits.leftToday({ account: other }, asked)
  expect(theirs).toEqual(budgets)
  await app.rateLimits.stop(account, run.id)
  expect((await app.rateLimits.leftToday(keyed, asked)).reserved).toBe(0)
})

it('rejects like a start for an endpoint that cannot be called', async () => {
  const { app, caller } = service
  const unknown = app.rateLimits.leftToday(caller, { endpointId: 'nothing' })
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  const account = { id: 'x', name: 'X' }
  const lost = app.rateLimits.leftToday({ account, keyId: 'y' }, { endpointId: '0' })
  await expect(lost).rejects.toMatchObject({ code: 'not_found' })
})
