import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-agreements-'))
  const description = {
    openapi: '3.1.0',
    info: { title: 'Orchard', version: '1.0', termsOfService: 'https://orchard.example/terms' },
    servers: [{ url: 'https://api.orchard.example/v1' }],
    paths: { '/apples': { get: { responses: {} } } },
  }
  const file = await writeText('orchard.json', JSON.stringify(description))
  await runCli(['import', file, '--vendor', 'Orchard Ltd', '--create-vendors'])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function writeText(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

function runCli(words: readonly string[]): Promise<CommandOutcome> {
  const environment = { API_DISCOVERY_DATABASE: `sqlite:${join(folder, 'catalogue.db')}` }
  return runCommand(words, { environment })
}

/** Reads kind, SPDX ID, source and link of each agreement. */
async function listAgreements(api: string): Promise<readonly (readonly string[])[]> {
  const { results } = await runCli(['agreements', 'list', api, '--json'])
  const { agreements } = JSON.parse(results[0] ?? '') as {
    agreements: Record<string, string>[]
  }
  return agreements.map((each) =>
    [each.type, each.spdx_id, each.source, each.agreement_link].map(String),
  )
}

describe('agreements', () => {
  it('are added to imported ones, each replacing its predecessor', async () => {
    const text = await writeText('terms.txt', 'You may not resell apples.')
    const set = ['agreements', 'set', 'orchard', '--vendor', 'Orchard Ltd']
    const first = await runCli([
      ...set,
      '--pricing',
      'https://orchard.example/old',
      '--sla',
      'https://orchard.example/sla',
    ])
    expect(first.code).toBe(0)
    await runCli([...set, '--pricing', 'https://orchard.example/prices', '--text', text])
    await runCli([...set, '--license', 'https://orchard.example/licence', '--name', 'GNU AGPL v3'])
    expect(await listAgreements('Orchard')).toEqual([
      ['TermsOfService', '', 'imported', 'https://orchard.example/terms'],
      ['ServiceLevelAgreement', '', 'entered', 'https://orchard.example/sla'],
      ['Pricing', '', 'entered', 'https://orchard.example/prices'],
      ['InterfaceLicense', 'AGPL-3.0-only', 'entered', 'https://orchard.example/licence'],
    ])
    const table = await runCli(['agreements', 'list', '1'])
    expect(table.results[0]).toMatch(/^KIND +NAME +SPDX +SOURCE +CHANGED +LINK$/)
    expect(table.results[4]).toMatch(/^InterfaceLicense +GNU AGPL v3 +AGPL-3.0-only +entered/)
  })

  it('are imported from APIs.json files, and uncatalogued APIs are reported', async () => {
    const index = await writeText(
      'apis.yaml',
      `name: Orchards of the World
specificationVersion: '0.18'
apis:
  - name: Apple API
    baseURL: https://api.orchard.example/v1
    properties:
      - {type: PrivacyPolicy, url: 'https://orchard.example/privacy'}
      - {type: OpenAPI, url: 'https://orchard.example/openapi.json'}
  - name: Pear API
    baseURL: https://api.pears.example
  - name: Nothing
common:
  - {type: TermsOfService, url: 'https://orchards.example/terms'}
`,
    )
    const { code, results } = await runCli(['agreements', 'import', index])
    expect([
      code,
      results.slice(1).map((line) => line.replace(/ {2,}/g, '|').replace(/\(.*\)/, '()')),
    ]).toEqual([
      0,
      [
        'Apple API|2|Orchard ()',
        'Pear API|1|not in the catalogue',
        'Nothing|1|not in the catalogue',
      ],
    ])
    expect((await listAgreements('1')).slice(-2)).toEqual([
      ['PrivacyPolicy', '', 'entered', 'https://orchard.example/privacy'],
      ['TermsOfService', '', 'entered', 'https://orchards.example/terms'],
    ])
  })

  it('escape control characters in the name of an API', async () => {
    const info = { title: 'Pear\u001b[2J', version: '1' }
    const file = await writeText(
      'pears.json',
      JSON.stringify({ openapi: '3.1.0', info, paths: {} }),
    )
    await runCli(['import', file, '--vendor', 'Orchard Ltd'])
    const told = []
    for (const word of ['list', 'history']) {
      const { code, notes } = await runCli(['agreements', word, '2'])
      told.push([code, notes])
    }
    expect(told).toEqual([
      [0, [expect.stringMatching(/^No agreements of Pear\\x1b\[2J yet. Add one: /)]],
      [0, ['No changes to the agreements of Pear\\x1b[2J yet.']],
    ])
  })

  it('have a history', async () => {
    const { results } = await runCli(['agreements', 'history', 'Orchard'])
    expect(results.slice(1).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['added', 'entered', 'PrivacyPolicy', '-', 'https://orchard.example/privacy'],
      ['added', 'entered', 'TermsOfService', '-', 'https://orchards.example/terms'],
      ['added', 'entered', 'InterfaceLicense', '-', 'https://orchard.example/licence'],
      [
        'changed',
        'entered',
        'Pricing',
        'https://orchard.example/old',
        'https://orchard.example/prices',
      ],
      ['added', 'entered', 'Pricing', '-', 'https://orchard.example/old'],
      ['added', 'entered', 'ServiceLevelAgreement', '-', 'https://orchard.example/sla'],
      ['added', 'imported', 'TermsOfService', '-', 'https://orchard.example/terms'],
    ])
  })

  it('are rejected if they are invalid', async () => {
    const notes = async (...words: string[]) => {
      const { code, notes: lines } = await runCli(['agreements', ...words])
      return [code, lines.join(' ')]
    }
    const odd = await writeText('odd.json', '{"apis": 7}')
    expect(await notes('list', 'Quince')).toEqual([
      1,
      'API "Quince" not found. Use an ID or a name from: api-discovery search',
    ])
    expect(await notes('set', '1')).toEqual([
      1,
      'Cannot set agreements: pass --terms URL or another link',
    ])
    expect(await notes('set', '1', '--terms', 'javascript:alert(1)')).toEqual([
      2,
      'agreements.0.agreement_link must be an http or https URL',
    ])
    expect(await notes('set', '99', '--terms', 'https://a.example')).toEqual([
      1,
      'API "99" not found List what exists: api-discovery search WORDS',
    ])
    expect(await notes('import', odd)).toEqual([
      1,
      `${odd}: Cannot import the index: it is not an APIs.json file, because it has no "apis" list`,
    ])
  })
})
