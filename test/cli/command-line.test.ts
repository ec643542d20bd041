import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../adapters/cli/program.ts'
import { VERSION } from '../../core/version.ts'
import { type CommandOutcome, QUIET, runCommand } from '../helpers/command-line.ts'

let folder: string
let database: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-cli-'))
  database = join(folder, 'catalogue.db')
  await runCli(['migrate'])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function runCli(words: readonly string[], input?: Uint8Array): Promise<CommandOutcome> {
  const environment = { API_DISCOVERY_DATABASE: `sqlite:${database}` }
  return runCommand(words, { environment, ...(input ? { input } : {}) })
}

const ALL_COMMANDS = expect.stringMatching(
  /^\(Commands of "api-discovery": serve, .*, search, .*\)$/,
)

describe('command line', () => {
  it('prints help with at least two examples for each command', async () => {
    const top = await runCli(['--help'])
    expect(top.code).toBe(0)
    const names = top.results.flatMap((line) => /^ {2}([a-z]+) {2}/.exec(line)?.[1] ?? [])
    expect(names).toEqual(
      expect.arrayContaining(['serve', 'import', 'search', 'match', 'vendors', 'accounts', 'keys']),
    )
    expect(names.filter((name) => name in SUBCOMMANDS)).toHaveLength(15)
    const leaves = names.flatMap((name) => SUBCOMMANDS[name] ?? (name === 'help' ? [] : [[name]]))
    expect(leaves).toHaveLength(73)
    const groups = names.filter((name) => name in SUBCOMMANDS).map((name) => [name])
    for (const words of [...groups, ...leaves]) {
      const help = await runCli([...words, '--help'])
      expect([words, help.code]).toEqual([words, 0])
      const [, examples = ''] = help.results.join('\n').split('Examples:\n')
      const isEnough = (examples.match(/^ {2}.*api-discovery /gm) ?? []).length >= 2
      expect([words, isEnough]).toEqual([words, true])
    }
  })

  it('lists each command with its own description, without loading any', async () => {
    const loaded = await createProgram({ io: QUIET, words: 'all' })
    const listed = await createProgram({ io: QUIET, words: ['--help'] })
    const describeAll = (program: Command) =>
      program.commands.map((command) => [command.name(), command.description()])
    expect(describeAll(listed)).toEqual(describeAll(loaded))
    expect(listed.commands.flatMap(({ options }) => options.map(({ long }) => long))).not.toContain(
      '--port',
    )
    for (const words of [
      ['--json', 'serve'],
      ['--database', 'keys', 'serve'],
      ['help', 'serve'],
    ]) {
      const { commands } = await createProgram({ io: QUIET, words })
      const [serve, ...others] = commands
      expect(serve?.options.map(({ long }) => long)).toContain('--port')
      expect(others.find((each) => each.name() === 'keys')?.commands).toEqual([])
    }
  })

  it('prints its version', async () => {
    const versions = await Promise.all(['-v', '--version'].map((word) => runCli([word])))
    expect(versions.map(({ code, results }) => [code, results])).toEqual([
      [0, [VERSION]],
      [0, [VERSION]],
    ])
  })

  it('prints commands in the form in which it was started', async () => {
    const program = 'npm run -s cli --'
    const environment = { API_DISCOVERY_DATABASE: `sqlite:${database}` }
    const help = await runCommand(['keys', 'create', '--help'], { program, environment })
    expect(help.results[0]).toBe('Usage: npm run -s cli -- keys create [options]')
    expect(help.results.at(-1)).toBe(
      '  KEY=$(npm run -s cli -- keys create --account ci --scopes read,import --expires 90d)',
    )
    const none = await runCommand(['users', 'list'], { program, environment })
    expect(none.notes).toEqual([
      'No users yet. Invite one: npm run -s cli -- users invite --account NAME',
    ])
  })

  it('exits with 2 and explains invalid usage', async () => {
    expect(await runCli(['nonsense'])).toEqual({
      code: 2,
      results: [],
      notes: ["error: unknown command 'nonsense'", ALL_COMMANDS],
    })
    expect((await runCli(['search'])).code).toBe(2)
    expect((await runCli(['serve', '--port', '70000'])).code).toBe(2)
    expect(await runCli(['vendors', 'list', '--page', '0'])).toEqual({
      code: 2,
      results: [],
      notes: ['page must be an integer from 1 to 1000000000'],
    })
    expect(await runCli(['migrate', '--database', 'mysql://me:secret@host/x'])).toEqual({
      code: 2,
      results: [],
      notes: [
        'Cannot open the database "mysql://…@host/x": it must be sqlite:FILE or postgres://…',
      ],
    })
  })

  it('suggests longer options that contain the typed one', async () => {
    const words = ['vulnerabilities', 'search', 'log4j', '--version', '2.14.1']
    expect(await runCli(words)).toEqual({
      code: 2,
      results: [],
      notes: [
        "error: unknown option '--version'",
        '(Did you mean --product-version?)',
        'Usage: api-discovery vulnerabilities search [options] [term...] (all options: --help)',
      ],
    })
    const own = await runCli(['vulnerabilities', 'search', 'log4j', '--vendr', 'apache'])
    expect(own.notes.slice(0, 2)).toEqual([
      "error: unknown option '--vendr'",
      '(Did you mean --vendor?)',
    ])
    const none = await runCli(['accounts', 'list', '--nonsense'])
    expect(none.notes).toEqual([
      "error: unknown option '--nonsense'",
      'Usage: api-discovery accounts list [options] (all options: --help)',
    ])
  })

  it('prints the help of the command after "help" at any depth', async () => {
    for (const words of [
      ['serve'],
      ['scan'],
      ['scan', 'project'],
      ['gateway', 'credentials', 'set'],
    ]) {
      const help = await runCli(['help', ...words])
      expect([words, help]).toEqual([words, await runCli([...words, '--help'])])
      expect(help.results[0]).toMatch(`Usage: api-discovery ${words.join(' ')} `)
    }
    const argument = await runCli(['help', 'search', 'weather'])
    expect([argument.code, argument.results[0]]).toEqual([
      0,
      'Usage: api-discovery search [options] [text...]',
    ])
    expect((await runCli(['help', '--json'])).code).toBe(0)
    expect(await runCli(['help', 'scan', 'projct'])).toEqual({
      code: 2,
      results: [],
      notes: ["error: unknown command 'projct'", '(Did you mean project?)'],
    })
    expect((await runCli(['help', 'nonsense'])).notes).toEqual([
      "error: unknown command 'nonsense'",
      ALL_COMMANDS,
    ])
  })

  it('creates accounts and prints only the key to standard output', async () => {
    const account = await runCli(['accounts', 'create', 'ci'])
    expect(account).toEqual({
      code: 0,
      results: [expect.stringMatching(/^acc_\w+$/)],
      notes: [],
    })
    const key = await runCli(['keys', 'create', '--account', 'ci', '--scopes', 'read,import'])
    expect(key).toEqual({
      code: 0,
      results: [expect.stringMatching(/^adk_live_\w+$/)],
      notes: [],
    })
    const listed = await runCli(['keys', 'list', '--json'])
    const [record] = JSON.parse(listed.results[0] ?? '[]')
    expect(record).toMatchObject({ name: 'default', scopes: ['read', 'import'] })
    expect(listed.results[0]).not.toContain(key.results[0])
    expect(await runCli(['keys', 'read', record.id, '--account', 'ci'])).toEqual({
      code: 0,
      results: key.results,
      notes: [],
    })
    const rotated = await runCli([
      'keys',
      'rotate',
      record.id,
      '--account',
      'ci',
      '--overlap',
      '1h',
    ])
    expect(rotated.results[0]).not.toBe(key.results[0])
    expect((await runCli(['keys', 'revoke', record.id, '--account', 'ci'])).code).toBe(0)
    expect((await runCli(['keys', 'list'])).results.join('\n')).toContain('revoked')
  })

  it('rejects unknown scopes and invalid durations', async () => {
    const scopes = await runCli(['keys', 'create', '--account', 'ci', '--scopes', 'read,all'])
    expect(scopes).toMatchObject({ code: 2, results: [] })
    const expiry = await runCli(['keys', 'create', '--account', 'ci', '--expires', 'soon'])
    expect(expiry).toEqual({
      code: 2,
      results: [],
      notes: ['Invalid duration "soon": it must have the form 90d, 12h or 30m'],
    })
  })

  it('imports a folder, skips files that are not descriptions and explains why', async () => {
    const outcome = await runCli([
      'import',
      'fixtures/seed/descriptions',
      '--create-vendors',
      '--json',
    ])
    expect(outcome.code).toBe(0)
    expect(JSON.parse(outcome.results[0] ?? '')).toEqual({
      files: 4,
      imported: 4,
      apis: [
        ['Ledgerly Payments', 'Ledgerly', 'ledgerly-payments'],
        ['Pigeon Messaging', 'Pigeon', 'pigeon-messaging'],
        ['Skycast Weather', 'Skycast', 'skycast-weather'],
        ['Wayfare Maps', 'Wayfare', 'wayfare-maps'],
      ].map(([api, vendor, file]) => ({
        api_id: expect.stringMatching(/^\w+$/),
        api_name: api,
        vendor,
        file: expect.stringMatching(`fixtures/seed/descriptions/${file}\\.(json|yaml)$`),
      })),
      operations: 13,
      webhooks: 1,
      callbacks: 0,
      added: 14,
      changed: 0,
      removed: 0,
      unchanged: 0,
      skipped: 0,
      warnings: [],
      replaced: [],
      removed_by_replacement: 0,
      repeated: [],
      failures: [],
    })
    const again = await runCli(['import', 'fixtures/seed/descriptions', '--json'])
    expect(JSON.parse(again.results[0] ?? '')).toMatchObject({ added: 0, unchanged: 14 })
  })

  it('continues after a bad file, and fails only with --strict', async () => {
    const mixed = join(folder, 'mixed')
    await mkdir(mixed)
    await writeFile(join(mixed, 'bad.json'), '{"swagger": ')
    const good = await readFile('fixtures/seed/descriptions/wayfare-maps.yaml')
    await writeFile(join(mixed, 'good.yaml'), good)
    const lenient = await runCli(['import', mixed])
    expect(lenient.code).toBe(0)
    expect(lenient.notes.join('\n')).toContain('bad.json')
    expect(lenient.results[0]).toBe('1 of 2 files imported into 1 API')
    expect(lenient.results.join('\n')).toMatch(/\nAPI ID +API +VENDOR +FILE\n\w+ +\w/)
    expect((await runCli(['import', mixed, '--strict'])).code).toBe(1)
    expect((await runCli(['import', join(mixed, 'bad.json')])).code).toBe(1)
    expect((await runCli(['import', join(folder, 'absent')])).code).toBe(1)
  })

  it('lists files of the same API and every warning', async () => {
    const twins = join(folder, 'twins')
    await mkdir(twins)
    const text = JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'Twin', version: '1.0', 'x-providerName': 'Twins' },
      servers: [{ url: 'https://api.twins.example' }],
      paths: { '/a': { get: {} }, '/b': { get: 'nothing' } },
    })
    await writeFile(join(twins, 'a.json'), text)
    await writeFile(join(twins, 'b.json'), text.replace('"1.0"', '"1.1"').replace('/a', '/c'))
    const json = await runCli(['import', twins, '--create-vendors', '--json'])
    const summary = JSON.parse(json.results[0] ?? '')
    expect(summary.replaced).toEqual([
      { file: join(twins, 'a.json'), by: join(twins, 'b.json'), api: 'Twin (Twins)' },
    ])
    expect(summary.warnings).toEqual(
      ['a.json', 'b.json'].map((name) => ({
        file: join(twins, name),
        pointer: '/paths/~1b/get',
        message: 'Not an operation; skipped',
      })),
    )
    const people = await runCli(['import', twins])
    expect(people.notes.join('\n')).toContain('Not an operation; skipped')
    expect(people.notes.join('\n')).toContain('REPLACED')
  })

  it('fails to read a missing database', async () => {
    const missing = join(folder, 'missing.db')
    for (const words of [
      ['search', 'x'],
      ['keys', 'list'],
      ['vendors', 'list'],
      ['call', 'listCategories'],
    ]) {
      const outcome = await runCli([...words, '--database', missing])
      expect(outcome).toEqual({
        code: 1,
        results: [],
        notes: [
          `Cannot open the database ${missing}: file not found. Create it with "migrate", "import", "sync" or "serve".`,
        ],
      })
    }
    expect(await readdir(folder)).not.toContain('missing.db')
  })

  it('imports standard input', async () => {
    const bytes = new Uint8Array(await readFile('fixtures/seed/descriptions/pigeon-messaging.json'))
    const outcome = await runCli(['import', '-', '--vendor', 'pigeon', '--json'], bytes)
    expect(JSON.parse(outcome.results[0] ?? '')).toMatchObject({ imported: 1, unchanged: 3 })
  })

  it('explains how to add an unknown vendor', async () => {
    const outcome = await runCli([
      'import',
      'fixtures/seed/descriptions/wayfare-maps.yaml',
      '--vendor',
      'Nobody',
    ])
    expect(outcome.code).toBe(1)
    expect(outcome.notes[0]).toBe(
      '1 of 1 file was not imported: its vendor is not in the catalogue. Run the command again with --create-vendors to add it.',
    )
  })

  it('rejects a vendor with the homepage of another vendor', async () => {
    const add = (name: string, homepage: string) =>
      runCli(['vendors', 'add', name, '--homepage', homepage])
    expect(await add('Nobody', 'https://developer.spotify.com/')).toEqual({
      code: 1,
      results: [],
      notes: ['Cannot create the vendor "Nobody": developer.spotify.com belongs to Spotify'],
    })
    expect(await add('Code Tenant', 'https://github.com/tenant')).toMatchObject({ code: 0 })
    expect(await add('Spotify AB', 'https://spotify.com')).toMatchObject({ code: 0 })
  })

  it('prints searches and matches as text and as JSON', async () => {
    const found = await runCli(['search', 'send', 'a', 'text', 'message', '--size', '1'])
    expect(found.code).toBe(0)
    expect(found.results[0]).toMatch(/^Pigeon Messaging v3 \(Pigeon\) [A-Za-z0-9]{18}$/)
    expect(found.results[1]).toMatch(/POST https:\/\/api\.pigeon\.example\/v3\/messages/)
    expect(await runCli(['search', 'zzzzzz'])).toEqual({
      code: 0,
      results: [],
      notes: ['No results for "zzzzzz".'],
    })
    const narrowed = await runCli([
      'search',
      '--vendor',
      'ledgerly',
      '--deprecated',
      'no',
      '--facets',
    ])
    expect(narrowed.code).toBe(0)
    expect(narrowed.results[0]).toMatch(/^Ledgerly Payments /)
    expect(narrowed.results).toContainEqual(expect.stringMatching(/^vendor +Ledgerly \* +1$/))
    expect(narrowed.notes).toEqual(['1 API, page 1 of 1.'])
    expect((await runCli(['search', '--vendor', 'nobody'])).notes).toEqual([
      'No APIs with --vendor "nobody".',
    ])
    expect(await runCli(['search', 'x', '--auth', 'magic', '--category', 'all'])).toEqual({
      code: 2,
      results: [],
      notes: [
        'category must be the name of a category, as the operation listCategories lists them (on the command line: call listCategories); auth must be one of BasicAuth, body, header, none, OAuth1, OAuth2, path, query, undeclared',
      ],
    })
    const match = await runCli([
      'match',
      'GET',
      'https://api.ledgerly.example/v1/payments',
      '--json',
    ])
    expect(JSON.parse(match.results[0] ?? '')).toMatchObject({
      apiName: 'Ledgerly Payments',
      method: 'get',
      level: 'endpoint',
    })
    const known = await runCli(['match', '-', 'https://api.github.com/user'])
    expect([known.code, known.notes]).toEqual([
      1,
      ['No catalogued API matches this URL. The host belongs to GitHub.'],
    ])
    expect(await runCli(['match', '-', 'https://unknown.invalid/'])).toEqual({
      code: 1,
      results: [],
      notes: ['No catalogued API matches this URL.'],
    })
  })

  it('rejects an unknown method in a match', async () => {
    expect(await runCli(['match', 'FOO', 'https://api.github.com/user'])).toEqual({
      code: 2,
      results: [],
      notes: [
        'Invalid method "FOO": use GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE or QUERY, or - if unknown',
      ],
    })
    const url = 'https://api.ledgerly.example/v1/payments'
    expect((await runCli(['match', 'get', url])).code).toBe(0)
    expect((await runCli(['match', 'QUERY', url])).code).toBe(0)
  })

  it('rejects a URL without a host in a match', async () => {
    for (const url of ['foo', '/v1/users', '']) {
      expect(await runCli(['match', 'GET', url])).toEqual({
        code: 2,
        results: [],
        notes: [`Cannot match "${url}": it has no host; use the form https://api.acme.example/v1`],
      })
    }
    for (const url of ['unknown.invalid/x', 'localhost:8080/x', '{host}.unknown.invalid']) {
      expect([url, (await runCli(['match', 'GET', url])).code]).toEqual([url, 1])
    }
  })

  it('finds the APIs of a vendor by its domain', async () => {
    const [byName, byDomain] = await Promise.all(
      ['pigeon', 'Pigeon.example'].map((vendor) => runCli(['search', '--vendor', vendor])),
    )
    expect(byDomain?.results[0]).toMatch(/^Pigeon Messaging /)
    expect(byDomain).toEqual(byName)
  })

  it('calls operations by name and lists them', async () => {
    const listed = await runCli(['call'])
    expect(listed.results).toContain('listCategories')
    const called = await runCli(['call', 'searchVendors', '--q', 'pigeon', '--size=1'])
    expect(JSON.parse(called.results[0] ?? '')).toMatchObject({
      num_results: 1,
      vendors: [{ name: 'Pigeon' }],
    })
    expect(await runCli(['call', 'searchEndpoint'])).toMatchObject({
      code: 2,
      notes: [
        'Operation "searchEndpoint" not found. List all operations: api-discovery call',
        '(Did you mean searchEndpoints?)',
      ],
    })
    expect((await runCli(['call', 'searchVendors', '--who', 'x'])).code).toBe(2)
    expect((await runCli(['call', 'getEndpointParameters', '--endpoint_id', 'zzzzzzz'])).code).toBe(
      1,
    )
    expect((await runCli(['call', 'searchVulnerabilities', '--body', '{}'])).code).toBe(2)
    expect((await runCli(['call', 'getRateLimitResult', '--endpoint_id', '9'])).code).toBe(1)
  })

  it('backs up the database, restores the file, and rotates the secret', async () => {
    const copy = join(folder, 'copy.db')
    expect((await runCli(['backup', copy])).code).toBe(0)
    expect((await runCli(['backup', copy])).code).toBe(1)
    const restored = await runCommand(['vendors', 'list', '--json', '--database', copy])
    expect(JSON.parse(restored.results[0] ?? '')).toMatchObject({ num_results: 7 })
    expect((await runCli(['secret', 'rotate'])).code).toBe(0)
    expect((await runCli(['secret', 'rotate', '--finish'])).code).toBe(0)
    const [record] = JSON.parse((await runCli(['keys', 'list', '--json'])).results[0] ?? '[]')
    expect((await runCli(['keys', 'read', record.id, '--account', 'ci'])).code).toBe(0)
  })

  it('prints its own OpenAPI document, which can be imported', async () => {
    const { results } = await runCli(['openapi'])
    const bytes = new TextEncoder().encode(results.join('\n'))
    const outcome = await runCli(
      ['import', '-', '--vendor', 'Self', '--create-vendors', '--json'],
      bytes,
    )
    expect(JSON.parse(outcome.results[0] ?? '')).toMatchObject({ imported: 1, skipped: 0 })
  })
})

const SUBCOMMANDS: Readonly<Record<string, readonly string[][]>> = {
  accounts: [
    ['accounts', 'create'],
    ['accounts', 'list'],
  ],
  sync: ['nvd', 'cve', 'kev', 'epss'].map((name) => ['sync', name]),
  vulnerabilities: ['search', 'show', 'status'].map((name) => ['vulnerabilities', name]),
  keys: ['create', 'list', 'read', 'rotate', 'revoke'].map((name) => ['keys', name]),
  vendors: [
    ['vendors', 'add'],
    ['vendors', 'list'],
  ],
  export: ['apis-json', 'backstage'].map((name) => ['export', name]),
  agreements: ['list', 'history', 'set', 'import'].map((name) => ['agreements', name]),
  users: ['create', 'invite', 'list', 'reset', 'remove'].map((name) => ['users', name]),
  secret: [['secret', 'rotate']],
  scan: ['project', 'diff'].map((name) => ['scan', name]),
  bom: ['export', 'validate', 'convert', 'merge', 'diff'].map((name) => ['bom', name]),
  benchmark: ['start', 'result', 'list', 'stop', 'consent'].map((name) => ['benchmark', name]),
  jobs: ['list', 'cancel', 'run'].map((name) => ['jobs', name]),
  scans: ['list', 'show', 'review', 'delete'].map((name) => ['scans', name]),
  gateway: [
    ['gateway'],
    ['gateway', 'history'],
    ...['set', 'list', 'remove'].map((name) => ['gateway', 'credentials', name]),
    ...['set', 'list', 'remove'].map((name) => ['gateway', 'policies', name]),
    ...['list', 'show', 'publish', 'unpublish', 'remove'].map((name) => [
      'gateway',
      'recordings',
      name,
    ]),
  ],
}
