import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestConsole, type TestConsole } from '../../helpers/console.ts'
import { expectTame } from '../../helpers/hostile-console.ts'
import { inParts, listHostileTexts } from '../../helpers/hostile-texts.ts'

/** Ten texts each, to reduce the number of pages. */
const PAYLOADS = inParts(listHostileTexts(), 10).map((part) => part.join('\n'))

describe('Untrusted texts of descriptions', () => {
  let shown: TestConsole
  const apis: string[] = []
  beforeAll(async () => {
    shown = await openTestConsole({ isEmpty: true })
    for (const [index, text] of PAYLOADS.entries()) {
      const bytes = new TextEncoder().encode(JSON.stringify(toDocument(text, index)))
      const { apiId } = await shown.app.imports.importDescription({
        bytes,
        vendorName: `${index} ${text}`.slice(0, 150).replaceAll(/\p{Cc}/gu, ' '),
        createVendor: true,
        isPublic: true,
      })
      apis.push(apiId)
    }
  })
  afterAll(() => shown.close())

  test('are escaped in the search', async () => {
    for (const text of ['', ...PAYLOADS]) {
      const asked = encode(text.slice(0, 300))
      await expectTexts(`/console/apis?q=${asked}&vendor=${asked}&license=${asked}&page=${asked}`)
      await expectTexts(`/console/apis?license=${asked}`)
    }
  })

  test('are escaped on the pages of APIs and endpoints, and in their forms', async () => {
    for (const id of apis) {
      await expectTexts(`/console/apis/${id}?find=%22%3E%3Cb%3E`)
      const api = await shown.app.catalogue.getApi(id)
      const { items } = await shown.app.catalogue.listEndpoints(
        { apiId: api.id },
        { size: 5, page: 1 },
      )
      for (const { shortId } of items) {
        const path = `/console/apis/${id}/endpoints/${shortId}`
        const html = await expectTexts(path)
        const shape = /name="shape" value="(\w+)"/.exec(html)?.[1] ?? ''
        const values = { shape, 'value-0': PAYLOADS[3] ?? '', 'value-1': PAYLOADS[1] ?? '' }
        for (const action of ['show', 'send']) {
          expectSent(await shown.post(path, { ...values, action }))
        }
      }
    }
  })

  async function expectTexts(path: string): Promise<string> {
    const page = await shown.get(path)
    expect([path, page.status]).toEqual([path, 200])
    return expectSent(page)
  }
})

function expectSent({ html, status }: { readonly html: string; readonly status: number }): string {
  expect(status).toBeLessThan(500)
  expectTame({ html })
  return html
}

/** Every text field of the page contains the text. */
function toDocument(text: string, index: number) {
  const parameter = (name: string) => ({
    name,
    in: 'query',
    required: name === 'q',
    description: text,
    example: text,
    schema: { type: 'string', default: text, enum: [text, 'other'] },
  })
  return {
    openapi: '3.1.0',
    info: {
      title: `${text.slice(0, 200)} ${index}`,
      version: text.slice(0, 100),
      summary: text,
      description: text,
      termsOfService: text,
      contact: { name: text, url: text, email: text },
      license: { name: text.slice(0, 100), url: text },
    },
    servers: [
      {
        url: `https://api${index}.example/${encode(text.slice(0, 50))}`,
        description: text,
      },
    ],
    components: {
      securitySchemes: {
        [`key${index}`]: { type: 'apiKey', in: 'header', name: 'x-key', description: text },
      },
    },
    security: [{ [`key${index}`]: [] }],
    paths: {
      [`/things/${text.slice(0, 100).replaceAll(/[{}]/g, '')}`]: {
        get: {
          operationId: text,
          summary: text,
          description: text,
          tags: [text],
          parameters: [parameter('q'), parameter(`name ${text.slice(0, 100)}`)],
          responses: {
            200: {
              description: text,
              content: { 'application/json': { example: { [text]: text } } },
            },
          },
        },
      },
    },
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, ''))
}
