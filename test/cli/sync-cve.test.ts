import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { type Cve5Options, toCve5 } from '../helpers/cve-records.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { type NvdServer, startNvdServer } from '../helpers/nvd-server.ts'
import { type ReleaseServer, startReleaseServer } from '../helpers/release-server.ts'
import { zipFiles } from '../helpers/zip.ts'

const RELEASED_AT = Date.UTC(2026, 2, 14, 5)

let folder: TestFolder
let server: NvdServer
let releases: ReleaseServer
let count = 0

beforeAll(async () => {
  folder = await makeFolder()
  server = await startNvdServer({ clock: Date.now })
  releases = await startReleaseServer({ clock: () => RELEASED_AT })
})

afterAll(async () => {
  await server.close()
  await releases.close()
  await folder.remove()
})

beforeEach(() => {
  count += 1
  server.files.clear()
  releases.releases.length = 0
  releases.requests.length = 0
})

const id = (number: number) => `CVE-2030-${1000 + number}`
const text = (number: number, options?: Cve5Options) => JSON.stringify(toCve5(id(number), options))
const zip = (...records: readonly string[]) =>
  zipFiles(records.map((content, index) => ({ name: `deltaCves/${index}.json`, content })))

function run(...words: readonly string[]) {
  return runWith({}, ...words)
}

function runWith(environment: Record<string, string>, ...words: readonly string[]) {
  const database = `sqlite:${folder.pathOf(`${count}.db`)}`
  return runCommand(words, { environment: { API_DISCOVERY_DATABASE: database, ...environment } })
}

function readLast({ results }: CommandOutcome): unknown {
  return JSON.parse(results.at(-1) ?? 'null')
}

async function makeFile(name: string, content: string | Uint8Array): Promise<string> {
  const path = folder.pathOf(`${count}-${name}`)
  await writeFile(path, content)
  return path
}

describe('sync cve --from', () => {
  it('loads a folder, an archive and a URL, and the records can be found', async () => {
    const tree = folder.pathOf(`${count}-tree`)
    await mkdir(join(tree, 'cves'), { recursive: true })
    await writeFile(join(tree, 'cves', `${id(1)}.json`), text(1))
    const archive = await makeFile('delta.zip', zip(text(2), text(3)))
    server.files.set('/all.zip.zip', {
      bytes: zipFiles([{ name: 'cves.zip', content: zip(text(3), text(4)) }]),
      faults: [503],
    })
    const sources = [tree, archive, `${server.origin}/all.zip.zip`]
    const outcome = await run('sync', 'cve', '--from', ...sources, '--json')
    expect([outcome.code, readLast(outcome)]).toEqual([
      0,
      expect.objectContaining({
        event: 'done',
        source: 'cve',
        files: 3,
        failures: [],
        read: 5,
        added: 4,
        unchanged: 1,
        problems: 0,
      }),
    ])
    const found = await run('vulnerabilities', 'search', 'rocket')
    expect(found.results.join('\n')).toContain(id(4))
  })

  it('replaces a record that was rejected later', async () => {
    await run('sync', 'cve', '--from', await makeFile('a.json', text(1)))
    const later = { updatedAt: '2030-03-01T00:00:00Z', state: 'REJECTED', description: 'No rocket' }
    const rejected = await makeFile('b.json', text(1, later))
    const outcome = await run('sync', 'cve', '--from', rejected)
    expect(outcome.results[0]).toMatch(/: 0 added, 1 changed, 0 unchanged$/)
    const shown = await run('vulnerabilities', 'show', id(1))
    expect(shown.results.join('\n')).toContain('No rocket')
  })

  it('loads what it can read, and names the file that it cannot', async () => {
    const broken = await makeFile('broken.zip', zip(text(2)).subarray(0, -5))
    const fine = await makeFile('fine.zip', zip(text(1), text(3, { updatedAt: 'never' })))
    const outcome = await run('sync', 'cve', '--from', broken, fine)
    expect(outcome.code).toBe(1)
    expect(outcome.results[0]).toMatch(/: 1 added, 0 changed, 0 unchanged$/)
    const notes = outcome.notes.join('\n')
    expect(notes).toContain(`${broken}: Cannot decompress the file: its zip directory is truncated`)
    expect(notes).toContain(`Cannot read ${id(3)}: dateUpdated must be a timestamp`)
    expect(notes).toContain('1 of 2 files could not be read completely')
  })

  it('refuses a path that does not exist', async () => {
    const outcome = await run('sync', 'cve', '--from', folder.pathOf('absent'))
    expect([outcome.code, outcome.notes.at(-1)]).toEqual([
      1,
      expect.stringMatching(/Cannot read .*absent: /),
    ])
  })
})

describe('sync cve', () => {
  const TOKEN = 'a-token-that-nobody-else-may-see'

  it('loads all records, then the changes, then nothing', async () => {
    releases.put(id(1), text(1))
    releases.publishHour()
    const address = ['sync', 'cve', '--base-url', releases.url]
    const first = await run(...address, '--json')
    expect([first.code, readLast(first)]).toEqual([
      0,
      expect.objectContaining({
        event: 'done',
        source: 'cve',
        mode: 'full',
        until: '2026-03-14T05:00:00.000Z',
        files: ['2026-03-14_all_CVEs_at_midnight.zip.zip', '2026-03-14_delta_CVEs_at_0500Z.zip'],
        failures: [],
        read: 2,
        added: 1,
        problems: 0,
      }),
    ])
    expect(JSON.parse(first.results[1] ?? '')).toMatchObject({ event: 'file', state: 'begun' })
    releases.put(id(2), text(2))
    const { assets } = releases.publishHour()
    for (const asset of assets) asset.updatedAt = '2030-01-01T00:00:00Z'
    const second = await run(...address)
    expect([second.code, second.notes[0], second.results[1]]).toEqual([
      0,
      'Loading records changed since the last sync',
      '2 in total, including rejected records',
    ])
    const third = await run(...address)
    expect([third.code, third.results, third.notes]).toEqual([
      0,
      [],
      [
        'Up to date: no changes were published since 2026-03-14T05:00Z.',
        'Use --full to load all records.',
      ],
    ])
    expect((await run(...address, '--full')).notes[0]).toBe('Loading all records')
  })

  it('sends the token of the environment or of a file, and never prints it', async () => {
    releases.put(id(1), text(1))
    releases.publishHour()
    const file = await makeFile('token', `${TOKEN}\n`)
    const address = ['sync', 'cve', '--base-url', releases.url]
    const outcomes = [
      await runWith({ GITHUB_TOKEN: TOKEN }, ...address),
      await runWith({ GITHUB_TOKEN_FILE: file }, ...address, '--full', '--json'),
      await runWith({ GITHUB_TOKEN: 'two words' }, ...address),
    ]
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 2])
    const sent = releases.requests.map(({ headers }) => headers.authorization)
    expect(sent).toEqual([
      `Bearer ${TOKEN}`,
      undefined,
      undefined,
      `Bearer ${TOKEN}`,
      undefined,
      undefined,
    ])
    expect(JSON.stringify(outcomes)).not.toContain(TOKEN)
  })

  it.each([
    [['--from', 'x.json', '--full'], '--full and --base-url cannot be combined with --from'],
    [['--base-url', 'nonsense'], 'Invalid address of the CVE releases: not a URL'],
  ])('is rejected as %j', async (words, reason) => {
    const { code, notes } = await run('sync', 'cve', ...words)
    expect([code, notes.at(-1)]).toEqual([2, expect.stringContaining(reason)])
  })
})
