import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-import-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function runCli(...words: string[]): Promise<CommandOutcome> {
  const environment = { API_DISCOVERY_DATABASE: `sqlite:${join(folder, 'catalogue.db')}` }
  return runCommand(words, { environment })
}

function describeApi(title: string): string {
  const paths = { '/things': { get: { responses: { 200: { description: 'Things' } } } } }
  const document = { openapi: '3.1.0', info: { title, version: '1' }, paths }
  return JSON.stringify({ ...document, servers: [{ url: '/v1' }] })
}

describe('an import', () => {
  it('reads visibility and base URL from its options', async () => {
    const file = join(folder, 'relative.json')
    await writeFile(file, describeApi('Relative'))
    const made = ['--vendor', 'Rel', '--create-vendors', '--private']
    const imported = await runCli('import', file, ...made, '--base-url', 'https://rel.example')
    expect(imported.code).toBe(0)
    const { results } = await runCli('call', 'searchEndpoints', '--q', 'things')
    expect(JSON.parse(results[0] ?? '')).toMatchObject({
      endpoints: [
        {
          name: 'Relative',
          is_public_api: false,
          matched_endpoints: [{ endpoint: 'https://rel.example/v1/things' }],
        },
      ],
    })
    const refused = await runCli(
      'import',
      file,
      '--vendor',
      'Rel',
      '--base-url',
      'nonsense',
      '--json',
    )
    expect([refused.code, JSON.parse(refused.results[0] ?? '').failures]).toEqual([
      1,
      [{ file, reason: 'base_url must be an http or https URL' }],
    ])
  })

  it('reads several files and folders, and reports each', async () => {
    const root = join(folder, 'several')
    await mkdir(join(root, 'more'), { recursive: true })
    const [one, two, bad, more] = ['one.json', 'two.json', 'bad.json', 'more'].map((name) =>
      join(root, name),
    ) as [string, string, string, string]
    for (const [file, title] of Object.entries({ [one]: 'Anchors', [two]: 'Buoys' })) {
      await writeFile(file, describeApi(title))
    }
    await writeFile(join(more, 'three.json'), describeApi('Cranes'))
    await writeFile(join(more, 'four.json'), '{}')
    await writeFile(bad, 'nonsense')
    const made = ['--vendor', 'Several', '--create-vendors']
    const again = [one, `${root}/./one.json`, `${more}/../more`, `${root}/./more/three.json`]
    const all = await runCli('import', one, two, more, ...again, ...made)
    expect([all.code, all.results[0]]).toEqual([0, '3 of 4 files imported into 3 APIs'])
    expect(all.results.slice(2).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['API', 'VENDOR', 'FILE'],
      ['Anchors', 'Several', one],
      ['Buoys', 'Several', two],
      ['Cranes', 'Several', join(more, 'three.json')],
    ])
    expect((await runCli('import', one, more, '--strict', ...made)).code).toBe(1)
    const none = join(root, 'none.json')
    const failed = await runCli('import', none, one, bad, ...made, '--json')
    const { imported, files, failures } = JSON.parse(failed.results.join(''))
    expect([failed.code, imported, files]).toEqual([1, 1, 2])
    expect(failures).toEqual([
      { file: none, reason: `Cannot read ${none}: file not found` },
      { file: bad, reason: 'Cannot import the file: it contains a string, not an object' },
    ])
  })

  it('reads cards of MCP servers and agents in a folder, and no files that resemble them', async () => {
    const root = join(folder, 'cards')
    await mkdir(root)
    const cards = ['skycast-mcp-server.json', 'parcels-agent-0.3.json']
    for (const name of cards) await copyFile(`fixtures/descriptions/${name}`, join(root, name))
    await writeFile(join(root, 'package.json'), '{"name":"@acme/mcp","version":"1.0.0"}')
    const { code, results } = await runCli('import', root, '--create-vendors')
    expect([code, ...results.slice(0, 2)]).toEqual([
      0,
      '2 of 3 files imported into 2 APIs',
      'Operations: 5 added, 0 changed, 0 unchanged, 0 skipped, 0 removed',
    ])
    const found = await runCli('search', '--kind', 'a2a')
    expect(found.results).toEqual([
      expect.stringMatching(/^Parcel Desk 2\.0\.0 \(Parcel Works, A2A agent\) +\w+$/),
    ])
    const shown = await runCli('show', 'Skycast for agents')
    expect(shown.results).toContainEqual(expect.stringMatching(/^Kind +MCP server$/))
    const listed = await runCli('endpoints', 'Skycast for agents', 'forecast', '--json')
    const [tool] = JSON.parse(listed.results.join('')).endpoints
    const described = await runCli('show', tool.endpoint_id)
    expect(described.notes).toContain(
      'Connect an MCP client to https://mcp.skycast-mcp.org/{region}/mcp.',
    )
    const called = await runCli('gateway', tool.endpoint_id, 'place=Bern', '--dry-run')
    expect([called.code, called.notes.join('\n')]).toEqual([
      expect.any(Number),
      expect.stringContaining('it belongs to an MCP server. Connect an MCP client to https://'),
    ])
    expect(called.code).not.toBe(0)
  })

  it('counts operations and webhooks separately, and both as added', async () => {
    const file = 'fixtures/seed/descriptions/ledgerly-payments.json'
    const { results } = await runCli('import', file, '--create-vendors')
    expect(results.slice(0, 2)).toEqual([
      '1 of 1 file imported into 1 API',
      'Operations, including 1 webhook: 5 added, 0 changed, 0 unchanged, 0 skipped, 0 removed',
    ])
  })

  it('lists missing vendors once and first, and adds them on request', async () => {
    const root = join(folder, 'vendors')
    await mkdir(root)
    const files = ['a', 'b', 'c'].map((name) => join(root, `${name}.json`))
    for (const [at, file] of files.entries()) {
      const document = JSON.parse(describeApi(`Number ${at}`))
      document.info['x-providerName'] = at === 0 ? 'Zebra' : 'Aardvark'
      await writeFile(file, JSON.stringify(document))
    }
    await writeFile(join(root, 'd.json'), '{}')
    const refused = await runCli('import', root)
    expect(refused.code).toBe(1)
    expect(refused.notes.slice(0, 2)).toEqual([
      '3 of 4 files were not imported: their 2 vendors are not in the catalogue. Run the command again with --create-vendors to add them.',
      'Unknown vendors: Aardvark, Zebra',
    ])
    expect(refused.notes.join('\n').match(/json/g)).toHaveLength(1)
    expect(refused.results[0]).toBe('0 of 4 files imported')
    const json = await runCli('import', files[0] ?? '', '--json')
    expect(JSON.parse(json.results[0] ?? '').failures).toEqual([
      {
        file: files[0],
        reason: 'Vendor "Zebra" not found',
        unknown_vendor: 'Zebra',
      },
    ])
    expect((await runCli('import', root, '--create-vendors')).results[0]).toBe(
      '3 of 4 files imported into 3 APIs',
    )
  })

  it('explains files of one API: copies, replaced files and removed operations', async () => {
    const root = join(folder, 'versions')
    await mkdir(join(root, 'new'), { recursive: true })
    const text = describeApi('Ferries')
    const files = ['a.json', 'b.json', 'new/c.json', 'new/d.json']
    for (const file of files) {
      const isNew = file.startsWith('new/')
      await writeFile(join(root, file), isNew ? text.replace('/things', '/trips') : text)
    }
    await writeFile(join(root, 'bad.json'), '[]')
    const summary = ['import', root, '--vendor', 'Versions', '--create-vendors']
    const { code, results, notes } = await runCli(...summary)
    expect([code, results.slice(0, 3)]).toEqual([
      0,
      [
        '4 of 5 files imported into 1 API',
        '2 files repeat an earlier one, 1 file was replaced by a later one',
        'Operations: 2 added, 0 changed, 2 unchanged, 0 skipped, 1 removed (by these replacements)',
      ],
    ])
    expect(results.at(-1)?.split(/ {2,}/).at(-1)).toBe('new/d.json')
    const rows = notes.map((line) => line.split(/ {2,}/).slice(0, 2))
    expect(rows).toContainEqual(['bad.json', expect.stringContaining('it contains a list')])
    expect(rows).toContainEqual(['b.json', 'new/c.json'])
    // Before, the catalogue had the trips: the first file removed them.
    const again = await runCli(...summary)
    expect(again.results[2]).toBe(
      'Operations: 2 added, 0 changed, 2 unchanged, 0 skipped, 2 removed (1 by these replacements)',
    )
    const { repeated, removed_by_replacement: removed } = JSON.parse(
      (await runCli(...summary, '--json')).results.join(''),
    )
    expect([repeated.map((each: { readonly of: string }) => each.of), removed]).toEqual([
      [join(root, 'a.json'), join(root, 'new/c.json')],
      1,
    ])
  })

  it('prints the number of further APIs below the table', async () => {
    const root = join(folder, 'many')
    await mkdir(root)
    for (let at = 10; at < 32; at += 1) {
      await writeFile(join(root, `${at}.json`), describeApi(`Pier ${at}`))
    }
    const { results } = await runCli('import', root, '--vendor', 'Many', '--create-vendors')
    expect(results.at(-2)).toContain('Pier 29')
    expect(results.at(-1)).toBe('2 more APIs: see --json')
  })

  it('skips hidden entries and installed packages', async () => {
    const root = join(folder, 'tree')
    for (const name of ['.hidden', 'node_modules', 'kept']) {
      await mkdir(join(root, name), { recursive: true })
      await writeFile(join(root, name, 'api.json'), describeApi(`In ${name}`))
    }
    await writeFile(join(root, '.api.json'), describeApi('Hidden'))
    const { results } = await runCli(
      'import',
      root,
      '--vendor',
      'Tree',
      '--create-vendors',
      '--json',
    )
    expect(JSON.parse(results[0] ?? '')).toMatchObject({ files: 1, imported: 1, failures: [] })
  })

  it('escapes control characters in file names', async () => {
    const root = join(folder, 'steering')
    await mkdir(root)
    await writeFile(join(root, 'a\u001b[2Jb.json'), 'no description')
    const { notes } = await runCli('import', root)
    expect(notes.join('\n')).toContain('a\\x1b[2Jb.json')
    expect(notes.join('\n')).not.toContain('\u001b')
  })
})

describe('the rotation of a secret', () => {
  it('keeps the previous secret in the file until it is finished', async () => {
    const file = join(folder, 'catalogue.db.secret')
    const count = async () => (await readFile(file, 'utf8')).trim().split('\n').length
    await runCli('accounts', 'create', 'ci')
    const lines = [await count()]
    for (const more of [[], [], ['--finish']]) {
      expect((await runCli('secret', 'rotate', ...more)).code).toBe(0)
      lines.push(await count())
    }
    expect(lines).toEqual([1, 2, 2, 1])
  })
})
