import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { listMirrors, serveFeedFiles } from '../helpers/feed-files.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type NvdServer, startNvdServer } from '../helpers/nvd-server.ts'

const KEY = 'a-key-that-nobody-else-may-see'
const PAST = Date.UTC(2026, 0, 1)

let folder: TestFolder
let server: NvdServer
let count = 0

beforeAll(async () => {
  folder = await makeFolder()
  server = await startNvdServer({ clock: Date.now, apiKey: KEY })
})

afterAll(async () => {
  await server.close()
  await folder.remove()
})

beforeEach(() => {
  count += 1
  server.cves.clear()
  server.requests.length = 0
  serveFeedFiles(server)
  for (let number = 1; number <= 5; number += 1)
    server.put(`CVE-2026-000${number}`, { publishedAt: PAST, modifiedAt: PAST })
})

function syncAll(words: readonly string[] = [], environment: Record<string, string> = {}) {
  return runCommand(['sync', 'all', ...words], {
    environment: {
      API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf(`${count}.db`)}`,
      API_DISCOVERY_SYNC_MIRRORS: listMirrors(server).join(','),
      NVD_API_KEY: KEY,
      ...environment,
    },
  })
}

function readEvents({ results }: CommandOutcome): readonly Record<string, unknown>[] {
  return results.map((line) => JSON.parse(line))
}

/** Rows of the summary without the time. */
function readRows({ results }: CommandOutcome): readonly (readonly string[])[] {
  return results.slice(1).map((line) => {
    const [name = '', ...cells] = line.split(/ {2,}/)
    return [name, ...cells.toSpliced(6, 1)]
  })
}

describe('sync all', () => {
  it('loads every source and prints a summary', async () => {
    const first = await syncAll()
    expect([first.code, readRows(first)]).toEqual([
      0,
      [
        ['nvd', '5', '5', '0', '0', '0', '5', 'loaded'],
        ['cve', '1', '0', '1', '0', '0', '5', 'loaded'],
        ['kev', '1', '1', '0', '0', '0', '1', 'loaded'],
        ['epss', '2', '2', '0', '0', '0', '2', 'loaded'],
      ],
    ])
    const again = await syncAll()
    expect([again.code, readRows(again)]).toEqual([
      0,
      [
        ['nvd', '-', '-', '-', '-', '-', '-', 'up to date'],
        ['cve', '-', '-', '-', '-', '-', '-', 'up to date'],
        ['kev', '1', '0', '0', '0', '0', '1', 'loaded'],
        ['epss', '2', '0', '0', '0', '0', '2', 'loaded'],
      ],
    ])
    expect(again.notes[0]).toMatch(/^nvd \(1 of 4\): Up to date: .*every two hours\.$/)
  })

  it('names the source of each event, and ends with a summary', async () => {
    const outcome = await syncAll(['--json'])
    const events = readEvents(outcome)
    expect(events.filter(({ source }) => source === undefined)).toEqual([
      {
        event: 'summary',
        sources: ['nvd', 'cve', 'kev', 'epss'].map((source) =>
          expect.objectContaining({ source, state: 'loaded', problems: 0 }),
        ),
      },
    ])
    const done = events.filter(({ event }) => event === 'done')
    expect(done.map(({ source }) => source)).toEqual(['nvd', 'cve', 'kev', 'epss'])
    expect(events[0]).toEqual({ event: 'begun', mode: 'full', isResumed: false, source: 'nvd' })
  })

  it('continues after a source that failed, and fails at the end', async () => {
    server.files.set('/kev.json', { bytes: Buffer.from('<html>') })
    const failed = await syncAll()
    expect([failed.code, readRows(failed).map((row) => row.at(-1))]).toEqual([
      1,
      ['loaded', 'loaded', 'failed', 'loaded'],
    ])
    const reason = `${server.origin}/kev.json: Cannot read the document: it is not JSON`
    expect(failed.notes.filter((note) => note.startsWith('kev'))).toEqual([
      `kev (3 of 4): ${reason}`,
    ])
    const events = readEvents(await syncAll(['--json'], { NVD_API_KEY: 'another key' }))
    expect(events.filter(({ event }) => event === 'failed')).toEqual([
      {
        event: 'failed',
        source: 'nvd',
        code: 'failed',
        message: 'Cannot use the NVD API key: it must consist of visible ASCII characters',
      },
      { event: 'failed', source: 'kev', code: 'failed', message: reason },
    ])
    expect(events.at(-1)).toMatchObject({
      sources: [
        { state: 'failed' },
        { source: 'cve', state: 'fresh' },
        { state: 'failed' },
        { source: 'epss', state: 'loaded' },
      ],
    })
    serveFeedFiles(server)
    expect((await syncAll()).code).toBe(0)
  })

  it('fails if some entries cannot be read', async () => {
    server.files.set('/epss.csv', {
      bytes: Buffer.from('CVE-2026-0001,2,0.9\nCVE-2026-0003,0.5,0.9\n'),
    })
    const events = readEvents(await syncAll(['--json', '--only', 'epss']))
    expect(events[1]).toEqual({
      event: 'problem',
      source: 'epss',
      file: `${server.origin}/epss.csv`,
      message: 'Cannot read line 1: the score must be a number from 0 to 1',
    })
    expect(events.at(-1)).toMatchObject({ sources: [{ source: 'epss', state: 'partial' }] })
    const text = await syncAll(['--only', 'epss'])
    expect([text.code, readRows(text)]).toEqual([
      1,
      [['epss', '1', '0', '0', '0', '0', '1', 'partly loaded']],
    ])
  })

  it('selects sources and mirrors', async () => {
    const [, , kev = ''] = listMirrors(server)
    const only = await syncAll(['--only', 'kev', '--mirror', kev])
    const skipping = await syncAll(['--skip', 'nvd', 'cve', 'kev'])
    expect([only, skipping].map((each) => readRows(each).map(([source]) => source))).toEqual([
      ['kev'],
      ['epss'],
    ])
    expect(server.requests.map(({ path }) => path)).toEqual(['/kev.json', '/epss.csv'])
  })

  it('leaves out the sources of the environment, unless options select others', async () => {
    const environment = { API_DISCOVERY_SYNC_SKIP: 'nvd, cve,kev' }
    const skipping = await syncAll([], environment)
    const only = await syncAll(['--only', 'kev'], environment)
    expect([skipping, only].map((each) => readRows(each).map(([source]) => source))).toEqual([
      ['epss'],
      ['kev'],
    ])
    const wrong = await syncAll([], { API_DISCOVERY_SYNC_SKIP: 'nvd,ghsa' })
    expect([wrong.code, wrong.notes.join('\n')]).toEqual([
      2,
      expect.stringContaining('Cannot use API_DISCOVERY_SYNC_SKIP: each name must be one of nvd'),
    ])
  })

  it.each([
    [['--only', 'kev', '--skip', 'kev'], '--only and --skip leave no source'],
    [['--only', 'ghsa'], 'Allowed choices are nvd, cve, kev, epss'],
    [['--mirror', 'kev'], 'Cannot use --mirror: it must be SOURCE=URL'],
    [['--mirror', 'ghsa=http://127.0.0.1/'], 'where SOURCE is one of nvd, cve, kev, epss'],
  ])('is rejected as %j', async (words, reason) => {
    const { code, notes } = await syncAll(words)
    expect([code, notes.join('\n')]).toEqual([2, expect.stringContaining(reason)])
    expect(server.requests).toEqual([])
  })

  it('never prints the key', async () => {
    const outcomes = [await syncAll(['--json']), await syncAll([], { NVD_API_KEY: 'wrong-key' })]
    expect(server.requests[0]?.headers.apikey).toBe(KEY)
    const printed = JSON.stringify(outcomes)
    expect([printed.includes(KEY), printed.includes('wrong-key')]).toEqual([false, false])
  })
})
