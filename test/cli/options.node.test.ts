import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-options-'))
  await runCli(['migrate'])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function runCli(words: readonly string[]): Promise<CommandOutcome> {
  const environment = { API_DISCOVERY_DATABASE: `sqlite:${join(folder, 'catalogue.db')}` }
  return runCommand(words, { environment })
}

describe('options', () => {
  it('of the program yield to operation parameters of the same name', async () => {
    expect(await runCli(['call', 'listScannedProjects', '--version', '2'])).toEqual({
      code: 0,
      results: ['[]'],
      notes: [],
    })
    expect((await runCli(['--version'])).results).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/)])
  })

  it('with a list of allowed addresses reject an empty list', async () => {
    const { code, notes } = await runCli(['gateway', 'aB3dE5f', '--egress-allow', ',,'])
    expect([code, notes.join('\n')]).toEqual([
      2,
      expect.stringContaining('It must contain an address, a range or a host name.'),
    ])
  })

  it('of all commands are accepted before, between and after the command words', async () => {
    const file = `sqlite:${join(folder, 'other.db')}`
    await runCommand(['migrate', '--database', file])
    await runCommand(['migrate', '--database', file])
    const places = [
      ['--json', '--database', file, 'accounts', 'list'],
      ['accounts', '--json', '--database', file, 'list'],
      ['accounts', 'list', '--json', '--database', file],
      ['--json', 'accounts', 'list', '--database', file],
    ]
    for (const words of places) {
      const outcome = await runCommand(words)
      expect([words, outcome]).toEqual([words, { code: 0, results: ['[]'], notes: [] }])
    }
  })

  it('of a call are its parameters, not members of the object prototype', async () => {
    for (const name of ['toString', 'constructor', '__proto__']) {
      expect(await runCli(['call', name])).toEqual({
        code: 2,
        results: [],
        notes: [`Operation "${name}" not found. List all operations: api-discovery call`],
      })
      expect(await runCli(['call', 'listCategories', `--${name}`, 'x'])).toEqual({
        code: 2,
        results: [],
        notes: [`Cannot use --${name}: the operation accepts no parameters`],
      })
    }
  })

  it('with a value do not accept the next option as the value', async () => {
    const words: readonly (readonly string[])[] = [
      ['scan', 'project', folder, '--bom', '--output', 'bom.json'],
      ['search', '--vendor', '--facets'],
      ['vendors', 'list', '--database', '--json'],
      ['call', 'searchEndpoints', '--q', '--size', '3'],
      ['keys', 'create', '--account', 'ci', '--scopes', '--json'],
    ]
    const outcomes = await Promise.all(words.map((each) => runCli(each)))
    expect(outcomes.map(({ code, results, notes }) => [code, results, ...notes])).toEqual(
      [
        ['--bom', '--output'],
        ['--vendor', '--facets'],
        ['--database', '--json'],
        ['--q', '--size'],
        ['--scopes', '--json'],
      ].map(([flag, next]) => [
        2,
        [],
        `Missing value of ${flag}: it is followed by ${next}. If ${next} is the value, use ${flag}=${next}`,
      ]),
    )
    expect(await runCli(['search', '--vendor=--facets'])).toMatchObject({ code: 0 })
    expect(await runCli(['call', 'searchVendors', '--q=--size'])).toMatchObject({ code: 0 })
  })

  it('of a call are not the members of its body, which the error lists', async () => {
    const { code, notes } = await runCli(['call', 'searchVulnerabilities', '--search_term', 'x'])
    expect([code, notes]).toEqual([
      2,
      [
        expect.stringMatching(
          /^Cannot use --search_term: the operation accepts --body JSON, an object of search_term, cvssv2_filter, [a-z0-9_, ]+, size$/,
        ),
      ],
    ])
    expect((await runCli(['call', 'uploadDescription', '--body', '{}'])).notes).toEqual([
      'Cannot use --body: the operation accepts --vendor, --category, --base_url, --private, --countries, --file FILE',
    ])
    expect((await runCli(['call', 'callEndpoint', '--url', 'x'])).notes).toEqual([
      'Cannot use --url: the operation accepts --endpoint_id, --follow_redirects, --dry_run, --server, --record, --body JSON, an object of values by name',
    ])
  })

  it('are rejected if they are invalid', async () => {
    const refused: readonly (readonly [readonly string[], string])[] = [
      [['--base-path', 'api'], 'Invalid base path "api": must look like /api'],
      [['--base-path', '/a b'], 'Invalid base path "/a b": must look like /api'],
      [
        ['--cors-origin', 'https://app.example/'],
        'Cannot allow the origin "https://app.example/": it must look like https://app.example',
      ],
      [
        ['--trusted-proxies', '10.0.0.0/8,proxy'],
        'Invalid trusted proxy "proxy": must be an address or a CIDR range',
      ],
    ]
    for (const [words, note] of refused) {
      const outcome = await runCli(['serve', '--port', '0', ...words])
      expect(outcome).toEqual({ code: 2, results: [], notes: [note] })
    }
    expect((await runCli(['serve', '--max-file-mb', '61'])).code).toBe(2)
    expect((await runCli(['openapi', '--base-path', 'api'])).code).toBe(2)
    const { results } = await runCli(['openapi', '--base-path', '/v2/'])
    expect(JSON.parse(results.join('\n'))).toMatchObject({ servers: [{ url: '/v2' }] })
  })

  it('with invalid values are reported after the help, and before the database is opened', async () => {
    const environment = { API_DISCOVERY_DATABASE: `sqlite:${join(folder, 'missing.db')}` }
    const invalid: readonly (readonly string[])[] = [
      ['keys', 'create', '--account', 'ci', '--scopes', 'all'],
      ['users', 'invite', '--account', 'ci', '--public-url', 'ftp://x'],
      ['benchmark', 'consent', 'aB3dE5f', '--value', 'city'],
      ['benchmark', 'start', 'aB3dE5f', '--value', 'city'],
      ['gateway', 'aB3dE5f', '--record'],
      ['bom', 'export', '--name', 'shop', '--to', 'pdf'],
      ['scans', 'review', 'prj_1'],
      ['match', 'GET', '/users'],
    ]
    for (const words of invalid) {
      const { code, notes } = await runCommand(words, { environment })
      expect([words, code, notes.join()]).toEqual([words, 2, expect.not.stringMatching(/database/)])
    }
    const help = await runCli(['keys', 'create', '--scopes', 'all', '--help'])
    expect([help.code, help.results[0]]).toEqual([0, 'Usage: api-discovery keys create [options]'])
  })

  it('with an empty account are rejected', async () => {
    expect(await runCli(['keys', 'list', '--account', ''])).toEqual({
      code: 1,
      results: [],
      notes: ['Account "" not found', 'List what exists: api-discovery accounts list'],
    })
  })
})
