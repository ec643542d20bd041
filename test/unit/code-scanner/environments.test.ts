import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import type { ScanCatalogue } from '../../../core/code-scanner/find/confirm-findings.ts'
import { GRAMMARS } from '../../../core/code-scanner/languages/languages.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'
import { emptyCatalogue } from './scan.ts'

const grammars = await openGrammars(GRAMMARS)
const SANDBOX = 'https://sandbox.plaid.com'
const LIVE = 'https://production.plaid.com'

/** Returns the distinct base URLs of the detected libraries, each with its alternatives. */
async function findBases(
  texts: Readonly<Record<string, string>>,
): Promise<readonly (readonly string[])[]> {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const { findings } = await scanProject({
    ...{ files, grammars, catalogue: emptyCatalogue },
    ...createPackageTable(),
  })
  const bases = findings
    .filter(({ package: name }) => name !== undefined)
    .map(({ url, alternatives = [] }) => [url, ...alternatives].join(' '))
  return [...new Set(bases)].map((each) => each.split(' '))
}

const IMPORT = "import { Configuration, PlaidEnvironments } from 'plaid'\n"

describe('the environment of a vendor', () => {
  it.each([
    [
      'a fallback in JavaScript',
      {
        'a.js': `${IMPORT}const ENV = process.env.PLAID_ENV || 'sandbox'\nnew Configuration({ basePath: PlaidEnvironments[ENV] })\n`,
      },
      [SANDBOX, LIVE],
    ],
    [
      'a fallback in Python',
      { 'a.py': "import os\nimport plaid\nenv = os.getenv('PLAID_ENV', 'sandbox')\n" },
      [SANDBOX, LIVE],
    ],
    [
      'an assignment where nothing is configured, in Go',
      {
        'a.go':
          'package a\nimport (\n"os"\nplaid "github.com/plaid/plaid-go/plaid"\n)\nvar ENV = ""\nvar all = map[string]plaid.Environment{\n"sandbox": plaid.Sandbox,\n"production": plaid.Production,\n}\nfunc init() {\nENV = os.Getenv("PLAID_ENV")\nif ENV == "" {\nENV = "sandbox"\n}\n}\n',
      },
      [SANDBOX, LIVE],
    ],
    [
      'a fallback in Ruby',
      {
        'a.rb':
          "require 'plaid'\nenv = ENV['PLAID_ENV'] || 'sandbox'\nconfig.server_index = Plaid::Configuration::Environment[env]\n",
      },
      [SANDBOX, LIVE],
    ],
    [
      'members without a known default',
      {
        'A.java':
          'package a;\nimport com.plaid.client.ApiClient;\nclass A { void run(String e) { String p; switch (e) { case "x": p = ApiClient.Sandbox; break; default: p = ApiClient.Production; } } }\n',
      },
      [LIVE, SANDBOX],
    ],
    [
      'one member alone',
      { 'a.js': `${IMPORT}new Configuration({ basePath: PlaidEnvironments.sandbox })\n` },
      [SANDBOX],
    ],
    ['nothing', { 'a.js': `${IMPORT}new Configuration({})\n` }, [LIVE]],
    [
      'the environment of a runtime alone',
      { 'a.js': `${IMPORT}const mode = process.env.NODE_ENV || 'production'\n` },
      [LIVE],
    ],
    [
      'a test',
      { 'a.js': IMPORT, 'test/a.js': `${IMPORT}const ENV = process.env.E || 'sandbox'\n` },
      [LIVE],
    ],
    [
      'another file: a manifest follows the code',
      {
        'package.json': '{"dependencies":{"plaid":"^1"}}',
        'a.js': `${IMPORT}const ENV = process.env.PLAID_ENV ?? 'sandbox'\n`,
      },
      [SANDBOX, LIVE],
    ],
  ])('follows from %s', async (_, files, wanted) => {
    expect(await findBases(files)).toEqual([wanted])
  })

  it('finds the API that is catalogued with the servers of another environment', async () => {
    const text = `${IMPORT}const ENV = process.env.PLAID_ENV || 'sandbox'\n`
    const api = { apiId: 7, apiName: 'Accounts', vendorName: 'Plaid', shortId: undefined }
    const known = { ...api, endpointId: undefined, level: 'api', confidence: 0.7 } as const
    const catalogue: ScanCatalogue = {
      match: (query) =>
        'url' in query && query.url?.startsWith(LIVE)
          ? { ...known, method: undefined, reason: 'by its server', alternatives: [] }
          : undefined,
    }
    const { findings } = await scanProject({
      ...{ files: [{ path: 'a.js', text }], grammars, catalogue },
      ...createPackageTable(),
    })
    expect(findings.map(({ url, apiId, alternatives }) => [url, apiId, alternatives])).toEqual([
      [SANDBOX, 7, [LIVE]],
    ])
  })
})
