import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { toCve5 } from '../helpers/cve-records.ts'
import { EPSS, KEV } from '../helpers/feed-files.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type NvdServer, startNvdServer, toNvdItem } from '../helpers/nvd-server.ts'

const KEY = 'a-key-that-nobody-else-may-see'

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
  for (let number = 1; number <= 5; number += 1) {
    server.put(`CVE-2026-000${number}`, { publishedAt: Date.UTC(2026, 0, number) })
  }
})

function runSync(words: readonly string[], environment: Record<string, string> = {}) {
  const database = `sqlite:${folder.pathOf(`${count}.db`)}`
  return runCommand(['sync', ...words], {
    environment: { API_DISCOVERY_DATABASE: database, NVD_API_KEY: KEY, ...environment },
  })
}

function readLast({ results }: CommandOutcome): unknown {
  return JSON.parse(results.at(-1) ?? 'null')
}

describe('sync nvd', () => {
  it('loads everything, then nothing for two hours except with --force', async () => {
    const address = ['nvd', '--base-url', server.url]
    const first = await runSync([...address, '--json'])
    expect([first.code, readLast(first)]).toEqual([
      0,
      expect.objectContaining({
        event: 'done',
        source: 'nvd',
        mode: 'full',
        added: 5,
        total: 5,
        problems: 0,
      }),
    ])
    const again = await runSync(address)
    expect([again.code, again.results, again.notes]).toEqual([
      0,
      [],
      [
        expect.stringMatching(/^Up to date: the last sync was \d+ s ago, and NVD publishes/),
        'Use --force to query it anyway.',
      ],
    ])
    server.put('CVE-2026-0002', { description: 'Known better now' })
    server.put('CVE-2026-0006')
    const forced = await runSync([...address, '--force'])
    expect([forced.code, forced.results[0]]).toEqual([
      0,
      expect.stringMatching(/: 1 added, 1 changed, \d unchanged$/),
    ])
    expect(forced.results[1]).toBe('6 in total, including rejected records')
    server.cves.delete('CVE-2026-0003')
    const full = await runSync([...address, '--full', '--json'])
    expect(readLast(full)).toMatchObject({ mode: 'full', added: 0, removed: 1, total: 5 })
  })

  it('reads its key from a file and never prints it', async () => {
    const file = folder.pathOf('key')
    const address = ['nvd', '--base-url', server.url]
    await writeFile(file, `${KEY}\n`)
    const right = await runSync(address, { NVD_API_KEY: '', NVD_API_KEY_FILE: file })
    expect([right.code, server.requests[0]?.headers.apikey]).toEqual([0, KEY])
    const wrong = await runSync([...address, '--full'], { NVD_API_KEY: 'a-wrong-key' })
    expect([wrong.code, wrong.notes.at(-1)]).toEqual([
      1,
      `Cannot read ${server.url}: it responded with 404 (Invalid apiKey.)`,
    ])
    const said = JSON.stringify([right, wrong])
    expect([said.includes(KEY), said.includes('a-wrong-key')]).toEqual([false, false])
  })

  it.each([
    [
      ['nvd', '--from', 'x.json', '--full'],
      '--full, --force and --base-url cannot be combined with --from',
    ],
    [['nvd', '--replace'], '--replace needs --from'],
    [['nvd', '--base-url', 'http://nvd.example/'], '--base-url must be an https URL'],
    [['nvd', '--base-url', 'nonsense'], 'Invalid NVD API address: not a URL'],
  ])('is rejected as %j', async (words, reason) => {
    const { code, notes } = await runSync(words)
    expect([code, notes.at(-1)]).toEqual([2, expect.stringContaining(reason)])
  })

  it('fails at once with a clear message for an unknown host', async () => {
    // The label exceeds 63 characters, so no DNS query is sent.
    const address = `https://${'n'.repeat(64)}.invalid/cves`
    for (const words of [
      ['nvd', '--base-url', address],
      ['nvd', '--from', address],
      ['kev', '--from', address],
      ['epss', '--from', address],
    ]) {
      const { code, notes } = await runSync(words)
      const reason = `Cannot read ${address}: host not found (ENOTFOUND)`
      expect([words, code, notes.find((note) => note.includes('ENOTFOUND'))]).toEqual([
        words,
        1,
        expect.stringMatching(new RegExp(`${reason.replace(/[()]/g, '\\$&')}$`)),
      ])
      expect(notes.filter((note) => note.includes('waiting'))).toEqual([])
    }
  })

  it('loads files, folders and URLs', async () => {
    const feeds = folder.pathOf('feeds')
    await mkdir(feeds)
    const items = [...server.cves.values()].map(toNvdItem)
    const feed = (from: number, to: number) =>
      JSON.stringify({ format: 'NVD_CVE', version: '2.0', vulnerabilities: items.slice(from, to) })
    await writeFile(`${feeds}/a.json`, feed(0, 2))
    await writeFile(`${feeds}/b.json.gz`, gzipSync(feed(2, 4)))
    await writeFile(`${feeds}/notes.txt`, 'nothing')
    server.files.set('/c.json.gz', { bytes: gzipSync(feed(4, 5)) })
    const loaded = await runSync(['nvd', '--from', feeds, `${server.origin}/c.json.gz`])
    expect([loaded.code, loaded.notes, loaded.results]).toEqual([
      0,
      [`Skipped in ${feeds}: notes.txt`],
      [
        expect.stringMatching(/^5 records read in .*: 5 added, 0 changed, 0 unchanged$/),
        '5 in total, including rejected records',
      ],
    ])
    const replaced = await runSync(['nvd', '--from', `${feeds}/a.json`, '--replace', '--json'])
    expect(readLast(replaced)).toMatchObject({ unchanged: 2, removed: 3, total: 2 })
    expect(server.requests[0]?.headers.apikey).toBeUndefined()
  })

  it('reports broken records, loads the rest and removes nothing', async () => {
    const feeds = folder.pathOf('broken')
    await mkdir(feeds)
    const items = [...server.cves.values()].map(toNvdItem)
    const whole = JSON.stringify({ vulnerabilities: items })
    await writeFile(`${feeds}/a.json`, whole)
    expect((await runSync(['nvd', '--from', feeds])).code).toBe(0)
    const [first, second] = items
    const broken = { cve: { ...second?.cve, lastModified: 'yesterday' } }
    await writeFile(`${feeds}/a.json`, JSON.stringify({ vulnerabilities: [first, broken] }))
    await writeFile(`${feeds}/b.json.gz`, gzipSync(whole).subarray(0, 100))
    await writeFile(`${feeds}/c.json`, '<html>')
    const { code, notes, results } = await runSync(['nvd', '--from', feeds, '--replace'])
    expect([code, results[1]]).toEqual([1, '5 in total, including rejected records'])
    expect(notes).toEqual([
      expect.stringMatching(/a\.json: .*CVE-2026-0002/),
      expect.stringMatching(/b\.json\.gz: Cannot decompress the file/),
      expect.stringMatching(/c\.json: Cannot read the document/),
      '2 of 3 files could not be read completely',
      'Nothing was removed, because some input could not be read',
      '1 records could not be read and were skipped',
    ])
    const missing = await runSync(['nvd', '--from', folder.pathOf('nowhere')])
    expect([missing.code, missing.notes]).toEqual([
      1,
      [`Cannot read ${folder.pathOf('nowhere')}: file not found`],
    ])
  })

  it('fails for an unreadable file, and reports no load', async () => {
    const file = folder.pathOf('other-catalogue.json')
    const vulnerabilities = Array.from({ length: 15 }, () => ({ cve: {} }))
    await writeFile(file, JSON.stringify({ vulnerabilities }))
    const { code, notes, results } = await runSync(['nvd', '--from', file])
    expect([code, results]).toEqual([
      1,
      [
        expect.stringMatching(/^0 records read in .*: 0 added/),
        '0 in total, including rejected records',
      ],
    ])
    expect(notes.slice(9)).toEqual([
      expect.stringMatching(/other-catalogue\.json: Cannot read a record: [^(]*$/),
      `${file}: Cannot read the document: none of its records can be read`,
      expect.stringMatching(/other-catalogue\.json: .* \(and 5 more of this kind\)$/),
      '1 of 1 file could not be read completely',
    ])
  })

  it('prints each event as a JSON object', async () => {
    const { results } = await runSync(['nvd', '--base-url', server.url, '--json'])
    const events = results.map((line) => JSON.parse(line))
    expect(events[0]).toEqual({ event: 'begun', mode: 'full', isResumed: false })
    expect(events[1]).toMatchObject({ event: 'progress', phase: 'records', done: 5, total: 5 })
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(['begun', 'progress', 'done']),
    )
  })
})

describe('sync kev and sync epss', () => {
  it('load from files and URLs', async () => {
    const kev = folder.pathOf('kev.json')
    const epss = folder.pathOf('epss.csv.gz')
    await writeFile(kev, JSON.stringify(KEV))
    await writeFile(epss, gzipSync(EPSS))
    server.files.set('/kev.json', { bytes: await readFile(kev) })
    server.files.set('/current', { bytes: new Uint8Array(0), location: '/epss.csv.gz' })
    server.files.set('/epss.csv.gz', { bytes: await readFile(epss) })
    const [, kevLoaded, kevAgain, epssLoaded, epssAgain] = [
      await runSync(['nvd', '--base-url', server.url]),
      await runSync(['kev', '--from', kev, '--json']),
      await runSync(['kev', '--from', `${server.origin}/kev.json`, '--json']),
      await runSync(['epss', '--from', `${server.origin}/current`, '--json']),
      await runSync(['epss', '--from', epss, '--json']),
    ]
    expect(readLast(kevLoaded)).toMatchObject({ source: 'kev', version: '2026.03.13', total: 1 })
    expect(readLast(epssLoaded)).toMatchObject({ source: 'epss', day: '2026-03-13', total: 2 })
    const generations = [kevLoaded, kevAgain, epssLoaded, epssAgain].map((outcome) => {
      const { generation } = readLast(outcome) as { generation: number }
      return generation
    })
    expect(generations).toEqual([2, 2, 3, 3])
  })

  it('keep records missing from a partly unreadable list, and fail', async () => {
    const kev = folder.pathOf('partly.json')
    const epss = folder.pathOf('partly.csv')
    const [entry] = KEV.vulnerabilities
    await writeFile(kev, JSON.stringify(KEV))
    await writeFile(epss, EPSS)
    await runSync(['kev', '--from', kev])
    await runSync(['epss', '--from', epss])
    const other = { ...entry, cveID: 'CVE-2026-0009' }
    const broken = { ...entry, dateAdded: 'soon' }
    await writeFile(kev, JSON.stringify({ ...KEV, vulnerabilities: [other, broken] }))
    await writeFile(epss, 'CVE-2026-0001,2,0.9\nCVE-2026-0003,0.5,0.9\n')
    const [kevRun, epssRun] = [
      await runSync(['kev', '--from', kev]),
      await runSync(['epss', '--from', epss]),
    ]
    const notRemoved = 'Nothing was removed, because some input could not be read'
    expect([kevRun.code, kevRun.notes, kevRun.results[1]]).toEqual([
      1,
      [
        `${kev}: Cannot read CVE-2026-0001: dateAdded must be a day`,
        notRemoved,
        '1 known exploited vulnerabilities could not be read and were skipped',
      ],
      '2 in total',
    ])
    expect([epssRun.code, epssRun.notes, epssRun.results[1]]).toEqual([
      1,
      [
        `${epss}: Cannot read line 1: the score must be a number from 0 to 1`,
        notRemoved,
        '1 EPSS scores could not be read and were skipped',
      ],
      '3 in total',
    ])
  })

  it('are rejected if several files match', async () => {
    const lists = folder.pathOf('lists')
    await mkdir(lists)
    await writeFile(`${lists}/a.csv`, EPSS)
    expect((await runSync(['epss', '--from', lists])).code).toBe(0)
    await writeFile(`${lists}/b.csv`, EPSS)
    for (const source of ['kev', 'epss']) {
      const { code, notes } = await runSync([source, '--from', lists])
      expect([code, notes]).toEqual([
        2,
        [`Cannot load ${lists}: --from must name one file, but it contains 2`],
      ])
    }
  })

  it('change nothing if the input is not such a list', async () => {
    const file = folder.pathOf('other.json')
    await writeFile(file, '{"a": 1}')
    for (const source of ['kev', 'epss']) {
      const { code, notes, results } = await runSync([source, '--from', file])
      expect([code, notes.length, results]).toEqual([1, 1, []])
    }
    await rm(file)
  })

  it('name the command for a file of another source, once', async () => {
    const file = folder.pathOf('mistaken')
    const items = [...server.cves.values()].map(toNvdItem)
    const files = {
      nvd: ['records of NVD', JSON.stringify({ vulnerabilities: items })],
      cve: ['records of the CVE Program', JSON.stringify(toCve5('CVE-2026-0001'))],
      kev: ["CISA's KEV catalogue", JSON.stringify(KEV, null, 2)],
      epss: ['EPSS scores', EPSS],
    } as const
    for (const source of Object.keys(files)) {
      for (const [other, [content, text]] of Object.entries(files)) {
        if (other === source) continue
        await writeFile(file, text)
        const { code, notes } = await runSync([source, '--from', file])
        const advice = `${file}: Cannot read the document: it contains ${content}; load it with "sync ${other} --from"`
        expect([source, other, code, notes[0]]).toEqual([source, other, 1, advice])
        expect(notes.slice(1)).toEqual(
          ['nvd', 'cve'].includes(source) ? ['1 of 1 file could not be read completely'] : [],
        )
      }
    }
    await rm(file)
  })

  it('name the file of a folder that they cannot read', async () => {
    const only = folder.pathOf('only')
    await mkdir(only)
    const cases = [
      ['kev', 'feed.json', 'nonsense', 'Cannot read the document: it is not JSON'],
      ['epss', 'scores.csv', 'nonsense', 'Cannot read the document: it contains no EPSS scores'],
    ] as const
    for (const [source, name, text, reason] of cases) {
      const file = `${only}/${name}`
      await writeFile(file, text)
      const { code, notes } = await runSync([source, '--from', only])
      expect([code, notes]).toEqual([1, [`${file}: ${reason}`]])
      await rm(file)
    }
  })
})
