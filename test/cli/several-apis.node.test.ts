import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { findSarifFaults } from '../helpers/sarif.ts'
import { makeFolder as makeSources } from '../helpers/source-folder.ts'

const URL = 'https://api.twopay.io'
const CANDIDATES = ['Twopay Payments', 'Twopay Payouts']
const LOG = `10.0.0.5 - - [02/Jan/2026:03:06:05 +0000] "GET ${URL}/v9 HTTP/1.1" 200 5\n`

let folder: TestFolder
let sources: Awaited<ReturnType<typeof makeSources>>
let database = ''

beforeAll(async () => {
  folder = await makeFolder()
  database = folder.pathOf('apis.db')
  const describe = (title: string) =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title, version: '1', 'x-providerName': 'Twopay' },
      servers: [{ url: URL }],
      paths: { [`/${title.slice(-3)}`]: { get: { responses: {} } } },
    })
  const files = CANDIDATES.map((title) => folder.pathOf(`${title}.json`))
  for (const [index, file] of files.entries()) {
    await writeFile(file, describe(CANDIDATES[index] ?? ''))
  }
  const words = ['import', ...files, '--create-vendors', '--database', database]
  expect((await runCommand(words)).code).toBe(0)
  sources = await makeSources({
    'a.ts': `fetch('${URL}/v9')\nfetch('https://api.other.io/v1')`,
  })
})

afterAll(async () => {
  await folder.remove()
  await sources.remove()
})

function runCli(words: readonly string[], input = ''): Promise<CommandOutcome> {
  return runCommand([...words, '--database', database], { input: new TextEncoder().encode(input) })
}

const scanSources = (...words: readonly string[]) =>
  runCli(['scan', 'project', sources.path, '--name', 'shop', ...words])

const jsonOf = ({ bytes }: CommandOutcome) => JSON.parse(new TextDecoder().decode(bytes))

/** Removes bold type and separates cells with bars. */
const toRows = (lines: readonly string[]) =>
  lines.map((line) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the codes
    line.replace(/\u001b\[\d+m/g, '').replace(/ {2,}/g, ' | '),
  )

test('scan project lists a host of several APIs apart from hosts of none', async () => {
  expect(toRows((await scanSources()).results)).toEqual([
    'ONE OF | HOST | USED IN | ENDPOINTS | USAGES | CONFIDENCE | LOCATION',
    'Twopay Payments, Twopay Payouts | api.twopay.io | production | 1 | 1 | high | a.ts:1',
    '',
    'NOT CATALOGUED | HOST | USED IN | ENDPOINTS | USAGES | CONFIDENCE | LOCATION',
    'other.io | api.other.io | production | 1 | 1 | high | a.ts:2',
  ])
})

test('scan project --json does so too', async () => {
  const { findings, apis, unmatched, ambiguous } = jsonOf(await scanSources('--json'))
  expect(findings[0]).toMatchObject({ vendor_name: 'Twopay', candidates: CANDIDATES })
  expect([apis, unmatched]).toEqual([[], [{ host: 'api.other.io', count: 1, files: 1 }]])
  const host = { host: 'api.twopay.io', vendor: 'Twopay', candidates: CANDIDATES }
  expect(ambiguous).toEqual([{ ...host, count: 1, files: 1 }])
})

test('scan project --sarif reports an API that is not approved, no unmatched host', async () => {
  const log = jsonOf(await scanSources('--sarif'))
  expect(findSarifFaults(log)).toEqual([])
  const [result, other] = log.runs[0].results
  expect([result.ruleId, result.level, other.ruleId]).toEqual([
    'unapproved-api',
    'warning',
    'unmatched-host',
  ])
  expect(result.message.text).toBe(
    `This file uses api.twopay.io (Twopay): GET ${URL}/v9. It is of one of these APIs: Twopay Payments, Twopay Payouts. It is not approved.`,
  )
  expect(result.properties).toMatchObject({ vendorName: 'Twopay', candidates: CANDIDATES })
})

test('scan project --bom names the vendor as the provider', async () => {
  const { scan_details } = jsonOf(await scanSources('--bom', 'specification'))
  const services: readonly {
    readonly name: string
    readonly provider: { readonly name: string }
  }[] = scan_details.services
  expect(services.map(({ name, provider }) => [name, provider.name])).toEqual([
    ['api.twopay.io', 'Twopay'],
    ['api.other.io', 'other.io'],
  ])
})

const POLICY = JSON.stringify({ deny: ['unknown-host'], vendors: { deny: ['Twopay'] } })
const VIOLATIONS = [
  ['unknown-host', 'api.other.io'],
  ['unapproved-vendor', 'api.twopay.io'],
]

const violationsOf = (outcome: CommandOutcome) =>
  jsonOf(outcome).violations.map(
    ({ condition, host }: { readonly condition: string; readonly host: string }) => [
      condition,
      host,
    ],
  )

test('a policy judges the vendor, and the host is not unknown', async () => {
  const found = await runCli(['assess', sources.path, '--policy', '-', '--json'], POLICY)
  expect(violationsOf(found)).toEqual(VIOLATIONS)
  const { results } = await runCli(['assess', sources.path])
  expect(toRows(results)).toEqual([
    'SHARED HOST | VENDOR | ENDPOINTS | LOCATION',
    'api.twopay.io: one of Twopay Payments, Twopay Payouts | Twopay | 1 | a.ts:1',
    '',
    'UNCATALOGUED HOST | VENDOR | ENDPOINTS | LOCATION',
    'api.other.io | - | 1 | a.ts:2',
  ])
})

test('a policy judges a stored scan alike, and its BOM names the vendor', async () => {
  const app = createApiDiscovery({ storage: await openSqlite({ file: database }) })
  const account = await app.accounts.createAccount('ci')
  const caller = { account, scopes: new Set(SCOPES) }
  const rows = [`${URL}/v9`, 'https://api.other.io/v1'].map((endpoint_url) => ({ endpoint_url }))
  await app.call('submitProjectScan', { head: { project_name: 'Shop' }, rows }, caller)
  const request = { name: 'Shop', format: 'cyclonedx-json' } as const
  const bom = (await app.call('getProjectBom', request, caller)) as Uint8Array
  const { services } = JSON.parse(new TextDecoder().decode(bom))
  expect(services).toMatchObject([
    { name: 'api.other.io', provider: { name: 'other.io' } },
    { name: 'api.twopay.io', provider: { name: 'Twopay' } },
  ])
  await app.close()
  const words = ['assess', '--project', 'shop', '--account', 'ci', '--policy', '-', '--json']
  expect(violationsOf(await runCli(words, POLICY))).toEqual(VIOLATIONS)
})

test('scan network lists the host apart, and names the candidates of a flow', async () => {
  const { results } = await runCli(['scan', 'network', '-'], LOG)
  expect(toRows(results).map((row) => row.split(' | ').slice(0, 3))).toEqual([
    ['SHARED HOST', 'CANDIDATES', 'VENDOR'],
    ['api.twopay.io', 'Twopay Payments, Twopay Payouts', 'Twopay'],
  ])
  const { flows } = jsonOf(await runCli(['scan', 'network', '-', '--json'], LOG))
  expect(flows).toMatchObject([{ vendor_name: 'Twopay', candidates: CANDIDATES }])
})
