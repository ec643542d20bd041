import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createExcerpt } from '../../../adapters/web/catalogue/labels.ts'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'

describe('The catalogue search', () => {
  let shown: TestConsole
  beforeAll(async () => {
    shown = await openTestConsole()
  })
  afterAll(() => shown.close())

  test('is linked by name in the menu', async () => {
    const { status, headers } = await shown.get('/console/catalogue')
    expect([status, headers.get('location')]).toEqual([308, '/console/apis'])
  })

  test('lists all APIs by name, with distinguishing facts', async () => {
    const { status, text, html } = await shown.get('/console/apis')
    expect(status).toBe(200)
    const names = [...html.matchAll(/<h2><a href="\/console\/apis\/\w+">([^<]+)<\/a>/g)].map(
      ([, name]) => name,
    )
    expect(names).toEqual([
      'Ledgerly Payments',
      'Pigeon Messaging',
      'Skycast Weather',
      'Wayfare Maps',
    ])
    expect(text).toContain('4 APIs found')
    expect(text).toContain('Ledgerly · version 1.4.2 · 4 endpoints')
    expect(text).toContain('Wayfare · version 2026-01-15 · 3 endpoints')
    expect(text).toContain('Authentication not declared No licence stated No terms 1 deprecated')
  })

  test('finds APIs, and links the endpoints that match best', async () => {
    const { text, html } = await shown.get('/console/apis?q=send+message')
    expect(text).toContain('1 API found')
    expect(text).toContain('Pigeon Messaging')
    const places = await shown.get('/console/apis?q=place')
    expect(places.text).toContain('2 APIs found')
    expect(places.text.indexOf('Wayfare Maps')).toBeLessThan(places.text.indexOf('Skycast Weather'))
    expect(html).toMatch(
      /<a href="\/console\/apis\/\w+\/endpoints\/\w{7}"><span class="method">post<\/span> <span class="mono">https:\/\/api.pigeon.example\/v3\/messages<\/span><\/a>/,
    )
    expect(html).toContain('<title>send message · Catalogue · API discovery</title>')
  })

  test('filters by facets that can be removed, and retains them in the form', async () => {
    const { html, text } = await shown.get('/console/apis?q=get&auth=query&license=cc+by+4.0')
    expect(text).toContain('1 API found')
    expect(text).toContain('Authentication: Key in the query ✕ Licence: CC-BY-4.0 ✕ Clear all')
    expect(html).toContain(
      'href="/console/apis?q=get&amp;auth=query" aria-label="Remove filter: Licence CC-BY-4.0"',
    )
    expect(html).toContain('<input type="hidden" name="auth" value="query">')
    const other = await shown.get('/console/apis?deprecated=yes')
    expect(other.text).toContain('1 API found')
    expect(other.text).toContain('Wayfare Maps')
  })

  test('counts each value as if its facet had no filter', async () => {
    const { html } = await shown.get('/console/apis?auth=header')
    for (const [value, label] of [
      ['header', 'Key in a header ✕'],
      ['OAuth2', 'OAuth 2'],
      ['undeclared', 'Authentication not declared'],
    ]) {
      const chosen =
        value === 'header'
          ? 'href="/console/apis" aria-current="true"'
          : `href="/console/apis?auth=${value}"`
      expect(html).toContain(`<a ${chosen}><span>${label}</span> <span>1</span></a>`)
    }
  })

  test('gives advice if nothing is found or the page is past the end', async () => {
    const nothing = await shown.get('/console/apis?q=zzzzqqq&auth=none')
    expect(nothing.status).toBe(200)
    expect(nothing.text).toContain('No results')
    expect(nothing.html).toContain(
      '<a href="/console/apis?q=zzzzqqq">search all APIs for “zzzzqqq”</a>',
    )
    const beyond = await shown.get('/console/apis?page=7&q=')
    expect(beyond.text).toContain('This page does not exist. Go to the first page')
    for (const odd of [
      'vendor=%00',
      'category=-1',
      'auth=<b>',
      'page=x',
      'q=%FF%FE',
      'license=%F0%9F',
    ]) {
      expect((await shown.get(`/console/apis?${odd}`)).status).toBe(200)
    }
  })

  test('shows the command to run if nothing is imported', async () => {
    const fresh = await openTestConsole({ isEmpty: true })
    const { text } = await fresh.get('/console/apis')
    expect(text).toContain('The catalogue is empty')
    expect(text).toContain('api-discovery import FILE…')
    await fresh.close()
  })

  test('has pages', async () => {
    const fresh = await openTestConsole({ isEmpty: true })
    for (let number = 0; number < 23; number += 1) {
      const info = { title: `API ${String(number).padStart(2, '0')}`, version: '1' }
      const document = { openapi: '3.1.0', info, paths: {} }
      await fresh.app.imports.importDescription({
        bytes: new TextEncoder().encode(JSON.stringify(document)),
        vendorName: `Vendor ${number}`,
        createVendor: true,
        isPublic: true,
      })
    }
    const first = await fresh.get('/console/apis')
    expect(first.text).toContain('Page 1 of 2')
    expect(first.text).toContain('15 more')
    const second = await fresh.get('/console/apis?page=2')
    expect(second.html.match(/<h2><a href="\/console\/apis\/\w+">API \d\d/g)).toHaveLength(3)
    expect(second.text).toContain('API 22')
    await fresh.close()
  })
})

test('An excerpt contains the text of HTML without tags', () => {
  const text =
    '<p>Rides and <a href="https://maps.example">maps</a>.</p><br/>Not <script>, nor <city>.'
  expect(createExcerpt(text)).toBe('Rides and maps. Not <script>, nor <city>.')
})
