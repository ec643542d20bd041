import { readFile } from 'node:fs/promises'
import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import {
  type ApiDiscovery,
  type Caller,
  createApiDiscovery,
  ServiceError,
} from '../../core/index.ts'
import type { FullStorage } from '../../core/storage.ts'
import { listDifferences, listFlaws } from '../helpers/assessed-descriptions.ts'
import { readDescribedAgreements } from '../helpers/described-agreements.ts'
import { readDescribedFacts } from '../helpers/described-facts.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { isFull, someOf } from '../helpers/runs.ts'
import { findSharedData } from '../helpers/shared-data.ts'

interface Entry {
  readonly file: string
  readonly parses: boolean
  readonly operations?: number
  readonly webhooks?: number
}

/** Files that are not descriptions, or have an unknown version. */
const REFUSED = [
  'bkk__main_1.0.1.json',
  'test-apidevtools-swagger-parser__test_specs_invalid_newer-version.yaml',
  'test-apidevtools-swagger-parser__test_specs_invalid_not-swagger.yaml',
]
/** Start of a partial run, such that it includes rejected files. */
const FROM = 2

/** Verified by hand: keys are parameters without a security scheme. */
const UNDECLARED = [
  'autodealerdata__0.1.yaml',
  'autodealerdata__main_1.0.json',
  'flickr__main_1.0.0.json',
  'idtbeyond__1.1.7.json',
  'ip2location__geolocation_1.0.json',
  'ip2location__main_1.0-orig.yaml',
  'ip2location__main_1.0.json',
  'listennotes__2.0.yaml',
  'listennotes__main_2.0.json',
  'opendatanetwork__1.0.0.yaml',
  'victorops__0.0.1.json',
  'victorops__0.0.3.yaml',
  'weatherbit__2.0.0.yaml',
]
/** Rules about words or licences match few descriptions; all matches were verified by hand. */
const OF_WORDS = /^(?:terms-|deprecated-by-words|licence-(?!permissive|beside))/
const SAID = [
  'codescan__1.0.0.yaml licence-proprietary',
  'collegefootballdata__main_4.6.3.json deprecated-by-words',
  'mercure__0.3.2.yaml licence-network-copyleft',
  'mercure__main_0.3.2.json licence-network-copyleft',
  'rawg__v1.0.yaml terms-attribution',
  'rawg__v1.0.yaml terms-free-plan',
  'test-readmeio-oas-examples__3.1_json_train-travel.json licence-non-commercial',
]

const documents = new Map<string, Promise<Record<string, unknown>>>()

/** Reads each file once. */
function readDocument(file: string): Promise<Record<string, unknown>> {
  const read = async () => {
    const text = await readFile(`${data}/openapi/${file}`, 'utf8')
    return (file.endsWith('.json') ? JSON.parse(text) : load(text)) as Record<string, unknown>
  }
  const document = documents.get(file) ?? read()
  documents.set(file, document)
  return document
}

const READER: Caller = { account: { id: 'acc', name: 'reader' }, scopes: new Set(['read']) }
const data = findSharedData()

let postgres: TestPostgres | undefined

afterAll(() => postgres?.stop())

describeCorpus('SQLite', () => openSqlite({ file: ':memory:' }))
if (isFull) {
  describeCorpus('PostgreSQL', async () => {
    postgres = await startPostgres()
    return openPostgres({ url: await postgres.createDatabase() })
  })
}

function describeCorpus(name: string, open: () => Promise<FullStorage>): void {
  // The real descriptions are not part of the project; without them, the test is skipped. Reading
  // them does not depend on the runtime.
  describe.skipIf(data === undefined || !isFull)(`real descriptions in ${name}`, () => {
    let app: ApiDiscovery
    let storage: FullStorage
    let entries: readonly Entry[]

    beforeAll(async () => {
      storage = await open()
      app = createApiDiscovery({ storage })
      const text = await readFile(`${data}/openapi-manifest.json`, 'utf8')
      entries = someOf(JSON.parse(text), FROM)
    })

    afterAll(() => app?.close())

    it('imports every file with the operations of the manifest, or rejects it', async () => {
      const refused: string[] = []
      const wrong: string[] = []
      let operations = 0
      for (const entry of entries) {
        const bytes = new Uint8Array(await readFile(`${data}/openapi/${entry.file}`))
        try {
          const { report } = await app.imports.importDescription({
            bytes,
            vendorName: entry.file,
            createVendor: true,
            isPublic: true,
          })
          operations += report.operations
          if (report.operations !== entry.operations) {
            wrong.push(`${entry.file}: ${report.operations} instead of ${entry.operations}`)
          }
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          refused.push(`${entry.file}: ${error.message}`)
        }
      }
      console.log(
        `${name}: ${entries.length - refused.length} of ${entries.length} files, ${operations} operations; refused:\n${refused.join('\n')}`,
      )
      expect(wrong).toEqual([])
      const asked = new Set(entries.map(({ file }) => file))
      expect(refused.map((line) => line.split(':')[0])).toEqual(
        REFUSED.filter((file) => asked.has(file)),
      )
    })

    it('returns parameters, example and agreements of every imported endpoint', async () => {
      const endpoints = await app.call('listEndpoints', {}, READER)
      const counted = entries
        .filter(({ file }) => !REFUSED.includes(file))
        .reduce((sum, { operations = 0 }) => sum + operations, 0)
      expect(counted).toBeGreaterThan(700)
      expect(endpoints).toHaveLength(counted)
      const step = name === 'SQLite' ? 1 : 3
      for (let index = 0; index < endpoints.length; index += step) {
        const endpoint_id = endpoints[index]?.endpoint_id ?? ''
        const parameters = await app.call('getEndpointParameters', { endpoint_id }, READER)
        expect(parameters.method).toBe(endpoints[index]?.method)
        const example = await app.call('getEndpointExample', { endpoint_id }, READER)
        const required = parameters.parameter.filter((parameter) => parameter.is_required)
        expect(Object.keys(example.input_parameters).length).toBeLessThanOrEqual(required.length)
        for (const { parameter_name: key } of required) {
          const values = Object.keys(example.input_parameters)
          expect(values.some((value) => value === key || value.endsWith(`.${key}`))).toBe(true)
        }
      }
    })

    it('has the agreements found by an independent parser', async () => {
      const kinds = new Set<string>()
      for (const { file } of entries.filter((entry) => !REFUSED.includes(entry.file))) {
        const query = { vendor_name: file, extended: true }
        const answer = await app.call('getAgreementsByName', query, READER)
        const found = [answer].flat().flatMap(({ agreements }) =>
          agreements.map((each) => {
            kinds.add(String(each.type))
            return [each.type, each.agreement_name, each.agreement_link, each.spdx_id].join('|')
          }),
        )
        expect([file, found]).toEqual([file, readDescribedAgreements(await readDocument(file))])
      }
      expect([...kinds].sort()).toEqual(['Documentation', 'InterfaceLicense', 'TermsOfService'])
    })

    it('assesses every API by its description, with evidence', async () => {
      const rules = new Map<string, number>()
      const undeclared: string[] = []
      const said: string[] = []
      for (const { file } of entries.filter((entry) => !REFUSED.includes(entry.file))) {
        const document = await readDocument(file)
        const agreements = readDescribedAgreements(document)
        const described = { facts: readDescribedFacts(document), agreements }
        const [api] = await storage.catalogue.findApisByName({ vendorName: file })
        if (!api) throw new Error(`There is no API of ${file}`)
        const assessment = await app.assessments.assess(api, READER.account)
        expect([file, listFlaws(assessment)]).toEqual([file, []])
        expect([file, listDifferences(assessment, described)]).toEqual([file, []])
        for (const { rule } of assessment.statements) {
          rules.set(rule, (rules.get(rule) ?? 0) + 1)
          if (rule === 'auth-undeclared') undeclared.push(file)
          if (OF_WORDS.test(rule)) said.push(`${file} ${rule}`)
        }
      }
      const told = [...rules].sort().map(([rule, count]) => `${rule} ${count}`)
      console.log(`${name}: statements of ${told.length} rules: ${told.join(', ')}`)
      const asked = new Set(entries.map(({ file }) => file))
      const ofAsked = (line: string) => asked.has(line.split(' ')[0] ?? '')
      expect(undeclared.sort()).toEqual(UNDECLARED.filter(ofAsked))
      expect(said.sort()).toEqual(SAID.filter(ofAsked))
    })

    it('finds every imported API by its title and vendor', async () => {
      const page = { size: 100 }
      const { num_results: total } = await app.call('searchEndpoints', page, READER)
      let found = 0
      for (let number = 1; number <= Math.ceil(total / 100); number += 1) {
        const list = await app.call('searchEndpoints', { ...page, page: number }, READER)
        for (const api of list.endpoints) {
          const q = `${api.name} ${api.vendor.name}`
          const { endpoints } = await app.call('searchEndpoints', { q, size: 3 }, READER)
          if (endpoints.some(({ id }) => id === api.id)) found += 1
        }
      }
      console.log(`${name}: ${found} of ${total} APIs are among the first three for their title`)
      expect(found / total).toBeGreaterThanOrEqual(0.95)
    })
  })
}
