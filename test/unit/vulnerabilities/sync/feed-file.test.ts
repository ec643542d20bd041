import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decompressFeed } from '../../../../adapters/feeds/feed-files.ts'
import {
  createRemoteFile,
  readWithRetries,
} from '../../../../core/vulnerabilities/sync/feed-file.ts'
import type { NvdServer } from '../../../helpers/nvd-server.ts'
import { openStage, type SyncStage } from './support.ts'

const TEXT = 'a'.repeat(50_000)
const PACKED = gzipSync(TEXT)

let stage: SyncStage
let server: NvdServer

beforeAll(async () => {
  stage = await openStage()
  server = stage.server
})

beforeEach(() => {
  server.files.clear()
  server.requests.length = 0
  stage.events.length = 0
})

afterAll(() => stage.close())

describe('createRemoteFile', () => {
  it('reads and decompresses a feed, also after a redirect', async () => {
    server.files.set('/current', { bytes: new Uint8Array(0), location: '/2026.csv.gz' })
    server.files.set('/2026.csv.gz', { bytes: PACKED })
    expect(await readFeedFile('/current?key=secret')).toEqual([TEXT])
    expect(server.requests.map(({ path }) => path)).toEqual(['/current', '/2026.csv.gz'])
  })

  it('retries with waits while the service is busy', async () => {
    server.files.set('/busy', { bytes: PACKED, faults: [503, 429] })
    expect(await readFeedFile('/busy')).toEqual([TEXT])
    expect(stage.events).toEqual([
      {
        kind: 'waiting',
        ms: expect.any(Number),
        reason: `Cannot read ${server.origin}/busy: it responded with 503`,
      },
      {
        kind: 'waiting',
        ms: expect.any(Number),
        reason: `Cannot read ${server.origin}/busy: it responded with 429`,
      },
    ])
  })

  it('reads from the start again if the connection breaks, at most three times', async () => {
    const bytes = new TextEncoder().encode(TEXT)
    server.files.set('/cut', { bytes, faults: ['cut', 'cut'] })
    expect((await readFeedFile('/cut')).map(({ length }) => length)).toEqual([50_000])
    expect(server.requests).toHaveLength(3)
    server.files.set('/always', { bytes, faults: ['cut', 'cut', 'cut', 'cut'] })
    await expect(readFeedFile('/always')).rejects.toMatchObject({
      code: 'source_failed',
      message: `Cannot read ${server.origin}/always: its response is incomplete`,
    })
    expect(server.requests).toHaveLength(6)
  })

  it('reads again if the connection breaks before the first byte', async () => {
    server.files.set('/cut', { bytes: new TextEncoder().encode('a'), faults: ['cut'] })
    expect(await readFeedFile('/cut')).toEqual(['a'])
    expect(server.requests).toHaveLength(2)
  })

  it('tries three times if the connection is refused, and once if the host is unknown', async () => {
    const waits = () => stage.events.filter(({ kind }) => kind === 'waiting').length
    await expect(readFeedFile('/', { origin: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      message: 'Cannot read http://127.0.0.1:1/: the connection failed (ECONNREFUSED)',
    })
    expect(waits()).toBe(2)
    stage.events.length = 0
    const unknown = `http://${'n'.repeat(64)}.invalid`
    await expect(readFeedFile('/feed.json', { origin: unknown })).rejects.toMatchObject({
      message: `Cannot read ${unknown}/feed.json: host not found (ENOTFOUND)`,
    })
    expect(waits()).toBe(0)
  })

  it('tries once if redirects loop or the feed is too large', async () => {
    server.files.set('/circle', { bytes: new Uint8Array(0), location: '/circle' })
    await expect(readFeedFile('/circle')).rejects.toMatchObject({
      message: `Cannot read ${server.origin}/circle: more than 3 redirects`,
    })
    server.files.set('/large', { bytes: PACKED })
    await expect(readFeedFile('/large', { maxBytes: 10 })).rejects.toMatchObject({
      message: `Cannot read ${server.origin}/large: it is larger than 10 bytes`,
    })
    expect(server.requests.map(({ path }) => path)).toEqual([
      ...Array.from({ length: 4 }, () => '/circle'),
      '/large',
    ])
  })

  it('counts the stored bytes of the final read', async () => {
    server.files.set('/cut', { bytes: PACKED, faults: ['cut'] })
    let bytes = 0
    const found = await readFeedFile('/cut', {
      onBytes(count) {
        bytes += count
      },
    })
    expect([found, bytes]).toEqual([[TEXT], PACKED.length])
  })

  it('fails at once if a feed is missing, or truncated at the source', async () => {
    await expect(readFeedFile('/nowhere?key=secret')).rejects.toMatchObject({
      code: 'source_failed',
      message: `Cannot read ${server.origin}/nowhere: it responded with 404`,
    })
    expect(server.requests.filter(({ path }) => path.startsWith('/nowhere'))).toHaveLength(1)
    server.files.set('/short.gz', { bytes: PACKED.subarray(0, 40) })
    await expect(readFeedFile('/short.gz')).rejects.toMatchObject({ code: 'invalid_body' })
    expect(server.requests.filter(({ path }) => path === '/short.gz')).toHaveLength(1)
  })
})

/** The whole text, as the last attempt returned it. */
async function readFeedFile(
  path: string,
  given: {
    readonly origin?: string
    readonly maxBytes?: number
    readonly onBytes?: (count: number) => void
  } = {},
): Promise<readonly string[]> {
  const { get, deps } = stage
  const { origin = server.origin, maxBytes, onBytes } = given
  const file = createRemoteFile(`${origin}${path}`, { get, expand: decompressFeed, deps, maxBytes })
  async function* readWhole(bytes: AsyncIterable<Uint8Array>) {
    let text = ''
    for await (const chunk of bytes) text += new TextDecoder().decode(chunk)
    yield text
  }
  const found: string[] = []
  for await (const text of readWithRetries(file, { deps, onBytes, read: readWhole }))
    found.push(text)
  return found
}
