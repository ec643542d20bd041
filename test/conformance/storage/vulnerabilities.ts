import { describe, expect, it } from 'vitest'
import type { WithStorage } from '../storage.ts'
import { TEXTS } from './texts.ts'
import {
  publishSample,
  SAMPLE_SOURCE,
  sampleBytes,
  sampleRecord,
  sampleRecords,
} from './vulnerability-samples.ts'

export function describeVulnerabilities(withStorage: WithStorage, more: readonly string[]): void {
  describe('The vulnerability store', () => {
    it('is empty at first', () =>
      withStorage(async ({ storage: { vulnerabilities } }) => {
        expect(await vulnerabilities.generation()).toBe(0)
        expect(await vulnerabilities.revision()).toMatch(/^[\w-]{1,40}$/)
        expect(await vulnerabilities.readManifest()).toBeUndefined()
        expect(await vulnerabilities.listSources()).toEqual([])
        expect(await vulnerabilities.readParts({ id: 1, name: 'words' }, [0, 1])).toEqual([
          undefined,
          undefined,
        ])
        expect(await vulnerabilities.readRecords([1], 'all')).toEqual([undefined])
      }))

    it('shows data only after it is published, and then to all readers at once', (context) =>
      withStorage(async ({ storage, reopen }) => {
        if (!reopen) return context.skip('this storage is opened once only')
        const other = await reopen()
        try {
          const load = await storage.vulnerabilities.beginLoad({ source: 'nvd' })
          const before = await other.vulnerabilities.revision()
          await load.stage({ records: sampleRecords(load, 3) })
          const set = { id: load.nextId, name: 'words' }
          await load.writeParts(set, [{ number: 0, bytes: sampleBytes(1) }])
          expect(await other.vulnerabilities.generation()).toBe(0)
          expect(await other.vulnerabilities.revision()).toBe(before)
          expect(await other.vulnerabilities.readManifest()).toBeUndefined()
          await load.publish({
            manifest: '{"a":1}',
            sets: [set],
            dropped: [],
            takesStaged: true,
            source: SAMPLE_SOURCE,
          })
          expect(await other.vulnerabilities.generation()).toBe(set.id)
          expect(await other.vulnerabilities.revision()).not.toBe(before)
          expect(await other.vulnerabilities.readManifest()).toEqual({
            generation: set.id,
            publishedAt: expect.any(Number),
            manifest: '{"a":1}',
          })
          expect(await other.vulnerabilities.readParts(set, [0])).toEqual([sampleBytes(1)])
        } finally {
          await other.close()
        }
      }))

    it('changes generation and revision with every publication, and only then', () =>
      withStorage(async ({ storage }) => {
        const { vulnerabilities } = storage
        const names = new Set([await vulnerabilities.revision()])
        let last = 0
        for (let round = 1; round <= 3; round += 1) {
          await publishSample(storage, { count: 1 })
          const generation = await vulnerabilities.generation()
          expect(generation > last).toBe(true)
          last = generation
          names.add(await vulnerabilities.revision())
          const load = await vulnerabilities.beginLoad({ source: 'nvd' })
          await load.stage({ records: sampleRecords(load, 1), source: SAMPLE_SOURCE })
          await load.end()
          expect(await vulnerabilities.generation()).toBe(generation)
          expect(names.has(await vulnerabilities.revision())).toBe(true)
        }
        expect(names.size).toBe(4)
        for (const name of names) expect(name).toMatch(/^[\w-]{1,40}$/)
        expect(await storage.catalogue.generation()).toBe(0)
      }))

    it('returns records in the requested order, with the requested columns', () =>
      withStorage(async ({ storage }) => {
        const { vulnerabilities } = storage
        const { rowIds } = await publishSample(storage, { count: 1_000 })
        const [first = 0] = rowIds
        const asked = [...rowIds].reverse().filter((rowId) => rowId % 2 === 0)
        const withGone = [first + 5_000, ...asked, first, first]
        for (const [what, columns] of Object.entries(COLUMNS)) {
          const records = await vulnerabilities.readRecords(withGone, what as keyof typeof COLUMNS)
          expect(records[0]).toBeUndefined()
          expect(records.slice(1)).toEqual(
            withGone.slice(1).map((rowId) => {
              const { rowId: _, ...record } = sampleRecord(rowId)
              return { line: '', products: '', detail: '', ...pickColumns(record, columns) }
            }),
          )
        }
        expect(await vulnerabilities.readRecords([], 'line')).toEqual([])
      }))

    it('returns parts in the requested order, each in a buffer of its own', () =>
      withStorage(async ({ storage: { vulnerabilities } }) => {
        const load = await vulnerabilities.beginLoad({ source: 'nvd' })
        const [words, columns] = ['words', 'columns'].map((name) => ({ id: load.nextId, name }))
        if (!words || !columns) throw new Error('No sets')
        const parts = Array.from({ length: 300 }, (_, number) => ({
          number,
          bytes: sampleBytes(number, number * 5),
        }))
        await load.writeParts(words, parts)
        await load.writeParts(columns, [{ number: 2, bytes: sampleBytes(1_000, 16) }])
        await load.writeParts(words, [])
        const numbers = parts.map(({ number }) => number).reverse()
        expect(await vulnerabilities.readParts(words, [...numbers, 300])).toEqual([
          ...parts.map(({ bytes }) => bytes).reverse(),
          undefined,
        ])
        const [one] = await vulnerabilities.readParts(columns, [2])
        expect(one).toEqual(sampleBytes(1_000, 16))
        expect([one?.constructor, one?.byteOffset, one?.buffer.byteLength]).toEqual([
          Uint8Array,
          0,
          16,
        ])
        expect(await vulnerabilities.readParts(words, [])).toEqual([])
        await load.writeParts(words, [{ number: 7, bytes: sampleBytes(4_711) }])
        expect(await vulnerabilities.readParts(words, [6, 7])).toEqual([
          sampleBytes(6, 30),
          sampleBytes(4_711),
        ])
      }))

    it('accepts many parts of half a megabyte from the middle of a buffer', () =>
      withStorage(async ({ storage: { vulnerabilities } }) => {
        const load = await vulnerabilities.beginLoad({ source: 'nvd' })
        const set = { id: load.nextId, name: 'words' }
        const whole = sampleBytes(3, 524_288 + 8)
        const parts = Array.from({ length: 12 }, (_, number) => ({
          number,
          bytes: whole.subarray(number % 8, (number % 8) + 524_288),
        }))
        await load.writeParts(set, parts)
        for (const { number, bytes } of parts) {
          const [read] = await vulnerabilities.readParts(set, [number])
          expect(read && isSame(read, bytes)).toBe(true)
        }
      }))

    it('stores the state of each source, and when its load last succeeded', () =>
      withStorage(async ({ storage: { vulnerabilities } }) => {
        const load = await vulnerabilities.beginLoad({ source: 'nvd' })
        await load.stage({ records: [], source: { name: 'nvd', checkpoint: '1' } })
        const publish = (source: { name: string; checkpoint: string; loadedAt?: number }) =>
          load.publish({ manifest: '{}', sets: [], dropped: [], takesStaged: false, source })
        await publish({ name: 'kev', checkpoint: '2', loadedAt: 1_700_000_000_000 })
        expect(await vulnerabilities.listSources()).toEqual([
          { name: 'kev', checkpoint: '2', loadedAt: 1_700_000_000_000 },
          { name: 'nvd', checkpoint: '1' },
        ])
        await load.stage({ records: [], source: { name: 'kev', checkpoint: '3' } })
        await publish({ name: 'nvd', checkpoint: '4', loadedAt: 1_700_000_000_001 })
        expect(await vulnerabilities.listSources()).toEqual([
          { name: 'kev', checkpoint: '3', loadedAt: 1_700_000_000_000 },
          { name: 'nvd', checkpoint: '4', loadedAt: 1_700_000_000_001 },
        ])
      }))

    it('returns JSON exactly as stored, regardless of its strings', () =>
      withStorage(async ({ storage: { vulnerabilities } }) => {
        const load = await vulnerabilities.beginLoad({ source: 'nvd' })
        const records = [...TEXTS, ...more].map((text, index) => ({
          rowId: load.nextRowId + index,
          line: JSON.stringify({ description: text }),
          products: JSON.stringify([[text, text, [text]]]),
          detail: JSON.stringify([text]),
        }))
        const checkpoint = JSON.stringify([...TEXTS, ...more])
        await load.stage({ records, source: { name: 'nvd', checkpoint } })
        expect(
          await vulnerabilities.readRecords(
            records.map(({ rowId }) => rowId),
            'all',
          ),
        ).toEqual(records.map(({ rowId: _, ...record }) => record))
        expect(await vulnerabilities.listSources()).toEqual([{ name: 'nvd', checkpoint }])
      }))
  })
}

const COLUMNS = {
  line: ['line'],
  products: ['line', 'products'],
  all: ['line', 'products', 'detail'],
} as const

function pickColumns(
  record: Readonly<Record<string, string>>,
  columns: readonly string[],
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(columns.map((column) => [column, record[column]]))
}

/** `toEqual` takes seconds for millions of bytes. */
function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
