import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

describe('The vendors page', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  test('lists all vendors and filters them by parts of their names', async () => {
    const all = await shown.get('/console/vulnerabilities/vendors')
    expect(all.text).toContain('48 vendors')
    const some = await shown.get('/console/vulnerabilities/vendors?q=Tiny+PROJECT')
    expect(some.text).toContain('1 vendor ')
    expect(some.html).toContain(
      '<a class="mono" href="/console/vulnerabilities/vendors?vendor=http%3A%3Atiny_project">http::tiny_project</a>',
    )
    const none = await shown.get('/console/vulnerabilities/vendors?q=nobody')
    expect(none.text).toContain('No vendors found')
  })

  test('links to the products of a vendor, and from them to vulnerabilities', async () => {
    const { html, text } = await shown.get('/console/vulnerabilities/vendors?vendor=haxx')
    expect(text).toContain('Products of haxx')
    expect(text).toContain('2 products')
    expect(html).toContain('href="/console/vulnerabilities?vendor=haxx&amp;product=libcurl"')
    const page = await shown.get('/console/vulnerabilities?vendor=haxx&product=libcurl')
    expect(page.text).toMatch(/[1-9]\d* records? /)
    expect((await shown.get('/console/vulnerabilities/vendors?vendor=nobody')).text).toContain(
      '0 products',
    )
  })
})
