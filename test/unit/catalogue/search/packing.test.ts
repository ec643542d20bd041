import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_ENDPOINTS,
  packEndpoints,
  toEndpointKey,
  visitEndpoints,
} from '../../../../core/catalogue/search/packing.ts'

type Entry = readonly [id: number, level: number]

function pack(entries: readonly Entry[]): Uint8Array {
  return packEndpoints(entries.map(([id, level]) => toEndpointKey(id, level)))
}

function unpack(bytes: Uint8Array): readonly Entry[] {
  const entries: Entry[] = []
  visitEndpoints(bytes, (id, level) => entries.push([id, level]))
  return entries
}

describe('packed endpoints', () => {
  it('are unpacked strongest first, then by id', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.nat({ max: 2 ** 40 - 1 }), fc.integer({ min: 1, max: 255 })), {
          selector: ([id]) => id,
          maxLength: 60,
        }),
        (entries) => {
          const sorted = entries.toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
          expect(unpack(pack(entries))).toEqual(sorted)
        },
      ),
      { seed: 2, numRuns: 300 },
    )
  })

  it('take about a byte each if the ids are close', () => {
    const entries = Array.from({ length: 1000 }, (_, index): Entry => [90_000 + index, 40])
    expect(pack(entries).length).toBeLessThan(1010)
  })

  it('are limited to the strongest ones', () => {
    const entries = Array.from(
      { length: MAX_ENDPOINTS + 100 },
      (_, index): Entry => [index + 1, index < 100 ? 9 : 8],
    )
    const found = unpack(pack(entries))
    expect(found.length).toBe(MAX_ENDPOINTS)
    expect(found.slice(0, 100)).toEqual(entries.slice(0, 100))
  })

  it('stop early without an error if the bytes are damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(unpack(bytes).length).toBeLessThanOrEqual(bytes.length)
      }),
      { seed: 3, numRuns: 300 },
    )
  })

  it('are empty bytes without endpoints', () => {
    expect(pack([])).toEqual(new Uint8Array())
    expect(unpack(new Uint8Array())).toEqual([])
  })
})
