import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from '../../../../core/shared/text.ts'
import { runSynchronously } from '../../../../core/shared/time-slices.ts'
import {
  fromColumnParts,
  PART_BYTES,
  splitIntoParts,
  toColumnBytes,
  toCveId,
  toCveNumber,
} from '../../../../core/vulnerabilities/index/columns.ts'
import {
  createBlockWriter,
  findEntry,
  findLastNotAfter,
  joinPositions,
  POSITION_PART_BYTES,
  packDirectory,
  readBlock,
  toPositionParts,
  unpackDirectory,
} from '../../../../core/vulnerabilities/index/dictionary.ts'
import { FORMAT, listSets, parseManifest } from '../../../../core/vulnerabilities/index/manifest.ts'
import { createNumberMap } from '../../../../core/vulnerabilities/index/number-map.ts'
import {
  packDocuments,
  skipPositions,
  unpackDocuments,
  unpackPositions,
} from '../../../../core/vulnerabilities/index/postings.ts'
import { findProducts, packNames } from '../../../../core/vulnerabilities/index/product-names.ts'
import { sortNumbers } from '../../../../core/vulnerabilities/index/sorting.ts'
import { runs } from '../../../helpers/runs.ts'

const OPTIONS = { seed: 11, numRuns: 200 }

const documents = fc.oneof(
  fc.uniqueArray(fc.nat(40), { maxLength: 40 }),
  fc.uniqueArray(fc.nat(2_000_000), { maxLength: 50 }),
)

describe('packDocuments', () => {
  it('is reversible and uses the smaller form', () => {
    fc.assert(
      fc.property(documents, (numbers) => {
        const list = Uint32Array.from(numbers).sort()
        const bytes = packDocuments(list)
        expect(unpackDocuments(bytes, list.length)).toEqual(list)
        expect(bytes.length).toBeLessThanOrEqual(4 * list.length)
      }),
      OPTIONS,
    )
  })

  it('takes an eighth of a byte per document for a term of all documents', () => {
    expect(packDocuments(Uint32Array.from({ length: 8000 }, (_, at) => at)).length).toBe(1000)
  })

  it('never throws for corrupt bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(80), (bytes, count) => {
        expect(unpackDocuments(bytes, count).length).toBe(count)
        expect(unpackPositions(bytes, count).starts.length).toBe(count + 1)
      }),
      OPTIONS,
    )
  })
})

describe('unpackPositions', () => {
  it('separates positions by document', () => {
    // The positions of three documents: 3; 0, 2 and 66; 9.
    const bytes = Uint8Array.of(6, 1, 5, 128, 1, 18)
    const { starts, values } = unpackPositions(bytes, 3)
    expect([...starts]).toEqual([0, 1, 4, 5])
    expect([...values]).toEqual([3, 0, 2, 66, 9])
    expect([0, 1, 5].map((at) => skipPositions(bytes, at))).toEqual([1, 5, 6])
  })
})

describe('The dictionary', () => {
  const terms = fc.dictionary(
    fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '漢', '𠀀', '\uffff'), minLength: 1 }),
      fc.string({ minLength: 1 }),
    ),
    fc.record({
      documents: fc.uint8Array({ maxLength: 3000 }),
      positionBytes: fc.nat(POSITION_PART_BYTES * 2),
    }),
    { maxKeys: 30 },
  )

  it('finds each of its terms, and no other term', () => {
    fc.assert(
      fc.property(terms, fc.string(), (entries, other) => {
        const blocks: Uint8Array[] = []
        const writer = createBlockWriter()
        const sorted = Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1))
        let positionStart = 0
        const expected = sorted.map(([term, { documents: bytes, positionBytes }]) => {
          const block = writer.add(term, { count: 1, documents: bytes, positionBytes })
          if (block) blocks.push(block.slice())
          positionStart += positionBytes
          const start = positionStart - positionBytes
          return { term, count: 1, documents: bytes, positionBytes, positionStart: start }
        })
        const last = writer.end()
        if (last) blocks.push(last.slice())
        const directory = unpackDirectory(
          packDirectory({ ...writer, firstVendors: [], firstKeys: [] }),
        )
        const find = (term: string) => {
          const number = findLastNotAfter(directory.firstTerms, term)
          if (number === undefined) return undefined
          const start = directory.positionStarts[number] ?? 0
          return findEntry(blocks[number] ?? new Uint8Array(0), { term, positionStart: start })
        }
        expect(directory.firstTerms.length).toBe(blocks.length)
        expect(writer.positionBytes).toBe(positionStart)
        expect(expected.map(({ term }) => find(term))).toEqual(expected)
        const read = blocks.flatMap((block, number) =>
          readBlock(block, directory.positionStarts[number] ?? 0),
        )
        expect(read).toEqual(expected)
        if (!Object.hasOwn(entries, other)) expect(find(other)).toBeUndefined()
      }),
      OPTIONS,
    )
  })

  it('joins positions across parts', () => {
    const bytes = Uint8Array.from({ length: 3 * POSITION_PART_BYTES }, (_, at) => at % 251)
    const parts = [0, 1, 2].map((part) =>
      bytes.subarray(part * POSITION_PART_BYTES, (part + 1) * POSITION_PART_BYTES),
    )
    const entry = { term: '', count: 0, documents: new Uint8Array(0) }
    const places: readonly (readonly [number, number])[] = [
      [0, 0],
      [5, 10],
      [POSITION_PART_BYTES - 1, 2],
      [POSITION_PART_BYTES, POSITION_PART_BYTES],
      [10, 2 * POSITION_PART_BYTES + 5],
    ]
    for (const [positionStart, positionBytes] of places) {
      const placed = { ...entry, positionStart, positionBytes }
      const its = toPositionParts(placed).flatMap((number) => parts[number] ?? [])
      expect(joinPositions(placed, its)).toEqual(
        bytes.subarray(positionStart, positionStart + positionBytes),
      )
    }
  })
})

describe('Columns', () => {
  it('are restored from their parts', () => {
    const column = Float64Array.from({ length: PART_BYTES / 8 + 3 }, (_, at) => at / 3)
    const parts = splitIntoParts(toColumnBytes(column))
    expect(parts.map(({ length }) => length)).toEqual([PART_BYTES, 24])
    expect(fromColumnParts('publishedAt', parts)).toEqual(column)
    expect(fromColumnParts('flags', [])).toEqual(new Uint8Array(0))
  })

  it('store CVE ids as numbers', () => {
    for (const id of ['CVE-1999-0001', 'CVE-2021-44228', 'CVE-2099-999999999']) {
      expect(toCveId(toCveNumber(id))).toBe(id)
    }
    for (const text of ['', 'CVE-', 'CVE-2021-', 'CVE-20x1-1234', 'CVE-2021-1234567890']) {
      expect(toCveNumber(text)).toBeNaN()
    }
  })
})

describe('parseManifest and toSets', () => {
  it('reject a manifest of another format', () => {
    expect(parseManifest(undefined)).toEqual({ format: FORMAT })
    expect(() => parseManifest('{"format":0}')).toThrow(
      `Cannot read the vulnerabilities: their format is 0, not ${FORMAT}; sync the CVE records again`,
    )
  })

  it('name sets with at most 20 characters', () => {
    const sets = listSets({
      format: FORMAT,
      epss: { id: 3, count: 0 },
      kev: { id: 4, count: 0, parts: 1 },
    })
    expect(sets).toEqual([
      { id: 3, name: 'epssCve' },
      { id: 3, name: 'epssScore' },
      { id: 3, name: 'epssRank' },
      { id: 4, name: 'kev' },
    ])
  })
})

describe('The index helpers', () => {
  it('sort like the language, and stably', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 0, maxLength: 5000 }), (keys) => {
        const compare = (a: number, b: number) => (keys[a] ?? 0) - (keys[b] ?? 0)
        const order = Uint32Array.from(keys.keys())
        runSynchronously(sortNumbers(order, compare))
        expect([...order]).toEqual([...keys.keys()].sort(compare))
      }),
      { seed: 11, numRuns: 30 },
    )
  })

  it('map numbers like a Map', () => {
    const key = fc.oneof(fc.nat(9), fc.nat(2_100_000_000_000), fc.double({ noNaN: true }))
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.integer()), { maxLength: 3000 }), (entries) => {
        const map = createNumberMap(0)
        for (const [at, value] of entries) map.set(at, value)
        const expected = new Map(entries)
        expect(map.size).toBe(expected.size)
        for (const [at, value] of expected) expect(map.get(at)).toBe(value)
      }),
      { seed: 11, numRuns: 50 },
    )
  })

  it('compare by code points', () => {
    const texts = ['\uffff', '𠀀', 'b', 'ab', 'a', '']
    expect(texts.toSorted(compareCodePoints)).toEqual(['', 'a', 'ab', 'b', '\uffff', '𠀀'])
  })

  it('find names by vendor, regardless of brackets, quotes and commas in them', () => {
    const name = fc.string({ unit: fc.constantFrom('a', '[', ']', ',', '"', '\\', '𠀀') })
    const group = fc.tuple(name, fc.array(name, { maxLength: 4 }))
    const groups = fc.uniqueArray(group, { selector: ([vendor]) => vendor, maxLength: 6 })
    fc.assert(
      fc.property(groups, name, (listed, other) => {
        const bytes = packNames(listed)
        const known = new Map(listed)
        for (const vendor of [other, ...listed.flat(2)]) {
          expect(findProducts(bytes, vendor)).toEqual(known.get(vendor) ?? [])
        }
      }),
      { seed: 11, numRuns: runs(2000) },
    )
  })
})
