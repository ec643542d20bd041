import { expect, test } from 'vitest'
import { openTestConsole, type ShownPage } from '../../helpers/console.ts'
import { runs } from '../../helpers/runs.ts'
import { readNaughtyStrings } from '../../helpers/shared-data.ts'

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'javascript:alert(1)',
  '</textarea><svg/onload=alert(1)>',
  '{{7*7}}<%= 7*7 %>',
  '\u202etxt.exe',
]

/** Markup that third-party text must not add to a page. */
const INTRUDERS =
  /<(?:script(?! src="\/console\/assets\/)|img|svg(?! class="chart)|iframe|b>)|(?:href|action)="\s*javascript:/i
const HANDLERS = /<[^>]* on\w+=/i

/** Removes attribute values, which contain no quotes, before it searches for handlers. */
function findIntruder(html: string): string | undefined {
  return (INTRUDERS.exec(html) ?? HANDLERS.exec(html.replace(/"[^"]*"/g, '""')))?.[0]
}

test('escapes external text: names, files, URLs, libraries, vendors, reasons', async () => {
  const pages = await openTestConsole()
  const naughty = readNaughtyStrings()
  const some = naughty.slice(0, runs(naughty.length))
  const texts = [...PAYLOADS, ...some].map(toSent).filter((text) => text !== '')
  const rows = texts.map((text, index) => ({
    endpoint_url: `https://api.example/${index}/${encodeURI(text)}`,
    endpoint_method: 'get',
    found_in: [{ file: text }],
    package: text.slice(0, 400),
    vendor_name: text.slice(0, 150),
  }))
  const project_name = PAYLOADS[1] ?? ''
  const { project_id } = await pages.app.call(
    'submitProjectScan',
    { head: { project_name }, rows },
    pages.caller,
  )
  const path = `/console/scans/projects/${project_id}`
  const shown: ShownPage[] = []
  for (let page = 1; page <= Math.ceil(rows.length / 50); page += 1) {
    shown.push(await pages.get(`${path}?page=${page}`))
    shown.push(await pages.get(`${path}/endpoints?page=${page}`))
  }
  const all = shown.map(({ html }) => html).join('')
  for (const text of texts) expect(all).toContain(toEscaped(text))
  for (const [index, reason] of PAYLOADS.entries()) {
    const sent = { use: [String(index)], approval: 'yes', reason }
    expect((await pages.post(`${path}/review`, sent)).status).toBe(303)
  }
  const approved = await pages.get(`${path}/endpoints?show=approved`)
  for (const text of PAYLOADS) expect(approved.html).toContain(`<br>${toEscaped(text)}<br>`)
  shown.push(approved, await pages.get('/console/scans'), await pages.get(`${path}/history`))
  for (const { status, html } of shown) {
    expect(status).toBe(200)
    expect(findIntruder(html)).toBeUndefined()
  }
  await pages.close()
})

test('accepts any text in queries and text fields', async () => {
  const pages = await openTestConsole()
  for (const text of PAYLOADS) {
    const query = new URLSearchParams({
      name: text,
      vendor: text,
      kind: text,
      page: text,
      done: text,
    })
    const list = await pages.get(`/console/scans?${query}`)
    expect([list.status, findIntruder(list.html)]).toEqual([200, undefined])
    const missing = await pages.get(`/console/scans/projects/${encodeURIComponent(text)}`)
    expect([missing.status, findIntruder(missing.html)]).toEqual([404, undefined])
    const file = { scan: new Blob([`{"project_name":${JSON.stringify(text)},"${'x'}":1}`]) }
    const refused = await pages.upload('/console/scans/submit', file)
    expect([refused.status, findIntruder(refused.html)]).toEqual([400, undefined])
  }
  await pages.close()
})

/** Texts that the operation accepts: no control characters, no lone surrogates, not blank. */
function toSent(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '')
    .replaceAll('\ufffd', '')
    .trim()
    .slice(0, 900)
}

function toEscaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
