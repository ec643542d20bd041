import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'

const SEED = 'fixtures/seed/descriptions'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-export-'))
  await runCli(['import', SEED, '--create-vendors'])
  for (const account of ['ours', 'theirs']) {
    await runCli(['accounts', 'create', account])
    const body = JSON.stringify({
      project_name: `shop-of-${account}`,
      scan_details: [{ endpoint_url: 'https://api.pigeon.example/v3/messages' }],
    })
    await runCli(['call', 'submitProjectScan', '--account', account, '--body', body])
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function runCli(words: readonly string[]): Promise<CommandOutcome> {
  const environment = { API_DISCOVERY_DATABASE: `sqlite:${join(folder, 'catalogue.db')}` }
  return runCommand(words, { environment })
}

describe('export apis-json', () => {
  it('writes a file that another catalogue reads', async () => {
    const file = join(folder, 'apis.json')
    const words = ['export', 'apis-json', '--url', 'https://tools.example/apis.json']
    const { code, notes, bytes } = await runCli([...words, '--output', file])
    expect([code, notes, bytes]).toEqual([0, [`Wrote ${file}.`], undefined])
    const { apis } = JSON.parse(await readFile(file, 'utf8'))
    const imported = await runCli(['agreements', 'import', file, '--json'])
    const read = JSON.parse(imported.results[0] ?? '').apis as readonly {
      readonly name: string
      readonly agreements: number
      readonly apis: readonly { readonly apiName: string }[]
    }[]
    expect(read.map((each) => each.name)).toEqual(apis.map((each: { name: string }) => each.name))
    const described = read.filter(({ agreements }) => agreements > 0)
    expect(described).toHaveLength(3)
    for (const each of described) {
      expect(each.apis.map(({ apiName }) => apiName)).toEqual([each.name])
    }
  })

  it('writes to standard output without a file', async () => {
    const words = ['export', 'apis-json', '--url', 'https://tools.example/apis.json/']
    const { bytes } = await runCli([...words, '--name', 'Ours', '--base-url', 'http://a.example/'])
    const text = new TextDecoder().decode(bytes)
    const { name, url, apis } = JSON.parse(text)
    expect([text.endsWith('}\n'), name, url]).toEqual([
      true,
      'Ours',
      'https://tools.example/apis.json',
    ])
    expect(apis[0].properties[0].url).toMatch(/^http:\/\/a\.example\/apis\/description\?api_id=/)
  })

  it.each([
    [[], /required option '--url <url>' not specified/],
    [['--url', 'tools.example'], /Invalid URL "tools.example"/],
    [['--url', 'file:///etc'], /Invalid URL "file:\/\/\/etc"/],
  ] as const)('rejects the options %j', async (options, message) => {
    const { code, notes } = await runCli(['export', 'apis-json', ...options])
    expect([code, notes.join('\n')]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('export backstage', () => {
  async function exportProjects(options: readonly string[]) {
    const { code, bytes } = await runCli(['export', 'backstage', ...options])
    expect(code).toBe(0)
    const entities = loadAll(new TextDecoder().decode(bytes)) as readonly {
      readonly kind: string
      readonly metadata: { readonly name: string }
      readonly spec: { readonly owner: string }
    }[]
    expect(entities.filter(({ kind }) => kind === 'API')).toHaveLength(4)
    return entities
      .filter(({ kind }) => kind === 'Component')
      .map(({ metadata, spec }) => [metadata.name, spec.owner])
  }

  it('writes the projects of the account', async () => {
    expect(await exportProjects(['--account', 'ours', '--owner', 'group:shop'])).toEqual([
      ['shop-of-ours', 'group:shop'],
    ])
    expect(await exportProjects(['--account', 'theirs'])).toEqual([['shop-of-theirs', 'unknown']])
    expect(await exportProjects([])).toEqual([])
  })

  it('reports a file that cannot be written before it reads the catalogue', async () => {
    const { code, notes } = await runCli(['export', 'backstage', '--output', join(folder, 'a/b')])
    expect([code, notes.length]).toEqual([1, 1])
  })
})
