import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadExampleVulnerabilities } from '../../adapters/cli/seed.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { ROOT } from '../helpers/build.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { noteInterruptible } from '../helpers/interrupt.ts'
import { findSarifFaults } from '../helpers/sarif.ts'
import { runScript } from '../helpers/script.ts'

const BOOKSHOP = join(ROOT, 'fixtures', 'projects', 'bookshop')
const DESCRIPTIONS = join(ROOT, 'fixtures', 'projects', 'descriptions')

let folder: TestFolder
let database = ''

beforeAll(async () => {
  folder = await makeFolder()
  database = folder.pathOf('apis.db')
  const words = ['import', DESCRIPTIONS, '--create-vendors', '--database', database]
  expect((await runCommand(words)).code).toBe(0)
})
afterAll(() => folder.remove())

/** Scans the example project over the filled catalogue. Reads each file once for all tests. */
function scanBookshop(
  words: readonly string[],
  given: Parameters<typeof runCommand>[1] = {},
): Promise<CommandOutcome> {
  const stored = ['--database', database, '--cache-dir', folder.pathOf('cache')]
  return runCommand(['scan', 'project', BOOKSHOP, ...words, ...stored], given)
}

const textOf = ({ bytes }: CommandOutcome) => new TextDecoder().decode(bytes)
const jsonOf = (outcome: CommandOutcome) => JSON.parse(textOf(outcome))

/** Removes bold type and durations. */
function toPlain(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
    line.replace(/\u001b\[\d+m/g, '').replace(/\d+\.\d s\.$/, '… s.'),
  )
}

const SUMMARY = '5 services, 6 usages; 5 files read; … s.'
const NOT_CHECKED =
  '1 package not checked for CVEs: load CVE records with "api-discovery sync all".'

describe('scan project', () => {
  it('reads the project file, and reports wrappers that it cannot follow', async () => {
    const project = await makeFolder()
    try {
      await writeFile(
        project.pathOf('.api-discovery.yaml'),
        'wrappers:\n  - api.call(method, path)\n',
      )
      await writeFile(project.pathOf('a.sh'), 'curl https://api.acme.io/v1\n')
      const found = await runCommand(['scan', 'project', project.pathOf('.')])
      expect(found.notes).toContain(
        'Wrapper api.call(method, path) of the project file: no call found.',
      )
      await writeFile(project.pathOf('.api-discovery.yaml'), 'wrapper: []\n')
      const refused = await runCommand(['scan', 'project', project.pathOf('.')])
      expect(refused.code).not.toBe(0)
      expect(refused.notes.join('\n')).toContain(
        'Cannot read .api-discovery.yaml: wrapper is unknown: ',
      )
    } finally {
      await project.remove()
    }
  })

  it('prints a row for each API, then for each host that is not catalogued', async () => {
    const { code, results, notes } = await scanBookshop([])
    expect(code).toBe(0)
    expect(toPlain(results)).toEqual([
      'CATALOGUED API       PURPOSE        HOST               USED IN     ENDPOINTS  USAGES  CONFIDENCE  LOCATION',
      'Card payments 1.2.0  payments       api.stripe.com     production  2          2       high        src/payments.ts:4',
      'Code hosting 2.0.0   code hosting   api.github.com     production  1          1       high        jobs/releases.py:6',
      'Jenkins 2.4.0        -              ci.jenkins.io      build       1          1       high        scripts/build.sh:2',
      '',
      'NOT CATALOGUED       PURPOSE        HOST               USED IN     ENDPOINTS  USAGES  CONFIDENCE  LOCATION',
      'mailhopper.io        -              api.mailhopper.io  production  1          1       high        src/receipts.ts:3',
      'Twilio               SMS and calls  api.twilio.com     production  library    1       high        jobs/requirements.txt:2',
    ])
    expect(toPlain(notes)).toEqual([
      SUMMARY,
      'Not catalogued: the catalogue has no description of the API. To match endpoints',
      'and terms, import one: api-discovery import FILE --create-vendors',
      NOT_CHECKED,
      'Add --verbose to list all services, endpoints and locations, or --json for all data.',
    ])
  })

  it('lists endpoints with locations, approval and terms with --verbose', async () => {
    const { results, notes } = await scanBookshop(['--verbose'])
    expect(toPlain(results)).toEqual([
      'SERVICE                       CONFIDENCE  USED IN     LOCATION                 APPROVAL    TERMS',
      'Card payments 1.2.0 (Stripe)  high 0.95   production  2 usages in 1 file       unreviewed  MIT, Terms of service',
      ' POST /v1/charges             0.95                    src/payments.ts:4',
      ' GET /v1/charges/{}           0.95                    src/payments.ts:8',
      'Code hosting 2.0.0 (GitHub)   high 0.95   production  1 usage in 1 file        unreviewed  none known',
      ' GET /repos/{}/{}/releases    0.95                    jobs/releases.py:6',
      'api.mailhopper.io             high 0.95   production  1 usage in 1 file        unreviewed',
      ' POST /v3/messages            0.95                    src/receipts.ts:3',
      'api.twilio.com (Twilio)       high 0.90   production  1 usage in 1 file        unreviewed',
      ' api.twilio.com               0.90                    jobs/requirements.txt:2',
      'Jenkins 2.4.0 (Jenkins)       high 0.95   build       1 usage in 1 file        unreviewed  MIT',
      ' POST /job/{}/build           0.95        build       scripts/build.sh:2',
    ])
    expect(toPlain(notes)).toContain(SUMMARY)
  })

  it.each([60, 80, 100, 140])('fits a terminal of %i columns', async (columns) => {
    for (const words of [[], ['--verbose']]) {
      const { results } = await scanBookshop(words, { terminal: { columns, hasColors: false } })
      const widths = toPlain(results).map((line) => [...line].length)
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    }
  })

  it('names the services of a large project on one screen', async () => {
    const project = folder.pathOf('many')
    await mkdir(join(project, 'tests'), { recursive: true })
    const ask = (host: string) => `await fetch('https://${host}/v1/items')\n`
    const files = {
      'a.ts': Array.from({ length: 60 }, (_, at) => ask(`api.service${at}.io`)).join(''),
      'b.ts': ask('eu.service7.io') + ask('eu.service7.io'),
      'tests/a.ts': ask('api.service3.io') + ask('sandbox.service99.io'),
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text)
    const given = ['scan', 'project', project, '--database', database]
    const { results, notes } = await runCommand(given)
    const lines = toPlain(results)
    expect(lines.slice(0, 3)).toEqual([
      'NOT CATALOGUED  HOST                 USED IN           ENDPOINTS  USAGES  CONFIDENCE  LOCATION',
      'service7.io     eu.service7.io (+1)  production        2          3       high        a.ts:8',
      'service3.io     api.service3.io      production, test  1          2       high        a.ts:4',
    ])
    expect(lines.slice(25).join('').replaceAll(/ +/g, ' ')).toMatch(
      /^… and 36 more in production:(?: service\d+\.io,?){36}Only in tests: sandbox\.service99\.io$/,
    )
    expect(results.length + notes.length).toBeLessThanOrEqual(40)
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
    const narrow = await runCommand(given, { terminal: { columns: 30, hasColors: false } })
    expect(toPlain(narrow.results).join('\n')).toMatch(
      /\n {2}and \d+ more: add --verbose to list all\n/,
    )
  })

  it('keeps each section of a large project, and says where further services are used', async () => {
    const project = await makeFolder()
    const askAll = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => `await fetch('https://api.${name}${at}.io/v1')\n`)
    const files = {
      'src/a.ts': [...askAll('prod', 30), "await fetch('https://api.stripe.com/v1/charges')\n"],
      'scripts/a.ts': [...askAll('build', 3), "await fetch('https://api.prod29.io/v2')\n"],
      'examples/a.ts': [...askAll('sample', 2), "await fetch('https://api.prod8.io/v1')\n"],
      'tests/a.test.ts': askAll('only', 2),
    }
    try {
      for (const [name, lines] of Object.entries(files)) {
        await mkdir(dirname(project.pathOf(name)), { recursive: true })
        await writeFile(project.pathOf(name), lines.join(''))
      }
      const words = ['scan', 'project', project.pathOf('.'), '--database', database]
      const lines = toPlain((await runCommand(words)).results)
      const table = lines.slice(
        0,
        lines.findIndex((line) => line.startsWith('…')),
      )
      const sections = table.join('\n').split('\n\n')
      expect(
        sections.map((section) => {
          const [heading = '', ...rows] = section.split('\n')
          return [heading.split(/ {2,}/)[0], rows.length]
        }),
      ).toEqual([
        ['CATALOGUED API', 1],
        ['NOT CATALOGUED', 23],
      ])
      expect(table.at(4)).toMatch(
        /^prod29\.io +- +api\.prod29\.io +production, build +2 +2 +high +src/,
      )
      expect(table.join('\n')).toMatch(/\nprod8\.io .* production, example .* src\/a\.ts:9\n/)
      expect(
        lines
          .slice(table.length)
          .join('')
          .split(/(?=…|Only)/),
      ).toEqual([
        expect.stringMatching(/^… and 7 more in production:(?: prod\d+\.io,?){7}$/),
        '… and 3 more in build: build0.io, build1.io, build2.io',
        '… and 2 more in example: sample0.io, sample1.io',
        'Only in tests: api.only0.io, api.only1.io',
      ])
      const { services } = jsonOf(await runCommand([...words, '--json']))
      const prod29 = services.find(({ name }: { readonly name: string }) => name === 'prod29.io')
      expect([prod29.role, prod29.roles]).toEqual([undefined, ['production', 'build']])
      const verbose = toPlain((await runCommand([...words, '--verbose'])).results).join('\n')
      expect(verbose).toMatch(/\napi\.prod29\.io +high 0\.95 +production, build +2 usages/)
      expect(verbose).toMatch(/\n GET \/v2 +0\.95 +build +scripts\/a\.ts:4/)
    } finally {
      await project.remove()
    }
  })

  it('separates tests, builds, downloads and own hosts, and explains calls without a host', async () => {
    const project = await makeFolder()
    const files = {
      'package.json': '{ "name": "@storefront/web", "homepage": "https://shop.acme.io" }',
      'src/a.ts': "await fetch('https://api.third.io/v1/items')\n",
      'src/own.ts': "await fetch('https://api.acme.io/v1/carts')\n",
      'src/named.ts': "await fetch('https://api.storefront.dev/v1/users')\n",
      'src/open.ts': Array.from(
        { length: 4 },
        (_, at) => `fetch(process.env.API + '/v1/list${at}')\n`,
      ).join(''),
      'scripts/fetch.mjs': "await fetch('https://get.tools.io/tool.tar.gz')\n",
      '.github/workflows/a.yml':
        'on: push\njobs:\n  a:\n    steps:\n      - run: curl https://api.ping.io/v1\n',
      'docs/a.js':
        "await fetch('https://api.third.io/v2/docs')\nfetch('https://api.sample.io/v1')\n",
      'tests/a.test.ts': "await fetch('https://api.only-tests.io/v1')\n",
    }
    try {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(project.pathOf(name)), { recursive: true })
        await writeFile(project.pathOf(name), text)
      }
      const words = ['scan', 'project', project.pathOf('.'), '--database', database]
      const { results, notes } = await runCommand(words)
      const rows = toPlain(results).map((line) => line.replaceAll(/ {2,}/g, ' | '))
      expect(rows.filter((line) => !line.includes('CONFIDENCE'))).toEqual([
        'third.io | api.third.io | production, example | 2 | 2 | high | src/a.ts:1',
        'ping.io | api.ping.io | build | 1 | 1 | high | .github/workflows/a.yml:5',
        'sample.io | api.sample.io | example | 1 | 1 | high | docs/a.js:2',
        'Only in tests: api.only-tests.io',
        'Downloads of files: get.tools.io',
        "This project's own hosts: api.acme.io, api.storefront.dev",
      ])
      expect(notes.slice(1, 5)).toEqual([
        'Not listed: 4 calls whose host is not in the code, only a path. They are in:',
        '  src/open.ts:1 {}/v1/list0 and 3 more calls',
        'If they call a third party, add the function and its base URL to "wrappers" in',
        '.api-discovery.yaml: see "Describe your own code" in',
      ])
      const { findings } = jsonOf(await runCommand([...words, '--json']))
      const roles = findings.map(({ role }: { readonly role?: string }) => role ?? '-')
      expect(roles.join(' ')).toBe(
        '- - - - - build example example test download own-host own-host',
      )
    } finally {
      await project.remove()
    }
  })

  it('prints long locations in full without a terminal', async () => {
    const project = await makeFolder()
    const long = `${'deeply-nested-folder/'.repeat(8)}client.ts`
    try {
      await mkdir(dirname(project.pathOf(long)), { recursive: true })
      await writeFile(project.pathOf(long), "await fetch('https://api.acme.io/v1')\n")
      const { results } = await runCommand(['scan', 'project', project.pathOf('.')])
      expect(results.join('\n')).toContain(`${long}:1`)
    } finally {
      await project.remove()
    }
  })

  it('prints the same as JSON without unknown values', async () => {
    const outcome = await scanBookshop(['--json'])
    expect([outcome.code, outcome.results, toPlain(outcome.notes)]).toEqual([
      0,
      [],
      [SUMMARY, NOT_CHECKED],
    ])
    const { findings, ...rest } = jsonOf(outcome)
    expect(rest).toEqual({
      project_name: 'bookshop',
      files: 5,
      skipped: {},
      apis: [
        {
          ...{ api_name: 'Card payments', vendor_name: 'Stripe' },
          ...{ hosts: ['api.stripe.com'], count: 3, files: 1 },
        },
        {
          ...{ api_name: 'Code hosting', vendor_name: 'GitHub' },
          ...{ hosts: ['api.github.com'], count: 2, files: 1 },
        },
        {
          ...{ api_name: 'Jenkins', vendor_name: 'Jenkins' },
          ...{ hosts: ['ci.jenkins.io'], count: 1, files: 1, role: 'build' },
        },
      ],
      unmatched: [
        { host: 'api.mailhopper.io', count: 1, files: 1 },
        {
          ...{ host: 'api.twilio.com', vendor: 'Twilio', count: 1, files: 1 },
          packages: ['pkg:pypi/twilio@9.3.0'],
        },
      ],
      ambiguous: [],
      services: [
        {
          ...{ name: 'Card payments', api_name: 'Card payments', vendor_name: 'Stripe' },
          ...{ hosts: ['api.stripe.com'], purposes: ['payments'] },
          ...{ endpoints: 2, locations: 2, files: 1 },
          ...{ confidence: 0.95, file: 'src/payments.ts', line: 4 },
        },
        {
          ...{ name: 'Code hosting', api_name: 'Code hosting', vendor_name: 'GitHub' },
          ...{ hosts: ['api.github.com'], purposes: ['code hosting'] },
          ...{ endpoints: 1, locations: 1, files: 1 },
          ...{ confidence: 0.95, file: 'jobs/releases.py', line: 6 },
        },
        {
          ...{ name: 'mailhopper.io', hosts: ['api.mailhopper.io'] },
          ...{ endpoints: 1, locations: 1, files: 1, confidence: 0.95 },
          ...{ file: 'src/receipts.ts', line: 3 },
        },
        {
          ...{ name: 'Twilio', vendor_name: 'Twilio', hosts: ['api.twilio.com'] },
          purposes: ['SMS and calls'],
          ...{ endpoints: 0, evidence: 'library', locations: 1, files: 1, confidence: 0.9 },
          ...{ file: 'jobs/requirements.txt', line: 2, packages: ['pkg:pypi/twilio@9.3.0'] },
        },
        {
          ...{ name: 'Jenkins', api_name: 'Jenkins', vendor_name: 'Jenkins' },
          ...{ hosts: ['ci.jenkins.io'], endpoints: 1, locations: 1, files: 1 },
          ...{ confidence: 0.95, file: 'scripts/build.sh', line: 2, role: 'build' },
        },
      ],
    })
    expect(findings).toHaveLength(8)
    expect([findings[1], findings[2]]).toEqual([
      {
        file: 'jobs/releases.py',
        line: 6,
        column: 25,
        url: 'https://api.github.com/repos/{}/{}/releases',
        host: 'api.github.com',
        method: 'get',
        via: 'call',
        confidence: 0.95,
        endpoint_id: expect.stringMatching(/^[A-Za-z0-9]{7}$/),
        api_name: 'Code hosting',
        vendor_name: 'GitHub',
      },
      {
        file: 'jobs/requirements.txt',
        line: 2,
        column: 1,
        url: 'https://api.twilio.com',
        host: 'api.twilio.com',
        via: 'manifest',
        confidence: 0.9,
        vendor_name: 'Twilio',
        package: 'pkg:pypi/twilio@9.3.0',
      },
    ])
  })

  it('prints a SARIF log', async () => {
    const log = jsonOf(await scanBookshop(['--sarif']))
    expect(findSarifFaults(log)).toEqual([])
    const [run] = log.runs
    const lines = run.results.map((result: { ruleId: string; locations: readonly Location[] }) => {
      const [{ physicalLocation }] = result.locations as readonly [Location]
      const { artifactLocation, region } = physicalLocation
      return `${result.ruleId} ${artifactLocation.uri}:${region.startLine}`
    })
    expect(lines).toEqual([
      'api-without-terms jobs/releases.py:6',
      'unapproved-api jobs/releases.py:6',
      'unmatched-host jobs/requirements.txt:2',
      'unapproved-api scripts/build.sh:2',
      'unapproved-api src/payments.ts:4',
      'unmatched-host src/receipts.ts:3',
    ])
  })

  it('prints a BOM in each format', async () => {
    const names = (bom: { readonly services: readonly { readonly name: string }[] }) =>
      bom.services.map(({ name }) => name).sort()
    const all = ['Card payments', 'Code hosting', 'Jenkins', 'api.mailhopper.io', 'api.twilio.com']
    const plain = jsonOf(await scanBookshop(['--bom', 'specification', '--name', 'Bookshop']))
    expect([plain.project_name, names(plain.scan_details)]).toEqual(['Bookshop', all])
    const strict = jsonOf(await scanBookshop(['--bom', 'cyclonedx-json', '--spec-version', '1.7']))
    expect([strict.bomFormat, strict.specVersion, names(strict)]).toEqual(['CycloneDX', '1.7', all])
    const xml = textOf(await scanBookshop(['--bom', 'cyclonedx-xml']))
    expect(xml).toContain('xmlns="http://cyclonedx.org/schema/bom/1.5"')
  })

  it('writes a document to a file', async () => {
    const file = folder.pathOf('out.json')
    const { code, bytes, notes } = await scanBookshop(['--json', '--output', file])
    expect([code, bytes, notes[0]]).toEqual([0, undefined, `Wrote ${file}.`])
    expect(JSON.parse(await readFile(file, 'utf8')).files).toBe(5)
    const nowhere = await scanBookshop(['--json', '--output', folder.pathOf('no/such/folder')])
    expect([nowhere.code, nowhere.notes]).toEqual([
      1,
      [
        `Cannot write ${folder.pathOf('no/such/folder')}: folder ${folder.pathOf('no/such')} not found`,
      ],
    ])
  })

  it('reads the selected files', async () => {
    const filesOf = async (...words: readonly string[]) => {
      const { findings } = jsonOf(await scanBookshop([...words, '--json', '--workers', '1']))
      return [...new Set(findings.map(({ file }: { readonly file: string }) => file))]
    }
    expect(await filesOf('--include', '*.ts')).toEqual(['src/payments.ts', 'src/receipts.ts'])
    expect(await filesOf('--exclude', 'jobs/', '--exclude', '*.ts')).toEqual(['scripts/build.sh'])
  })

  it('reads files that git ignores only with --no-ignore', async () => {
    const project = folder.pathOf('ignoring')
    await mkdir(project)
    await writeFile(join(project, '.gitignore'), 'local.ts\n')
    await writeFile(join(project, 'local.ts'), "await fetch('https://api.acme.io/v1')\n")
    const scanIt = (...words: readonly string[]) =>
      runCommand(['scan', 'project', project, '--json', '--database', database, ...words])
    expect(jsonOf(await scanIt())).toEqual({
      project_name: 'ignoring',
      files: 0,
      skipped: expect.objectContaining({ ignored: 1 }),
      findings: [],
      apis: [],
      unmatched: [],
      ambiguous: [],
      services: [],
    })
    expect(jsonOf(await scanIt('--no-ignore')).unmatched).toEqual([
      { host: 'api.acme.io', count: 1, files: 1 },
    ])
  })

  it('uses additional vendor libraries', async () => {
    const packages = folder.pathOf('packages.json')
    const rows = [{ vendor: 'Ours', url: 'https://api.ours.io', packages: ['pkg:pypi/requests'] }]
    await writeFile(packages, JSON.stringify(rows))
    const { unmatched } = jsonOf(await scanBookshop(['--json', '--packages', packages]))
    expect(unmatched).toContainEqual({
      host: 'api.ours.io',
      vendor: 'Ours',
      count: 2,
      files: 2,
      packages: ['pkg:pypi/requests@2.32.3'],
    })
    await writeFile(packages, JSON.stringify([{ ...rows[0], imports: { node: ['ours'] } }]))
    const refused = await scanBookshop(['--packages', packages])
    expect([refused.code, refused.notes]).toEqual([
      1,
      [
        `${packages}: Cannot read the packages: node of imports of item 1 is unknown: imports of item 1 must be an object of lists of names, by javascript, python, go, java, ruby, php, c-sharp, rust, swift, dart, elixir, shell`,
      ],
    ])
  })
})

interface Location {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string }
    readonly region: { readonly startLine: number }
  }
}

describe('scan project without data', () => {
  it('reports that nothing was found, and that no file was read', async () => {
    const project = folder.pathOf('empty')
    await mkdir(project)
    const scanIt = (...words: readonly string[]) =>
      runCommand(['scan', 'project', project, '--database', database, ...words])
    const empty = await scanIt()
    expect([empty.code, empty.results, toPlain(empty.notes)]).toEqual([
      1,
      [],
      ['0 services, 0 usages; 0 files read; … s.', 'No file was read: the folder is empty.'],
    ])
    const checked = await scanIt('--fail-on', 'unapproved')
    expect([checked.code, checked.notes.at(-1)]).toEqual([
      1,
      'Cannot check unapproved: no file was read',
    ])
    await mkdir(join(project, 'vendor'))
    await writeFile(join(project, 'logo.png'), '')
    const left = await scanIt()
    expect(left.notes.at(-1)).toBe(
      'No file was read: some file types are not supported; vendored folders are skipped unless --include names them.',
    )
    await writeFile(join(project, 'a.ts'), 'export const one = 1\n')
    const silent = await scanIt()
    expect([silent.code, silent.results, toPlain(silent.notes)]).toEqual([
      0,
      [],
      [
        '0 services, 0 usages; 1 file read, skipped: 1 unsupported, 1 vendored; … s.',
        'No usages of third-party APIs were found.',
      ],
    ])
  })

  it('reports only hosts if the catalogue is empty, and explains how to fill it', async () => {
    const words = ['--database', folder.pathOf('empty.db')]
    expect((await runCommand(['migrate', ...words])).code).toBe(0)
    const { code, results, notes } = await runCommand(['scan', 'project', BOOKSHOP, ...words])
    expect([code, toPlain(results)[0], results.length]).toEqual([
      0,
      'THIRD-PARTY API  PURPOSE        HOST               USED IN     ENDPOINTS  USAGES  CONFIDENCE  LOCATION',
      6,
    ])
    expect(toPlain(notes)).toEqual([
      'The catalogue is empty, so only vendors and hosts are reported. To match APIs, import descriptions with "api-discovery import FILE", or select a database with --database.',
      SUMMARY,
      NOT_CHECKED,
      'Add --verbose to list all services, endpoints and locations, or --json for all data.',
    ])
    const refused = await runCommand([
      'scan',
      'project',
      BOOKSHOP,
      '--fail-on',
      'no-terms',
      ...words,
    ])
    expect([refused.code, refused.notes]).toEqual([
      1,
      [
        'Cannot check no-terms: the catalogue is empty; import descriptions with "api-discovery import FILE", or select a database with --database',
      ],
    ])
  })

  it('reports only hosts without a database, and does not create one', async () => {
    const cwd = folder.pathOf('nowhere')
    await mkdir(cwd)
    const main = join(ROOT, 'adapters', 'cli', 'main.ts')
    const words = ['scan', 'project', BOOKSHOP, '--bom', 'specification', '--name', 'shop']
    const { code, output, errors } = await runScript([main, ...words], {
      cwd,
      environment: { API_DISCOVERY_DATABASE: '' },
    })
    const names = JSON.parse(output).scan_details.services.map(
      ({ name }: { readonly name: string }) => name,
    )
    expect([code, names.sort()], errors).toEqual([
      0,
      ['api.github.com', 'api.mailhopper.io', 'api.stripe.com', 'api.twilio.com', 'ci.jenkins.io'],
    ])
    expect(errors).toMatch(
      /^No catalogue found, so only vendors and hosts are reported. To match APIs, import descriptions with "node \S+main\.ts import FILE", or select a database with --database\.$/m,
    )
    expect(await readdir(cwd)).toEqual([])
  })

  it('fails for a missing folder or database', async () => {
    const unsaid = await runCommand(['scan', 'project', '', '--database', database])
    expect([unsaid.code, unsaid.notes]).toEqual([
      2,
      ['Cannot scan: the folder name is empty; use . for the current folder'],
    ])
    // Neither an empty catalogue nor a missing database is reported first.
    const empty = folder.pathOf('none.db')
    expect((await runCommand(['migrate', '--database', empty])).code).toBe(0)
    for (const file of [database, empty, '/no/such.db']) {
      const missing = await runCommand(['scan', 'project', '/no/such', '--database', file])
      expect([missing.code, missing.notes]).toEqual([
        1,
        ['Cannot scan "/no/such": the folder does not exist'],
      ])
    }
    const file = join(BOOKSHOP, 'src', 'payments.ts')
    const noFolder = await runCommand(['scan', 'project', file, '--database', database])
    expect([noFolder.code, noFolder.notes]).toEqual([
      1,
      [`Cannot scan "${file}": it is not a folder`],
    ])
    const absent = await runCommand(['scan', 'project', BOOKSHOP, '--database', '/no/such.db'])
    expect([absent.code, absent.notes]).toEqual([
      1,
      [
        expect.stringMatching(
          /^Cannot open the database \/no\/such\.db: file not found\. Scans need no database: omit --database, or create it /,
        ),
      ],
    ])
  })

  it.each([
    [['--json', '--sarif'], 'Cannot print --json and --sarif: choose one of them'],
    [
      ['--bom', 'spdx'],
      'Cannot write format "spdx": it must be one of specification, cyclonedx-json, cyclonedx-xml',
    ],
    [['--spec-version', '1.6'], 'Cannot use --spec-version: it needs --bom'],
    [
      ['--bom', 'specification', '--spec-version', '1.6'],
      'Cannot use --spec-version: the specification format is always version 1.5; choose cyclonedx-json or cyclonedx-xml',
    ],
    [['--output', 'x'], 'Cannot use --output: it needs --json, --sarif, --vex or --bom'],
    [
      ['--fail-on', 'kev,all'],
      'Cannot use --fail-on "all": it must be one of unapproved, no-terms, kev, new',
    ],
    [['--fail-on', 'new'], 'Cannot use --fail-on new: it needs --baseline FILE'],
    [['--fail-on-roles', 'test'], 'Cannot use --fail-on-roles: it needs --fail-on'],
    [
      ['--fail-on', 'kev', '--fail-on-roles', 'tests'],
      'Cannot use --fail-on-roles "tests": it must be one of production, build, example, test, generated, download, own-host',
    ],
    [['--submit', 'ftp://a'], 'Cannot submit: --submit must be an http or https URL of a service'],
    [
      ['--submit', 'http://127.0.0.1:1'],
      'Cannot submit: set the environment variable API_DISCOVERY_KEY to an API key with the scope "ingest"',
    ],
    [
      ['--workers', '0'],
      "error: option '--workers <n>' argument '0' is invalid. It must be an integer from 1 to 64.",
    ],
  ])('rejects %j', async (words, message) => {
    expect(await scanBookshop(words)).toEqual({
      code: 2,
      results: [],
      notes: [message],
      bytes: undefined,
    })
  })
})

describe('an interrupted scan project', () => {
  it('exits with 130 and prints nothing', async () => {
    const project = folder.pathOf('large')
    await mkdir(project)
    const text = "export const one = () => fetch('https://api.acme.io/v1')\n".repeat(200)
    for (let file = 0; file < 500; file += 1) await writeFile(join(project, `${file}.ts`), text)
    const before = process.listenerCount('SIGINT')
    const interrupt = noteInterruptible()
    const scanning = runCommand(['scan', 'project', project, '--database', database])
    for (let turn = 0; turn < 1000 && process.listenerCount('SIGINT') === before; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    interrupt()
    expect(await scanning).toEqual({
      code: 130,
      results: [],
      notes: [
        'Stopping… Press Ctrl-C again to exit at once.',
        'Stopped: nothing was printed or submitted.',
      ],
      bytes: undefined,
    })
    expect(process.listenerCount('SIGINT')).toBe(before)
  })
})

describe('scan project --fail-on', () => {
  const failuresOf = ({ notes }: CommandOutcome) => {
    const lines = toPlain(notes)
    return lines.slice(lines.findIndex((line) => line.startsWith('CHECK')) + 1)
  }

  it('unapproved exits with 3 until a baseline approves everything', async () => {
    const baseline = folder.pathOf('review.json')
    const first = await scanBookshop(['--fail-on', 'unapproved', '--write-baseline', baseline])
    expect([first.code, failuresOf(first)]).toEqual([
      3,
      [
        'unapproved  POST https://api.stripe.com/v1/charges           src/payments.ts:4        it has not been reviewed',
        'unapproved  GET https://api.stripe.com/v1/charges/{}         src/payments.ts:8        it has not been reviewed',
        'unapproved  GET https://api.github.com/repos/{}/{}/releases  jobs/releases.py:6       it has not been reviewed',
        'unapproved  POST https://ci.jenkins.io/job/{}/build          scripts/build.sh:2       it has not been reviewed',
        'unapproved  POST https://api.mailhopper.io/v3/messages       src/receipts.ts:3        it has not been reviewed',
        'unapproved  https://api.twilio.com                           jobs/requirements.txt:2  it has not been reviewed',
      ],
    ])
    const written = await readFile(baseline, 'utf8')
    await writeFile(baseline, written.replaceAll('unreviewed', 'yes'))
    const checks = ['--fail-on', 'unapproved', '--fail-on', 'new', '--baseline', baseline]
    const second = await scanBookshop([...checks, '--write-baseline', folder.pathOf('again.json')])
    expect([second.code, toPlain(second.results)[1]]).toEqual([
      0,
      expect.stringMatching(/ approved$/),
    ])
    expect(await readFile(folder.pathOf('again.json'), 'utf8')).toBe(
      await readFile(baseline, 'utf8'),
    )
  })

  it('checks the roles of --fail-on-roles', async () => {
    const { code, notes } = await scanBookshop(['--fail-on=unapproved', '--fail-on-roles=build'])
    expect([code, failuresOf({ code, notes, results: [], bytes: undefined })]).toEqual([
      3,
      [
        'unapproved  POST https://ci.jenkins.io/job/{}/build  scripts/build.sh:2  it has not been reviewed',
      ],
    ])
    expect((await scanBookshop(['--fail-on=unapproved', '--fail-on-roles=test'])).code).toBe(0)
  })

  it('does not report its own output files as new', async () => {
    const root = folder.pathOf('own')
    await mkdir(root)
    await writeFile(join(root, 'a.ts'), "fetch('https://api.mailhopper.io/v1/send')\n")
    const own = (words: readonly string[]) =>
      runCommand(['scan', 'project', root, ...words, '--database', database])
    const at = (name: string) => join(root, name)
    await own(['--write-baseline', at('apis [1].json')])
    const shapes = [
      ['--json', 'found.json'],
      ['--sarif', 'apis.sarif.json'],
      ['--bom=cyclonedx-json', 'bom.json'],
      ['--bom=cyclonedx-xml', 'bom.xml'],
      ['--bom=specification', 'specification.json'],
    ] as const
    for (const [shape, name] of shapes) await own([shape, '--output', at(name)])
    const check = ['--fail-on', 'new', '--baseline', at('apis [1].json'), '--json']
    const { code } = await own([...check, '--output', at('found.json')])
    const { files, skipped, findings } = JSON.parse(await readFile(at('found.json'), 'utf8'))
    expect([code, files, findings.length]).toEqual([0, 1, 1])
    expect(skipped).toEqual({ excluded: 2, generated: 3, unsupported: 1 })
    const again = jsonOf(await own(['--json']))
    expect([again.files, again.findings.length]).toEqual([1, 1])
  })

  it('--write-baseline preserves existing decisions, and counts new endpoints', async () => {
    const file = folder.pathOf('kept.json')
    const gone = { endpoint_url: 'https://api.gone.io', approval: 'no', reason: 'Left' }
    const known = {
      endpoint_url: 'https://api.twilio.com',
      endpoint_method: '',
      approval: 'yes',
      reason: 'Contract',
    }
    await writeFile(file, JSON.stringify({ project_name: 'Old', endpoints: [gone, known] }))
    const { notes } = await scanBookshop(['--write-baseline', file, '--include', '*.txt'])
    expect(notes.at(-1)).toBe(
      `Wrote ${file}: 2 existing decisions preserved, 0 new. To approve an endpoint, set its "approval" to "yes".`,
    )
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      project_name: 'bookshop',
      endpoints: [gone, known],
    })
    await writeFile(file, '[]')
    const refused = await scanBookshop(['--write-baseline', file])
    expect([refused.code, await readFile(file, 'utf8')]).toEqual([1, '[]'])
  })

  it('new exits with 3 for endpoints that the baseline does not contain', async () => {
    const baseline = folder.pathOf('former.json')
    await writeFile(baseline, textOf(await scanBookshop(['--json', '--exclude', 'scripts/'])))
    const found = await scanBookshop(['--json', '--fail-on', 'new', '--baseline', baseline])
    expect([found.code, failuresOf(found)]).toEqual([
      3,
      ['new    POST https://ci.jenkins.io/job/{}/build  scripts/build.sh:2  not in the baseline'],
    ])
    await writeFile(baseline, '[]')
    const refused = await scanBookshop(['--fail-on', 'new', '--baseline', baseline])
    expect([refused.code, refused.notes]).toEqual([
      1,
      [
        `${baseline}: Cannot read the former scan: it must be the JSON of "scan project", a review file, or the BOM of a project`,
      ],
    ])
  })

  it('no-terms exits with 3 for an API without terms', async () => {
    const found = await scanBookshop(['--fail-on', 'no-terms'])
    expect([found.code, failuresOf(found)]).toEqual([
      3,
      ['no-terms  Code hosting (GitHub)  jobs/releases.py:6  no terms are known'],
    ])
  })

  it('kev exits with 3 for exploited vulnerabilities, and requires loaded ones', async () => {
    const other = folder.pathOf('vulnerable.db')
    const words = ['import', DESCRIPTIONS, '--create-vendors', '--database', other]
    expect((await runCommand(words)).code).toBe(0)
    const scanIt = () =>
      runCommand(['scan', 'project', BOOKSHOP, '--fail-on', 'kev', '--database', other])
    const blind = await scanIt()
    expect([blind.code, blind.results, blind.notes]).toEqual([
      1,
      [],
      ['Cannot check kev: no vulnerabilities are loaded; run "sync all" first'],
    ])
    const app = createApiDiscovery({ storage: await openSqlite({ file: other }) })
    await loadExampleVulnerabilities(app.vulnerabilities)
    await app.close()
    const found = await scanIt()
    expect([found.code, failuresOf(found)]).toEqual([
      3,
      [
        'kev    Jenkins (Jenkins)  scripts/build.sh:2  its vendor and product have CVE-2024-23897 and 1 more, known to be exploited (matched by name, unconfirmed)',
      ],
    ])
  })
})

describe('scan project with a stored review', () => {
  it('applies it, of the selected account if several have one', async () => {
    const file = folder.pathOf('reviewed.db')
    const words = ['import', DESCRIPTIONS, '--create-vendors', '--database', file]
    expect((await runCommand(words)).code).toBe(0)
    const app = createApiDiscovery({ storage: await openSqlite({ file }) })
    const url = 'https://ci.jenkins.io/job/{}/build'
    const review = async (name: string, approval: 'yes' | 'no') => {
      const account = await app.accounts.createAccount(name)
      const caller = { account, scopes: new Set(SCOPES) }
      const head = { project_name: 'Bookshop' }
      const rows = [{ endpoint_url: url, endpoint_method: 'post' }]
      const stored = await app.call('submitProjectScan', { head, rows }, caller)
      const endpoints = [{ endpoint_url: url, approval }]
      const body = { project_id: stored.project_id, endpoints }
      await app.call('reviewProjectScan', { body }, caller)
    }
    const approvalOf = async (...more: readonly string[]) => {
      const given = ['scan', 'project', BOOKSHOP, '--database', file, ...more]
      const { results, notes } = await runCommand(given)
      const line = toPlain(results).find((each) => each.startsWith('Jenkins')) ?? ''
      return [/:2(?: +(\w+))?$/.exec(line)?.[1], notes[0]]
    }
    await review('first', 'yes')
    expect(await approvalOf()).toEqual(['approved', expect.stringMatching(/^5 services, 6 usages/)])
    expect((await approvalOf('--name', 'Another'))[0]).toBeUndefined()
    await review('second', 'no')
    expect(await approvalOf()).toEqual([
      undefined,
      'Reviews of "bookshop" are ignored: 2 accounts have a project with this name. Select one with --account.',
    ])
    expect((await approvalOf('--account', 'second'))[0]).toBe('rejected')
    await app.close()
  })
})
