import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatAge, toSources } from '../../../adapters/web/overview/freshness.ts'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

const DAY_MS = 86_400_000

describe('The overview page', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  test('shows items that need attention, totals and data freshness', async () => {
    const { status, text, html } = await shown.get('/console/')
    expect(status).toBe(200)
    expect(text).toContain('Unreviewed Project Storefront has 2 endpoints to review.')
    expect(text).toContain('Unreviewed Network Office has 3 hosts and URLs to review.')
    expect(text).not.toContain('deprecated endpoint')
    expect(text).toContain('APIs 4 13 endpoints, 4 vendors')
    expect(text).toContain('CVE records 67 2 rejected, 40 known to be exploited')
    expect(text).toContain('Scanned projects and networks 2 of your account')
    expect(text).toContain('Rate-limit tests 3 of your account')
    expect(text).toContain('Last import into the API catalogue 2026-03-13 08:00 1 day Loaded')
    expect(text).toContain('Last scan of your account 2026-03-13 09:30 22 hours Loaded')
    expect(text).toContain(
      'Example vulnerabilities 2026-03-14 08:00 less than a minute 2025-07-08 08:15 Examples',
    )
    expect(text).toContain('api-discovery sync kev')
    expect(html).toContain('<a href="/console/status">')
    expect(text.indexOf('Needs attention')).toBeLessThan(text.indexOf('Totals'))
  })

  test('counts the deprecated endpoints that scans use, not all deprecated endpoints of their APIs', async () => {
    const submit = (project_name: string, paths: readonly string[]) => {
      const rows = paths.map((path) => ({
        endpoint_url: `https://maps.wayfare.example/api/${path}`,
        endpoint_method: 'get',
      }))
      return shown.app.call('submitProjectScan', { head: { project_name }, rows }, shown.caller)
    }
    const { project_id: id } = await submit('Old', ['places/7', 'places/8', 'geocode'])
    await submit('New', ['geocode'])
    const { text, html } = await shown.get('/console/')
    expect(text).toContain('Deprecated 1 deprecated endpoint of Wayfare Maps (Wayfare) is used by')
    expect(html).toContain(`is used by <a href="/console/scans/projects/${id}">Old</a>.</li>`)
    await shown.app.call('removeProjectScan', { project_id: id }, shown.caller)
    expect((await shown.get('/console/')).text).not.toContain('deprecated endpoint')
  })

  test('lists work that has not ended', async () => {
    expect((await shown.get('/console/')).text).not.toContain('In progress')
    const job = {
      kind: 'rate-limit-test',
      accountId: shown.caller.account.id,
      subject: 'x',
      lock: '',
      needs: '',
      input: '{}',
      summary: '{}',
      maxAttempts: 1,
      createdAt: shown.clock(),
      dueAt: shown.clock(),
    }
    await shown.storage.jobs.addJob({ ...job, kind: 'other', accountId: 'another' })
    await shown.storage.jobs.addJob({ ...job, kind: 'tidying' })
    const { text } = await shown.get('/console/')
    expect(text).toContain('In progress Queued tidying 1 Reload')
    const state = await shown.get('/console/status')
    expect(state.text).toMatch(/tidying queued Account A 2026-03-14 08:00/)
    expect(state.text).toMatch(/other queued another/)
  })

  test('lists exploited products of APIs in use first', async () => {
    const { items } = await shown.app.catalogue.browse({
      q: 'wayfare',
      chosen: {},
      page: { page: 1, size: 1 },
    })
    expect(items[0]?.api.vendor.name).toBe('Wayfare')
    await shown.app.vulnerabilities.loadRecords(one({ records: [createCve('CVE-2026-0007')] }), {
      source: 'nvd',
    })
    const { text, html } = await shown.get('/console/')
    expect(text).toContain(
      'Needs attention Known exploited Wayfare Maps of Wayfare matches the name of a product with 1 exploited vulnerability: CVE-2026-0007 . The match is unconfirmed: compare the versions.',
    )
    expect(html).toContain('href="/console/vulnerabilities/CVE-2026-0007"')
  })

  test('marks old data by the clock of the service', async () => {
    expect((await shown.get('/console/')).text).toContain(
      'CVE records (NVD) 2026-03-14 08:00 less than a minute 2026-01-01 00:00 Fresh',
    )
    shown.clock.advance(3 * DAY_MS)
    const { text } = await shown.get('/console/')
    expect(text).toContain('CVE records (NVD) 2026-03-14 08:00 3 days 2026-01-01 00:00 Old')
    expect(text).toContain('Old CVE records (NVD): 3 days old. Its sync failed or did not run')
    expect(text).toContain('api-discovery sync nvd api-discovery sync cve api-discovery sync kev')
    const state = (await shown.get('/console/status')).text
    expect(state).toMatch(/Vulnerability data [^.]*nvd 3 days /)
    expect(state).toContain('Time since a source')
    expect(state).not.toContain('Seconds since')
    expect(state).not.toContain('259,200')
  })
})

test('The overview page lists stopped jobs, failed imports and keys that expire soon', async () => {
  const shown = await openTestConsole()
  const { app, caller, clock, storage } = shown
  const { account } = caller
  const job = { subject: 'x', lock: '', needs: '', input: '{}', summary: '{}', maxAttempts: 1 }
  const at = { createdAt: clock(), dueAt: clock() }
  await storage.jobs.addJob({ ...job, ...at, kind: 'tidying', accountId: account.id })
  const claim = await storage.jobs.claimJob({ kinds: ['tidying'], now: clock(), leaseMs: 1000 })
  const end = { state: 'failed' as const, result: '', failure: 'the <disk> is full' }
  await storage.jobs.endJob(claim ?? { id: 0, fence: 0 }, { ...end, now: clock() })
  await storage.jobs.addJob({ ...job, ...at, kind: 'theirs', accountId: 'another' })
  const theirs = await storage.jobs.claimJob({ kinds: ['theirs'], now: clock(), leaseMs: 1000 })
  const why = { ...end, failure: 'canary of another account' }
  await storage.jobs.endJob(theirs ?? { id: 0, fence: 0 }, { ...why, now: clock() })
  const state = (await shown.get('/console/status')).text
  expect(state).toContain('the <disk> is full')
  expect(state).toMatch(/theirs failed another/)
  expect(state).not.toContain('canary of another account')
  const importOf = async (text: string, fileName: string, by?: typeof account) =>
    app.imports
      .importDescription({ bytes: new TextEncoder().encode(text), isPublic: true, fileName, by })
      .catch(() => undefined)
  await importOf('{"openapi": 7}', 'broken.json', account)
  await importOf('{"openapi": 7}', 'foreign.json', await app.accounts.createAccount('Foreign'))
  await importOf('{"openapi": 7}', 'mended.json')
  const info = { title: 'Mended', version: '1' }
  const servers = [{ url: 'https://mended.example' }]
  const mended = JSON.stringify({ openapi: '3.1.0', info, servers, paths: {} })
  const { vendors } = await app.call('searchVendors', {}, caller)
  const vendorName = vendors[0]?.name ?? ''
  await app.imports.importDescription({
    bytes: new TextEncoder().encode(mended),
    isPublic: true,
    fileName: 'mended.json',
    vendorName,
  })
  const scopes = ['read'] as const
  const name = 'nightly build'
  const made = await app.accounts.createKey({ account, name, scopes, expiresInMs: 10 * DAY_MS })
  const { key } = await app.accounts.createKey({
    account,
    name: 'year',
    scopes,
    expiresInMs: 365 * DAY_MS,
  })
  await app.fetch(
    new Request('http://a.test/api/apis?id=1', { method: 'DELETE', headers: { 'api-key': key } }),
  )
  const { text, html } = await shown.get('/console/')
  expect(text).toContain('Stopped The job tidying 1 did not finish: the <disk> is full 2026-03-14')
  expect(text).toContain('Failed Import of broken.json :')
  expect(html).toMatch(/href="\/console\/imports\/\d+">broken.json/)
  expect(text).not.toContain('mended.json')
  expect(text).not.toContain('foreign.json')
  expect(text).toContain(`Expires soon API key nightly build ( ${made.record.hint} ) expires on`)
  expect(text).toContain('Refused Requests with 1 key were refused in the last day.')
  expect(text).not.toContain('key year')
  clock.advance(11 * DAY_MS)
  const later = (await shown.get('/console/')).text
  for (const words of ['Stopped', 'Failed Import', 'Expires soon', 'Refused Requests']) {
    expect(later).not.toContain(words)
  }
  await shown.close()
})

test('The overview page of a new account suggests commands and shows no data of other accounts', async () => {
  const full = await openTestConsole()
  const account = await full.app.accounts.createAccount('Another')
  const scopes = new Set(['read' as const])
  await full.close()
  const shown = await openTestConsole({ viewer: { name: 'Eve', caller: { account, scopes } } })
  const { text, html } = await shown.get('/console/')
  expect(text).toContain('Next steps')
  expect(text).toContain('api-discovery scan project . --submit http://console.test')
  expect(text).toContain('Rate-limit tests 0 of your account')
  expect(text).toContain('Last scan of your account never None yet')
  expect(text).not.toContain('Storefront')
  expect(html).not.toContain('/console/status')
  expect((await shown.get('/console/status')).status).toBe(403)
  await shown.close()
})

test('The overview page states its limits if there is more data', async () => {
  const shown = await openTestConsole()
  expect((await shown.get('/console/')).text).not.toContain('Based on the newest scans')
  for (let n = 0; n < 19; n += 1) {
    const head = { project_name: `Empty ${n}`, datetime_created: '2026-03-14T07:00:00Z' }
    await shown.app.call('submitProjectScan', { head, rows: [] }, shown.caller)
  }
  const { text } = await shown.get('/console/')
  expect(text).toMatch(
    /Based on the newest scans of 20 of 21 projects and networks, and (\d) of \1 APIs that they use/,
  )
  await shown.close()
})

test('The status page shows scheduled syncs, and the overview those that failed', async () => {
  const message = 'Cannot read https://mirror.example/kev.json: it responded with 503'
  let hasFailed = false
  const shown = await openTestConsole({
    isEmpty: true,
    app: {
      vulnerabilitySync: {
        sources: ['nvd', 'kev'],
        nextRun: (from) => from + DAY_MS,
        async sync() {
          hasFailed = !hasFailed
          return [
            { source: 'nvd', state: 'fresh', message: '' },
            hasFailed
              ? { source: 'kev', state: 'failed', message }
              : { source: 'kev', state: 'loaded', message: '' },
          ]
        },
      },
    },
  })
  const { app, clock } = shown
  expect((await shown.get('/console/status')).text).toContain('The next sync starts at 2026-03-1')
  await app.runJobs()
  const failed = (await shown.get('/console/status')).text
  expect(failed).toMatch(/nvd never 2026-03-14 \d\d:\d\d Done/)
  expect(failed).toContain(`Failed ${message}`)
  expect(failed).toMatch(/vulnerability-sync failed operator .* kev: Cannot read/)
  expect((await shown.get('/console/')).text).toContain(`Failed Sync of kev : ${message}`)
  const gauges = await app.readGauges()
  expect(gauges.find(({ name }) => name === 'vulnerability_sync_failures_total')?.samples).toEqual([
    { labels: { source: 'nvd' }, value: 0 },
    { labels: { source: 'kev' }, value: 1 },
  ])
  clock.advance(DAY_MS)
  await app.runJobs()
  expect((await shown.get('/console/')).text).not.toContain('Sync of kev')
  expect((await shown.get('/console/status')).text).toMatch(/kev never 2026-03-15 \d\d:\d\d Done/)
  await shown.close()
})

test('The overview page of an empty service suggests commands step by step', async () => {
  const shown = await openTestConsole({ isEmpty: true })
  const { status, text } = await shown.get('/console/')
  expect(status).toBe(200)
  expect(text).toContain('No data yet')
  const commands = [
    'import ./descriptions --create-vendors',
    'sync all',
    'scan project . --submit http://console.test',
  ]
  for (const command of commands) {
    expect(text).toContain(`api-discovery ${command}`)
  }
  const state = await shown.get('/console/status')
  expect(state.text).toContain('The storage is available.')
  expect(state.text).toContain('No jobs yet.')
  await shown.close()
})

describe('ageWords and toSources', () => {
  test('format an age in the largest unit that fits', () => {
    expect([0, 59, 60, 7199, 7200, 86_400, 400 * 86_400].map(formatAge)).toEqual([
      'less than a minute',
      'less than a minute',
      '1 minute',
      '1 hour',
      '2 hours',
      '1 day',
      '400 days',
    ])
  })

  test('list missing sources that are expected', () => {
    const names = (...present: readonly string[]) =>
      toSources(
        present.map((name) => {
          return { name, loaded_at: null, age_seconds: null, data_at: null, data_age_seconds: null }
        }),
      ).map(({ name }) => name)
    expect(names()).toEqual(['nvd', 'cve', 'kev', 'epss'])
    expect(names('epss', 'nvd-files')).toEqual(['cve', 'kev', 'epss', 'nvd-files'])
    expect(names('cve-files')).toEqual(['nvd', 'kev', 'epss', 'cve-files'])
    expect(names('mine')).toEqual(['nvd', 'cve', 'kev', 'epss', 'mine'])
  })
})

function createCve(id: string) {
  const at = Date.UTC(2026, 0, 1)
  const cpe = 'cpe:2.3:a:wayfare:wayfare:1.0:*:*:*:*:*:*:*'
  const matches = [{ isVulnerable: true, cpe }]
  const node = { operator: 'OR' as const, isNegated: false, matches, children: [] }
  return {
    id,
    source: 'test@example.com',
    status: 'Analyzed',
    isRejected: false,
    publishedAt: at,
    modifiedAt: at,
    descriptions: [{ language: 'en', text: 'A flaw.' }],
    metrics: [],
    weaknesses: [],
    configurations: [{ operator: 'OR' as const, isNegated: false, nodes: [node] }],
    references: [],
    tags: [],
    exploited: { name: 'A flaw', addedOn: '2026-01-02', dueOn: '2026-02-02', action: 'Update.' },
  }
}

async function* one<T>(item: T): AsyncIterable<T> {
  yield item
}
