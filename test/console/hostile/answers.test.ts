import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Egress } from '../../../core/ports/egress.ts'
import {
  expectAll,
  expectTame,
  type HostileConsole,
  openHostileConsole,
} from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts } from '../../helpers/hostile-texts.ts'

const TEXTS = listHostileTexts(1).map((text) => text.replaceAll(/\p{Cs}/gu, '\ufffd'))
const TYPES = ['text/html', 'image/svg+xml', 'application/xml', 'text/plain', 'text/css', '']

let shown: HostileConsole
let path: string
let answer = { type: '', text: '', note: '' }

beforeAll(async () => {
  const egress: Egress = {
    async send({ url }) {
      const { type, text, note } = answer
      const bytes = new TextEncoder().encode(text)
      const headers = [['content-type', type] as const, ['etag', note] as const]
      return { status: 200, headers, url, body: one(bytes), discard: () => undefined }
    },
  }
  shown = await openHostileConsole({ egress })
  const paths = { '/tides': { get: { responses: {} } } }
  const info = { title: 'Tides', version: '1' }
  const document = { openapi: '3.1.0', info, servers: [{ url: 'https://api.example' }], paths }
  const { apiId } = await shown.app.imports.importDescription({
    bytes: new TextEncoder().encode(JSON.stringify(document)),
    vendorName: 'Harbour',
    createVendor: true,
    isPublic: true,
  })
  const { id } = await shown.app.catalogue.getApi(apiId)
  const { items } = await shown.app.catalogue.listEndpoints({ apiId: id }, { size: 1, page: 1 })
  path = `/console/apis/${apiId}/endpoints/${items[0]?.shortId}`
})
afterAll(() => shown.close())

describe('What a target answers stays a text', () => {
  async function send(given: typeof answer): Promise<string> {
    answer = given
    const { html } = await shown.root.get(path)
    const shape = /name="shape" value="(\w+)"/.exec(html)?.[1] ?? ''
    const seen = await shown.root.send(path, { shape, action: 'send' })
    expect(seen.status).toBe(200)
    return expectTame(seen)
  }

  test.each(TYPES)('as %j', async (type) => {
    for (const part of inParts(TEXTS, 60)) {
      const text = part.join('\n')
      expectAll(await send({ type, text, note: '' }), [text])
    }
  })

  test('as JSON, and in headers', async () => {
    for (const part of inParts(TEXTS, 60)) {
      const text = JSON.stringify({ [part.join('\n')]: part })
      const lines = part.map((each) => JSON.stringify(each))
      expectAll(await send({ type: 'application/json', text, note: '' }), lines)
    }
    for (const text of TEXTS.slice(0, 60)) {
      const note = text.replaceAll(/[^\u0020-\u007e]/g, '').trim()
      const words = await send({ type: `text/html; ${note}`, text: '', note })
      if (note !== '') expectAll(words, [note])
    }
  })
})

test.each([
  ['application/json; charset=utf-8', 'json'],
  ['text/plain', 'txt'],
  ['application/problem+json', 'json'],
  ['application/hta', 'bin'],
  ['application/x-bat', 'bin'],
  ['text/x.exe', 'bin'],
  ['constructor/__proto__', 'bin'],
  ['', 'bin'],
])('An answer of the type %j is saved as a file of the sort %s', async (type, ending) => {
  await shown.root.get(path)
  const seen = await shown.root.send(`${path}/answer`, { type, content: 'PGI-' })
  expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'application/octet-stream'])
  const name = `answer-${path.split('/').at(-1)}.${ending}`
  expect(seen.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
})

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}
