import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsoleOf, type TestConsole } from '../../helpers/console.ts'
import { openLimitedService } from '../../helpers/console-limiter.ts'

const PATH = '/console/rate-limits'
let limited: Awaited<ReturnType<typeof openLimitedService>>
let pages: TestConsole

beforeAll(async () => {
  limited = await openLimitedService()
  pages = await openConsoleOf(limited.service)
})

afterAll(() => limited.close())

test('tells what consent is missing, with the token and where to put it', async () => {
  const { status, text, html } = await pages.get(`${PATH}/new?endpoint=${limited.ids.shut}`)
  expect(status).toBe(200)
  expect(text).toContain('Consent Missing')
  expect(text).toContain('File at the host')
  expect(html).toMatch(/<pre id="token"[^>]*>[^<]{20,}<\/pre>/)
  const sent = await pages.post(`${PATH}/new`, { endpoint: limited.ids.shut })
  expect([sent.status, sent.text.includes('Cannot test')]).toEqual([403, true])
})

test('shows the form again with what is wrong, at its field', async () => {
  const fields = { endpoint: limited.ids.open, requests: '5000', rate: 'x', values: '[1]' }
  for (const [name, value, message] of [
    ['rate', 'x', 'must be a whole number'],
    ['requests', '5000', '1000'],
    ['values', '[1] <b>', 'must be a JSON object'],
    ['values', '{"nothing": 1}', 'nothing'],
  ] as const) {
    const wrong = { ...fields, requests: '', rate: '', values: '', [name]: value }
    const { status, html, text } = await pages.post(`${PATH}/new`, wrong)
    expect([name, status]).toEqual([name, 400])
    expect(html).toContain(`id="field-${name}-error"`)
    expect(text).toContain(message)
    expect(html).not.toContain('<b>')
  }
  expect(limited.target.requests).toEqual([])
})

test('starts a test, shows how far it is, and what it found', async () => {
  const { ids, service } = limited
  expect((await pages.get(`${PATH}/new?endpoint=${ids.open}`)).text).toContain('by the operator')
  const fields = { endpoint: ids.open, requests: '40', rate: '20' }
  const sent = await pages.post(`${PATH}/new`, fields)
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${PATH}/1?done=started`])
  const again = await pages.post(`${PATH}/new`, fields)
  expect(again.headers.get('location')).toBe(`${PATH}/1?done=already`)
  const waiting = await pages.get(`${PATH}/1?done=started`)
  expect(waiting.text).toContain('0 of at most 40 requests. Load again')
  expect(waiting.html).toContain('data-hx-trigger="every 2s"')
  await service.app.runJobs({ signal: new AbortController().signal })
  const { text, html } = await pages.get(`${PATH}/1`)
  expect(text).toMatch(/^Rate limits Run 1 Protected Done /)
  expect(html).not.toContain('every 2s')
  expect((await pages.get(PATH)).text).toMatch(/get \/tides Tides Protected .*Done/)
}, 60_000)

test('stops a test that waits', async () => {
  await pages.post(`${PATH}/new`, { endpoint: limited.ids.open })
  const { html } = await pages.get(`${PATH}/2`)
  expect(html).toContain(`action="${PATH}/2/stop"`)
  const sent = await pages.post(`${PATH}/2/stop`, {})
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${PATH}/2?done=stopped`])
  const stopped = await pages.get(`${PATH}/2?done=stopped`)
  expect(stopped.text).toContain('There is no verdict.')
})
