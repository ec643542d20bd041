import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../../core/shared/account.ts'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

let pages: TestConsole

beforeAll(async () => {
  pages = await openTestConsole()
})

afterAll(() => pages.close())

/** A description with one valid operation and one that is skipped. */
function describe(title: string, more: object = {}): string {
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title, version: '1.0.0' },
    servers: [{ url: 'https://loaf.example/v1' }],
    paths: { '/loaves': { get: { responses: {} } }, '/crumbs': { get: 'soon' } },
    ...more,
  })
}

const NEW = '/console/imports/new'

test('imports a file for a vendor that it enters, and shows the report', async () => {
  const file = new File([describe('Loaf Finder')], 'loaf.json', { type: 'application/json' })
  const sent = await pages.upload(NEW, { file, vendor: 'Loaf & Sons', options: 'create' })
  const to = sent.headers.get('location') ?? ''
  expect([sent.status, to.replace(/[0-9]+/, 'N')]).toEqual([
    303,
    '/console/imports/N?done=imported',
  ])
  const { status, text, html } = await pages.get(to)
  expect(status).toBe(200)
  expect(text).toContain('Description imported.')
  expect(text).toContain('Loaf Finder Vendor Loaf & Sons File loaf.json Imported by Account A')
  expect(text).toContain('The description has 2 operations')
  expect(text).toMatch(/Added 1 new in the catalogue.*Skipped 1 could not be interpreted/)
  expect(text).toContain('/paths/~1crumbs')
  const [, api = ''] = /href="(\/console\/apis\/[^"]+)"/.exec(html) ?? []
  expect((await pages.get(api)).text).toContain('Loaf Finder')
})

test('imports several files at once, and tells of each', async () => {
  const files = [
    new File([describe('First of two')], 'first.json'),
    new File(['{"openapi": 7}'], 'second.json'),
    new File([describe('Last of two')], 'third.json'),
  ]
  const sent = await pages.upload(NEW, { file: files, vendor: 'Ledgerly' })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/console/imports?done=some'])
  const { text } = await pages.get('/console/imports?done=some')
  expect(text).toContain('Some files could not be imported. The list shows the reasons.')
  expect(text).toMatch(
    /Last of two Ledgerly Partly imported .*second.json Ledgerly Failed .*First of two/,
  )
  const both = await pages.upload(NEW, {
    file: files.filter((_, n) => n !== 1),
    vendor: 'Ledgerly',
  })
  expect(both.headers.get('location')).toBe('/console/imports?done=all')
  const { total } = await pages.app.imports.list(pages.caller.account, { size: 1, page: 1 })
  const many = Array.from({ length: 201 }, (_, n) => new File([describe(`${n}`)], `${n}.json`))
  const refused = await pages.upload(NEW, { file: many, vendor: 'Ledgerly' })
  expect([refused.status, refused.text.includes('Choose at most 200 files')]).toEqual([400, true])
  expect((await pages.app.imports.list(pages.caller.account, { size: 1, page: 1 })).total).toBe(
    total,
  )
})

test('enters new vendors unless it is told not to, and says what is required', async () => {
  const { html, text } = await pages.get(NEW)
  expect(text).toContain('Description (required: files or text)')
  expect(text).not.toContain('Files (optional)')
  expect(html).toMatch(/<input type="checkbox" name="options" value="create" checked>/)
  const left = await pages.upload(NEW, { text: 'nothing', vendor: 'Unticked' })
  expect(left.html).toMatch(/<input type="checkbox" name="options" value="create">/)
})

test('tells two runs over the same files apart, however close they are', async () => {
  const other = await openTestConsole({ isEmpty: true })
  const files = Array.from({ length: 6 }, (_, n) => new File(['nothing'], `${n}.json`))
  await other.upload(NEW, { file: files, vendor: 'Baker' })
  await other.upload(NEW, { file: files, vendor: 'Baker' })
  const { text } = await other.get('/console/imports')
  expect(text.match(/6 imports by Account A, all failed/g)).toHaveLength(2)
  await other.close()
})

test('lists imports by outcome, and collapses long runs', async () => {
  const other = await openTestConsole({ isEmpty: true })
  const files = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => new File([text], `${n}.json`))
  await other.upload(NEW, { file: files(7, describe('Rolls')), vendor: 'Baker' })
  other.clock.advance(61_000)
  await other.upload(NEW, { text: describe('Rolls'), vendor: 'Baker', options: 'create' })
  const { html, text } = await other.get('/console/imports')
  expect(text).toContain('All (8) Imported (1) Failed (7)')
  expect(html.match(/<details>/g)).toHaveLength(1)
  expect(text).toMatch(/1 import, newest first.*Rolls Baker .*: 7 imports by Account A, all failed/)
  const imported = await other.get('/console/imports?state=imported')
  expect([imported.text.includes('Rolls Baker'), imported.text.includes('0.json')]).toEqual([
    true,
    false,
  ])
  const failed = await other.get('/console/imports?state=failed')
  expect(failed.text).toContain('7 imports by Account A, all failed')
  expect((await other.get('/console/imports?page=9')).text).toContain('Page not found')
  await other.close()
})

test('counts a run of several pages as a whole, and lists its imports by page', async () => {
  const other = await openTestConsole({ isEmpty: true })
  const files = (count: number, text: string) =>
    Array.from({ length: count }, (_, n) => new File([text], `${n}.json`))
  await other.upload(NEW, { file: files(20, 'nothing'), vendor: 'Baker' })
  other.clock.advance(61_000)
  const fields = { vendor: 'Baker', options: 'create' }
  await other.upload(NEW, {
    file: [...files(119, 'nothing'), new File([describe('Rolls')], 'rolls.json')],
    ...fields,
  })
  other.clock.advance(61_000)
  await other.upload(NEW, { text: describe('Rolls'), ...fields })
  const summary = '120 imports by Account A, 119 failed'
  const first = (await other.get('/console/imports')).text
  expect(first).toContain('1 import, newest first')
  expect(first).toMatch(new RegExp(`${summary} Imports 1 to 99 of 120, newest first`))
  const second = (await other.get('/console/imports?page=2')).text
  expect(second).toMatch(new RegExp(`${summary} Imports 100 to 120 of 120, newest first`))
  expect(second).toMatch(/20 imports by Account A, all failed 20 imports, newest first/)
  expect(second).toContain('Page 2 of 2')
  const failed = (await other.get('/console/imports?state=failed&page=2')).text
  expect(failed).toMatch(/119 imports by Account A, all failed Imports 101 to 119 of 119/)
  await other.close()
})

test('suggests the vendors of the catalogue', async () => {
  const { html } = await pages.get(NEW)
  expect(html).toMatch(/<input type="text"[^>]* name="vendor"[^>]* list="vendors"/)
  expect(html).toContain('<option value="Ledgerly"></option>')
})

test('imports a pasted text, and again tells that nothing changed', async () => {
  const fields = { text: describe('Pasted'), vendor: 'Ledgerly', category: 'Finance & Banking' }
  const first = await pages.upload(NEW, { ...fields, options: 'private' })
  expect(first.status).toBe(303)
  const again = await pages.upload(NEW, { ...fields, options: 'private' })
  expect((await pages.get(again.headers.get('location') ?? '')).text).toContain('Unchanged 1')
  const { text } = await pages.get('/console/imports')
  expect(text).toMatch(/Pasted Ledgerly Partly imported/)
})

test('tells why an import failed, at the field and in the list', async () => {
  const refused = await pages.upload(NEW, { text: describe('X'), vendor: 'Nobody "here"' })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('role="alert"')
  expect(refused.html).toContain('<strong>There is a problem</strong>')
  expect(refused.html).toContain('<a href="#field-vendor">Vendor')
  expect(refused.html).toContain('value="Nobody &quot;here&quot;"')
  expect(refused.text).toContain(
    'Vendor "Nobody "here"" not found. Enter another name, or select “Create vendors that are not in the catalogue”.',
  )
  const broken = new File(['{"openapi": "3.0.0",\n nonsense'], 'broken.json')
  const { status, text } = await pages.upload(NEW, { file: broken, vendor: 'Ledgerly' })
  expect(status).toBe(422)
  expect(text).toContain('Choose the file again.')
  const list = await pages.get('/console/imports')
  const [path = ''] = /\/console\/imports\/[0-9]+/.exec(list.html) ?? []
  const report = await pages.get(path)
  expect(report.text).toContain('broken.json Failed Reason')
  expect(report.text).toContain('line 2')
})

test('asks for a file or a text, not both and not neither', async () => {
  const file = new File([describe('Both')], 'both.json')
  const before = await pages.app.imports.list(pages.caller.account, { size: 1, page: 1 })
  expect((await pages.upload(NEW, {})).text).toContain('Choose a file, or paste the description')
  const both = await pages.upload(NEW, { file, text: '{}' })
  expect([both.status, both.text.includes('Choose a file or paste a text, not both')]).toEqual([
    400,
    true,
  ])
  const after = await pages.app.imports.list(pages.caller.account, { size: 1, page: 1 })
  expect(after.total).toBe(before.total)
})

test("shows an account its own reports and the operator's, nobody else's", async () => {
  const other = { id: 'somebody-else', name: 'Bob' }
  const bytes = new TextEncoder().encode(describe('Bobs own'))
  const { importId = 0 } = await pages.app.imports.importDescription({
    bytes,
    createVendor: true,
    isPublic: true,
    by: other,
  })
  expect((await pages.get('/console/imports')).text).not.toContain('Bobs own')
  const missing = await pages.get('/console/imports/999999')
  const hidden = await pages.get(`/console/imports/${importId}`)
  expect([hidden.status, missing.status]).toEqual([404, 404])
  expect((await pages.get('/console/imports/x')).status).toBe(404)
  const { items } = await pages.app.imports.list(other, { size: 100, page: 1 })
  expect(new Set(items.map(({ by }) => by?.name))).toEqual(new Set(['Bob', undefined]))
})

test('lets import only who may', async () => {
  const scopes = new Set<Scope>(SCOPES.filter((scope) => scope !== 'import'))
  const viewer = { name: 'Reader', caller: { ...pages.caller, scopes } }
  const reader = await openTestConsole({ isEmpty: true, viewer })
  const { text } = await reader.get('/console/imports')
  expect(text).toContain('To import descriptions, you need the scope import')
  expect(text).toContain('api-discovery import ./descriptions --create-vendors')
  expect((await reader.get(NEW)).status).toBe(403)
  expect((await reader.upload(NEW, { text: describe('X') })).status).toBe(403)
  await reader.close()
})

test('shows titles, warnings and vendors of others as text', async () => {
  const bad = '<img src=x onerror=alert(1)>"\'</title><script>alert(2)</script>javascript:alert(3)'
  const paths = { [`/${bad}`]: { get: bad } }
  const text = describe(bad, { paths })
  const sent = await pages.upload(NEW, { text, vendor: bad, options: 'create' })
  for (const path of ['/console/imports', sent.headers.get('location') ?? NEW]) {
    const { html, text: shown } = await pages.get(path)
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('<script>alert')
    expect(shown).toContain('<img src=x onerror=alert(1)>')
  }
})
