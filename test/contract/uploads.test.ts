import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import type { RunningServer } from '../../adapters/runtime/server.ts'
import { rawRequest } from '../helpers/raw-http.ts'
import { openTestService, readSeedFiles, type TestService } from '../helpers/service.ts'
import { askInProcess, type WireRequest } from './ways.ts'

const LIMITS = { maxFileBytes: 64 * 1024 }
const CATEGORIES: Readonly<Record<string, string>> = {
  ledgerly: 'Finance & Banking',
  pigeon: 'Social Media & Technology',
  skycast: 'Environment & Weather',
  wayfare: 'GeoInformatics & Navigation',
}
const listeners = 'Bun' in globalThis || 'Deno' in globalThis ? ['node', 'native'] : ['node']

function describeApi(title: string): string {
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title, version: '1.0.0' },
    paths: { '/loaves': { get: { responses: { 200: { description: 'Loaves' } } } } },
  })
}

async function sendUpload(
  service: TestService,
  request: Partial<WireRequest>,
): Promise<{ readonly status: number; readonly document: Record<string, unknown> }> {
  const { status, body } = await askInProcess(service).ask({
    method: 'POST',
    target: '/api/benchmark/upload_swagger',
    ...request,
    headers: { 'api-key': service.keys.all, ...request.headers },
  })
  return { status, document: JSON.parse(body) }
}

describe.each(listeners)('names in headers, %s listener', (listener) => {
  let service: TestService
  let server: RunningServer
  beforeAll(async () => {
    service = await openTestService({ app: { bodyLimits: LIMITS } })
    const kind = listener === 'native' ? 'native' : 'node'
    server = await serve(service.app.handle, { port: 0, listener: kind })
  })
  afterAll(async () => {
    await server.close(0)
    await service.close()
  })

  async function send(headers: readonly string[], body: string | Uint8Array) {
    const content = Buffer.from(body)
    const head = [
      'POST /api/benchmark/upload_swagger HTTP/1.1',
      'Host: service.test',
      `api-key: ${service.keys.all}`,
      ...headers,
      `Content-Length: ${content.length}`,
      '\r\n',
    ]
    const bytes = Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), content])
    const answer = await rawRequest(server.url, bytes)
    return { ...answer, document: JSON.parse(Buffer.from(answer.body, 'latin1').toString()) }
  }

  const utf8 = Buffer.from('Ösel Bäckerei').toString('latin1')
  it.each([
    ['UTF-8', utf8, 'eCommerce & Trade'],
    ['Latin-1', '\u00d6sel B\u00e4ckerei', 'ecommerce  &  TRADE'],
    ['percent-encoded', '%C3%96sel%20B%C3%A4ckerei', 'eCommerce%20%26%20Trade'],
    ['without accents, in another case', 'OSEL  backerei', 'eCommerce and Trade'],
    ['as HTML', utf8, 'eCommerce &amp; Trade'],
  ])('are decoded from %s', async (_, vendor, category) => {
    const { status, document } = await send(
      [`vendor: ${vendor}`, `category: ${category}`],
      describeApi('Loaf'),
    )
    expect([status, document.result, document.info]).toEqual([200, 'Success', ''])
    const found = await askInProcess(service).ask({
      target: '/api/endpoint_search?q=loaf',
      headers: { 'api-key': service.keys.all },
    })
    const { num_results: count, endpoints } = JSON.parse(found.body)
    expect([count, endpoints[0].vendor.name, endpoints[0].category.name]).toEqual([
      1,
      'Ösel Bäckerei',
      'eCommerce & Trade',
    ])
  })

  it('are compared with both spellings of a category', async () => {
    for (const category of ['Logistics & Infrastrcture', 'logistics & infrastructure']) {
      const answer = await send(['vendor: Wayfare', `category: ${category}`], describeApi('Loaf'))
      expect(answer.status).toBe(200)
    }
  })

  it('that are unknown appear readable in the error', async () => {
    const { status, document } = await send(
      ['vendor: \u00d6dland', 'category: News & Media'],
      describeApi('Loaf'),
    )
    expect([status, document.errors]).toEqual([
      400,
      [{ in: 'header', name: 'vendor', message: 'Vendor "Ödland" not found' }],
    ])
  })

  it.each([
    ['counted', (size: number) => [`Content-Length: ${size}`, 'x'.repeat(size)]],
    [
      'chunked',
      (size: number) => [
        'Transfer-Encoding: chunked',
        `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`,
      ],
    ],
  ] as const)('and a %s body over the limit is reported as such', async (_, toBody) => {
    const [header, content] = toBody(LIMITS.maxFileBytes + 1)
    const request = [
      'POST /api/benchmark/upload_swagger HTTP/1.1',
      'Host: service.test',
      `api-key: ${service.keys.all}`,
      'vendor: Wayfare',
      'category: News & Media',
      header,
      '',
      content,
    ]
    const { status, headers, body } = await rawRequest(server.url, request.join('\r\n'))
    const { code, info, result, detail } = JSON.parse(body)
    expect([status, headers['content-type'], code, result, info]).toEqual([
      413,
      'application/problem+json',
      'too_large',
      'Failure',
      detail,
    ])
  })
})

const ENTER = 'Create the vendor first: POST /vendors (on the command line: --create-vendors)'

describe('an upload', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService({ app: { bodyLimits: LIMITS } })
  })
  afterAll(() => service.close())
  const named = { vendor: 'Wayfare', category: 'News & Media' }

  it('at the limit is accepted', async () => {
    const body = describeApi('Padded').padEnd(LIMITS.maxFileBytes, ' ')
    expect((await sendUpload(service, { headers: named, body })).status).toBe(200)
    const more = await sendUpload(service, { headers: named, body: `${body} ` })
    expect(more.status).toBe(413)
  })

  it('reads vendor and category from the headers, else the query, else the form', async () => {
    const form = new URLSearchParams({
      vendor: 'Nobody in the form',
      category: 'News & Media',
      file: describeApi('Placed'),
    }).toString()
    const target = '/api/benchmark/upload_swagger?vendor=Nobody+in+the+query'
    const inForm = await sendUpload(service, { body: form })
    const inQuery = await sendUpload(service, { target, body: form })
    const inHeader = await sendUpload(service, {
      target,
      body: form,
      headers: { vendor: 'Wayfare' },
    })
    expect(
      [inForm, inQuery, inHeader].map(({ status, document }) => [status, document.info]),
    ).toEqual([
      [400, `Vendor "Nobody in the form" not found. ${ENTER}`],
      [400, `Vendor "Nobody in the query" not found. ${ENTER}`],
      [200, ''],
    ])
  })

  it('reports unknown form fields, on success and on failure', async () => {
    const send = (vendor: string) =>
      sendUpload(service, {
        body: new URLSearchParams({
          ...named,
          vendor,
          create_vendor: 'true',
          file: describeApi('Fields'),
        }).toString(),
      })
    const message = 'Unknown form field "create_vendor" was ignored'
    const taken = await send('Wayfare')
    expect([taken.status, taken.document.report]).toEqual([
      200,
      expect.objectContaining({ warnings: [{ pointer: '', message }] }),
    ])
    const refused = await send('Nobody')
    expect([refused.status, refused.document.detail, refused.document.unknown_vendor]).toEqual([
      400,
      `Vendor "Nobody" not found. ${message}. ${ENTER}`,
      'Nobody',
    ])
  })

  it('accepts all values in a JSON object as well', async () => {
    const body = JSON.stringify({
      vendor: 'Wayfare',
      category: 'News & Media',
      private: true,
      base_url: 'https://api.wayfare.example/v9/',
      countries: 'ch,li',
      file: JSON.parse(describeApi('Wrapped')),
    })
    expect((await sendUpload(service, { body })).document.result).toBe('Success')
    const { body: found } = await askInProcess(service).ask({
      target: '/api/endpoint_search?q=wrapped',
      headers: { 'api-key': service.keys.all },
    })
    const [api] = JSON.parse(found).endpoints
    expect([api.is_public_api, api.is_implemented, api.countries, api.country_names]).toEqual([
      false,
      true,
      ['CH', 'LI'],
      ['Switzerland', 'Liechtenstein'],
    ])
  })

  it('of the card of an MCP server imports its tools', async () => {
    const { status, document } = await sendUpload(service, {
      headers: { vendor: 'Skycast', category: 'Environment & Weather' },
      body: await readFile('fixtures/descriptions/skycast-mcp-server.json', 'utf8'),
    })
    expect([status, document]).toMatchObject([200, { report: { operations: 3, added: 3 } }])
    const tools = { tools: [{ name: 'a', inputSchema: {} }] }
    const refused = await sendUpload(service, { headers: named, body: JSON.stringify(tools) })
    expect([refused.status, refused.document]).toMatchObject([
      422,
      {
        detail:
          'Cannot import the file: it is a list of MCP tools without their server; add it as "tools" to the server.json or server card of the server',
      },
    ])
  })

  it('of every example description is unchanged when repeated', async () => {
    const generation = await service.storage.catalogue.generation()
    for (const [name, bytes] of await readSeedFiles()) {
      const vendor = name.slice(0, name.indexOf('-'))
      const category = CATEGORIES[vendor]
      const { status, document } = await sendUpload(service, {
        headers: { vendor, category: category ?? '' },
        body: new TextDecoder().decode(bytes),
      })
      const { added, changed, removed } = document.report as Record<string, number>
      expect([name, status, added, changed, removed]).toEqual([name, 200, 0, 0, 0])
    }
    expect(await service.storage.catalogue.generation()).toBe(generation)
  })

  it('of the same API adds, changes and removes endpoints, which retain their IDs', async () => {
    const versions = [
      { '/a/{id}': 'One', '/b': 'Two', '/c': 'Three' },
      { '/a/{key}': 'One, renamed', '/b': 'Two', '/d': 'Four' },
    ]
    const reports: unknown[] = []
    const ids: unknown[] = []
    for (const paths of versions) {
      const body = JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Ids', version: `1.${reports.length}` },
        paths: Object.fromEntries(
          Object.entries(paths).map(([path, summary]) => [
            path,
            { get: { summary, responses: {} } },
          ]),
        ),
      })
      const { document } = await sendUpload(service, { headers: named, body })
      const { added, changed, removed, unchanged } = document.report as Record<string, number>
      reports.push({ added, changed, removed, unchanged })
      const list = await service.app.call('listEndpoints', {}, service.caller)
      ids.push(
        Object.fromEntries(
          list
            .filter(({ description }) => /^(One|Two)/.test(description))
            .map((each) => [each.description.slice(0, 3), [each.id, each.endpoint_id]]),
        ),
      )
    }
    expect(reports).toEqual([
      { added: 3, changed: 0, removed: 0, unchanged: 0 },
      { added: 1, changed: 1, removed: 1, unchanged: 1 },
    ])
    expect(ids[1]).toEqual(ids[0])
  })

  it('that is partly understood is partly imported, with a report', async () => {
    const body = JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'Part', version: '1' },
      paths: {
        '/good': { get: { summary: 'Good part', responses: {} } },
        '/bad': { get: 'nothing', post: { summary: 'Also good part', responses: {} } },
      },
    })
    const { status, document } = await sendUpload(service, { headers: named, body })
    const { warnings, added, skipped } = document.report as Record<string, unknown>
    expect([status, document.result, document.info, added, skipped, warnings]).toEqual([
      200,
      'Success',
      '1 operation was skipped; 1 warning, first at /paths/~1bad/get: Not an operation; skipped',
      2,
      1,
      [{ pointer: '/paths/~1bad/get', message: 'Not an operation; skipped' }],
    ])
  })

  it('that fails leaves no data', async () => {
    const before = await service.storage.catalogue.generation()
    const bodies = ['{"openapi":"3.1.0"', 'hello', '{"swagger":"1.2"}', 'PK\u0003\u0004', '']
    for (const body of bodies) {
      const { status, document } = await sendUpload(service, { headers: named, body })
      expect([status >= 400 && status < 500, document.result]).toEqual([true, 'Failure'])
      expect(document.info).toBe(document.detail)
    }
    expect(await service.storage.catalogue.generation()).toBe(before)
  })
})
