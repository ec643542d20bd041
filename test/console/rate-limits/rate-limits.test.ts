import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../../core/shared/account.ts'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'
import { TESTED } from '../../helpers/rate-limit-seed.ts'

let pages: TestConsole

beforeAll(async () => {
  pages = await openTestConsole()
})

afterAll(() => pages.close())

const PATH = '/console/rate-limits'

test('lists the tests of the account, newest first, with verdict and state', async () => {
  const { status, text, html } = await pages.get(PATH)
  expect(status).toBe(200)
  expect(text).toContain('3 tests, newest first')
  expect(text).toMatch(/Run 3 .*Protected .*Run 2 .*Aborted .*Run 1 .*Failed/)
  expect(html).toContain(`/endpoints/${TESTED}"`)
  expect((await pages.get(`${PATH}?page=9`)).text).toContain('Page not found First page')
})

test('shows a run: verdict, declared and observed limits, plot, data and evidence', async () => {
  const { status, text, html } = await pages.get(`${PATH}/3`)
  expect(status).toBe(200)
  expect(text).toMatch(
    /Rate limits Run 3 Protected Done A rate limit was reached after 10 requests/,
  )
  expect(text).toContain(
    'Declared 10 calls in 4 s Observed 10 calls in 4.0 s, announced in response headers',
  )
  expect(text).toContain('Recovery time 2.1 s')
  expect(html).toContain(`<img src="${PATH}/3/plot" alt="Plot of the requests of run 3`)
  expect(text).toContain('Time Time Sent Sent Served Served Limited')
  const plot = await pages.get(`${PATH}/3/plot`)
  expect([plot.status, plot.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(plot.html).toMatch(/^<svg/)
  const evidence = await pages.get(`${PATH}/3/evidence`)
  expect(evidence.headers.get('content-disposition')).toContain('rate-limit-run-3.json')
  expect(JSON.parse(evidence.html).extended.requests).toHaveLength(12)
})

test('explains why a run has no verdict', async () => {
  const { text } = await pages.get(`${PATH}/1`)
  expect(text).toContain('Cannot reach the target: it refuses connections')
  expect(text).toContain('No verdict. Start another test')
  expect((await pages.get(`${PATH}/1/plot`)).status).toBe(404)
})

test('shows no runs of another account', async () => {
  const caller = { account: { id: 'somebody-else', name: 'Bob' }, scopes: new Set(SCOPES) }
  const other = await openTestConsole({ viewer: { name: 'Bob', caller } })
  const none = await other.get(PATH)
  expect(none.text).toContain('No tests yet.')
  expect(none.html).toContain('benchmark start ENDPOINT_ID --account Bob<')
  for (const end of ['', '/plot', '/evidence']) {
    expect([end, (await other.get(`${PATH}/3${end}`)).status]).toEqual([end, 404])
  }
  expect((await other.post(`${PATH}/3/stop`, {})).status).toBe(404)
  await other.close()
})

test('requires the benchmark scope to start and stop, and responds with 404 to unknown runs', async () => {
  const scopes = new Set<Scope>(['read'])
  const viewer = { name: 'Reader', caller: { ...pages.caller, scopes } }
  const reader = await openTestConsole({ viewer })
  expect((await reader.get(PATH)).text).toContain('Starting a test requires the scope benchmark')
  expect((await reader.get(`${PATH}/new`)).status).toBe(403)
  expect((await reader.post(`${PATH}/new`, { endpoint: TESTED })).status).toBe(403)
  expect((await reader.post(`${PATH}/3/stop`, {})).status).toBe(403)
  for (const id of ['0', '99', 'x', '3.5']) {
    expect([id, (await reader.get(`${PATH}/${id}`)).status]).toEqual([id, 404])
  }
  await reader.close()
})

test('shows an endpoint search first', async () => {
  const { status, text } = await pages.get(`${PATH}/new`)
  expect([status, text.includes('Select the endpoint to test.')]).toEqual([200, true])
  const unknown = await pages.get(`${PATH}/new?endpoint=%3Cscript%3Ealert(1)`)
  expect(unknown.status).toBe(404)
  expect(unknown.text).toContain('Endpoint not found. Search for an endpoint')
  expect(unknown.html).not.toContain('<script>alert')
})
