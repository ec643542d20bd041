import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'
import { addProject, findNetwork, listBoxes } from '../../helpers/console-scans.ts'

let pages: TestConsole
let ids: { readonly before: string; readonly after: string }
let path: string

beforeAll(async () => {
  pages = await openTestConsole()
  ids = await addProject(pages)
  path = `/console/scans/projects/${ids.after}`
})

afterAll(() => pages.close())

test('shows what a project uses API by API, new and unreviewed first', async () => {
  const { status, html, text } = await pages.get(path)
  expect(status).toBe(200)
  const groups = [...html.matchAll(/<h3 id="api-[^>]*>(?:<a[^>]*>)?([^<]*)</g)].map(
    ([, name]) => name,
  )
  expect(groups).toEqual(['Not in the catalogue', 'Ledgerly Payments', 'Skycast Weather'])
  expect(text).toContain('new get https://new.example/v2 not reviewed 1 place src/file-0.ts:7:3')
  expect(text).toContain('Terms: Apache-2.0, Terms of service')
  expect(html).not.toContain('gone.example')
})

test('narrows to what is new and to one API', async () => {
  const { html, text } = await pages.get(`${path}?show=new`)
  expect(listBoxes(html, 'use')).toEqual(['0'])
  expect(text).not.toContain('ledgerly')
  const [ledgerly = '', ...others] = listBoxes((await pages.get(path)).html, 'api')
  expect(others).toEqual([])
  const one = await pages.get(`${path}?api=${ledgerly}`)
  expect(listBoxes(one.html, 'use')).toEqual(['2', '3'])
  const none = await pages.get(`${path}?api=none`)
  expect(listBoxes(none.html, 'use')).toEqual(['0'])
  const nothing = await pages.get(`${path}?show=approved&api=none`)
  expect(nothing.text).toContain('Nothing here.')
})

test('keeps decisions on what is ticked and on a whole API, with reason, name and time', async () => {
  const [ledgerly = ''] = listBoxes((await pages.get(path)).html, 'api')
  const sent = { use: ['0'], api: [ledgerly], reason: 'Signed <b>today</b>', approval: 'yes' }
  const done = await pages.post(`${path}/review`, { ...sent, show: 'all', of_api: '', page: '1' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `${path}?page=1&done=yes`])
  const shown = await pages.get(`${path}?show=approved&done=yes`)
  expect(listBoxes(shown.html, 'use')).toEqual(['0', '2', '3'])
  expect(shown.text).toContain('Approved.')
  expect(shown.text).toContain('approved Signed <b>today</b> Ada, 2026-03-14 08:00')
  expect(shown.html).not.toContain('<b>today')
  const refused = await pages.post(`${path}/review`, { use: ['1', '99'], approval: 'no' })
  expect(refused.status).toBe(303)
  const scan = await pages.get(path)
  expect(scan.text).toContain('Review Refused by Ada')
  expect(scan.text).toContain('Unreviewed (0) Refused (1) Approved (3) All (4)')
  await pages.post(`${path}/review`, { use: ['1'], approval: 'unreviewed' })
  expect((await pages.get(path)).text).toContain('Unreviewed (1) Refused (0) Approved (3)')
})

test('decides of a whole API on what is listed of it alone', async () => {
  const head = { project_name: 'Ledger', datetime_created: '2026-03-03T08:00:00Z' }
  const rows = ['a', 'b', 'c'].map((name) => ({
    endpoint_url: `https://api.ledgerly.example/v1/${name}`,
    endpoint_method: 'get',
  }))
  const { project_id } = await pages.app.call('submitProjectScan', { head, rows }, pages.caller)
  const own = `/console/scans/projects/${project_id}`
  expect((await pages.get(own)).text).toContain('Select all 3 of Ledgerly Payments')
  await pages.post(`${own}/review`, { use: ['1'], approval: 'no', reason: 'Never' })
  const open = await pages.get(`${own}?show=unreviewed`)
  expect(open.text).toContain('Select all 2 of Ledgerly Payments')
  const api = listBoxes(open.html, 'api')
  await pages.post(`${own}/review`, { api, approval: 'yes', show: 'unreviewed' })
  const { text } = await pages.get(own)
  expect(text).toContain('Unreviewed (0) Refused (1) Approved (2) All (3)')
  expect(text).toContain('refused Never Ada')
})

test('shows the form again with what was sent where nothing is ticked or the reason is too long', async () => {
  const none = await pages.post(`${path}/review`, { approval: 'yes', reason: 'Because' })
  expect(none.status).toBe(400)
  expect(none.text).toContain('Nothing is selected: tick endpoints or a whole API')
  expect(none.html).toContain('value="Because"')
  const sent = { use: ['1'], approval: 'yes', reason: 'x'.repeat(2001) }
  const long = await pages.post(`${path}/review`, sent)
  expect(long.status).toBe(400)
  expect(long.html).toContain(
    'name="use" value="1" aria-label="Select GET https://eu.api.skycast.example/v2/forecast" checked',
  )
  expect((await pages.post(`${path}/review`, { use: ['1'], approval: 'maybe' })).status).toBe(400)
})

test('keeps a review of the whole', async () => {
  const sent = { whole: '1', review_status: 'complete', is_approved: 'yes', of_api: 'none' }
  const done = await pages.post(`${path}/review`, sent)
  expect(done.headers.get('location')).toBe(`${path}?api=none&done=whole`)
  expect((await pages.get(path)).text).toContain('Review Approved by Ada')
  const bad = await pages.post(`${path}/review`, { ...sent, is_approved: 'perhaps' })
  expect(bad.status).toBe(400)
})

test('shows what a network called, and where to', async () => {
  const id = await findNetwork(pages)
  const network = `/console/scans/networks/${id}`
  const { text, html } = await pages.get(network)
  expect(text).toContain('4, to 3 hosts or URLs')
  expect(text).toContain('2 batches received')
  expect(text).toContain(
    'eu.api.skycast.example not reviewed 2 2 out 2026-03-13 09:00 2026-03-13 09:15',
  )
  const boxes = listBoxes(html, 'use')
  const done = await pages.post(`${network}/review`, { use: boxes, approval: 'no', reason: '' })
  expect(done.status).toBe(303)
  expect((await pages.get(network)).text).toContain('Unreviewed (0) Refused (3)')
  const places = await pages.get(`${network}/places`)
  expect(places.text).toContain('No place is known.')
  expect(places.text).toContain('203.0.113.7')
})

test('shows the history, and what differs between two scans', async () => {
  const history = await pages.get(`${path}/history`)
  expect(history.text).toContain('2026-03-02 08:00 this one')
  expect(history.html).toContain(`<option value="${ids.before}" selected>`)
  const { text } = await pages.get(`${path}/compare?before=${ids.before}&after=${ids.after}`)
  expect(text).toContain('Added (1)')
  expect(text).toContain('Removed (1)')
  expect(text).toContain('get https://gone.example/v1')
  expect(text).toContain('Files: src/file-0.ts ; now src/file-1.ts')
  const apis = await pages.get(`${path}/apis`)
  expect(apis.text).toContain('Not in the catalogue')
})

test('writes the bill of materials in every shape', async () => {
  const types = []
  for (const query of ['', '?format=cyclonedx-json&spec_version=1.7', '?format=cyclonedx-xml']) {
    const { status, headers, html } = await pages.get(`${path}/bom${query}`)
    types.push([
      status,
      headers.get('content-type'),
      html.includes('CycloneDX') || html.includes('cyclonedx'),
    ])
  }
  expect(types).toEqual([
    [200, 'application/json', true],
    [200, 'application/vnd.cyclonedx+json; version=1.7', true],
    [200, 'application/vnd.cyclonedx+xml; version=1.5', true],
  ])
  expect((await pages.get(`${path}/bom?format=pdf`)).status).toBe(400)
  const network = await pages.get(`/console/scans/networks/${await findNetwork(pages)}/bom`)
  expect(network.headers.get('content-disposition')).toContain('net_')
})

test('matches a scan anew where the catalogue has changed since', async () => {
  expect((await pages.get(path)).text).not.toContain('The catalogue has changed')
  const api = await pages.app.match({
    url: 'https://maps.wayfare.example/api/geocode',
    method: 'get',
  })
  await pages.app.call('removeApi', { api_id: String(api?.apiId) }, pages.caller)
  const stale = await pages.get(path)
  expect(stale.text).toContain('The catalogue has changed since this scan was matched to it.')
  const done = await pages.post(`${path}/match`, {})
  expect(done.headers.get('location')).toBe(`${path}?done=matched`)
  expect((await pages.get(path)).text).not.toContain('The catalogue has changed')
})
