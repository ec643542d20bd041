import { access, copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadExampleVulnerabilities } from '../../adapters/cli/seed.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { ASSESSMENT_RULES, POLICY_CONDITIONS } from '../../core/assessments/index.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { ROOT } from '../helpers/build.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { findSarifFaults } from '../helpers/sarif.ts'
import { makeFolder as makeSources } from '../helpers/source-folder.ts'

const BOOKSHOP = join(ROOT, 'fixtures', 'projects', 'bookshop')
const DESCRIPTIONS = join(ROOT, 'fixtures', 'projects', 'descriptions')
const SAMPLE = join(ROOT, 'examples', 'api-policy.yaml')

/** Names with terminal control characters. */
const HOSTILE = 'Pay \u202eyap'

let folder: TestFolder
let database = ''

beforeAll(async () => {
  folder = await makeFolder()
  database = folder.pathOf('apis.db')
  const describe = (title: string, provider: string) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title, version: '1', 'x-providerName': provider },
      servers: [{ url: `http://${provider}/v1` }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'k' } } },
      security: [{ key: [] }],
      paths: { '/a': { get: { responses: {} } } },
    })
  await writeFile(folder.pathOf('a.json'), describe('Twins', 'one.io'))
  await writeFile(folder.pathOf('b.json'), describe('Twins', 'two.io'))
  await writeFile(folder.pathOf('c.json'), describe(HOSTILE, 'three.io'))
  const files = ['a.json', 'b.json', 'c.json'].map((name) => folder.pathOf(name))
  expect(
    (
      await runCommand([
        'import',
        DESCRIPTIONS,
        ...files,
        '--create-vendors',
        '--database',
        database,
      ])
    ).code,
  ).toBe(0)
})
afterAll(() => folder.remove())

function assess(
  words: readonly string[],
  given: Parameters<typeof runCommand>[1] = {},
): Promise<CommandOutcome> {
  const named = words.includes('--database') ? [] : ['--database', database]
  return runCommand(['assess', ...words, ...named], given)
}

/** Checks a policy from standard input. */
function assessWithPolicy(policy: object, words: readonly string[]): Promise<CommandOutcome> {
  const input = new TextEncoder().encode(JSON.stringify(policy))
  return assess([...words, '--policy', '-'], { input })
}

const jsonOf = ({ bytes }: CommandOutcome) => JSON.parse(new TextDecoder().decode(bytes))

/** Removes bold type. */
function withoutCodes(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
  return line.replace(/\u001b\[\d+m/g, '')
}

/** Removes bold type, today's date and durations; separates columns with bars. */
function toPlain(lines: readonly string[]): readonly string[] {
  const today = new Date().toISOString().slice(0, 10)
  return lines.map((line) =>
    withoutCodes(line)
      .replace(/\d+\.\d s\.$/, '… s.')
      .replaceAll(today, 'TODAY')
      .replace(/ {2,}/g, ' | '),
  )
}

describe('assess', () => {
  it('prints the statements on an API by category', async () => {
    const { code, results, notes } = await assess(['Card payments'])
    const [title, headings, ...rows] = toPlain(results)
    expect([code, notes, title, headings]).toEqual([
      0,
      [],
      expect.stringMatching(/^Card payments 1\.2\.0 \(Stripe\), id \d+: \d+ good, \d+ neutral/),
      'CATEGORY | CLASS | STATEMENT | EVIDENCE | DATE | LINK',
    ])
    expect(rows).toContain(
      'transport_security | good | All servers in the description use HTTPS | servers of the description: https://api.stripe.com | TODAY | -',
    )
    const categories = rows.map((row) => row.split(' | ')[0]).filter((name) => name !== '')
    expect(new Set(categories).size).toBe(categories.length)
  })

  it('prints the same as JSON', async () => {
    const { subject, apis, hosts } = jsonOf(await assess(['Card payments', '--json']))
    const [api] = apis
    expect([subject, hosts, apis.length, api.api_name, api.uses]).toEqual([
      { kind: 'api', name: 'Stripe/Card payments' },
      [],
      1,
      'Card payments',
      [],
    ])
    expect(api.statements).toContainEqual({
      rule: 'transport-https',
      category: 'transport_security',
      classification: 'good',
      statement: 'All servers in the description use HTTPS',
      evidence: {
        source: 'servers of the description',
        quote: 'https://api.stripe.com',
        link: '',
        date: expect.stringMatching(/^\d{4}-/),
      },
    })
  })

  it('finds an API by name, vendor and name, either ID, or an endpoint ID', async () => {
    const { apis } = jsonOf(await assess(['jenkins', '--json']))
    const { api_id: id } = apis[0]
    const { results } = await runCommand([
      'search',
      'build',
      'job',
      '--json',
      '--database',
      database,
    ])
    const [found] = JSON.parse(results.join('')).endpoints
    const endpoint = found.matched_endpoints[0].endpoint_id
    const storage = await openSqlite({ file: database })
    const number = (await storage.catalogue.findApi(id))?.id
    await storage.close()
    for (const name of [id, String(number), 'jenkins/JENKINS', endpoint]) {
      const { subject } = jsonOf(await assess([name, '--json']))
      expect([name, subject]).toEqual([name, { kind: 'api', name: 'Jenkins/Jenkins' }])
    }
  })

  it('lists the candidates of an ambiguous name', async () => {
    const { code, results, notes } = await assess(['twins'])
    expect([code, results]).toEqual([2, []])
    expect(toPlain(notes).map((line) => line.replace(/^\d+/, 'N'))).toEqual([
      'ID | API | VERSION | VENDOR',
      'N | Twins | 1 | one.io',
      'N | Twins | 1 | two.io',
      'Cannot assess "twins": 2 APIs have this name; use an ID',
    ])
    expect((await assess(['one.io/Twins'])).code).toBe(0)
  })

  it.each([
    [
      'nothing',
      [],
      'Cannot assess: pass an API, a folder (starting with ./) or --project NAME; see --rules for all rules',
    ],
    [
      'two subjects',
      ['Jenkins', '--project', 'x'],
      'Cannot assess: pass an API, a folder (starting with ./) or --project NAME; see --rules for all rules',
    ],
    [
      'two documents',
      ['Jenkins', '--json', '--sarif', '--policy', SAMPLE],
      'Cannot print --json and --sarif: choose one of them',
    ],
    [
      'SARIF without a policy',
      ['Jenkins', '--sarif'],
      'Cannot use --sarif: it needs --policy FILE',
    ],
    [
      'a file for a table',
      ['Jenkins', '--output', 'x'],
      'Cannot use --output: it needs --json or --sarif',
    ],
    [
      'files of an API',
      ['Jenkins', '--exclude', 'x'],
      'Cannot use --exclude: it needs a folder, such as ./shop',
    ],
    [
      'ignored files of a project',
      ['--project', 'x', '--no-ignore'],
      'Cannot use --no-ignore: it needs a folder, such as ./shop',
    ],
  ])('rejects %s', async (_, words, told) => {
    expect(await assess(words)).toEqual({ code: 2, results: [], notes: [told], bytes: undefined })
  })

  it.each([
    [
      'Nobody',
      'API "Nobody" not found. Use an ID, a name or VENDOR/NAME from: api-discovery search',
    ],
    [
      'a\u001b[31m',
      'API "a\\x1b[31m" not found. Use an ID, a name or VENDOR/NAME from: api-discovery search',
    ],
    [
      'test',
      'API "test" not found. Use an ID, a name or VENDOR/NAME from: api-discovery search. For the folder, use ./test',
    ],
  ])('fails for an unknown API (%j)', async (name, told) => {
    const { code, notes } = await assess([name])
    expect([code, notes]).toEqual([1, [told]])
  })

  it('fails for an unknown project', async () => {
    const { code, notes } = await assess(['--project', 'nope'])
    expect([code, notes]).toEqual([
      1,
      [
        'Project "nope" not found. List the scans of an account: api-discovery scans list --account NAME',
      ],
    ])
  })

  it('lists rules and policy conditions without a database', async () => {
    const { code, results } = await runCommand(['assess', '--rules'])
    const first = toPlain(results).map((line) => line.split(' | ')[0])
    expect([code, first]).toEqual([
      0,
      [
        'RULE',
        ...ASSESSMENT_RULES.map(({ id }) => id),
        '',
        'POLICY CONDITION',
        ...POLICY_CONDITIONS.map(({ form }) => form),
      ],
    ])
    const { rules, conditions } = JSON.parse(
      (await runCommand(['assess', '--rules', '--json'])).results[0] ?? '',
    )
    expect([rules.length, conditions.length]).toEqual([
      ASSESSMENT_RULES.length,
      POLICY_CONDITIONS.length,
    ])
  })
})

describe('assess --policy', () => {
  const POLICY = {
    deny: ['no-terms', 'unknown-host'],
    warn: ['unreviewed'],
    exceptions: [
      { host: 'api.twilio.com', allow: ['unknown-host'], until: '2999-12-31', reason: 'Pilot' },
      { api: 'Code hosting', allow: ['no-terms'], until: '2020-01-31', reason: 'Asked' },
      { vendor: 'Nobody', allow: ['no-terms'], until: '2999-12-31', reason: 'None' },
    ],
  }

  it('checks a folder, reports files and lines, and exits with 3', async () => {
    const { code, results, notes } = await assessWithPolicy(POLICY, [BOOKSHOP])
    expect([code, toPlain(results)]).toEqual([
      3,
      [
        'RESULT | CONDITION | SUBJECT | REASON | EVIDENCE | LOCATION',
        'fail | no-terms | Code hosting (GitHub) | No terms are known | catalogue: terms: none known (TODAY) | jobs/releases.py:6',
        'fail | unknown-host | api.mailhopper.io | No catalogued API has this host | - | src/receipts.ts:3',
        'warn | unreviewed | POST https://api.stripe.com/v1/charges | It has not been reviewed | - | src/payments.ts:4',
        'warn | unreviewed | GET https://api.stripe.com/v1/charges/{} | It has not been reviewed | - | src/payments.ts:8',
        'warn | unreviewed | GET https://api.github.com/repos/{}/{}/releases | It has not been reviewed | - | jobs/releases.py:6',
        'warn | unreviewed | POST https://ci.jenkins.io/job/{}/build | It has not been reviewed | - | scripts/build.sh:2',
        'warn | unreviewed | POST https://api.mailhopper.io/v3/messages | It has not been reviewed | - | src/receipts.ts:3',
        'warn | unreviewed | https://api.twilio.com | It has not been reviewed | - | jobs/requirements.txt:2',
        'excepted | unknown-host | api.twilio.com | No catalogued API has this host; excepted until 2999-12-31: Pilot | - | jobs/requirements.txt:2',
      ],
    ])
    expect(toPlain(notes)).toEqual([
      '5 services, 6 usages; 5 files read; … s.',
      '1 package not checked for CVEs: load CVE records with "api-discovery sync all".',
      'The exception for "Code hosting" (no-terms: Asked) expired after 2020-01-31.',
      'The exception for "Nobody" (no-terms: None) has no effect here.',
      'Policy failed: 2 failures, 6 warnings, 1 excepted; 3 APIs, 2 other hosts and 0 packages checked.',
    ])
  })

  it('prints the result as JSON', async () => {
    const deny = ['no-terms', 'no-licence']
    const outcome = await assessWithPolicy(
      {
        deny,
        exceptions: [
          { vendor: 'GitHub.com', allow: ['no-licence'], until: '2999-12-31', reason: 'Pilot' },
          { api: 'Jenkins', allow: deny, until: '2999-12-31', reason: 'Ours' },
        ],
      },
      ['Code hosting', '--json'],
    )
    const toViolation = (condition: string, what: string) => ({
      condition,
      api_id: expect.stringMatching(/^[A-Za-z0-9]{18}$/),
      api_name: 'Code hosting',
      api_version: '2.0.0',
      vendor_name: 'GitHub',
      statement: `No ${what} known`,
      evidence: [
        {
          source: 'catalogue',
          quote: `${what.split(' ')[0]}: none known`,
          link: '',
          date: expect.stringMatching(/^\d{4}-/),
        },
      ],
      places: [],
    })
    expect([outcome.code, jsonOf(outcome)]).toEqual([
      3,
      {
        subject: { kind: 'api', name: 'GitHub/Code hosting' },
        passed: false,
        apis: 1,
        hosts: 0,
        packages: 0,
        violations: [
          { severity: 'fail', ...toViolation('no-terms', 'terms are') },
          {
            severity: 'excepted',
            ...toViolation('no-licence', 'licence is'),
            exception: { until: '2999-12-31', reason: 'Pilot' },
          },
        ],
        idle_exceptions: [
          { why: 'unused', api: 'Jenkins', allow: deny, until: '2999-12-31', reason: 'Ours' },
        ],
      },
    ])
  })

  it('writes a SARIF log of a folder and of an API', async () => {
    const file = folder.pathOf('policy.sarif')
    const { code, notes } = await assessWithPolicy(POLICY, [BOOKSHOP, '--sarif', '--output', file])
    expect([code, notes.includes(`Wrote ${file}.`)]).toEqual([3, true])
    const log = JSON.parse(await readFile(file, 'utf8'))
    expect(findSarifFaults(log)).toEqual([])
    const [run] = log.runs
    expect([run.automationDetails, run.results.length]).toEqual([
      { id: 'api-discovery/policy/bookshop/' },
      9,
    ])
    const alone = jsonOf(
      await assessWithPolicy({ deny: ['no-terms'] }, ['Code hosting', '--sarif']),
    )
    expect([findSarifFaults(alone), alone.runs[0].results[0].locations]).toEqual([
      [],
      [
        {
          logicalLocations: [{ fullyQualifiedName: 'Code hosting (GitHub)', kind: 'resource' }],
        },
      ],
    ])
  })

  it('passes an API, and names the conditions that apply only to projects', async () => {
    const { code, results, notes } = await assessWithPolicy({ deny: ['no-terms', 'rejected'] }, [
      'Jenkins',
    ])
    expect([code, results, notes]).toEqual([
      0,
      [],
      [
        'Not checked, because these conditions apply only to projects: rejected.',
        'Policy passed: 0 failures, 0 warnings, 0 excepted; 1 API checked.',
      ],
    ])
  })

  it('passes if there are only warnings', async () => {
    const { code, notes } = await assessWithPolicy({ warn: ['no-terms'] }, ['Code hosting'])
    expect([code, notes]).toEqual([
      0,
      ['Policy passed: 0 failures, 1 warning, 0 excepted; 1 API checked.'],
    ])
  })

  it('checks the newest stored scan of a project with its reviews', async () => {
    const file = folder.pathOf('stored.db')
    await copyFile(database, file)
    const app = createApiDiscovery({ storage: await openSqlite({ file }) })
    const account = await app.accounts.createAccount('ci')
    const caller = { account, scopes: new Set(SCOPES) }
    const [charges, mails] = ['https://api.stripe.com/v1/charges', 'https://api.mail.io/v3']
    const send = (
      rows: readonly { readonly endpoint_url: string; readonly endpoint_method: string }[],
    ) => app.call('submitProjectScan', { head: { project_name: 'Shop' }, rows: [...rows] }, caller)
    await send([{ endpoint_url: 'https://old.io', endpoint_method: 'get' }])
    const { project_id: id } = await send([
      { endpoint_url: charges ?? '', endpoint_method: 'post' },
      { endpoint_url: mails ?? '', endpoint_method: 'get' },
    ])
    const no = { endpoint_url: charges ?? '', approval: 'no', reason: 'too dear' } as const
    await app.call('reviewProjectScan', { body: { project_id: id, endpoints: [no] } }, caller)
    await app.close()
    const policy = { deny: ['rejected', 'unknown-host'] }
    for (const name of ['shop', id]) {
      const words = ['assess', '--project', name, '--account', 'ci', '--policy', '-']
      const input = new TextEncoder().encode(JSON.stringify(policy))
      const { code, results, notes } = await runCommand([...words, '--database', file], { input })
      expect([code, toPlain(results), notes]).toEqual([
        3,
        [
          'RESULT | CONDITION | SUBJECT | REASON | EVIDENCE | LOCATION',
          'fail | rejected | POST https://api.stripe.com/v1/charges | It was rejected: too dear | - | -',
          'fail | unknown-host | api.mail.io | No catalogued API has this host | - | -',
        ],
        [
          'Policy failed: 2 failures, 0 warnings, 0 excepted; 1 API, 1 other host and 0 packages checked.',
        ],
      ])
    }
  })

  it('rejects an invalid policy with 2', async () => {
    const file = folder.pathOf('wrong.yaml')
    await writeFile(file, 'deny: [kve]\n')
    const { code, notes } = await assess(['Jenkins', '--policy', file])
    expect([code, notes]).toEqual([
      2,
      [
        expect.stringMatching(
          /^\S+wrong\.yaml: Invalid policy: deny\.0 "kve" is not a policy condition: /,
        ),
      ],
    ])
    const input = new TextEncoder().encode('{"\\u001b[31m": 1}')
    const hostile = await assess(['Jenkins', '--policy', '-'], { input })
    expect([hostile.code, hostile.notes]).toEqual([
      2,
      [expect.stringMatching(/^standard input: Invalid policy: \\x1b\[31m is an unknown member/)],
    ])
    const none = folder.pathOf('none.yaml')
    for (const subject of ['Jenkins', folder.pathOf('no-folder')]) {
      const missing = await assess([subject, '--policy', none])
      expect([missing.code, missing.notes]).toEqual([2, [`Cannot read ${none}: file not found`]])
    }
  })

  it('does not pass on an empty catalogue', async () => {
    const empty = folder.pathOf('empty.db')
    await runCommand(['migrate', '--database', empty])
    const words = [BOOKSHOP, '--policy', SAMPLE, '--database', empty]
    expect(await runCommand(['assess', ...words])).toMatchObject({
      code: 1,
      results: [],
      notes: [
        'Cannot assess: the catalogue is empty; import descriptions with "api-discovery import FILE", or select a database with --database',
      ],
    })
    const missing = ['assess', 'x', '--database', folder.pathOf('missing.db')]
    expect((await runCommand(missing)).code).toBe(1)
  })

  it('checks usages and vendors of a folder without a database', async () => {
    const dataFolder = folder.pathOf('nothing')
    const check = async (policy: object) => {
      const file = folder.pathOf('no-database.json')
      await writeFile(file, JSON.stringify(policy))
      return runCommand(['assess', BOOKSHOP, '--policy', file, '--json'], { dataFolder })
    }
    const vendors = { allow: ['GitHub'] }
    const checked = await check({ vendors, deny: ['unknown-vendor', 'unreviewed'] })
    expect(checked.code).toBe(3)
    const { violations } = JSON.parse(new TextDecoder().decode(checked.bytes))
    expect(new Set(violations.map((each: { condition: string }) => each.condition))).toEqual(
      new Set(['unapproved-vendor', 'unknown-vendor', 'unreviewed']),
    )
    const blind = await check({ vendors })
    expect([blind.code, blind.notes]).toEqual([
      1,
      [
        'Cannot assess: the catalogue is empty; import descriptions with "api-discovery import FILE", or select a database with --database',
      ],
    ])
    await expect(access(dataFolder)).rejects.toThrow('ENOENT')
  })

  it('requires loaded vulnerabilities for conditions on them', async () => {
    const file = folder.pathOf('known.db')
    await copyFile(database, file)
    const policy = { deny: ['kev', 'cve>=9.5'] }
    const ask = () => assessWithPolicy(policy, ['Jenkins', '--database', file])
    const blind = await ask()
    expect([blind.code, blind.notes]).toEqual([
      1,
      ['Cannot check kev, cve>=9.5: no vulnerabilities are loaded; run "sync all" first'],
    ])
    const feed = join(ROOT, 'fixtures', 'seed', 'vulnerabilities', 'nvdcve-2.0-examples.json')
    expect((await runCommand(['sync', 'nvd', '--from', feed, '--database', file])).code).toBe(0)
    const half = await ask()
    expect([half.code, half.notes]).toEqual([
      1,
      ['Cannot check kev: the KEV catalogue is not loaded; run "sync kev" first'],
    ])
    const app = createApiDiscovery({ storage: await openSqlite({ file }) })
    await loadExampleVulnerabilities(app.vulnerabilities)
    await app.close()
    const { code, results } = await ask()
    expect([
      code,
      toPlain(results)
        .slice(1)
        .map((line) => line.split(' | ').slice(0, 4)),
    ]).toEqual([
      3,
      [
        [
          'fail',
          'kev',
          'Jenkins (Jenkins)',
          "The vendor's product has 2 CVEs known to be exploited (matched by name, unconfirmed)",
        ],
        [
          'fail',
          'cve>=9.5',
          'Jenkins (Jenkins)',
          "The vendor's product has 2 CVEs with a CVSS score of 9.5 or more (matched by name, unconfirmed)",
        ],
      ],
    ])
  })

  it('reports a folder without usages, and fails if no file is read', async () => {
    const plain = await makeSources({ 'a.ts': 'export const a = 1\n' })
    const none = await makeSources({ 'a.bin': 'x' })
    try {
      const outcome = await assessWithPolicy({ deny: ['no-terms'] }, [plain.path])
      expect([outcome.code, toPlain(outcome.notes)]).toEqual([
        0,
        [
          '0 services, 0 usages; 1 file read; … s.',
          'No usages of third-party APIs were found.',
          'No catalogued APIs are used: conditions on APIs were not checked.',
          'Policy passed: 0 failures, 0 warnings, 0 excepted; 0 APIs, 0 other hosts and 0 packages checked.',
        ],
      ])
      const unread = await assessWithPolicy({ deny: ['no-terms'] }, [none.path])
      expect([unread.code, unread.notes.at(-1)]).toEqual([
        1,
        'Cannot check the policy: no file was read',
      ])
    } finally {
      await plain.remove()
      await none.remove()
    }
  })

  it('escapes control characters in names', async () => {
    const policy = { deny: ['no-terms', 'plain-http'] }
    const { code, results, notes } = await assessWithPolicy(policy, [`three.io/${HOSTILE}`])
    expect([
      code,
      toPlain(results)
        .slice(1)
        .map((line) => line.split(' | ').slice(0, 3)),
    ]).toEqual([
      3,
      [
        ['fail', 'no-terms', 'Pay \\u202eyap (three.io)'],
        ['fail', 'plain-http', 'Pay \\u202eyap (three.io)'],
      ],
    ])
    expect([...results, ...notes].join('')).not.toContain('\u202e')
    const table = await assess([`three.io/${HOSTILE}`])
    expect(table.results.join('')).not.toContain('\u202e')
  })

  it('names vendors in its lists that are not known', async () => {
    const vendors = { allow: ['GitHub', 'Stirpe'], deny: ['Entirely Unknown Ltd'] }
    const { code, notes } = await assessWithPolicy({ vendors }, ['Code hosting'])
    expect([code, notes.filter((note) => note.includes('not known'))]).toEqual([
      0,
      [
        'Vendors of the policy that are not known here: "Stirpe" (Did you mean Stripe?), "Entirely Unknown Ltd". Check their spelling.',
      ],
    ])
    const right = await assessWithPolicy({ vendors: { allow: ['github', 'amazonaws.com'] } }, [
      'Code hosting',
    ])
    expect(right.notes.join('\n')).not.toContain('not known')
  })

  it('of the examples checks an API', async () => {
    const { code, results } = await assess(['Code hosting', '--policy', SAMPLE])
    const words = toPlain(results)
      .slice(1)
      .map((line) => line.split(' | ').slice(0, 2).join(' '))
    expect([code, words]).toEqual([3, ['fail no-terms', 'warn no-privacy-policy']])
  })
})
