import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { isFull } from '../helpers/runs.ts'
import { openTestService, type TestService, type TestServiceOptions } from '../helpers/service.ts'
import { GOLDEN_CASES, type GoldenCase } from './golden-cases.ts'
import {
  type GoldenAnswer,
  readGolden,
  toBodyText,
  toGoldenAnswer,
  writeGolden,
} from './golden-files.ts'
import { findOutputIssue } from './output-check.ts'
import { askInProcess, askOverHttp, type Way, type WireAnswer } from './ways.ts'

/** `UPDATE_GOLDEN=1` rewrites the files from in-process responses over SQLite. */
const isUpdate = process.env.UPDATE_GOLDEN === '1'

const operations = contract as Readonly<Record<string, Operation>>
const names = [...new Set(GOLDEN_CASES.map(({ operation }) => operation))]
const golden = new Map<string, readonly GoldenAnswer[]>(
  await Promise.all(names.map(async (name) => [name, await readGolden(name)] as const)),
)

/** Sends all cases in order, since later ones depend on earlier ones. */
async function askAll(
  open: (options: TestServiceOptions) => Promise<TestService>,
  toWay: (service: TestService) => Promise<Way> | Way,
): Promise<ReadonlyMap<GoldenCase, WireAnswer>> {
  const services = {
    filled: await open({}),
    empty: await open({ isEmpty: true }),
    joined: await open({ hasCveRecords: true }),
  }
  const ways = {
    filled: await toWay(services.filled),
    empty: await toWay(services.empty),
    joined: await toWay(services.joined),
  }
  const answers = new Map<GoldenCase, WireAnswer>()
  for (const each of GOLDEN_CASES) {
    const which = each.isEmpty ? 'empty' : each.hasCveRecords ? 'joined' : 'filled'
    const { key = 'all' } = each
    const headers = {
      'x-request-id': 'golden',
      ...(key === 'none' ? {} : { 'api-key': services[which].keys[key] }),
      ...each.headers,
    }
    answers.set(each, await ways[which].ask({ ...each, headers }))
  }
  for (const way of Object.values(ways)) await way.close()
  for (const service of Object.values(services)) await service.close()
  return answers
}

function describeWay(name: string, ask: () => Promise<ReadonlyMap<GoldenCase, WireAnswer>>): void {
  describe(`golden responses ${name}`, () => {
    let answers: ReadonlyMap<GoldenCase, WireAnswer>
    beforeAll(async () => {
      answers = await ask()
    })

    for (const operation of names) {
      const cases = GOLDEN_CASES.filter((each) => each.operation === operation)
      it(`of ${operation}: ${cases.length} cases, byte for byte`, () => {
        const expected = golden.get(operation) ?? []
        const actual = cases.map((each) => toGoldenAnswer(each, getAnswer(answers, each)))
        expect(actual).toEqual(expected)
        for (const [index, each] of cases.entries()) {
          expect(getAnswer(answers, each).body).toBe(toBodyText(expected[index] as GoldenAnswer))
        }
      })
    }

    it('carry the headers of every response', () => {
      for (const [each, { headers }] of answers) {
        expect([each.name, headers['x-request-id'], headers['x-content-type-options']]).toEqual([
          each.name,
          'golden',
          'nosniff',
        ])
        expect(headers.vary).toBe('api-key, Authorization, Accept')
        expect(['private, no-cache', 'no-store']).toContain(headers['cache-control'])
      }
    })

    it('match the schemas of their operations exactly', () => {
      for (const [each, answer] of answers) {
        const operation = operations[each.operation] as Operation
        expect([each.name, findOutputIssue(operation, answer)]).toEqual([each.name, undefined])
      }
    })
  })
}

function getAnswer(answers: ReadonlyMap<GoldenCase, WireAnswer>, each: GoldenCase): WireAnswer {
  return answers.get(each) ?? { status: 0, headers: {}, body: '' }
}

if (isUpdate) {
  const answers = await askAll(openTestService, askInProcess)
  for (const operation of names) {
    const cases = GOLDEN_CASES.filter((each) => each.operation === operation)
    const rewritten = cases.map((each) => toGoldenAnswer(each, getAnswer(answers, each)))
    await writeGolden(operation, rewritten)
    golden.set(operation, rewritten)
  }
}

describeWay('in process over SQLite', () => askAll(openTestService, askInProcess))
describeWay('over node:http', () => askAll(openTestService, (each) => askOverHttp(each, 'node')))
if ('Bun' in globalThis || 'Deno' in globalThis) {
  describeWay('over the native listener', () =>
    askAll(openTestService, (each) => askOverHttp(each, 'native')),
  )
}

if ('Bun' in globalThis) {
  describeWay('in process over bun:sqlite', async () => {
    const { openBunSqlite } = await import('../../adapters/storage/bun-sqlite.ts')
    const openStorage = (clock: Clock) => openBunSqlite({ file: ':memory:', clock })
    return askAll((options) => openTestService({ ...options, openStorage }), askInProcess)
  })
}

describe.runIf(isFull)('with PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  describeWay('in process over PostgreSQL', () =>
    askAll(
      (options) =>
        openTestService({
          ...options,
          openStorage: async (clock) =>
            openPostgres({ url: await postgres.createDatabase(), clock }),
        }),
      askInProcess,
    ),
  )
})
