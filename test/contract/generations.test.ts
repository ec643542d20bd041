import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { storagesOf } from '../helpers/runs.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { askOverHttp } from './ways.ts'

const COUNT = 3_000

/** Creates a description of `count` endpoints that all contain the same mark. */
function describeMarked(mark: string, count = COUNT): string {
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/items/${index}`,
      { get: { summary: `${mark} ${'x'.repeat(80)}`, responses: {} } },
    ]),
  )
  return JSON.stringify({ openapi: '3.0.3', info: { title: 'Marked', version: '1' }, paths })
}

const encoder = new TextEncoder()
async function importText({ app }: TestService, text: string): Promise<void> {
  const bytes = encoder.encode(text)
  await app.imports.importDescription({ bytes, vendorName: 'Skycast', isPublic: true })
}

function toMarks(text: string): readonly [count: number, marks: string] {
  const marked = (JSON.parse(text) as readonly { readonly description: string }[])
    .map(({ description }) => description)
    .filter((description) => description.endsWith('xxx'))
  return [marked.length, [...new Set(marked.map((each) => each.split(' ')[0]))].join(' and ')]
}

let postgres: TestPostgres
let folder: TestFolder
beforeAll(async () => {
  postgres = await startPostgres()
  folder = await makeFolder()
})
afterAll(async () => {
  await postgres.stop()
  await folder.remove()
})

const STORAGES: Readonly<Record<string, (clock: Clock) => Promise<FullStorage>>> = {
  'an SQLite file': (clock) =>
    openSqlite({ file: folder.pathOf(`${crypto.randomUUID()}.db`), clock }),
  'SQLite in memory': (clock) => openSqlite({ file: ':memory:', clock }),
  PostgreSQL: async (clock) => openPostgres({ url: await postgres.createDatabase(), clock }),
}

describe.each(storagesOf(Object.entries(STORAGES)))('a long response over %s', (_, openStorage) => {
  let service: TestService
  beforeAll(async () => {
    service = await openTestService({ openStorage })
    await importText(service, describeMarked('first'))
  })
  afterAll(() => service.close())

  function ask() {
    const headers = { 'api-key': service.keys.all }
    return service.app.fetch(new Request('http://service.test/api/endpoint_list', { headers }))
  }

  it('shows the generation at its start, despite concurrent imports', async () => {
    const before = await (await ask()).text()
    const reader = (await ask()).body?.getReader()
    const decoder = new TextDecoder()
    let text = decoder.decode((await reader?.read())?.value, { stream: true })
    expect(text.length).toBeLessThan(before.length / 2)
    await importText(service, describeMarked('second', COUNT - 1_000))
    for (;;) {
      const next = await reader?.read()
      if (!next || next.done) break
      text += decoder.decode(next.value, { stream: true })
    }
    expect(text).toBe(before)
    expect(toMarks(await (await ask()).text())).toEqual([COUNT - 1_000, 'second'])
  })

  it('never mixes generations over HTTP while imports run', async () => {
    const way = await askOverHttp(service, 'node')
    const request = { target: '/api/endpoint_list', headers: { 'api-key': service.keys.all } }
    const seen = new Set<string>()
    let isImporting = true
    const readers = Array.from({ length: 2 }, async () => {
      while (isImporting) {
        const [count, marks] = toMarks((await way.ask(request)).body)
        seen.add(`${count} ${marks}`)
      }
    })
    for (const [mark, count] of [
      ['third', 500],
      ['fourth', 1_500],
      ['fifth', 1],
    ] as const) {
      await importText(service, describeMarked(mark, count))
    }
    isImporting = false
    await Promise.all(readers)
    await way.close()
    const allowed = [`${COUNT - 1_000} second`, '500 third', '1500 fourth', '1 fifth']
    for (const each of seen) expect(allowed).toContain(each)
    expect(seen.size).toBeGreaterThan(0)
  })

  it('that is not read to its end blocks no import', async () => {
    const reader = (await ask()).body?.getReader()
    await reader?.read()
    await importText(service, describeMarked('last', 10))
    await reader?.cancel()
    expect(toMarks(await (await ask()).text())).toEqual([10, 'last'])
  })
})
