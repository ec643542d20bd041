import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

const WEB = 'https://api.acme.example/web'
const JOBS = 'https://api.acme.example/jobs'

/** A BOM in the specification format. */
function toBill(approval: string, urls: readonly string[]): string {
  return JSON.stringify({
    project_id: 'p1',
    project_name: 'Shop',
    datetime_created: '2026-03-14 08:00',
    scan_details: {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { timestamp: '2026-03-14T08:00:00' },
      services: [
        {
          name: 'Acme',
          provider: { name: 'Acme Ltd' },
          endpoints: urls,
          properties: urls.map((url) => ({ name: `${url} approval status`, value: approval })),
        },
      ],
    },
  })
}

let folder: TestFolder
let database = ''
let project = ''

beforeAll(async () => {
  folder = await makeFolder()
  await writeFile(folder.pathOf('old.json'), toBill('yes', [WEB]))
  await writeFile(folder.pathOf('new.json'), toBill('no', [WEB, JOBS]))
  database = folder.pathOf('scans.db')
  const storage = await openSqlite({ file: database, clock: Date.now })
  const app = createApiDiscovery({ storage })
  const account = await app.accounts.createAccount('ci')
  const head = { project_name: 'Shop', datetime_created: '2026-03-14 08:00' }
  const rows = [{ endpoint_url: WEB, found_in: [{ file: 'a.ts', line: 3 }] }]
  const caller = { account, scopes: new Set(SCOPES) }
  const sent = await app.call('submitProjectScan', { head, rows }, caller)
  project = sent.project_id
  await app.close()
})
afterAll(() => folder.remove())

async function runBom(...words: readonly string[]) {
  const { bytes, ...outcome } = await runCommand(['bom', ...words])
  return { ...outcome, text: bytes ? new TextDecoder().decode(bytes) : undefined }
}

describe('bom validate', () => {
  it('explains each error and how to fix it', async () => {
    const { code, results, notes } = await runBom('validate', folder.pathOf('old.json'))
    expect([code, results.length]).toEqual([1, 6])
    expect(results.slice(3)).toEqual([
      '/scan_details/metadata/timestamp: the timestamp is not an RFC 3339 date and time',
      '    why: A date, a "T", a time and an offset are required',
      '    fix: end it with "Z" if it is in UTC',
    ])
    expect(notes).toEqual(['This is a project BOM of the specification (2.9), version 1.5.'])
    expect(notes).toEqual(['This is a project BOM of the specification (2.9), version 1.5.'])
  })

  it('prints the same as JSON', async () => {
    const { code, results } = await runBom('validate', folder.pathOf('old.json'), '--json')
    const { shape, isValid, explanations } = JSON.parse(results.join(''))
    expect([code, shape, isValid, explanations.length]).toEqual([1, 'project', false, 2])
  })

  it('names a file that is not a BOM', async () => {
    const file = folder.pathOf('rubbish.json')
    await writeFile(file, '{')
    const { code, notes } = await runBom('convert', file)
    expect([code, notes[0]?.startsWith(`${file}: `)]).toEqual([1, true])
  })

  it('names a missing file', async () => {
    const { code, notes } = await runBom('validate', folder.pathOf('none.json'))
    expect([code, notes[0]?.startsWith('Cannot read ')]).toEqual([1, true])
  })
})

describe('bom convert', () => {
  it.each(['1.5', '1.6', '1.7'])('converts to valid CycloneDX %s', async (version) => {
    const output = folder.pathOf(`bom-${version}.json`)
    const words = ['--spec-version', version, '--output', output]
    expect((await runBom('convert', folder.pathOf('old.json'), ...words)).code).toBe(0)
    expect(await runBom('validate', output)).toMatchObject({
      code: 0,
      notes: [`This is CycloneDX as JSON, version ${version}.`, 'Valid.'],
    })
  })

  it('reads the packages of services, and names the parts that are ignored', async () => {
    const service = {
      name: 'Acme',
      endpoints: [WEB],
      properties: [
        { name: 'api-discovery:endpoint:package', value: `get ${WEB} pkg:npm/acme@1.0.0` },
      ],
    }
    const components = ['acme@1.0.0', 'left-pad@1.3.0'].map((name) => ({
      type: 'library',
      name,
      purl: `pkg:npm/${name}`,
    }))
    const file = folder.pathOf('packages.json')
    const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', services: [service] }
    for (const [listed, notes] of [
      [components.slice(0, 1), []],
      [
        components,
        [`${file}: only services, with their packages and models, are read; ignored: 1 components`],
      ],
    ] as const) {
      await writeFile(file, JSON.stringify({ ...bom, components: listed }))
      const converted = await runBom('convert', file)
      expect([converted.code, converted.notes]).toEqual([0, notes])
      const { components: written } = JSON.parse(converted.text ?? '')
      expect(written.map(({ purl }: { readonly purl: string }) => purl)).toEqual([
        'pkg:npm/acme@1.0.0',
      ])
    }
  })

  it.each([
    '{"bomFormat":"CycloneDX","specVersion":"9.9"}',
    '<bom xmlns="http://cyclonedx.org/schema/bom/9.9"/>',
  ])('refuses an unknown version, as validation does: %s', async (text) => {
    const file = folder.pathOf('future.bom')
    await writeFile(file, text)
    expect(await runBom('validate', file)).toMatchObject({ code: 1 })
    expect(await runBom('convert', file)).toMatchObject({
      code: 1,
      notes: [
        `${file}: Cannot read this BOM: CycloneDX version "9.9" is unknown, versions 1.0 to 1.7 are supported`,
      ],
    })
  })

  it('writes to standard output with a final line end', async () => {
    const words = ['convert', folder.pathOf('old.json'), '--to', 'cyclonedx-xml']
    const { code, text } = await runBom(...words)
    expect([code, text?.startsWith('<?xml'), text?.endsWith('</bom>\n')]).toEqual([0, true, true])
  })

  it.each([
    [['--to', 'spdx'], /^Cannot write format "spdx": it must be one of/],
    [['--spec-version', '1.4'], /^Cannot write CycloneDX version "1.4": it must be one of/],
  ])('rejects %j', async (words, expected) => {
    const { code, notes } = await runBom('convert', folder.pathOf('old.json'), ...words)
    expect(code).toBe(2)
    expect(notes[0]).toMatch(expected)
  })
})

describe('bom diff', () => {
  it('lists the differences and exits with 1', async () => {
    const { code, results } = await runBom(
      'diff',
      folder.pathOf('old.json'),
      folder.pathOf('new.json'),
    )
    expect([code, results]).toEqual([
      1,
      ['~ Acme', `  + ${JOBS}`, `  ~ ${WEB}: approved -> rejected`],
    ])
  })

  it('exits with 0 if there are no differences', async () => {
    const same = folder.pathOf('old.json')
    const { code, results } = await runBom('diff', same, same, '--json')
    expect([code, JSON.parse(results.join(''))]).toEqual([
      0,
      { services: { added: [], gone: [], changed: [] }, isSame: true },
    ])
  })
})

describe('bom merge', () => {
  it('writes one BOM with a new name', async () => {
    const output = folder.pathOf('merged.json')
    const files = [folder.pathOf('old.json'), folder.pathOf('new.json')]
    const words = ['--name', 'All', '--to', 'specification', '--output', output]
    expect((await runBom('merge', ...files, ...words)).code).toBe(0)
    const { project_name, scan_details } = JSON.parse(await readFile(output, 'utf8'))
    expect([project_name, scan_details.services.length]).toEqual(['All', 1])
    expect(scan_details.services[0].properties).toEqual([
      { name: `${WEB} approval status`, value: 'no' },
      { name: `${JOBS} approval status`, value: 'no' },
    ])
  })
})

describe('bom export', () => {
  it('writes the BOM of a stored scan', async () => {
    const words = ['--account', 'ci', '--project', project, '--database', database]
    const { code, text } = await runBom('export', ...words, '--to', 'cyclonedx-json')
    const { metadata, services } = JSON.parse(text ?? '')
    expect([code, metadata.component.name, services[0].name]).toEqual([
      0,
      'Shop',
      'api.acme.example',
    ])
  })

  it('fails if no scan has the name', async () => {
    const words = ['--account', 'ci', '--database', database]
    const none = await runBom('export', '--name', 'nosuch', ...words)
    expect([none.code, none.text, none.notes]).toEqual([
      1,
      undefined,
      ['Cannot export: no scan of "nosuch" in this account'],
    ])
    const network = await runBom('export', '--network', 'lan', ...words)
    expect([network.code, network.notes]).toEqual([
      1,
      ['Cannot export: no scan of "lan" in this account'],
    ])
  })

  it('finds no scans of another account', async () => {
    const { code, notes } = await runBom('export', '--project', project, '--database', database)
    expect([code, notes]).toEqual([
      1,
      [
        `Scanned project "${project}" not found. Select an account with --account (accounts with scans: ci).`,
      ],
    ])
  })

  it.each([[[]], [['--name', 'a', '--network', 'b']]])(
    'requires exactly one selection: %j',
    async (words) => {
      const { code, notes } = await runBom('export', ...words, '--database', database)
      expect([code, notes]).toEqual([
        2,
        ['Cannot export: pass one of --project, --name, --repo and --network'],
      ])
    },
  )
})
