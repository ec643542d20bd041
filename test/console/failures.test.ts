import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsole } from '../../adapters/web/console.ts'
import { renderFailure } from '../../adapters/web/responses.ts'
import { ServiceError } from '../../core/errors.ts'
import { toFetchHandler } from '../../core/http/fetch.ts'
import { openTestConsole, type TestConsole } from '../helpers/console.ts'

let pages: TestConsole
beforeAll(async () => {
  pages = await openTestConsole()
})
afterAll(() => pages.close())

test('A page that is not there says where to look', async () => {
  const { status, html } = await pages.get('/console/apis/nothing')
  expect(status).toBe(404)
  expect(html).toContain('Search the <a href="/console/apis">catalogue</a>')
})

test('A failure says what to do, and nothing of its cause', () => {
  const internal = renderFailure(new TypeError('canary of the cause'))
  expect([internal.status, internal.body.text.includes('canary')]).toEqual([500, false])
  expect(internal.body.text).toContain('to the operator of this service')
  const busy = renderFailure(new ServiceError('overloaded', 'Too many wait', { retryAfter: 7 }))
  expect(busy.body.text).toContain('Reload the page in 7 s.')
  const forbidden = renderFailure(new ServiceError('forbidden', 'This needs the scope "admin"'))
  expect(forbidden.body.text).toContain('Ask an administrator of the account for the permission')
})

test('A failure says a thing once', () => {
  const { body } = renderFailure(new TypeError('canary'))
  expect(body.text.split('Internal error')).toHaveLength(2)
})

test('A failure of what a script asked for is shown as a page', async () => {
  const { status, headers, html } = await pages.get('/console/apis/nothing?find=x', {
    'hx-request': 'true',
  })
  const wanted = ['#main', '#main', 'outerHTML']
  const names = ['hx-retarget', 'hx-reselect', 'hx-reswap']
  expect([status, ...names.map((name) => headers.get(name))]).toEqual([404, ...wanted])
  expect(html).toContain('<main id="main"')
  expect((await pages.get('/console/apis/nothing')).headers.get('hx-retarget')).toBeNull()
})

test('Where a host names no log-in, whoever is not logged in is told so', async () => {
  const { fetch } = await createConsole({ app: pages.app, authenticate: () => undefined })
  const response = await fetch(new Request('http://console.test/console/apis'))
  expect(response.status).toBe(401)
  const html = await response.text()
  expect(html).toContain('<h1>You are not logged in</h1>')
  expect(html).not.toContain('/console/login')
  expect(html).not.toContain('/console/account')
})

test('A form that a proxy brings under another name says what is wrong with the proxy', async () => {
  const headers = { origin: 'https://apis.example', 'sec-fetch-site': 'same-origin' }
  const { status, text } = await pages.post('/console/scans/projects/x/match', {}, headers)
  expect(status).toBe(403)
  expect(text).toContain(
    'its page is from apis.example, but the request is for console.test. Configure the proxy to forward the Host header',
  )
  const cross = { ...headers, 'sec-fetch-site': 'cross-site' }
  const other = await pages.post('/console/scans/projects/x/match', {}, cross)
  expect(other.text).toContain('it was sent from another site')
  expect(other.text).not.toContain('apis.example')
})

test('A form that can have no cookie says why', async () => {
  const { handle } = await createConsole({
    app: pages.app,
    authenticate: () => ({ name: 'Ada', caller: pages.caller }),
  })
  const send = async (origin: string) => {
    const headers = { host: new URL(origin).host, origin }
    const init = { method: 'POST', headers, body: 'form_token=x' }
    const path = '/console/scans/projects/x/match'
    return (await toFetchHandler(handle)(new Request(`${origin}${path}`, init))).text()
  }
  expect(await send('http://intranet')).toContain('its page was loaded over plain HTTP')
  expect(await send('https://intranet')).toContain('the page has expired')
  expect(await send('http://127.0.0.1:8080')).toContain('the page has expired')
})

test('Lines to copy hold the base path once, however it is written', async () => {
  const authenticate = () => ({ name: 'Ada', caller: pages.caller })
  const shown = async (basePath: string) => {
    const { fetch } = await createConsole({ app: pages.app, authenticate, basePath })
    const headers = { host: 'console.test' }
    return (
      await fetch(new Request('http://console.test/console/scans/submit', { headers }))
    ).text()
  }
  expect(await shown('/service/')).toContain('--submit http://console.test/service<')
  expect(await shown('/')).toContain('--submit http://console.test<')
})
