import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectAll,
  expectTame,
  type HostileConsole,
  openHostileConsole,
} from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts, toLines } from '../../helpers/hostile-texts.ts'

const TEXTS = listHostileTexts()
const LINES = toLines(TEXTS, 150)

describe('A text of the catalogue stays a text', () => {
  let shown: HostileConsole
  beforeAll(async () => {
    shown = await openHostileConsole()
  })
  afterAll(() => shown.close())

  async function importApi(name: string, more: { paths?: object; vendorName?: string } = {}) {
    const { paths = {}, vendorName = 'Harbour' } = more
    const info = { title: name, version: '1' }
    const servers = [{ url: 'https://api.example' }]
    const document = { openapi: '3.1.0', info, servers, paths }
    return shown.app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(document)),
      vendorName,
      createVendor: true,
      isPublic: true,
      by: shown.account,
    })
  }

  test('names and words of vendors', async () => {
    const paths: string[] = []
    const names: string[] = []
    for (const [index, line] of LINES.slice(0, 120).entries()) {
      const name = `${line} ${index}`
      const homepage = `https://vendor.example/?${encodeURIComponent(line)}`
      const body = { name, homepage, description: line }
      await shown.app.call('createVendor', { body }, shown.caller)
      const { apiId } = await importApi(`Tides ${index}`, { vendorName: name })
      names.push(name)
      paths.push(`/console/apis/${apiId}`)
    }
    expectAll(await shown.read(paths), names)
    const list = Array.from({ length: 6 }, (_, page) => `/console/apis?page=${page + 1}`)
    expectAll(await shown.read(list), names)
    expectAll(await shown.read(['/console/imports']), names.slice(-20))
  })

  test('names, links and texts of agreements, and what changed of them', async () => {
    for (const [index, part] of inParts(LINES, 100).entries()) {
      const { apiId: api_id } = await importApi(`Terms ${index}`)
      const agreements = part.map((line, at) => ({
        agreement_name: line,
        agreement_link: `https://terms.example/${at}/${line.replaceAll(/\s/g, '')}`,
        type: 'TermsOfService',
        text: `We may change these terms at any time without notice. ${line}`,
      }))
      await shown.app.call('replaceAgreements', { body: { api_id, agreements } }, shown.caller)
      expectAll(await shown.read([`/console/apis/${api_id}`]), part)
      const none = { api_id, agreements: [] }
      await shown.app.call('replaceAgreements', { body: none }, shown.caller)
      const seen = await shown.read([`/console/apis/${api_id}`])
      expect(part.filter((line) => seen.includes(line)).length).toBeGreaterThan(0)
    }
  })

  test('what reports of imports quote: places, files, vendors, reasons', async () => {
    const reports: string[] = []
    for (const [index, part] of inParts(LINES, 90).entries()) {
      const paths = Object.fromEntries(part.map((line) => [`/${line}`, 'soon']))
      const { importId } = await importApi(`Crumbs ${index}`, { paths })
      reports.push(`/console/imports/${importId}`)
    }
    const pointers = LINES.map((line) => line.replaceAll('~', '~0').replaceAll('/', '~1'))
    expectAll(await shown.read(reports), pointers)
    const { importId: last = 0 } = await importApi('The last')
    for (const fileName of LINES) {
      const bytes = new TextEncoder().encode(`{"openapi": ${fileName}`)
      const given = { bytes, fileName, vendorName: fileName, isPublic: true, by: shown.account }
      await shown.app.imports.importDescription(given).catch(() => undefined)
    }
    const failed = LINES.map((_, index) => `/console/imports/${last + index + 1}`)
    expectAll(await shown.read(failed), LINES)
    const lists = inParts(failed, 25).map((_, index) => `/console/imports?page=${index + 1}`)
    expectAll(await shown.read(lists), LINES)
  })

  test('what was filled in where an import is refused', async () => {
    await shown.root.get('/console/imports/new')
    for (const part of inParts(TEXTS, 20)) {
      const text = part.join('\n')
      const form = { text, vendor: text, base_url: text, category: text, options: part }
      const seen = await shown.root.send('/console/imports/new', form)
      expect(seen.status).toBeGreaterThanOrEqual(400)
      const words = expectTame(seen).replaceAll(/\r\n?/g, '\n')
      expectAll(words, [text.replaceAll(/\r\n?/g, '\n').replaceAll(/\p{Cs}/gu, '\ufffd')])
    }
  })
})
