import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPages } from '../../adapters/web/pages.ts'
import { createPageRouter } from '../../adapters/web/router.ts'
import { toFetchHandler } from '../../core/http/fetch.ts'
import { openTour, type Tour } from '../helpers/console-tour.ts'
import type { Browser } from '../helpers/console-visit.ts'

const pages = listPages({ hasOwnLogIn: true })
const router = createPageRouter(pages)

let tour: Tour
let root: Browser
beforeAll(async () => {
  tour = await openTour()
  root = tour.filled.open()
  await root.logIn('Root')
})
afterAll(() => tour.close())

/** Paths of all GET requests of a user with all scopes. */
function listPaths(): readonly string[] {
  return [
    ...tour.stops
      .filter(({ visitor, form }) => visitor === 'root' && !form)
      .map(({ path }) => path),
    ...listFiles(),
  ]
}

/** Paths of downloads and images, which the tour of all pages omits. */
function listFiles(): readonly string[] {
  const { ids } = tour
  return [
    '/console/vulnerabilities/download?q=log4j',
    `/console/scans/projects/${ids.after}/bom?format=cyclonedx-xml&spec_version=1.7`,
    `/console/scans/networks/${ids.network}/bom`,
    '/console/rate-limits/3/plot',
    '/console/rate-limits/3/evidence',
    '/console/guides/pictures/vulnerabilities',
  ]
}

test('the walk through all pages leaves out no page but files', () => {
  const opened = [
    ...tour.stops.filter(({ form }) => !form),
    ...listFiles().map((path) => ({ path })),
  ]
  const found = opened.map(({ path }) => {
    const [plain = ''] = path.slice('/console'.length).split('?')
    const each = router.find('GET', plain)
    return 'page' in each ? each.page : undefined
  })
  expect(pages.filter((page) => page.method === 'GET' && !found.includes(page))).toEqual([])
})

test('everything is kept by no cache, runs nothing of others, and stands in no frame', async () => {
  for (const path of [
    ...listPaths(),
    '/console/login',
    '/console/welcome?token=x',
    '/',
    '/console',
  ]) {
    const { headers } = await root.get(path)
    const policy = headers.get('content-security-policy')?.split('; ')
    expect([path, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      path,
      'no-store',
      'nosniff',
    ])
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})

test('files are saved under plain names, and never shown as pages', async () => {
  for (const path of listFiles().filter((each) => !/\/(plot|pictures\/\w+)$/.test(each))) {
    const { status, headers } = await root.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(headers.get('content-type')).not.toContain('html')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w.-]+$/)
  }
})

test('HEAD answers as GET does, without a body; what a page does not take is told', async () => {
  const ask = toFetchHandler(tour.filled.handle)
  const cookie = [...root.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = (path: string, method: string) => {
    const headers = { host: 'apis.test', cookie, origin: 'https://apis.test' }
    return Promise.resolve(ask(new Request(`https://apis.test${path}`, { method, headers })))
  }
  for (const path of listPaths()) {
    const [get, head] = [await send(path, 'GET'), await send(path, 'HEAD')]
    expect([path, head.status, await head.text()]).toEqual([path, get.status, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    await get.body?.cancel()
    const [plain = ''] = path.slice('/console'.length).split('?')
    const taken = ['GET', 'POST'].filter((method) => 'page' in router.find(method, plain))
    const allow = taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await send(path, method)
      const told = headers.get('allow')?.split(', ').sort()
      const wanted = allow.length > 0 ? [405, allow.sort()] : [404, undefined]
      expect([path, method, status, told]).toEqual([path, method, ...wanted])
    }
  }
  const [style = ''] =
    /\/console\/assets\/console-[^"]+/.exec((await root.get('/console/')).html) ?? []
  for (const path of [style, '/images/categories/news-media.svg']) {
    expect([(await send(path, 'HEAD')).status, (await send(path, 'OPTIONS')).status]).toEqual([
      200, 405,
    ])
  }
})

test('nobody who is logged out, and nobody of another account, sees any of it', async () => {
  const { filled, ids } = tour
  const guest = filled.open()
  for (const path of listPaths()) {
    const [plain = ''] = path.slice('/console'.length).split('?')
    const found = router.find('GET', plain)
    const { status, location } = await guest.get(path)
    if (!('page' in found)) expect([path, status >= 404]).toEqual([path, true])
    else if (path.startsWith('/console/guides')) expect([path, status]).toEqual([path, 200])
    else
      expect([path, status, location]).toEqual([
        path,
        303,
        `/console/login?next=${encodeURIComponent(path)}`,
      ])
  }
  const other = await filled.app.accounts.createAccount('Elsewhere')
  await filled.addUser(
    'Stranger',
    ['read', 'call', 'import', 'ingest', 'review', 'benchmark', 'admin'],
    other,
  )
  const stranger = filled.open()
  await stranger.logIn('Stranger')
  const own = Object.entries(ids).filter(([name]) => !PUBLIC.has(name))
  const named = listPaths().filter((path) =>
    [...own.map(([, id]) => String(id)), '1', '2', '3'].some((id) =>
      path.split(/[/?&=]/).includes(id),
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  for (const path of named) expect([path, (await stranger.get(path)).status]).toEqual([path, 404])
})

test('links to the guides lead to headings', async () => {
  const newcomer = tour.empty.open()
  await newcomer.logIn('Root')
  const links = new Set<string>()
  for (const { visitor, form, path } of tour.stops) {
    if (form || (visitor !== 'root' && visitor !== 'newcomer')) continue
    const { html } = await (visitor === 'root' ? root : newcomer).get(path)
    for (const [, link = ''] of html.matchAll(/href="(\/console\/guides[^"]*)"/g)) links.add(link)
  }
  expect(links.size).toBeGreaterThan(20)
  for (const link of links) {
    const [path = '', anchor = 'main'] = link.split('#')
    const { status, html } = await root.get(path)
    expect([link, status, html.includes(` id="${anchor}"`)]).toEqual([link, 200, true])
  }
})

/** Path variables of catalogue data, which all accounts share. */
const PUBLIC = new Set(['api', 'weather', 'payments', 'payment'])
