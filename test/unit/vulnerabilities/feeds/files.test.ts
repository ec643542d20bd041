import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  decompressFeed,
  listFeedFiles,
  readFeedFile,
} from '../../../../adapters/feeds/feed-files.ts'
import { makeFolder, type TestFolder } from '../../../helpers/folder.ts'
import { collectUntilError, toChunks } from './bytes.ts'

const TEXT = Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 65_537).join(',')
const PACKED = gzipSync(TEXT)
const BROKEN = 'Cannot decompress the file: its gzip data is truncated or corrupt'

let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
})

afterAll(() => folder.remove())

describe('listFeedFiles', () => {
  it('separates the feeds of a folder from other entries, by name', async () => {
    await mkdir(folder.pathOf('feeds/more.json'), { recursive: true })
    const names = ['b.json', 'a.json.gz', 'C.CSV', 'd.csv.gz', 'a.xml', 'README.md', 'a.gz']
    for (const name of names) await writeFile(folder.pathOf(`feeds/${name}`), name)
    await symlink(folder.pathOf('nowhere'), folder.pathOf('feeds/gone.json'))
    expect(await listFeedFiles(folder.pathOf('feeds'))).toEqual({
      files: ['C.CSV', 'a.json.gz', 'b.json', 'd.csv.gz'].map((name) => {
        return { path: folder.pathOf(`feeds/${name}`), name, bytes: name.length }
      }),
      ignored: ['README.md', 'a.gz', 'a.xml', 'gone.json', 'more.json'],
    })
  })

  it('lists a file itself, regardless of its name', async () => {
    const path = folder.pathOf('feed.txt')
    await writeFile(path, 'text')
    expect(await listFeedFiles(path)).toEqual({
      files: [{ path, name: 'feed.txt', bytes: 4 }],
      ignored: [],
    })
  })

  it('rejects a missing path without naming it', async () => {
    await expect(listFeedFiles(folder.pathOf('nothing'))).rejects.toThrow(
      expect.objectContaining({ code: 'not_found', message: 'Cannot read the file: ENOENT' }),
    )
  })
})

describe('readFeedFile', () => {
  it('streams uncompressed bytes in chunks', async () => {
    const found = await readFeed(TEXT)
    expect([found.text === TEXT, found.error]).toEqual([true, undefined])
    expect(found.longest).toBeLessThanOrEqual(256 * 1024)
    expect(found.pieces).toBeGreaterThan(3)
    expect(found.read).toBe(TEXT.length)
  })

  it('decompresses gzip of one or more members', async () => {
    const found = await readFeed(Buffer.concat([PACKED, gzipSync('second'), gzipSync('')]))
    expect([found.text === `${TEXT}second`, found.error]).toEqual([true, undefined])
    expect(found.longest).toBeLessThanOrEqual(256 * 1024)
    expect(found.read).toBe(PACKED.length + gzipSync('second').length + gzipSync('').length)
  })

  it('reads an empty file', async () => {
    expect(await readFeed('')).toMatchObject({ text: '', pieces: 0, error: undefined })
    expect(await readFeed('\x1f')).toMatchObject({ text: '\x1f', error: undefined })
  })

  it('throws after the intact data if gzip data is truncated', async () => {
    for (const length of [PACKED.length - 4, PACKED.length - 1000, PACKED.length >> 1]) {
      const found = await readFeed(PACKED.subarray(0, length))
      expect(found.error).toBe(BROKEN)
      expect(found.text.length).toBeGreaterThan(TEXT.length / 3)
      expect(TEXT.startsWith(found.text)).toBe(true)
    }
  })

  it('throws if gzip data is corrupt', async () => {
    const bytes = Uint8Array.from(PACKED)
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1
    expect((await readFeed(bytes)).error).toBe(BROKEN)
    expect((await readFeed(Buffer.concat([PACKED, Buffer.from('garbage')]))).error).toBe(BROKEN)
  })

  it('throws if the decompressed data exceeds the limit', async () => {
    const found = await readFeed(gzipSync(new Uint8Array(8_000_000)), 1_000_000)
    expect(found.error).toBe('Cannot decompress the file: it contains more than 1000000 bytes')
    expect(found.text.length).toBeLessThanOrEqual(1_000_000)
  })

  it('rejects a missing file without naming its path', async () => {
    const { error } = await collectUntilError(readFeedFile(folder.pathOf('nothing')))
    expect(error).toBe('Cannot read the file: ENOENT')
  })

  it('may be stopped before the end', async () => {
    for (const content of [TEXT, PACKED]) {
      const path = folder.pathOf('file')
      await writeFile(path, content)
      for await (const piece of readFeedFile(path)) {
        expect(piece.length).toBeGreaterThan(0)
        break
      }
    }
  })
})

describe('unpackFeed', () => {
  it('decompresses bytes regardless of chunk boundaries', async () => {
    const packed = gzipSync('text')
    for (const size of [1, 2, 3]) {
      const { items, error } = await collectUntilError(decompressFeed(toChunks(packed, [size])))
      expect([Buffer.concat(items).toString(), error]).toEqual(['text', undefined])
    }
    const { items } = await collectUntilError(decompressFeed(toChunks('{}', [1])))
    expect(Buffer.concat(items).toString()).toBe('{}')
  })

  it('propagates errors of its source, compressed or not', async () => {
    for (const bytes of [PACKED, Buffer.from(TEXT)]) {
      for (const failure of [new Error('stopped'), new DOMException('stopped', 'AbortError')]) {
        const reading = async () => {
          for await (const _ of decompressFeed(failing(bytes, failure)));
        }
        await expect(reading()).rejects.toBe(failure)
      }
    }
  })
})

async function* failing(bytes: Uint8Array, failure: Error): AsyncIterable<Uint8Array> {
  yield* toChunks(bytes.subarray(0, bytes.length >> 1), [10_000])
  throw failure
}

async function readFeed(content: string | Uint8Array, maxBytes?: number) {
  const path = folder.pathOf('file')
  await writeFile(path, content)
  let count = 0
  const options = { maxBytes, onRead: (bytes: number) => (count += bytes) }
  const { items, error } = await collectUntilError(readFeedFile(path, options))
  return {
    text: Buffer.concat(items).toString('latin1'),
    pieces: items.length,
    longest: Math.max(0, ...items.map(({ length }) => length)),
    read: count,
    error,
  }
}
