import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { casesOf, isFull, someOf } from '../helpers/runs.ts'
import { openTestService, type TestService, type TestServiceOptions } from '../helpers/service.ts'
import { askInProcess } from './ways.ts'

type Query = Readonly<Record<string, string | undefined>>

/** Skycast Weather: numeric, encrypted. */
const KNOWN = ['3', 'W5VXva5MQp3HQNYuTD']
/** Short and numeric, with their APIs. */
const ENDPOINTS = new Map([
  ['qjTj4fG', 'Skycast Weather'],
  ['6', 'Pigeon Messaging'],
])
const FLAGS = [undefined, '', 'false', 'True', '1', 'maybe'] as const
const LINKS = [
  ['CC BY 4.0', 'https://creativecommons.org/licenses/by/4.0/'],
  ['Terms of service', 'https://skycast.example/terms'],
  ['Documentation', 'https://docs.skycast.example'],
]

/** Every combination of the values of each parameter. */
function combine(values: Readonly<Record<string, readonly (string | undefined)[]>>): Query[] {
  return Object.entries(values).reduce<Query[]>(
    (all, [name, each]) =>
      all.flatMap((query) => each.map((value) => ({ ...query, [name]: value }))),
    [{}],
  )
}

const BY_ID = combine({
  api_id: [undefined, '', ...KNOWN, 'zzz', '99'],
  endpoint_id: [undefined, '', ...ENDPOINTS.keys(), 'zzz'],
  assessment: FLAGS,
  agreement: FLAGS,
})
const BY_NAME = combine({
  api_name: [undefined, '', 'skycast  WEATHER', 'Nothing'],
  vendor_name: [undefined, '', 'SKYCAST', 'Pigeon', 'Nobody'],
  assessment: FLAGS,
  agreement: FLAGS,
})

const isTrue = (flag: string | undefined) => /^(?:true|1|yes)$/i.test(flag ?? '')

/** Returns the names of invalid flags, in order. */
function wrongFlags({ assessment, agreement }: Query): readonly string[] {
  const odd = Object.entries({ assessment, agreement }).flatMap(([name, value]) =>
    value === 'maybe' ? [name] : [],
  )
  if (odd.length > 0) return odd
  return isTrue(assessment) && isTrue(agreement) ? ['agreement'] : []
}

/** Returns `400` with the invalid names, `404`, or the names of the returned APIs. */
function expectById(query: Query): string {
  const { api_id: api = '', endpoint_id: endpoint = '' } = query
  const wrong = [...(api === '' && endpoint === '' ? ['api_id'] : []), ...wrongFlags(query)]
  if (wrong.length > 0) return `400 ${wrong.sort()}`
  if (api === '') return ENDPOINTS.get(endpoint) ?? '404'
  return KNOWN.includes(api) ? 'Skycast Weather' : '404'
}

function expectByName(query: Query): string {
  const { api_name: api = '', vendor_name: vendor = '' } = query
  const wrong = [...(api === '' && vendor === '' ? ['api_name'] : []), ...wrongFlags(query)]
  if (wrong.length > 0) return `400 ${wrong.sort()}`
  const found = [
    { name: 'skycast  WEATHER', vendor: 'SKYCAST', answer: 'Skycast Weather' },
    { name: 'Pigeon Messaging', vendor: 'Pigeon', answer: 'Pigeon Messaging' },
  ].find((each) => (api === '' || each.name === api) && (vendor === '' || each.vendor === vendor))
  return found?.answer ?? '404'
}

interface Body {
  readonly api_name?: string
  readonly agreements?: readonly Readonly<Record<string, string>>[]
  readonly assessment?: unknown
  readonly code?: string
  readonly errors?: readonly { readonly name: string }[]
}

async function getBody(service: TestService, path: string, query: Query): Promise<string> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const { status, body } = await askInProcess(service).ask({
    target: `/api/agreements/${path}?${new URLSearchParams(given)}`,
    headers: { 'api-key': service.keys.readOnly },
  })
  const answer = JSON.parse(body) as Body
  if (status === 400) return `400 ${answer.errors?.map(({ name }) => name).sort()}`
  if (status !== 200) return String(status)
  const links = answer.agreements?.map((each) => [each.agreement_name, each.agreement_link])
  if (answer.api_name === 'Skycast Weather') expect(links).toEqual(LINKS)
  expect(Array.isArray(answer.assessment)).toBe(isTrue(query.assessment))
  expect(answer.agreements?.every((each) => Object.keys(each).length === 2)).toBe(true)
  return answer.api_name ?? ''
}

function describeViews(
  name: string,
  given: {
    readonly open: () => Promise<TestServiceOptions>
    readonly shareOf: <T>(all: readonly T[]) => readonly T[]
  },
): void {
  describe(`agreements for all combinations of parameters, over ${name}`, () => {
    let service: TestService
    beforeAll(async () => {
      service = await openTestService(await given.open())
    })
    afterAll(() => service.close())

    it('by id: both ids, one, none, unknown ones, with each flag', async () => {
      for (const query of given.shareOf(BY_ID)) {
        expect([query, await getBody(service, 'id', query)]).toEqual([query, expectById(query)])
      }
    })

    it('by name: both names, one, none, unknown ones, with each flag', async () => {
      for (const query of given.shareOf(BY_NAME)) {
        expect([query, await getBody(service, 'name', query)]).toEqual([query, expectByName(query)])
      }
    })
  })
}

let postgres: TestPostgres | undefined
afterAll(() => postgres?.stop())

describeViews('SQLite', { open: async () => ({}), shareOf: (all) => casesOf(all) })
if (isFull) {
  describeViews('PostgreSQL', {
    open: async () => {
      const server = await startPostgres()
      postgres = server
      const url = await server.createDatabase()
      return { openStorage: (clock) => openPostgres({ url, clock }) }
    },
    shareOf: (all) => someOf(all, 1),
  })
}
