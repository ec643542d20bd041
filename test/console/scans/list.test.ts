import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'
import { addProject, findNetwork } from '../../helpers/console-scans.ts'

let pages: TestConsole

beforeAll(async () => {
  pages = await openTestConsole()
})

afterAll(() => pages.close())

test('lists each project and network once, by its newest scan, with counts to review', async () => {
  const { before, after } = await addProject(pages)
  const { status, html, text } = await pages.get('/console/scans')
  expect(status).toBe(200)
  expect(text).toContain('3 projects and networks')
  expect(html).toContain(`/console/scans/projects/${after}"`)
  expect(html).not.toContain(before)
  expect(html).toContain(`<a href="/console/scans/projects/${after}?show=unreviewed">4</a>`)
  expect(text).toContain('1 new')
  expect(html).toContain('>Endpoints or hosts</button>')
  expect(text).toContain('endpoints by scan: 2026-03-01: 4; 2026-03-02: 4')
})

test('filters the list by name, vendor and type', async () => {
  const network = await findNetwork(pages)
  const names = async (query: string) => {
    const { html } = await pages.get(`/console/scans?${query}`)
    return [...html.matchAll(/<th scope="row"[^>]*><a[^>]*>([^<]*)</g)].map(([, name]) => name)
  }
  expect(await names('name=STOREFR')).toEqual(['Storefront', 'Office (Storefront)'])
  expect(await names('kind=network')).toEqual(['Office (Storefront)'])
  expect(await names('vendor=wayf')).toEqual(['Office (Storefront)'])
  expect(await names('vendor=ledger&kind=project')).toEqual(['Storefront', 'Shop'])
  const none = await pages.get('/console/scans?name=%25')
  expect(none.text).toContain('No scans match.')
  const far = await pages.get('/console/scans?page=9')
  expect(far.text).toContain('Page not found First page')
  const { html } = await pages.get('/console/scans?kind=network')
  expect(html).toContain(network)
})

test('counts unreviewed new usages like the linked list', async () => {
  const { after } = await addProject(pages, 'Reviewed')
  const path = `/console/scans/projects/${after}`
  const link = `<a href="${path}?show=new">`
  expect((await pages.get('/console/scans')).html).toContain(link)
  await pages.post(`${path}/review`, { use: ['0'], approval: 'yes' })
  const { html } = await pages.get('/console/scans?name=reviewed')
  expect(html).not.toContain(link)
  expect(html).toMatch(/data-title="New to review"[^>]*>0<\/td>/)
})

test('shows scan commands if there are no scans', async () => {
  const empty = await openTestConsole({ isEmpty: true })
  const { text } = await empty.get('/console/scans')
  expect(text).toContain('api-discovery scan project . --submit http://console.test')
  await empty.close()
})
