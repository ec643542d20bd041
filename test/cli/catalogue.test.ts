import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'

let folder: string
let imported: CommandOutcome

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-catalogue-'))
  await enter('Harbour', 'Quay')
  await enter('Lighthouse', 'Quay')
  imported = await enter('Lighthouse', 'Pier')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function runCli(...words: string[]): Promise<CommandOutcome> {
  const environment = { API_DISCOVERY_DATABASE: `sqlite:${join(folder, 'catalogue.db')}` }
  return runCommand(words, { environment })
}

/** Imports an API with three endpoints and a webhook. */
async function enter(title: string, vendor: string): Promise<CommandOutcome> {
  const responses = { 200: { description: 'Done' } }
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: '2.1',
      description: `Ships of the ${title}.\n\nMore about them.`,
      termsOfService: 'https://quay.example/terms',
    },
    servers: [{ url: 'https://api.quay.example/v2' }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
    paths: {
      '/ships': {
        get: { summary: 'List ships', responses },
        post: { summary: 'Enter a ship', responses },
      },
      '/ships/{id}': {
        get: { summary: 'Get a ship', description: 'With its berth', deprecated: true, responses },
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'view', in: 'query', schema: { enum: ['list', 'map'], default: 'map' } },
        ],
      },
    },
    webhooks: { arrival: { post: { summary: 'A ship arrived', responses } } },
  }
  const file = join(folder, `${title}-${vendor}.json`)
  await writeFile(file, JSON.stringify(document))
  return runCli('import', file, '--vendor', vendor, '--create-vendors')
}

/** Lists the IDs of the endpoints of Harbour that contain a word. */
async function listIds(word: string): Promise<readonly string[]> {
  const { results } = await runCli('endpoints', 'harbour', word, '--json')
  const { endpoints } = JSON.parse(results.join(''))
  return endpoints.map((each: { readonly endpoint_id: string }) => each.endpoint_id)
}

const ID = /^[A-Za-z0-9]{7}$/

describe('show', () => {
  it('prints the facts of an API by its name', async () => {
    const { code, results, notes } = await runCli('show', 'harbour')
    const [, id = ''] = results[1]?.split(/ {2,}/) ?? []
    expect(code).toBe(0)
    expect(results.map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      'API: Harbour 2.1',
      `ID: ${id}`,
      'Vendor: Quay',
      'Category: Software & Services',
      'Homepage: -',
      'Visibility: public',
      'Servers: https://api.quay.example/v2',
      'Authentication: header',
      'Terms: Terms of service https://quay.example/terms',
      'Endpoints: 3, 1 deprecated',
      'Webhooks: 1',
      expect.stringMatching(/^Updated: \d{4}-\d\d-\d\dT/),
      '',
      'Ships of the Harbour.',
    ])
    expect(notes.at(-1)).toBe(`List its endpoints: api-discovery endpoints ${id}`)
    expect((await runCli('show', id)).results).toEqual(results)
  })

  it('prints the same as JSON', async () => {
    const { results } = await runCli('show', 'Quay/Lighthouse', '--json')
    expect(JSON.parse(results.join(''))).toMatchObject({
      name: 'Lighthouse',
      version: '2.1',
      vendor: 'Quay',
      servers: ['https://api.quay.example/v2'],
      auth_types: ['header'],
      terms: [{ name: 'Terms of service', link: 'https://quay.example/terms' }],
      num_endpoints: 3,
      num_deprecated_endpoints: 1,
      num_webhooks: 1,
    })
  })

  it('prints an endpoint with the parameters that the gateway accepts', async () => {
    const [id = ''] = await listIds('berth')
    const { code, results, notes } = await runCli('show', id)
    expect(code).toBe(0)
    expect(results.map((line) => line.replace(/ {2,}/g, ': '))).toEqual([
      'Endpoint: GET https://api.quay.example/v2/ships/{id}',
      `ID: ${id}`,
      expect.stringMatching(/^API: Harbour 2.1 \(Quay\) \w+$/),
      'Summary: Get a ship',
      'Authentication: header',
      'Deprecated: yes',
      '',
      'NAME: IN: REQUIRED: TYPE: VALUES: DEFAULT',
      'id: path: yes: string: -: -',
      'view: query: no: string: list map: "map"',
      'X-Key: header: no: string: -: -',
    ])
    expect(notes).toEqual([`Preview a call: api-discovery gateway ${id} NAME=VALUE --dry-run`])
    const refused = await runCli('gateway', id, '--dry-run')
    expect(refused.notes.slice(-4)).toEqual(results.slice(-4))
    const json = JSON.parse((await runCli('show', id, '--json')).results.join(''))
    expect(json).toEqual({
      id: expect.any(Number),
      endpoint_id: id,
      method: 'get',
      path: '/ships/{id}',
      summary: 'Get a ship',
      is_deprecated: true,
      is_inbound: false,
      url: 'https://api.quay.example/v2/ships/{id}',
      auth_types: ['header'],
      api_id: results[2]?.split(' ').at(-1),
      api_name: 'Harbour',
      api_version: '2.1',
      vendor: 'Quay',
      parameters: [
        { name: 'id', placement: 'path', is_required: true, type: 'string' },
        {
          name: 'view',
          placement: 'query',
          is_required: false,
          type: 'string',
          enum: ['list', 'map'],
          default: 'map',
        },
        { name: 'X-Key', placement: 'header', is_required: false, type: 'string' },
      ],
    })
  })

  it('prints a webhook, which cannot be called', async () => {
    const [id = ''] = await listIds('arrived')
    const { results, notes } = await runCli('show', id)
    expect([results[0], notes]).toEqual(['Webhook         POST arrival', []])
  })

  it.each(['show', 'endpoints'])('%s lists the candidates of an ambiguous name', async (name) => {
    const { code, results, notes } = await runCli(name, 'lighthouse')
    expect([code, results]).toEqual([2, []])
    expect(notes.slice(1, 3).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['Lighthouse', '2.1', 'Quay'],
      ['Lighthouse', '2.1', 'Pier'],
    ])
    expect(notes.at(-1)).toContain('2 APIs have this name; use an ID')
  })

  it.each(['show', 'endpoints'])('%s reports an unknown API', async (name) => {
    const { code, results, notes } = await runCli(name, 'nobody')
    expect([code, results]).toEqual([1, []])
    expect(notes.join('\n')).toContain('API "nobody" not found.')
  })
})

describe('endpoints', () => {
  it('lists the endpoints of an API with their IDs', async () => {
    const { code, results, notes } = await runCli('endpoints', 'Harbour')
    const rows = results.map((line) => line.trimEnd().split(/ {2,}/))
    expect(code).toBe(0)
    expect(rows.slice(1).every(([id = '']) => ID.test(id))).toBe(true)
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['METHOD', 'PATH', 'SUMMARY'],
      ['GET', '/ships', 'List ships'],
      ['POST', '/ships', 'Enter a ship'],
      ['GET', '/ships/{id}', '(deprecated) Get a ship'],
      ['POST', 'arrival', 'A ship arrived'],
    ])
    expect(notes).toEqual(['Harbour: 4 endpoints.'])
  })

  it('filters by words, method and deprecation', async () => {
    const list = async (...words: string[]) => {
      const { results } = await runCli('endpoints', 'harbour', ...words, '--json')
      const { num_results: total, endpoints } = JSON.parse(results.join(''))
      return [total, endpoints.map((each: { readonly summary: string }) => each.summary)]
    }
    expect(await list('BERTH', 'ship')).toEqual([1, ['Get a ship']])
    expect(await list('--method', 'POST')).toEqual([2, ['Enter a ship', 'A ship arrived']])
    expect(await list('--deprecated')).toEqual([1, ['Get a ship']])
    expect(await list('submarine')).toEqual([0, []])
  })

  it('pages with an exact total', async () => {
    const { results } = await runCli('endpoints', 'harbour', '--size', '3', '--page', '2', '--json')
    expect(JSON.parse(results.join(''))).toEqual({
      num_results: 4,
      num_pages: 2,
      current_page: 2,
      page_size: 3,
      endpoints: [
        {
          id: expect.any(Number),
          endpoint_id: expect.stringMatching(ID),
          method: 'post',
          path: 'arrival',
          summary: 'A ship arrived',
          is_deprecated: false,
          is_inbound: true,
        },
      ],
    })
    const { notes } = await runCli('endpoints', 'harbour', '--size', '3')
    expect(notes).toEqual(['Harbour: 4 endpoints, page 1 of 2.'])
  })

  it('refuses an endpoint ID and suggests show', async () => {
    const [id = ''] = await listIds('berth')
    expect(await runCli('endpoints', id)).toMatchObject({
      code: 2,
      results: [],
      notes: [
        `Cannot list the endpoints of "${id}": it is an endpoint. Show it: api-discovery show ${id}`,
      ],
    })
  })

  it('is suggested by an import and a search', async () => {
    const [, id = ''] = imported.notes.at(-1)?.match(/^Next: api-discovery endpoints (\w+)/) ?? []
    expect((await runCli('endpoints', id)).code).toBe(0)
    const { results } = await runCli('search', 'harbour', '--size', '1')
    expect((await runCli('endpoints', results[0]?.split(' ').at(-1) ?? '')).notes).toEqual([
      'Harbour: 4 endpoints.',
    ])
  })
})

describe('search', () => {
  it('prints descriptions without Markdown links and HTML', async () => {
    const file = join(folder, 'tugs.json')
    const description = '<p>Find [tugs](https://quay.example/tugs)\nthat are <b>free</b></p>'
    const paths = { '/tugs': { get: { description, responses: {} } } }
    const info = { title: 'Tugs', version: '1' }
    await writeFile(file, JSON.stringify({ openapi: '3.1.0', info, paths }))
    await runCli(
      'import',
      file,
      '--vendor',
      'Tower',
      '--create-vendors',
      '--base-url',
      'https://tower.example',
    )
    const { results } = await runCli('search', 'tugs')
    expect(results.at(-1)?.trim()).toMatch(/ Find tugs that are free$/)
  })
})
