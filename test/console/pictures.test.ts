import { expect, test } from 'vitest'
import { CATEGORIES, getCategory } from '../../core/catalogue/categories.ts'
import { openPremises } from '../helpers/console-visit.ts'

test('Every category has a picture of its own, which may stand in pages of others', async () => {
  const premises = await openPremises()
  const browser = premises.open()
  const pictures = new Set<string>()
  for (const index of CATEGORIES.keys()) {
    const image = getCategory(index + 1)?.image
    const { status, headers, html } = await browser.get(`/${image}`)
    expect([image, status, headers.get('content-type')]).toEqual([image, 200, 'image/svg+xml'])
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(html).toMatch(/^<svg [^>]*viewBox="0 0 48 48"[^>]*>(<\w+ [^<>]*\/>)+<\/svg>\n$/)
    pictures.add(html)
  }
  expect(pictures.size).toBe(23)
  expect((await browser.get('/images/categories/none.svg')).status).toBe(404)
  await premises.close()
})
