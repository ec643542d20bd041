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

test('explains missing consent, with the token and its URL', async () => {
  const { status, text, html } = await pages.get(`${PATH}/new?endpoint=${limited.ids.shut}`)
  expect(status).toBe(200)
  expect(text).toContain('Consent Missing')
  expect(text).toContain('File on the host')
  expect(html).toMatch(/<pre id="token"[^>]*>[^<]{20,}<\/pre>/)
  const sent = await pages.post(`${PATH}/new`, { endpoint: limited.ids.shut, shape: shapeIn(html) })
  expect(sent.status).toBe(403)
  expect(sent.text).toContain('Cannot test')
  expect(sent.text).toContain('Follow the instructions under “Consent” and try again.')
})

test('shows the form again with errors at its fields', async () => {
  const first = await pages.get(`${PATH}/new?endpoint=${limited.ids.open}`)
  const fields = { endpoint: limited.ids.open, shape: shapeIn(first.html) }
  for (const [name, value, message] of [
    ['rate', 'x <b>', 'must be a whole number'],
    ['requests', '5000', '1000'],
    ['payload_bytes', '2000000', '1048576'],
    ['value-0', 'many <b>', 'limit'],
  ] as const) {
    const wrong = { ...fields, [name]: value }
    const { status, html, text } = await pages.post(`${PATH}/new`, wrong)
    expect([name, status]).toEqual([name, 400])
    expect(html).toContain(`id="field-${name}-error"`)
    expect(text).toContain(message)
    expect(html).not.toContain('<b>')
    expect(html).toContain(`value="${value.replace('<b>', '&lt;b&gt;')}"`)
  }
  const stale = await pages.post(`${PATH}/new`, { ...fields, shape: 'other' })
  expect(stale.status).toBe(409)
  expect(stale.text).toContain(
    'Cannot start the test: the API description changed after the page was loaded. Check the values and try again.',
  )
  expect(limited.target.requests).toEqual([])
})

test('starts a test, then shows its progress and result', async () => {
  const { ids, service } = limited
  const { text: before, html: form } = await pages.get(`${PATH}/new?endpoint=${ids.open}`)
  expect(before).toContain('consent: operator')
  expect(before).toContain('Your account 2,000 of 2,000')
  expect(before).toContain('Your key no budget')
  const shape = shapeIn(form)
  const fields = { endpoint: ids.open, requests: '40', rate: '20', 'value-0': '7', shape }
  const checked = await pages.post(`${PATH}/new`, { ...fields, action: 'check' })
  expect([checked.status, checked.html.includes('value="40"')]).toEqual([200, true])
  const sent = await pages.post(`${PATH}/new`, fields)
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${PATH}/1?done=started`])
  const again = await pages.post(`${PATH}/new`, fields)
  expect(again.headers.get('location')).toBe(`${PATH}/1?done=already`)
  const left = (await pages.get(`${PATH}/new?endpoint=${ids.open}`)).text
  expect(left).toContain('Your account 1,960 of 2,000 (40 reserved for open tests)')
  const other = await pages.post(`${PATH}/new`, { ...fields, requests: '41' })
  expect([other.status, other.html.includes(`<a href="${PATH}/1">run 1</a>`)]).toEqual([409, true])
  const waiting = await pages.get(`${PATH}/1?done=started`)
  expect(waiting.text).toContain('0 of at most 40 requests. Refresh')
  expect(waiting.html).toContain('data-hx-trigger="every 2s"')
  await service.app.runJobs({ signal: new AbortController().signal })
  const { text, html } = await pages.get(`${PATH}/1`)
  expect(text).toMatch(/Rate limits Run 1 Protected Done /)
  const { input } = await service.app.rateLimits.find(service.caller.account, 1)
  expect(input.values).toEqual({ limit: '7' })
  expect(html).not.toContain('every 2s')
  expect((await pages.get(PATH)).text).toMatch(/get \/tides Tides Protected .*Done/)
}, 180_000)

test('stops a queued test', async () => {
  const form = await pages.get(`${PATH}/new?endpoint=${limited.ids.open}`)
  const fields = { endpoint: limited.ids.open, shape: shapeIn(form.html) }
  await pages.post(`${PATH}/new`, fields)
  const { html } = await pages.get(`${PATH}/2`)
  expect(html).toContain(`action="${PATH}/2/stop"`)
  const sent = await pages.post(`${PATH}/2/stop`, {})
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${PATH}/2?done=stopped`])
  const stopped = await pages.get(`${PATH}/2?done=stopped`)
  expect(stopped.text).toContain('No verdict.')
})

test('finds endpoints by purpose, by API and by id', async () => {
  const { ids } = limited
  const first = await pages.get(`${PATH}/new`)
  expect(first.html).toMatch(/<form class="search"[^>]* action="\/console\/rate-limits\/new"/)
  const path = (id: string) => `href="${PATH}/new?endpoint=${id}"`
  const byWords = await pages.get(`${PATH}/new?q=tides`)
  expect([byWords.html.includes(path(ids.open)), byWords.html.includes(path(ids.shut))]).toEqual([
    true,
    false,
  ])
  const ofApi = /href="(\/console\/rate-limits\/new\?api=[^"]+)"/.exec(byWords.html)?.[1] ?? ''
  expect((await pages.get(ofApi)).html).toContain(path(ids.open))
  expect((await pages.get(`${ofApi}&q=nothing`)).text).toContain('No matching endpoints')
  expect((await pages.get(`${PATH}/new?q=${ids.shut}`)).html).toContain(path(ids.shut))
  expect((await pages.get(`${PATH}/new?q=nothing+such`)).text).toContain('No matching APIs')
  const unknown = await pages.get(`${PATH}/new?endpoint=nothing`)
  expect([unknown.status, unknown.text.includes('Search for an endpoint')]).toEqual([404, true])
})

/** Returns the `shape` of the form, which identifies its fields. */
function shapeIn(html: string): string {
  return /name="shape" value="([^"]+)"/.exec(html)?.[1] ?? ''
}
