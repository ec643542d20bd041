import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../../adapters/storage/postgres.ts'
import { openSqlite } from '../../../../adapters/storage/sqlite.ts'
import type { FullStorage } from '../../../../core/ports/storage.ts'
import {
  createVulnerabilities,
  type Vulnerabilities,
  type VulnerabilityLoads,
} from '../../../../core/vulnerabilities/service.ts'
import type { SyncOptions } from '../../../../core/vulnerabilities/sync/loader-turn.ts'
import { syncEpss, syncKev } from '../../../../core/vulnerabilities/sync/sync-lists.ts'
import { syncNvd, syncNvdFiles } from '../../../../core/vulnerabilities/sync/sync-nvd.ts'
import { toNvdItem } from '../../../helpers/nvd-server.ts'
import { startPostgres, type TestPostgres } from '../../../helpers/postgres.ts'
import { createSeededRandom } from '../../../helpers/random.ts'
import { runs, storagesOf } from '../../../helpers/runs.ts'
import { fillServer, HOUR_MS, openStage, type SyncStage, toId } from './support.ts'

let postgres: TestPostgres
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres.stop())

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Open = (clock: () => number) => Promise<FullStorage>

const openOnSqlite: Open = (clock) => openSqlite({ file: ':memory:', clock })
/** The third is how often its load is interrupted. */
const ENGINES: readonly (readonly [string, Open, number])[] = [
  ['SQLite', openOnSqlite, runs(50)],
  [
    'PostgreSQL',
    async (clock) => openPostgres({ url: await postgres.createDatabase(), clock }),
    runs(50),
  ],
]

/** A server and a database that follows it. */
async function openBoth(open: Open, options: Parameters<typeof openStage>[0] = {}) {
  const stage: SyncStage = await openStage(options)
  const storage = await open(stage.clock)
  closing.push(stage.close, () => storage.close())
  const store = storage.vulnerabilities
  const vulnerabilities = createVulnerabilities({ store, clock: stage.clock })
  const sync = (more: { isFull?: boolean; signal?: AbortSignal; pageSize?: number } = {}) =>
    syncNvd({
      ...stage.deps,
      vulnerabilities,
      get: stage.get,
      baseUrl: stage.server.url,
      pageSize: 30,
      isForced: true,
      ...more,
    })
  return { stage, store, vulnerabilities, sync }
}

/** Differences between the database and the server, and the number of records. */
async function compareWithServer(
  stage: SyncStage,
  vulnerabilities: Vulnerabilities,
): Promise<readonly (string | number)[]> {
  const faults: (string | number)[] = []
  for (const { id, modifiedAt, status } of stage.server.cves.values()) {
    const found = await vulnerabilities.findRecord(id)
    if (found?.record.modifiedAt !== modifiedAt || found.record.status !== status) faults.push(id)
  }
  const { records } = await vulnerabilities.status()
  return [...faults, records]
}

describe.each(storagesOf(ENGINES))('A database on %s that follows NVD', (_, open, wanted) => {
  it('contains the records of the service after a full load, increments and another full load', async () => {
    const { stage, vulnerabilities, sync } = await openBoth(open)
    fillServer(stage, 100)
    expect(await sync()).toMatchObject({ mode: 'full', load: { added: 100, total: 100 } })
    stage.clock.advance(3 * HOUR_MS)
    stage.server.put(toId(5), { status: 'Rejected' })
    stage.server.put(toId(101))
    expect(await sync()).toMatchObject({ mode: 'increment', load: { added: 1, changed: 1 } })
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([101])
    stage.server.cves.delete(toId(7))
    stage.clock.advance(3 * HOUR_MS)
    expect(await sync({ isFull: true })).toMatchObject({ mode: 'full', load: { removed: 1 } })
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([100])
    const { sources } = await vulnerabilities.status()
    stage.server.cves.clear()
    stage.clock.advance(3 * HOUR_MS)
    expect(await sync({ isFull: true })).toMatchObject({ load: { removed: 0, total: 100 } })
    expect((await vulnerabilities.status()).sources).toEqual(sources)
  })

  it('stays the same if nothing changed, and does not call the service twice in two hours', async () => {
    const { stage, vulnerabilities, sync } = await openBoth(open)
    fillServer(stage, 20)
    await sync()
    stage.clock.advance(3 * HOUR_MS)
    const loadedAt = stage.clock()
    expect(await sync()).toMatchObject({ load: { read: 0, generation: 1 } })
    expect((await vulnerabilities.status()).sources).toEqual([
      { name: 'nvd', loadedAt, dataAt: Date.UTC(2026, 2, 11, 8) + 40 },
    ])
    const requests = stage.server.requests.length
    const options = { ...stage.deps, vulnerabilities, get: stage.get, baseUrl: stage.server.url }
    const now = stage.clock()
    const fresh = await syncNvd(options)
    expect(fresh).toMatchObject({ state: 'fresh' })
    expect(fresh.state === 'fresh' && fresh.nextAt > now).toBe(true)
    expect(stage.server.requests).toHaveLength(requests)
    stage.clock.advance(2 * HOUR_MS)
    expect(await syncNvd(options)).toMatchObject({ state: 'loaded', mode: 'increment' })
  })

  it('is read once if another sync ends before this one has the lease', async () => {
    const { stage, vulnerabilities, sync } = await openBoth(open)
    fillServer(stage, 20)
    const late: VulnerabilityLoads = {
      ...vulnerabilities,
      async loadRecords(...input) {
        if ((await vulnerabilities.status()).records === 0) await sync()
        return vulnerabilities.loadRecords(...input)
      },
    }
    const { deps, get, server } = stage
    const report = await syncNvd({ ...deps, vulnerabilities: late, get, baseUrl: server.url })
    expect(report).toMatchObject({ state: 'fresh' })
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([20])
  })

  it(`is complete after ${wanted} interruptions at random points`, async () => {
    const random = createSeededRandom(7)
    const pick = (below: number) => ((random(1)[0] ?? 0) * below) >> 8
    const ending = { current: new AbortController() }
    let endsAt = 0
    let interruptions = 0
    const opened = await openBoth(open, {
      onRequest(count) {
        const { put } = opened.stage.server
        if (pick(3) === 0) put(toId(1 + pick(200)), pick(4) === 0 ? { status: 'Rejected' } : {})
        if (interruptions >= wanted || count < endsAt) return
        const { current } = ending
        const interrupt = () => current.abort(new Error('interrupted'))
        if (pick(2) === 0) interrupt()
        else setTimeout(interrupt, pick(4))
      },
    })
    const { stage, vulnerabilities, sync } = opened
    fillServer(stage, 250)
    for (let attempts = 0; attempts < 500 && interruptions < wanted; attempts += 1) {
      ending.current = new AbortController()
      endsAt = stage.server.requests.length + 1 + pick(3)
      await sync({ signal: ending.current.signal }).then(
        () => stage.clock.advance(3 * HOUR_MS),
        (error: Error) => {
          expect(error.message).toBe('interrupted')
          interruptions += 1
        },
      )
      stage.clock.advance(7_000)
    }
    expect(interruptions).toBe(wanted)
    await sync()
    stage.clock.advance(3 * HOUR_MS)
    expect(await sync()).toMatchObject({ state: 'loaded' })
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([stage.server.cves.size])
  })

  it('resumes a full load as one, but removes nothing then', async () => {
    const { stage, vulnerabilities, sync } = await openBoth(open)
    fillServer(stage, 100)
    await sync()
    stage.server.cves.delete(toId(90))
    stage.clock.advance(3 * HOUR_MS)
    const ending = new AbortController()
    const onEvent = stage.deps.onEvent
    Object.assign(stage.deps, {
      onEvent: () => {
        if (stage.server.requests.length === 7) ending.abort(new Error('interrupted'))
      },
    })
    await expect(sync({ isFull: true, signal: ending.signal })).rejects.toThrow('interrupted')
    Object.assign(stage.deps, { onEvent })
    const asked = stage.server.requests.length
    expect(await sync({ isFull: true })).toMatchObject({ mode: 'full', load: { removed: 0 } })
    expect(stage.server.requests[asked]?.query.startIndex).not.toBe('0')
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([100])
    expect(await sync({ isFull: true })).toMatchObject({ mode: 'full', load: { removed: 1 } })
  })

  it('waits for a dead loader, and not for one that is alive', async () => {
    const { stage, store, sync } = await openBoth(open)
    fillServer(stage, 5)
    await store.beginLoad({ source: 'other' })
    expect(await sync()).toMatchObject({ load: { total: 5 } })
    expect(stage.events[0]).toEqual({
      kind: 'waiting',
      ms: 13_000,
      reason: 'Another load seems to be running',
    })
    const alive = await store.beginLoad({ source: 'other' })
    const { sleep } = stage.deps
    Object.assign(stage.deps, {
      async sleep(ms: number, signal?: AbortSignal) {
        await alive.renew()
        await sleep(ms, signal)
      },
    })
    await expect(sync()).rejects.toMatchObject({ code: 'conflict' })
    expect(await syncTakingOver()).toMatchObject({ state: 'loaded' })

    function syncTakingOver() {
      return sync({ takeOver: true } as Parameters<typeof sync>[0])
    }
  })
})

describe.each(storagesOf(ENGINES))('A list on %s', (_, open) => {
  const toFile = (text: string) => ({
    name: 'a list',
    async *open() {
      yield new TextEncoder().encode(text)
    },
  })
  const kev = toFile(
    '{"catalogVersion": "1", "vulnerabilities": [{"cveID": "CVE-2020-0001", "dateAdded": "2026-03-01"}]}',
  )
  const epss = toFile('cve,epss,percentile\nCVE-2020-0001,0.5,0.9\n')

  it.each([
    ['kev', (options: SyncOptions) => syncKev({ ...options, file: kev })],
    ['epss', (options: SyncOptions) => syncEpss({ ...options, file: epss })],
  ])('of %s waits for a dead loader, and not for one that is alive', async (name, sync) => {
    const { stage, store, vulnerabilities } = await openBoth(open)
    const options = { ...stage.deps, vulnerabilities }
    await store.beginLoad({ source: 'other' })
    expect(await sync(options)).toMatchObject({ load: { total: 1, generation: 1 } })
    const waiting = stage.events.filter(({ kind }) => kind === 'waiting')
    expect(waiting).toMatchObject([{ ms: 13_000 }])
    const alive = await store.beginLoad({ source: 'other' })
    const sleep: SyncOptions['sleep'] = async (ms, signal) => {
      await alive.renew()
      await stage.deps.sleep(ms, signal)
    }
    await expect(sync({ ...options, sleep })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        `Cannot load ${name}: a load of other has been running since`,
      ),
    })
    expect(await sync({ ...options, takeOver: true })).toMatchObject({ load: { unchanged: 1 } })
  })

  it('removes nothing if some entries are unreadable', async () => {
    const { stage, vulnerabilities } = await openBoth(open)
    const options = { ...stage.deps, vulnerabilities }
    const toKev = (entries: readonly (readonly [number, string])[]) =>
      toFile(
        JSON.stringify({
          vulnerabilities: entries.map(([number, dateAdded]) => ({
            cveID: toId(number),
            dateAdded,
          })),
        }),
      )
    const toEpss = (lines: readonly (readonly [number, string])[]) =>
      toFile(lines.map(([number, score]) => `${toId(number)},${score},0.5\n`).join(''))
    const day = '2026-03-01'
    const scored = [1, 2, 3].map((number) => [number, '0.5'] as const)
    await syncKev({ ...options, file: toKev([1, 2, 3].map((number) => [number, day])) })
    await syncEpss({ ...options, file: toEpss(scored) })
    const kevMore = toKev([
      [2, 'soon'],
      [3, '2026-03-02'],
      [4, day],
    ])
    const epssMore = toEpss([
      [2, '7'],
      [3, '0.6'],
      [4, '0.5'],
    ])
    const merged = { read: 2, added: 1, changed: 1, unchanged: 0, removed: 0, total: 4 }
    expect(await syncKev({ ...options, file: kevMore })).toMatchObject({
      problems: 1,
      load: merged,
    })
    expect(await syncEpss({ ...options, file: epssMore })).toMatchObject({
      problems: 1,
      load: merged,
    })
    expect((await syncKev({ ...options, file: toKev([[4, day]]) })).load.removed).toBe(3)
    expect((await syncEpss({ ...options, file: toEpss([[4, '0.5']]) })).load.removed).toBe(3)
  })

  it('is rejected if more entries are unreadable than readable', async () => {
    const { stage, vulnerabilities } = await openBoth(open)
    const options = { ...stage.deps, vulnerabilities }
    const entries = [{ cveID: toId(1), dateAdded: '2026-03-01' }, { cveID: toId(2) }, {}]
    const kevFile = toFile(JSON.stringify({ vulnerabilities: entries }))
    const epssFile = toFile(`${toId(1)},0.5,0.5\n${toId(2)},7,0.5\nnonsense\n`)
    const refusal = {
      code: 'invalid_body',
      message: 'Cannot read the document: 2 of its 3 entries cannot be read',
    }
    await expect(syncKev({ ...options, file: kevFile })).rejects.toMatchObject(refusal)
    await expect(syncEpss({ ...options, file: epssFile })).rejects.toMatchObject(refusal)
    expect(stage.events.filter(({ kind }) => kind === 'problem')).toHaveLength(4)
    expect(await vulnerabilities.status()).toMatchObject({ generation: 0, sources: [] })
  })

  it('does not take over from a loader that took over', async () => {
    const { stage, store, vulnerabilities } = await openBoth(open)
    let attempts = 0
    const contested: VulnerabilityLoads = {
      ...vulnerabilities,
      async loadKnownExploited(entries, options) {
        attempts += 1
        await store.beginLoad({ source: 'other' })
        return vulnerabilities.loadKnownExploited(entries, { ...options, takeOver: false })
      },
    }
    const options = { ...stage.deps, vulnerabilities: contested, takeOver: true }
    await expect(syncKev({ ...options, file: kev })).rejects.toMatchObject({ code: 'conflict' })
    expect(attempts).toBe(1)
  })
})

describe('A database loaded from files', () => {
  async function openFilled() {
    const both = await openBoth(openOnSqlite)
    fillServer(both.stage, 60)
    const items = [...both.stage.server.cves.values()].map(toNvdItem)
    const broken = { cve: { id: 'CVE-2020-0001' } }
    const opened: string[] = []
    const toFile = (name: string, content: readonly object[] | string) => ({
      name,
      fingerprint: '1',
      async *open() {
        opened.push(name)
        const text =
          typeof content === 'string' ? content : JSON.stringify({ vulnerabilities: content })
        yield new TextEncoder().encode(text)
      },
    })
    const load = (
      files: readonly ReturnType<typeof toFile>[],
      more: { isComplete?: boolean; signal?: AbortSignal } = {},
    ) => syncNvdFiles({ ...both.stage.deps, vulnerabilities: both.vulnerabilities, files, ...more })
    return { ...both, items, broken, opened, toFile, load }
  }

  it('skips files that an interrupted load has read unless they changed, and later reads all again', async () => {
    const { items, opened, toFile, load, stage, vulnerabilities } = await openFilled()
    const files = [0, 1, 2].map((part) => toFile(`${part}`, items.slice(part * 20, part * 20 + 20)))
    const ending = new AbortController()
    const onEvent = stage.deps.onEvent
    Object.assign(stage.deps, {
      onEvent: (event: { kind: string; name?: string }) => {
        if (event.kind === 'file' && event.name === '2') ending.abort(new Error('interrupted'))
      },
    })
    await expect(load(files, { signal: ending.signal })).rejects.toThrow('interrupted')
    Object.assign(stage.deps, { onEvent })
    opened.length = 0
    const [first, ...rest] = files
    const changed = { ...toFile('0', items.slice(0, 19)), fingerprint: '2' }
    expect(first?.name).toBe('0')
    const report = await load([changed, ...rest])
    expect([opened, report.files, report.load.total]).toEqual([['0', '2'], 3, 60])
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([60])
    opened.length = 0
    expect((await load(files)).load).toMatchObject({ read: 60, unchanged: 60, generation: 1 })
    expect(opened).toEqual(['0', '1', '2'])
  })

  it('removes other records only if every file and record was valid', async () => {
    const { items, broken, toFile, load } = await openFilled()
    await load([toFile('all', items)])
    const some = items.slice(10)
    const isComplete = true
    expect(await load([toFile('a', some), toFile('b', 'x')], { isComplete })).toMatchObject({
      failures: [{ name: 'b' }],
      load: { removed: 0 },
    })
    expect(await load([toFile('a', [...some, broken])], { isComplete })).toMatchObject({
      problems: 1,
      load: { removed: 0 },
    })
    expect(await load([toFile('a', [])], { isComplete })).toMatchObject({ load: { removed: 0 } })
    expect(await load([toFile('a', some)], { isComplete })).toMatchObject({ load: { removed: 10 } })
  })

  it('treats a file as broken if none of its records is readable', async () => {
    const { items, broken, toFile, load, stage } = await openFilled()
    const message = 'Cannot read the document: none of its records can be read'
    const report = await load([toFile('a', [broken, broken]), toFile('b', items)])
    expect(report).toMatchObject({
      files: 1,
      failures: [{ name: 'a', message }],
      problems: 0,
      load: { read: 60 },
    })
    const told = stage.events.filter(({ kind }) => kind === 'problem' || kind === 'file')
    expect(told.slice(0, 5)).toMatchObject([
      { kind: 'file', name: 'a', state: 'begun' },
      { kind: 'problem', source: 'a', id: 'CVE-2020-0001' },
      { kind: 'problem', source: 'a', id: 'CVE-2020-0001' },
      { kind: 'problem', source: 'a', message },
      { kind: 'file', name: 'a', state: 'failed' },
    ])
  })

  it('reads a file without readable records again after an interruption', async () => {
    const { items, broken, opened, toFile, load, stage } = await openFilled()
    const files = [toFile('a', [broken]), toFile('b', items.slice(0, 20)), toFile('c', items)]
    const ending = new AbortController()
    const onEvent = stage.deps.onEvent
    Object.assign(stage.deps, {
      onEvent: (event: { kind: string; name?: string }) => {
        if (event.kind === 'file' && event.name === 'c') ending.abort(new Error('interrupted'))
      },
    })
    await expect(load(files, { signal: ending.signal })).rejects.toThrow('interrupted')
    Object.assign(stage.deps, { onEvent })
    opened.length = 0
    // The first batch of 50 records was staged.
    expect((await load(files)).load).toMatchObject({ read: 110, added: 60, unchanged: 50 })
    expect(opened).toEqual(['a', 'c'])
  })

  it('gets newer only by a load of whole files', async () => {
    const { items, broken, toFile, load, stage, vulnerabilities } = await openFilled()
    const sources = async () => (await vulnerabilities.status()).sources
    const unreadable = [toFile('a', [broken]), toFile('b', '<html>'), toFile('c', [])]
    await load(unreadable)
    expect(await sources()).toEqual([{ name: 'nvd-files', loadedAt: undefined }])
    const loadedAt = stage.clock()
    await load([toFile('d', items)])
    stage.clock.advance(HOUR_MS)
    await load(unreadable)
    const dataAt = Date.UTC(2026, 2, 11, 8) + 20
    expect(await sources()).toEqual([{ name: 'nvd-files', loadedAt, dataAt }])
    // A file that breaks off after valid records is no complete load either.
    await load([toFile('e', items), toFile('f', JSON.stringify(items).slice(0, -5))])
    expect(await sources()).toEqual([{ name: 'nvd-files', loadedAt, dataAt }])
    await load([toFile('e', items)])
    expect(await sources()).toEqual([{ name: 'nvd-files', loadedAt: stage.clock(), dataAt }])
  })

  it('is read from the service again after files have replaced everything', async () => {
    const { items, stage, sync, toFile, load, vulnerabilities } = await openFilled()
    await sync()
    stage.clock.advance(3 * HOUR_MS)
    await load([toFile('a', items.slice(0, 5))], { isComplete: true })
    expect(await sync()).toMatchObject({ mode: 'full', load: { total: 60 } })
    expect(await compareWithServer(stage, vulnerabilities)).toEqual([60])
    await load([toFile('a', items.slice(0, 5))])
    stage.clock.advance(3 * HOUR_MS)
    expect(await sync()).toMatchObject({ mode: 'increment' })
  })
})
