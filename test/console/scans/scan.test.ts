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

/** Returns the names in the rows of a list of groups, in order. */
function listGroups(html: string): readonly string[] {
  const rows = html.matchAll(/<th scope="row" role="rowheader">(?:<a[^>]*>)?([^<]*)/g)
  return [...rows].map(([, name = '']) => name.trim())
}

test('lists the APIs of a project first, with new ones at the top', async () => {
  const { status, html, text } = await pages.get(path)
  expect(status).toBe(200)
  expect(text).toContain('3 third-party APIs, vendors and domains with 4 endpoints.')
  expect(listGroups(html)).toEqual(['new.example', 'Ledgerly Payments', 'Skycast Weather'])
  expect(listBoxes(html, 'group')).toEqual([
    '2new.example',
    expect.stringMatching(/^0\d+$/),
    expect.stringMatching(/^0\d+$/),
  ])
  expect(text).toContain('new.example 1 new new.example 1 src/file-0.ts:7 unreviewed')
  expect(text).toContain('Terms: Apache-2.0, Terms of service')
  expect(text).toContain('get https://api.ledgerly.example/v1/payments unreviewed src/file-2.ts:9')
  expect(html).not.toContain('gone.example')
})

test('shows the URLs of other environments in the code', async () => {
  const { project_id: id } = await pages.app.call(
    'submitProjectScan',
    {
      head: { project_name: 'Environments' },
      rows: [
        {
          endpoint_url: 'https://sandbox.pay.example',
          alternatives: ['https://production.pay.example'],
        },
      ],
    },
    pages.caller,
  )
  const { text } = await pages.get(`/console/scans/projects/${id}`)
  expect(text).toContain('sandbox.pay.example production.pay.example')
  expect(text).toContain('https://sandbox.pay.example or https://production.pay.example')
})

test('marks APIs that production code does not use, and lists them last', async () => {
  const row = (host: string, file: string) => ({
    endpoint_url: `https://${host}/v1`,
    found_in: [{ file, line: 1, column: 1 }],
  })
  const { project_id: id } = await pages.app.call(
    'submitProjectScan',
    {
      head: { project_name: 'Roles' },
      rows: [
        row('api.ci.example', '.github/workflows/ci.yml'),
        row('eu.ci.example', 'ci/run.sh'),
        row('api.shop.example', 'src/a.ts'),
        row('test.shop.example', 'tests/a.ts'),
      ],
    },
    pages.caller,
  )
  const { html, text } = await pages.get(`/console/scans/projects/${id}`)
  expect(listGroups(html)).toEqual(['shop.example', 'ci.example'])
  expect(text).toContain('ci.example build')
  expect(text).not.toContain('shop.example build')
  expect(text).toContain('https://test.shop.example/v1 test')
})

test('suggests next steps for a host without a catalogued API', async () => {
  const { html } = await pages.get(path)
  expect(html).toContain('href="/console/imports/new?base_url=https%3A%2F%2Fnew.example"')
  expect(html).toContain('<input type="hidden" name="domain" value="new.example">')
  const form = await pages.get('/console/imports/new?vendor=%22New%22&base_url=https://new.example')
  expect(form.html).toContain('name="vendor" aria-describedby="field-vendor-hint" maxlength="200"')
  expect(form.html).toContain('value="&quot;New&quot;"')
  expect(form.html).toContain('value="https://new.example"')
  expect(form.html).toContain('value="create" checked')
  const ledgerly = html.slice(html.indexOf('Ledgerly Payments</a>'))
  expect(ledgerly).not.toContain('Import its description')
})

test('filters new usages, and lists the endpoints of one group', async () => {
  const { html } = await pages.get(`${path}?show=new`)
  expect(listGroups(html)).toEqual(['new.example'])
  const [, ledgerly = ''] = listBoxes((await pages.get(path)).html, 'group')
  const own = await pages.get(`${path}/endpoints?group=${ledgerly}`)
  expect(own.text).toContain('Endpoints of Ledgerly Payments')
  expect(listBoxes(own.html, 'use')).toEqual(['2', '3'])
  const host = await pages.get(`${path}/endpoints?group=2new.example`)
  expect(listBoxes(host.html, 'use')).toEqual(['0'])
  const all = await pages.get(`${path}/endpoints`)
  expect(listBoxes(all.html, 'use')).toEqual(['0', '2', '3', '1'])
  const nothing = await pages.get(`${path}/endpoints?show=approved&group=2new.example`)
  expect(nothing.text).toContain('No matching entries.')
})

test('stores decisions on selected endpoints and groups, and confirms them', async () => {
  const [, ledgerly = ''] = listBoxes((await pages.get(path)).html, 'group')
  const sent = { use: ['0'], group: [ledgerly], reason: 'Signed <b>today</b>', approval: 'yes' }
  const done = await pages.post(`${path}/review`, { ...sent, list: 'groups', page: '1' })
  expect([done.status, done.headers.get('location')]).toEqual([
    303,
    `${path}?page=1&done=yes&n=3&groups=2`,
  ])
  const shown = await pages.get(`${path}/endpoints?show=approved&done=yes&n=3&groups=2`)
  expect(listBoxes(shown.html, 'use')).toEqual(['0', '2', '3'])
  expect(shown.text).toContain('Approved: 3 endpoints of 2 APIs, vendors and domains.')
  expect(shown.text).toContain('approved Signed <b>today</b> Ada, 2026-03-14 08:00')
  expect(shown.html).not.toContain('<b>today')
  const one = await pages.get(`${path}?done=yes&n=2&of=${ledgerly}`)
  expect(one.text).toContain('Approved: 2 endpoints of Ledgerly Payments.')
  const forged = await pages.get(`${path}?done=yes&n=2&of=1Nobody`)
  expect(forged.text).toContain('Approved: 2 endpoints.')
  const refused = await pages.post(`${path}/review`, {
    use: ['1', '99'],
    approval: 'no',
    list: 'endpoints',
  })
  expect(refused.headers.get('location')).toMatch(/\/endpoints\?done=no&n=1&of=0\d+$/)
  const scan = await pages.get(path)
  expect(scan.text).toContain('Review Rejected by Ada')
  expect(scan.text).toContain(
    'All (3) New, unreviewed (0) Unreviewed (0) Rejected (1) Approved (2)',
  )
  await pages.post(`${path}/review`, { use: ['1'], approval: 'unreviewed' })
  expect((await pages.get(path)).text).toContain('Unreviewed (1) Rejected (0) Approved (2)')
})

async function submitLedger(name: string): Promise<string> {
  const head = { project_name: name, datetime_created: '2026-03-03T08:00:00Z' }
  const rows = ['a', 'b', 'c'].map((end) => ({
    endpoint_url: `https://api.ledgerly.example/v1/${end}`,
    endpoint_method: 'get',
  }))
  const { project_id } = await pages.app.call('submitProjectScan', { head, rows }, pages.caller)
  return `/console/scans/projects/${project_id}`
}

test('applies a decision on a group only to its listed usages', async () => {
  const own = await submitLedger('Ledger')
  expect((await pages.get(own)).text).toContain('Approve all 3')
  await pages.post(`${own}/review`, { use: ['1'], approval: 'no', reason: 'Never' })
  const open = await pages.get(`${own}?show=unreviewed`)
  expect(open.text).toContain('Approve all 2')
  const group = listBoxes(open.html, 'group')
  await pages.post(`${own}/review`, { group, approval: 'yes', show: 'unreviewed' })
  const { text } = await pages.get(`${own}/endpoints`)
  expect(text).toContain('Unreviewed (0) Rejected (1) Approved (2)')
  expect(text).toContain('rejected Never Ada')
  expect((await pages.get(own)).text).toContain('1 rejected 2 approved')
})

test('applies a decision to all rows of a page, and of the whole list', async () => {
  const own = await submitLedger('Whole')
  await pages.post(`${own}/review`, { every: 'page', listed_use: ['0', '2'], approval: 'no' })
  expect((await pages.get(own)).text).toContain('2 rejected 1 unreviewed')
  await pages.post(`${own}/review`, { every: 'list', show: 'unreviewed', approval: 'yes' })
  expect((await pages.get(own)).text).toContain('2 rejected 1 approved')
  await pages.post(`${own}/review`, { every: 'list', approval: 'yes' })
  expect((await pages.get(own)).text).toContain('Review Approved by Ada')
})

test('ignores a host with a reason, stored as an approval', async () => {
  const { after } = await addProject(pages, 'Ignoring')
  const own = `/console/scans/projects/${after}`
  const sent = { group: ['2new.example'], approval: 'ignore' }
  const without = await pages.post(`${own}/review`, { ...sent, reason: '  ' })
  expect([without.status, without.text.includes('Enter a reason to ignore it')]).toEqual([
    400,
    true,
  ])
  await pages.post(`${own}/review`, { ...sent, reason: 'Link to a blog' })
  const { text } = await pages.get(`${own}/endpoints?group=2new.example`)
  expect(text).toContain('approved Ignored: Link to a blog Ada')
})

test('adds the vendor of a domain, and assigns its hosts in every scan', async () => {
  const { before, after } = await addProject(pages, 'Vendors')
  const own = `/console/scans/projects/${after}`
  const bad = await pages.post(`${own}/vendor`, { domain: 'not a host', vendor: 'New Inc.' })
  expect([bad.status, bad.text.includes('Cannot add the vendor: ')]).toEqual([400, true])
  const done = await pages.post(`${own}/vendor`, { domain: 'new.example', vendor: ' New Inc. ' })
  expect(done.headers.get('location')).toBe(`${own}?done=vendor&of=1New+Inc.`)
  const shown = await pages.get(done.headers.get('location') ?? '')
  expect(shown.text).toContain('New Inc. is now the vendor of these hosts.')
  expect(listGroups(shown.html)[0]).toBe('New Inc.')
  expect(shown.html).toContain('/console/imports/new?vendor=New+Inc.&amp;base_url=')
  const again = await pages.post(`${own}/vendor`, { domain: 'other.example', vendor: 'new inc.' })
  expect(again.status).toBe(409)
  expect(again.text).toContain(
    'Cannot add the vendor: "New Inc." is already in the catalogue, with the homepage https://new.example/, and a vendor has one homepage. To assign hosts of other.example to it, import the description of an API that names them as its servers.',
  )
  expect(again.html).toContain('<a href="/console/imports/new?vendor=New+Inc.">import')
  await pages.post(`/console/scans/projects/${before}/match`, {})
  const head = { project_name: 'Later' }
  const rows = [{ endpoint_url: 'https://eu.new.example/v1' }]
  const { project_id } = await pages.app.call('submitProjectScan', { head, rows }, pages.caller)
  const later = await pages.get(`/console/scans/projects/${project_id}`)
  expect(later.text).toContain('1 third-party API, vendor or domain with 1 endpoint.')
  expect(listGroups(later.html)).toEqual(['New Inc.'])
})

test('shows the form again with its values if nothing is selected or the reason is too long', async () => {
  const none = await pages.post(`${path}/review`, { approval: 'yes', reason: 'Because' })
  expect(none.status).toBe(400)
  expect(none.text).toContain('No rows selected. Select rows, then choose a decision')
  expect(none.html).toContain('value="Because"')
  expect(none.html.indexOf('role="alert"')).toBeLessThan(none.html.indexOf('<table'))
  const sent = { use: ['1'], approval: 'yes', reason: 'x'.repeat(2001), list: 'endpoints' }
  const long = await pages.post(`${path}/review`, sent)
  expect(long.status).toBe(400)
  expect(long.html).toContain(
    'name="use" value="1" aria-label="Select GET https://eu.api.skycast.example/v2/forecast" checked',
  )
  expect((await pages.post(`${path}/review`, { use: ['1'], approval: 'maybe' })).status).toBe(400)
})

test('stores a review of the whole scan', async () => {
  const sent = {
    whole: '1',
    page: '1',
    review_status: 'complete',
    is_approved: 'yes',
    of_group: '2new.example',
  }
  const done = await pages.post(`${path}/review`, sent)
  expect(done.headers.get('location')).toBe(`${path}?group=2new.example&page=1&done=whole`)
  expect((await pages.get(path)).text).toContain('Review Approved by Ada')
  const bad = await pages.post(`${path}/review`, { ...sent, is_approved: 'perhaps' })
  expect(bad.status).toBe(400)
})

test('shows the traffic of a network and its locations', async () => {
  const id = await findNetwork(pages)
  const network = `/console/scans/networks/${id}`
  const { text } = await pages.get(network)
  expect(text).toContain('APIs, vendors and domains with 4 flows to 3 hosts and URLs.')
  expect(text).toContain('2 batches received')
  const traffic = await pages.get(`${network}/endpoints`)
  const { html } = traffic
  expect(traffic.text).toContain(
    'eu.api.skycast.example Skycast Weather unreviewed 2 out 2026-03-13 09:00 2026-03-13 09:15',
  )
  // A host that was seen once has a single time.
  expect(traffic.text).not.toMatch(/(2026-03-\d\d \d\d:\d\d) \1/)
  const boxes = listBoxes(html, 'use')
  const done = await pages.post(`${network}/review`, { use: boxes, approval: 'no', reason: '' })
  expect(done.status).toBe(303)
  expect((await pages.get(network)).text).toContain('Unreviewed (0) Rejected (3)')
  const places = await pages.get(`${network}/places`)
  expect(places.text).toContain('No locations found.')
  expect(places.text).toContain('203.0.113.7')
  const history = await pages.get(`${network}/history`)
  expect(history.text).toContain('Hosts and URLs New Unreviewed Rejected Approved')
})

test('uses the time of receipt for captures without a clock, not 1970', async () => {
  const head = {
    network_name: 'Clockless',
    project_name: 'Lab',
    start_time: '1970-01-01T00:00:00Z',
    end_time: '1970-01-01T00:00:09Z',
    scan_status: 'complete' as const,
  }
  const rows = [
    {
      captured_ip: '203.0.113.9',
      host: 'api.ledgerly.example',
      direction: 'Outgoing' as const,
      capture_datetime: '1970-01-01T00:00:01Z',
    },
  ]
  const { instance_id } = await pages.app.call('submitNetworkScan', { head, rows }, pages.caller)
  const own = `/console/scans/networks/${instance_id}`
  const shown = await Promise.all(['', '/endpoints', '/history'].map((end) => pages.get(own + end)))
  for (const { html } of [...shown, await pages.get('/console/scans?name=clockless')]) {
    expect(html).not.toContain('1970')
  }
  const [first, , history] = shown
  expect(first?.text).toContain('Started: 2026-03-14 08:00 (received; the capture has no time)')
  expect(history?.html).toContain('2026-03-14')
})

test('shows the history, and the differences between two scans', async () => {
  const history = await pages.get(`${path}/history`)
  expect(history.text).toContain('2026-03-02 08:00 this scan')
  expect(history.html).toContain(`<option value="${ids.before}" selected>`)
  const { text } = await pages.get(`${path}/compare?before=${ids.before}&after=${ids.after}`)
  expect(text).not.toContain('Both scans are the same')
  const same = await pages.get(`${path}/compare?before=${ids.after}`)
  expect(same.text).toContain('Both scans are the same. Choose another one to compare.')
  expect(text).toContain('Added (1)')
  expect(text).toContain('Removed (1)')
  expect(text).toContain('get https://gone.example/v1')
  expect(text).toContain('Files: src/file-0.ts ; now src/file-1.ts')
})

test('offers scans for comparison with their numbers of endpoints', async () => {
  const submit = (ends: readonly string[], day: string) =>
    pages.app.call(
      'submitProjectScan',
      {
        head: { project_name: 'Growing', datetime_created: `2026-03-0${day}T08:00:00Z` },
        rows: ends.map((end) => ({ endpoint_url: `https://growing.example/${end}` })),
      },
      pages.caller,
    )
  await submit(['a'], '1')
  const { project_id } = await submit(['a', 'b'], '2')
  const { html } = await pages.get(`/console/scans/projects/${project_id}/history`)
  expect(html).toMatch(/2026-03-01 08:00, 1 endpoint</)
  expect(html).toMatch(/2026-03-02 08:00, 2 endpoints</)
})

test('downloads the BOM in every format', async () => {
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

test('matches a scan again after the catalogue has changed', async () => {
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

test('shows the vendor of a host that several of its APIs share, without next steps', async () => {
  const url = 'https://api.twopay.example'
  for (const title of ['Twopay Payments', 'Twopay Payouts']) {
    const paths = { [`/${title.slice(-3)}`]: { get: { responses: {} } } }
    const description = { openapi: '3.1.0', info: { title, version: '1' }, paths }
    await pages.app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify({ ...description, servers: [{ url }] })),
      vendorName: 'Twopay',
      createVendor: true,
      isPublic: true,
    })
  }
  const rows = [{ endpoint_url: `${url}/v9` }, { endpoint_url: 'https://other.example/v1' }]
  const sent = { head: { project_name: 'Shared host' }, rows }
  const { project_id: id } = await pages.app.call('submitProjectScan', sent, pages.caller)
  const own = `/console/scans/projects/${id}`
  const { html } = await pages.get(own)
  expect(listGroups(html)).toEqual(['Twopay: one of several APIs', 'other.example'])
  expect(html).not.toContain('vendor=Twopay')
  const [group = ''] = listBoxes(html, 'group')
  const listed = await pages.get(`${own}/endpoints?${new URLSearchParams({ group })}`)
  expect(listBoxes(listed.html, 'use')).toEqual(['0'])
})

test('marks hosts of the project itself, which its BOM contains too', async () => {
  const rows = [
    { endpoint_url: 'https://api.shop.example/v1', role: 'own-host' as const },
    { endpoint_url: 'https://api.acme.example/v1' },
  ]
  const input = { head: { project_name: 'Own' }, rows }
  const { project_id: id } = await pages.app.call('submitProjectScan', input, pages.caller)
  const { text } = await pages.get(`/console/scans/projects/${id}`)
  expect(text).toMatch(/shop\.example own-host/)
  const { html: bom } = await pages.get(`/console/scans/projects/${id}/bom`)
  expect(bom).toContain('api.acme.example')
  expect(bom).toContain('api.shop.example')
})
