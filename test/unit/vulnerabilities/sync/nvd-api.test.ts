import { afterEach, describe, expect, it } from 'vitest'
import { type Get, SourceError } from '../../../../core/ports/get.ts'
import type { NvdServerOptions } from '../../../helpers/nvd-server.ts'
import { createSeededRandom } from '../../../helpers/random.ts'
import {
  createMirror,
  DAY_MS,
  fillServer,
  HOUR_MS,
  NOW,
  openStage,
  readOn,
  type SyncStage,
  toId,
  toState,
} from './support.ts'

const stages: SyncStage[] = []

async function openTrackedStage(options: Parameters<typeof openStage>[0] = {}): Promise<SyncStage> {
  const stage = await openStage(options)
  stages.push(stage)
  return stage
}

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close()
})

describe('A full load', () => {
  it('reads every page, then the changes since it began', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 95)
    const mirror = createMirror()
    await readOn(stage, mirror, { pageSize: 40 })
    expect(toState(mirror.records.values())).toEqual(toState(stage.server.cves.values()))
    expect(stage.server.requests.map(({ query }) => query)).toEqual([
      { resultsPerPage: '40', startIndex: '0' },
      { resultsPerPage: '40', startIndex: '36' },
      { resultsPerPage: '40', startIndex: '72' },
      {
        resultsPerPage: '40',
        startIndex: '0',
        lastModStartDate: '2026-03-14T06:00:00.000+00:00',
        lastModEndDate: '2026-03-14T08:00:13.200+00:00',
      },
    ])
    expect(mirror.passed).toEqual({ phase: 'done', until: NOW + 13_200 })
  })

  it('of a service without records results in an empty database', async () => {
    const stage = await openTrackedStage()
    const mirror = createMirror()
    await readOn(stage, mirror, { pageSize: 40 })
    expect([mirror.records.size, stage.server.requests.length]).toEqual([0, 2])
  })

  it('reports its progress', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 95)
    await readOn(stage, createMirror(), { pageSize: 40 })
    const progress = stage.events.filter(({ kind }) => kind === 'progress')
    expect(progress).toEqual([
      { kind: 'progress', phase: 'records', done: 40, total: 95 },
      { kind: 'progress', phase: 'records', done: 76, total: 95 },
      { kind: 'progress', phase: 'records', done: 95, total: 95 },
      { kind: 'progress', phase: 'records', done: 0, total: 0 },
    ])
  })

  it.each(['published', 'modified'] as const)(
    'loses nothing if records change before each page, sorted by when they were %s',
    async (order) => {
      for (let seed = 1; seed <= 8; seed += 1) {
        const random = createSeededRandom(seed)
        const stage: SyncStage = await openTrackedStage({
          order,
          seed,
          onRequest: () => change(stage, random),
        })
        fillServer(stage, 120)
        const mirror = createMirror()
        await readOn(stage, mirror, { pageSize: 30 })
        // Changes after the last window began are left to the next sync.
        stage.clock.advance(3 * HOUR_MS)
        await readOn(stage, mirror, { pageSize: 30 })
        const isRead = ({ modifiedAt }: { modifiedAt: number }) =>
          modifiedAt < (mirror.passed?.until ?? 0)
        const served = [...stage.server.cves.values()].filter(isRead)
        expect(served.length).toBeGreaterThan(100)
        const state = toState(mirror.records.values())
        expect(toState(served).filter((line) => !state.includes(line))).toEqual([])
      }
    },
  )

  it('goes back if records moved up, and restarts if none repeats', async () => {
    for (const removed of [2, 25, 55]) {
      const stage: SyncStage = await openTrackedStage({
        onRequest(count) {
          if (count !== 3) return
          for (let number = 1; number <= removed; number += 1)
            stage.server.cves.delete(toId(number))
        },
      })
      fillServer(stage, 120)
      const mirror = createMirror()
      await readOn(stage, mirror, { pageSize: 30 })
      expect(mirror.records.size).toBe(120)
    }
  })

  it('fails if pages never overlap', async () => {
    const stage: SyncStage = await openTrackedStage({
      onRequest() {
        stage.server.cves.clear()
        const now = stage.clock()
        for (let number = 1; number <= 60; number += 1) {
          stage.server.put(`CVE-2021-${1000 + (now % 8000) + number}`, { publishedAt: NOW })
        }
      },
    })
    await expect(readOn(stage, createMirror(), { pageSize: 30 })).rejects.toMatchObject({
      code: 'source_failed',
      message: `Cannot read ${stage.server.url}: its pages change faster than they can be read`,
    })
  })
})

describe('An increment', () => {
  it('reads added, changed and rejected records only', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 50)
    const mirror = createMirror()
    await readOn(stage, mirror, { pageSize: 40 })
    stage.clock.advance(DAY_MS)
    stage.server.put(toId(3), { status: 'Rejected', description: '' })
    stage.server.put(toId(51))
    stage.server.put(toId(7), { description: 'Now known better' })
    stage.clock.advance(DAY_MS)
    stage.events.length = 0
    await readOn(stage, mirror, { pageSize: 40 })
    expect(stage.events.at(-1)).toEqual({ kind: 'progress', phase: 'records', done: 3, total: 3 })
    expect(toState(mirror.records.values())).toEqual(toState(stage.server.cves.values()))
    expect(mirror.records.get(toId(3))).toMatchObject({ isRejected: true })
  })

  it('reads windows that the service permits after a year', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 10)
    const mirror = createMirror()
    await readOn(stage, mirror, { pageSize: 40 })
    for (let month = 1; month <= 12; month += 1) {
      stage.clock.advance(30 * DAY_MS)
      stage.server.put(toId(20 + month))
    }
    const before = stage.server.requests.length
    await readOn(stage, mirror, { pageSize: 40 })
    expect(toState(mirror.records.values())).toEqual(toState(stage.server.cves.values()))
    expect(stage.server.requests.length - before).toBe(4)
  })

  it('sees changes even if the local clock is ahead of the service', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 10)
    const mirror = createMirror()
    const ahead = { ...stage, deps: { ...stage.deps } }
    const clock = Object.assign(() => stage.clock() + 5 * HOUR_MS, { advance: stage.clock.advance })
    await readOn({ ...ahead, clock, deps: { ...ahead.deps, clock } }, mirror, { pageSize: 40 })
    expect(mirror.passed?.until).toBeLessThanOrEqual(stage.clock())
  })
})

describe('A failing service', () => {
  const failing = (faults: Readonly<Record<number, ReturnType<NonNullable<Fault>>>>): Options => ({
    fault: (count) => faults[count],
  })

  it.each([
    ['responds with 503', { status: 503 }],
    ['responds with 403', { status: 403 }],
    ['responds with 429', { status: 429 }],
    ['responds with 404 without a reason', { status: 404 }],
    ['breaks off', 'cut'],
    ['ends too early', 'short'],
    ['responds with other content', 'garbage'],
  ] as const)('receives the request for a page again if it %s', async (_, fault) => {
    const stage = await openTrackedStage(failing({ 2: fault, 3: fault }))
    fillServer(stage, 60)
    const mirror = createMirror()
    await readOn(stage, mirror, { pageSize: 40 })
    expect(stage.server.requests.map(({ query }) => query.startIndex)).toEqual([
      '0',
      '36',
      '36',
      '36',
      '0',
    ])
    expect(toState(mirror.records.values())).toEqual(toState(stage.server.cves.values()))
    expect(stage.events.filter(({ kind }) => kind === 'waiting')).toHaveLength(2)
  })

  it('is not called before the time it asked for, in seconds or as a date', async () => {
    const stage = await openTrackedStage(
      failing({
        1: { status: 503, headers: { 'retry-after': '90' } },
        2: { status: 503, headers: { 'retry-after': new Date(NOW + 600_000).toUTCString() } },
      }),
    )
    await readOn(stage, createMirror(), { pageSize: 40 })
    const [first, second, third] = stage.server.requests.map(({ at }) => at - NOW)
    expect(first).toBe(0)
    expect(second).toBeGreaterThanOrEqual(90_000)
    expect(second).toBeLessThan(96_000)
    expect(third).toBeGreaterThanOrEqual(600_000)
    expect(third).toBeLessThan(612_000)
  })

  it('fails the sync at once if it asks to wait for hours', async () => {
    const stage = await openTrackedStage(
      failing({ 1: { status: 503, headers: { 'retry-after': '7200' } } }),
    )
    await expect(readOn(stage, createMirror(), { pageSize: 40 })).rejects.toMatchObject({
      message: `Cannot read ${stage.server.url}: it responded with 503: try again in 120 minutes`,
    })
    expect(stage.waits).toEqual([])
  })

  it('fails the sync after eight attempts with increasing limits on their waits', async () => {
    const stage = await openTrackedStage({ fault: () => ({ status: 503 }) })
    await expect(readOn(stage, createMirror(), { pageSize: 40 })).rejects.toMatchObject({
      code: 'source_failed',
      message: `Cannot read ${stage.server.url}: it responded with 503`,
    })
    expect(stage.server.requests).toHaveLength(8)
    const pauses = stage.events.flatMap((event) => (event.kind === 'waiting' ? [event.ms] : []))
    const bounds = [6_000, 12_000, 24_000, 48_000, 96_000, 192_000, 300_000]
    expect(pauses.map((ms, at) => ms <= (bounds[at] ?? 0))).toEqual(bounds.map(() => true))
    expect(new Set(pauses).size).toBe(7)
  })

  it('fails the sync at once if the host is unknown, but not after a response', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 60)
    const gone = new SourceError('Cannot read it: host not found', {
      maxAttempts: 1,
    })
    const outages = { from: 1, to: 1 }
    let count = 0
    const get: Get = async (url, options) => {
      count += 1
      if (count >= outages.from && count <= outages.to) throw gone
      return stage.get(url, options)
    }
    await expect(readOn({ ...stage, get }, createMirror(), { pageSize: 40 })).rejects.toBe(gone)
    expect([count, stage.waits]).toEqual([1, []])
    count = 0
    Object.assign(outages, { from: 2, to: 5 })
    const mirror = createMirror()
    await readOn({ ...stage, get }, mirror, { pageSize: 40 })
    expect(mirror.records.size).toBe(60)
  })

  it('fails the sync if its pages make no progress', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 60)
    let count = 0
    // Only the records that every page repeats of the previous one.
    const get: Get = async (url, options) => {
      count += 1
      if (count > 100) throw new Error('It goes on for ever')
      return stage.get(url.replace('resultsPerPage=40', 'resultsPerPage=4'), options)
    }
    await expect(readOn({ ...stage, get }, createMirror(), { pageSize: 40 })).rejects.toThrow(
      `Cannot read ${stage.server.url}: its pages change faster than they can be read`,
    )
  })

  it('receives no requests for pages that cannot overlap', async () => {
    const stage = await openTrackedStage()
    await expect(readOn(stage, createMirror(), { pageSize: 1 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Invalid page size "1": a page must have at least 2 records',
    })
  })

  it('receives no second request after a rejection, which is reported without the key', async () => {
    const stage = await openTrackedStage({ apiKey: 'right' })
    const given = { pageSize: 40, apiKey: 'wrong' }
    await expect(readOn(stage, createMirror(), given)).rejects.toMatchObject({
      message: `Cannot read ${stage.server.url}: it responded with 404 (Invalid apiKey.)`,
    })
    const echoing = await openTrackedStage({
      fault: () => ({ status: 400, headers: { message: 'Bad key top-secret-key' } }),
    })
    const outcome = readOn(echoing, createMirror(), { pageSize: 40, apiKey: 'top-secret-key' })
    await expect(outcome).rejects.toMatchObject({
      message: `Cannot read ${echoing.server.url}: it responded with 400 (Bad key …)`,
    })
    expect([stage.server.requests.length, echoing.server.requests.length]).toEqual([1, 1])
  })

  it('loses only the record that it broke', async () => {
    const stage = await openTrackedStage(failing({ 1: 'broken-record' }))
    fillServer(stage, 10)
    const mirror = createMirror()
    const reader = await readOn(stage, mirror, { pageSize: 40 })
    expect([mirror.records.size, reader.problems()]).toEqual([9, 1])
    expect(stage.events.filter(({ kind }) => kind === 'problem')).toEqual([
      {
        kind: 'problem',
        source: stage.server.url,
        id: toId(1),
        message: expect.stringContaining(toId(1)),
      },
    ])
  })
})

describe('The rate limit of the service', () => {
  it.each([
    [undefined, 6_600],
    ['k', 660],
  ])('is respected with the key %s', async (apiKey, gapMs) => {
    const stage = await openTrackedStage(apiKey === undefined ? {} : { apiKey })
    fillServer(stage, 300)
    const given = { pageSize: 10, ...(apiKey === undefined ? {} : { apiKey }) }
    await readOn(stage, createMirror(), given)
    const times = stage.server.requests.map(({ at }) => at)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(times.length).toBeGreaterThan(30)
    expect(new Set(gaps)).toEqual(new Set([gapMs]))
    expect(stage.events.filter(({ kind }) => kind === 'waiting')).toEqual([])
  })

  it('is respected again if another client uses it up', async () => {
    const stage = await openTrackedStage()
    fillServer(stage, 60)
    for (let count = 0; count < 5; count += 1) await fetch(stage.server.url)
    const mirror = createMirror()
    await readOn(stage, mirror, { pageSize: 40 })
    expect(mirror.records.size).toBe(60)
  })
})

describe('An interrupted load', () => {
  it('resumes fifty times at random points without losing or duplicating records', async () => {
    const random = createSeededRandom(50)
    const pick = (below: number) => ((random(1)[0] ?? 0) * below) >> 8
    const ending = { current: new AbortController() }
    let endsAt = 0
    let interruptions = 0
    const stage: SyncStage = await openTrackedStage({
      onRequest(count) {
        change(stage, random)
        if (interruptions >= 50 || count < endsAt) return
        const { current } = ending
        const interrupt = () => current.abort(new Error('interrupted'))
        // Before the response, or somewhere in its body.
        if (pick(2) === 0) interrupt()
        else setTimeout(interrupt, pick(4))
      },
    })
    fillServer(stage, 400)
    const mirror = createMirror()
    let attempts = 0
    for (let isDone = false; !isDone && attempts < 1_000; attempts += 1) {
      ending.current = new AbortController()
      endsAt = stage.server.requests.length + 1 + pick(4)
      const { signal } = ending.current
      isDone = await readOn(stage, mirror, { pageSize: 25, signal }).then(
        () => interruptions >= 50,
        (error: Error) => {
          expect(error.message).toBe('interrupted')
          interruptions += 1
          return false
        },
      )
      if (!isDone) stage.clock.advance(7_000 + (mirror.checkpoint === undefined ? 3 * HOUR_MS : 0))
    }
    expect(interruptions).toBe(50)
    const until = mirror.passed?.until ?? 0
    const served = [...stage.server.cves.values()].filter(({ modifiedAt }) => modifiedAt < until)
    const state = toState(mirror.records.values())
    expect(toState(served).filter((line) => !state.includes(line))).toEqual([])
    expect([...mirror.records.keys()].filter((id) => !stage.server.cves.has(id))).toEqual([])
  })
})

type Options = Omit<NvdServerOptions, 'clock'>
type Fault = NonNullable<Options['fault']>

/** Adds, changes or rejects a few records at the service. */
function change(stage: SyncStage, random: (length: number) => Uint8Array): void {
  const [many = 0, a = 0, b = 0] = random(3)
  const { cves, put } = stage.server
  for (let count = 0; count < many % 4; count += 1) {
    const number = 1 + ((a * 7 + b * 13 + count * 31) % 120)
    if (count === 3) put(toId(cves.size + 1))
    else put(toId(number), count === 2 ? { status: 'Rejected' } : {})
  }
}
