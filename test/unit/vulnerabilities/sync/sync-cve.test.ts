import { afterEach, describe, expect, it } from 'vitest'
import type { OnSyncEvent } from '../../../../core/vulnerabilities/sync/events.ts'
import { startReleaseServer } from '../../../helpers/release-server.ts'
import { type OpenReleases, openReleases, toId } from './releases-support.ts'
import { DAY_MS, HOUR_MS } from './support.ts'

const opened: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** A server with 45 records and the first release of a day. */
async function open(options: Parameters<typeof openReleases>[0] = {}): Promise<OpenReleases> {
  const releases = await openReleases(options)
  opened.push(releases)
  for (let number = 1; number <= 45; number += 1) releases.put(number)
  releases.clock.advance(1)
  releases.server.publishHour()
  return releases
}

describe('A sync with the releases of the CVE Program', () => {
  it('reads the archive of all records first, then one delta a day', async () => {
    const { sync, compare, put, publishHours, takeDownloads, vulnerabilities } = await open()
    publishHours(2)
    const first = await sync()
    expect(first).toMatchObject({ state: 'loaded', mode: 'full', load: { total: 45 } })
    expect(takeDownloads()).toEqual([
      '2026-03-14_all_CVEs_at_midnight.zip.zip',
      '2026-03-14_delta_CVEs_at_0200Z.zip',
    ])
    expect(await compare()).toEqual([45])

    put(46)
    put(43, 'REJECTED')
    publishHours(3)
    expect(await sync()).toMatchObject({ mode: 'increment', load: { added: 1 } })
    expect(takeDownloads()).toEqual(['2026-03-14_delta_CVEs_at_0500Z.zip'])
    expect(await compare()).toEqual([46])
    expect((await vulnerabilities.findRecord(toId(43)))?.record.status).toBe('REJECTED')

    publishHours(50)
    expect(await sync()).toMatchObject({
      files: [
        '2026-03-14_delta_CVEs_at_end_of_day.zip',
        '2026-03-15_delta_CVEs_at_end_of_day.zip',
        '2026-03-16_delta_CVEs_at_0700Z.zip',
      ],
    })
    expect(await compare()).toEqual([46])
  })

  it('reads an hourly delta until that of the end of the day is published', async () => {
    const { sync, server, publishHours, takeDownloads } = await open()
    publishHours(22)
    await sync()
    takeDownloads()
    publishHours(2)
    expect(await sync()).toMatchObject({
      mode: 'increment',
      files: ['2026-03-14_delta_CVEs_at_2300Z.zip', '2026-03-15_delta_CVEs_at_0000Z.zip'],
    })
    expect(await sync()).toMatchObject({ state: 'fresh' })
    server.publishEndOfDay()
    expect(await sync()).toMatchObject({ files: ['2026-03-14_delta_CVEs_at_end_of_day.zip'] })
  })

  it('is up to date without a new release, and requests only an unchanged list', async () => {
    const { sync, server, takeDownloads, vulnerabilities, clock } = await open()
    await sync()
    const { sources } = await vulnerabilities.status()
    expect(sources).toEqual([
      { name: 'cve', loadedAt: clock(), dataAt: Date.UTC(2026, 2, 14, 0, 30) + 45 },
    ])
    takeDownloads()
    clock.advance(HOUR_MS)
    expect(await sync()).toEqual({ state: 'fresh', until: Date.UTC(2026, 2, 14) })
    expect(server.requests).toMatchObject([{ headers: { 'if-none-match': 'W/"1-0"' } }])
    expect((await vulnerabilities.status()).sources).toEqual(sources)
  })

  it('reads all records again after a week, if a day is missing, and on request', async () => {
    const { sync, server, events, compare, publishHours, takeDownloads } = await open()
    await sync()
    for (let day = 0; day < 7; day += 1) {
      publishHours(24)
      expect(await sync()).toMatchObject({ mode: 'increment' })
    }
    publishHours(24)
    takeDownloads()
    expect(await sync()).toMatchObject({ mode: 'full' })
    expect(takeDownloads()[0]).toBe('2026-03-22_all_CVEs_at_midnight.zip.zip')
    expect(events).toContainEqual(
      expect.objectContaining({ reason: 'the last full load is older than 7 days' }),
    )

    publishHours(72)
    const lost = '2026-03-23_delta'
    for (const release of server.releases) {
      release.assets = release.assets.filter(({ name }) => !name.startsWith(lost))
    }
    expect(await sync()).toMatchObject({ mode: 'full' })
    expect(events).toContainEqual(
      expect.objectContaining({ reason: 'the changes of 2026-03-23 are incomplete' }),
    )
    expect(await compare()).toEqual([45])
    expect(await sync({ isFull: true })).toMatchObject({ mode: 'full', load: { added: 0 } })
  })

  it('reads all records after a month, from the first pages of the list', async () => {
    const { sync, server, publishHours, put, compare } = await open()
    await sync()
    publishHours(31 * 24)
    put(50)
    publishHours(1)
    server.requests.length = 0
    expect(await sync()).toMatchObject({ mode: 'full' })
    expect(await compare()).toEqual([46])
    expect(server.requests.map(({ path }) => path.split('?')[1]).filter(Boolean)).toEqual([
      'per_page=100&page=1',
    ])
  })

  it('reads pages up to the limit of the list', async () => {
    const { sync, server } = await open({ maxListed: 200 })
    const [release] = server.releases
    for (let count = 0; release && count < 300; count += 1) server.releases.push(release)
    expect(await sync()).toMatchObject({ load: { total: 45 } })
    expect(server.requests.map(({ path }) => path.split('?')[1]).filter(Boolean)).toEqual(
      [1, 2, 3].map((page) => `per_page=100&page=${page}`),
    )
  })

  it('does not read files of an interrupted sync again', async () => {
    const { sync, compare, publishHours, takeDownloads, events, vulnerabilities } = await open()
    publishHours(1)
    const stop = new AbortController()
    const onEvent: OnSyncEvent = (event) => {
      if (event.kind === 'file' && event.state === 'done') stop.abort()
    }
    await expect(sync({ signal: stop.signal, onEvent })).rejects.toThrow('aborted')
    expect(takeDownloads()).toEqual(['2026-03-14_all_CVEs_at_midnight.zip.zip'])
    expect((await vulnerabilities.status()).records).toBe(0)
    publishHours(48)
    expect(await sync()).toMatchObject({ mode: 'full', load: { total: 45 } })
    expect(events[0]).toEqual({ kind: 'begun', mode: 'full', isResumed: true })
    expect(takeDownloads()).toEqual([
      '2026-03-14_delta_CVEs_at_end_of_day.zip',
      '2026-03-15_delta_CVEs_at_2300Z.zip',
      '2026-03-16_delta_CVEs_at_0100Z.zip',
    ])
    expect(await compare()).toEqual([45])
  })

  it('lists the releases again if a file disappeared or was replaced', async () => {
    const releases = await open({
      onRequest(count, path) {
        if (count !== 2 || !path.includes('_all_')) return
        // Between the list and the download.
        releases.server.releases.length = 0
        releases.clock.advance(DAY_MS)
        releases.server.publishHour()
      },
    })
    expect(await releases.sync()).toMatchObject({
      files: ['2026-03-15_all_CVEs_at_midnight.zip.zip', '2026-03-15_delta_CVEs_at_0000Z.zip'],
    })
    releases.publishHours(1)
    const replaced = releases.server.find('15_delta_CVEs_at_0100Z')
    replaced.listedBytes = 1
    await expect(releases.sync()).rejects.toThrow(/0100Z\.zip: expected 1 byte, as listed$/)
    delete replaced.listedBytes
    expect(await releases.sync()).toMatchObject({ files: [replaced.name] })
  })

  it('downloads again after a broken connection, and reports progress', async () => {
    const { sync, server, events, compare } = await open()
    server.find('_all_').faults = ['cut', 503]
    expect(await sync()).toMatchObject({ load: { total: 45 }, problems: 0, failures: [] })
    expect(await compare()).toEqual([45])
    const total = server.find('_all_').bytes.length + server.find('_delta_').bytes.length
    const progress = events.filter((event) => event.kind === 'progress')
    expect(progress.filter(({ phase }) => phase === 'download').at(-1)).toEqual({
      kind: 'progress',
      phase: 'download',
      done: total,
      total,
    })
  })

  it('reads an older file in the place of one that is corrupt', async () => {
    const { sync, server, compare, publishHours, takeDownloads } = await open()
    publishHours(2)
    const delta = server.find('_delta_CVEs_at_0200Z')
    delta.bytes = delta.bytes.slice(0, -30)
    const failed = await sync()
    expect(failed).toMatchObject({
      files: ['2026-03-14_all_CVEs_at_midnight.zip.zip', '2026-03-14_delta_CVEs_at_0100Z.zip'],
      failures: [{ name: delta.name, message: expect.stringContaining('corrupt') }],
    })
    publishHours(1)
    takeDownloads()
    expect(await sync()).toMatchObject({ mode: 'increment', failures: [] })
    expect(await compare()).toEqual([45])
  })

  it('loads the changes if the archive of all records cannot be read again', async () => {
    const { sync, server, compare, publishHours, takeDownloads } = await open()
    await sync()
    for (let day = 0; day < 7; day += 1) {
      publishHours(24)
      await sync()
    }
    publishHours(24)
    const archive = server.find('2026-03-22_all_')
    archive.faults = Array.from({ length: 50 }, () => 500)
    takeDownloads()
    const failed = await sync()
    expect(failed).toMatchObject({ mode: 'increment', failures: [{ name: archive.name }] })
    expect(await compare()).toEqual([45])
    const { bytes } = archive
    archive.faults = []
    publishHours(1)
    for (const release of server.releases) {
      for (const asset of release.assets) {
        if (asset.name === archive.name) asset.bytes = bytes.slice(0, -30)
      }
    }
    takeDownloads()
    expect(await sync()).toMatchObject({ mode: 'increment', failures: [{ name: archive.name }] })
    expect(takeDownloads()).toEqual([archive.name, '2026-03-22_delta_CVEs_at_0100Z.zip'])
    expect(await sync({ isFull: true })).toMatchObject({ failures: [{ name: archive.name }] })
    expect(await compare()).toEqual([45])
    publishHours(24)
    expect(await sync()).toMatchObject({ mode: 'full', failures: [] })
    expect(await compare()).toEqual([45])
  })

  it('keeps its state while it reads all records again', async () => {
    const { sync, put, publishHours, takeDownloads, compare } = await open()
    await sync()
    put(46)
    publishHours(1)
    takeDownloads()
    const stop = new AbortController()
    const onEvent: OnSyncEvent = (event) => {
      if (event.kind === 'file' && event.state === 'begun') stop.abort()
    }
    await expect(sync({ isFull: true, signal: stop.signal, onEvent })).rejects.toThrow('aborted')
    takeDownloads()
    expect(await sync()).toMatchObject({ mode: 'increment' })
    expect(takeDownloads()).toEqual(['2026-03-14_delta_CVEs_at_0100Z.zip'])
    expect(await compare()).toEqual([46])
  })

  it('starts over if another sync has changed the state before it has the lease', async () => {
    const other: { sync?: () => Promise<unknown> } = {}
    const releases = await open()
    await releases.sync()
    releases.publishHours(1)
    const { vulnerabilities } = releases
    const late = {
      ...vulnerabilities,
      async loadRecords(...input: Parameters<typeof vulnerabilities.loadRecords>) {
        const { sync } = other
        delete other.sync
        await sync?.()
        return vulnerabilities.loadRecords(...input)
      },
    }
    other.sync = () => releases.sync()
    expect(await releases.sync({ vulnerabilities: late })).toMatchObject({ state: 'fresh' })
    expect(await releases.sync()).toMatchObject({ state: 'fresh' })
  })

  it('waits for the end of a rate limit, or fails with the time of its end', async () => {
    const { sync, waits, clock, publishHours } = await open({ hourlyLimit: 1 })
    await sync()
    publishHours(1)
    await sync()
    const message = /rate limit is reached, which is higher with a token: try again in \d+ minutes$/
    await expect(sync()).rejects.toThrow(message)
    expect(waits).toEqual([])
    clock.advance(50 * 60_000)
    expect(await sync()).toMatchObject({ state: 'fresh' })
    expect(waits).toHaveLength(1)
    expect(await sync({ token: 'a-token' })).toMatchObject({ state: 'fresh' })
  })

  it('explains that a token is invalid, and stores nothing', async () => {
    const { sync, vulnerabilities } = await open({ rejectsTokens: true })
    await expect(sync({ token: 'a-token' })).rejects.toThrow(/GitHub token is invalid or expired/)
    expect((await vulnerabilities.status()).records).toBe(0)
    expect(await sync()).toMatchObject({ load: { total: 45 } })
  })

  it('sends the token to the list only', async () => {
    const files = await startReleaseServer({ clock: () => 0 })
    opened.push(files)
    const { sync, server } = await open({ downloadOrigin: files.origin })
    files.releases.push(...server.releases)
    expect(await sync({ token: 'a-token' })).toMatchObject({ load: { total: 45 } })
    const seen = [...server.requests, ...files.requests].map(({ path, headers }) => [
      path.includes('/download/'),
      headers.authorization,
    ])
    expect(seen).toEqual([
      [false, 'Bearer a-token'],
      [true, undefined],
      [true, undefined],
      [true, undefined],
      [true, undefined],
    ])
  })

  it('fails if the list has no archive of all records, and stores nothing', async () => {
    const { sync, server, vulnerabilities } = await open()
    for (const release of server.releases) release.assets = []
    await expect(sync()).rejects.toThrow(/no archive of all records is listed$/)
    expect((await vulnerabilities.status()).records).toBe(0)
  })

  it('ignores files that are not uploaded completely', async () => {
    const { sync, server, publishHours } = await open()
    publishHours(1)
    server.find('delta_CVEs_at_0100Z').state = 'open'
    expect(await sync()).toMatchObject({
      files: ['2026-03-14_all_CVEs_at_midnight.zip.zip', '2026-03-14_delta_CVEs_at_0000Z.zip'],
    })
  })
})
