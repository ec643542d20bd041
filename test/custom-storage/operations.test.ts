import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { contract } from '../../core/contract.ts'
import type { Operation } from '../../core/http/operation.ts'
import type { FullStorage, Storage } from '../../core/storage.ts'
import { GOLDEN_CASES } from '../contract/golden-cases.ts'
import { askInProcess } from '../contract/ways.ts'
import { mirrorEgress } from '../helpers/mirror-egress.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { createMemoryStorage } from './memory-storage.ts'

const operations = contract as Readonly<Record<string, Operation>>
const SPECIFIED = Object.entries(operations).filter(([, { section }]) => section !== undefined)

/** Returns the methods of a storage, as `catalogue.findApi`. */
function listMethods(storage: object): readonly string[] {
  return Object.entries(storage).flatMap(([name, member]: [string, object]) =>
    typeof member === 'function'
      ? [name]
      : Object.keys(member).map((method) => `${name}.${method}`),
  )
}

/** Returns a storage with only these methods. */
function pickMethods(storage: FullStorage, methods: readonly string[]): Storage {
  const picked: Record<string, object> = {}
  for (const [name, member] of Object.entries(storage) as [string, object][]) {
    picked[name] =
      typeof member === 'function'
        ? member
        : Object.fromEntries(
            Object.entries(member).filter(([method]) => methods.includes(`${name}.${method}`)),
          )
  }
  return picked as unknown as Storage
}

describe('a storage with the required methods alone', () => {
  const required = listMethods(createMemoryStorage())
  let services: Readonly<Record<'memory' | 'sqlite', TestService>>

  beforeAll(async () => {
    // With an egress of its own, the service has no samples of the gateway, which need more methods.
    const app = { egress: mirrorEgress }
    const open = (openStorage: (clock: () => number) => Promise<Storage>) =>
      openTestService({ app, openStorage: openStorage as never })
    services = {
      memory: await open(async (clock) => createMemoryStorage(clock)),
      sqlite: await open(async (clock) =>
        pickMethods(await openSqlite({ file: ':memory:', clock }), required),
      ),
    }
  })
  afterAll(() => Promise.all(Object.values(services).map((service) => service.close())))

  it('has at most 60 methods', async () => {
    const sqlite = await openSqlite({ file: ':memory:' })
    expect(required.filter((method) => !listMethods(sqlite).includes(method))).toEqual([])
    expect(required.length).toBeLessThanOrEqual(60)
    await sqlite.close()
  })

  it.each(SPECIFIED)('serves %s as SQLite does', async (operation) => {
    const cases = GOLDEN_CASES.filter((each) => each.operation === operation && !each.isEmpty)
    expect(cases.length).toBeGreaterThan(0)
    for (const each of cases.filter(({ hasCveRecords }) => !hasCveRecords)) {
      const [memory, sqlite] = await Promise.all(
        [services.memory, services.sqlite].map((service) => {
          const { key = 'all' } = each
          const keys = key === 'none' ? {} : { 'api-key': service.keys[key] }
          const headers = { 'x-request-id': 'test', ...keys, ...each.headers }
          return askInProcess(service).ask({ ...each, headers })
        }),
      )
      expect(memory?.status).not.toBe(501)
      expect([each.name, memory?.status, memory?.body]).toEqual([
        each.name,
        sqlite?.status,
        sqlite?.body,
      ])
    }
  })

  it('reports the method that an additional operation needs', async () => {
    const { memory } = services
    const headers = { 'api-key': memory.keys.all }
    const { status, body } = await askInProcess(memory).ask({ target: '/api/imports', headers })
    expect([status, JSON.parse(body)]).toMatchObject([
      501,
      {
        code: 'not_implemented',
        detail: 'The storage does not implement imports.listReports',
      },
    ])
  })
})
