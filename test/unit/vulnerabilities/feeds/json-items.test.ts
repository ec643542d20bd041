import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonItems } from '../../../../core/vulnerabilities/feeds/json-items.ts'
import { codePoint } from '../../../helpers/code-point.ts'
import { findSharedData } from '../../../helpers/shared-data.ts'
import { collectUntilError, toChunks } from './bytes.ts'

const NAMES = ['vulnerabilities', 'CVE_Items']

describe('readJsonItems', () => {
  it('yields the elements of the named array, and the other members', async () => {
    const found = await readItems(
      '\ufeff { "totalResults" : 2, "format":"NVD_CVE","x":{"vulnerabilities":[1]},"n":null,' +
        '"vulnerabilities" : [ {"cve":{"a":"]}\\"{"}} ,\n[1,[2]],"text",7.5e1,true,null ],"y":[] }\n',
    )
    expect(found).toEqual({
      items: [{ cve: { a: ']}"{' } }, [1, [2]], 'text', 75, true, null],
      problems: [],
      members: {
        totalResults: 2,
        format: 'NVD_CVE',
        x: { vulnerabilities: [1] },
        n: null,
        y: [],
      },
      hasItems: true,
      error: undefined,
    })
  })

  it('yields the elements of a document that is an array', async () => {
    expect(await readItems('[{"a":1},2]')).toMatchObject({ items: [{ a: 1 }, 2], hasItems: true })
    expect(await readItems(' [ ] ')).toMatchObject({ items: [], hasItems: true, error: undefined })
  })

  it('yields no items if no array is named', async () => {
    expect(await readItems('{"cve":{"id":"x"},"vulnerabilities":5}')).toEqual({
      items: [],
      problems: [],
      members: { cve: { id: 'x' }, vulnerabilities: 5 },
      hasItems: false,
      error: undefined,
    })
  })

  it('yields the same as JSON.parse, regardless of chunk boundaries', async () => {
    const text = fc.string({ unit: codePoint, maxLength: 12 })
    const item = fc.jsonValue({ maxDepth: 4, stringUnit: codePoint })
    const input = fc.record({
      items: fc.array(item, { maxLength: 6 }),
      before: fc.dictionary(text, item, { maxKeys: 3 }),
      space: fc.constantFrom(0, 1, '\t', '\r\n'),
      name: fc.constantFrom(...NAMES),
      sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(input, async ({ items, before, space, name, sizes }) => {
        const document: unknown = { ...before, [name]: items, after: 1 }
        const json = JSON.stringify(document, null, space)
        const parsed: unknown = JSON.parse(json)
        const found = await readItems(json, { sizes })
        const members = Object.entries(Object(parsed)).filter(([key]) => key !== name)
        expect(found.items).toEqual(Object(parsed)[name])
        expect(found.members).toEqual(Object.fromEntries(members))
        expect([found.problems, found.error]).toEqual([[], undefined])
      }),
      { seed: 13, numRuns: 200 },
    )
  })

  it('finds the same items in small and large chunks, also between broken ones', async () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    const item = fc.oneof(
      value.map((cve) => JSON.stringify({ cve })),
      value.map((cve) => JSON.stringify({ cve: [{ cve }] })),
      fc.constantFrom('{"cve":1]', '{"cve":"', '{"cve":{"cve":2},}', '7', ''),
    )
    const input = fc.record({
      items: fc.array(item, { maxLength: 12 }),
      separator: fc.constantFrom(',', ' ,\n', '\n'),
      sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
      large: fc.integer({ min: 40, max: 400 }),
    })
    await fc.assert(
      fc.asyncProperty(input, async ({ items, separator, sizes, large }) => {
        const json = `[{"cve":0}${separator}${items.join(separator)}]`
        const found = await readItems(json, { sizes })
        expect(await readItems(json, { sizes: [large] })).toEqual(found)
      }),
      { seed: 14, numRuns: 1000 },
    )
  })

  it('continues after an item that does not parse, and reports its id', async () => {
    const found = await readItems(
      '[{"cve":{"id":"CVE-2030-0001"}},{"cve":{"id":"CVE-2030-0002",}},{"cve":nil},' +
        '{"cve":{"id":"CVE-2030-0003"}},,oops,{"cve":{"id":"CVE-2030-0004"}}]',
    )
    expect(found.items).toEqual(['0001', '0003', '0004'].map(toItem))
    expect(found.problems).toEqual([
      { id: 'CVE-2030-0002', message: 'Cannot read CVE-2030-0002: it is not valid JSON' },
      { id: undefined, message: 'Cannot read a record: it is not valid JSON' },
      { id: undefined, message: 'Cannot read a record: it is not valid JSON' },
    ])
    expect(found.error).toBeUndefined()
  })

  it('continues after an item that is not UTF-8', async () => {
    const bytes = new TextEncoder().encode('[{"a":"CVE-2030-0001 ?"},{"a":2}]')
    bytes[bytes.indexOf(63)] = 0xff
    expect(await readItems(bytes)).toMatchObject({
      items: [{ a: 2 }],
      problems: [
        { id: 'CVE-2030-0001', message: 'Cannot read CVE-2030-0001: it is not valid JSON' },
      ],
    })
  })

  it.each([
    ['a quote', '{"cve":{"id":"CVE-2030-0002}}'],
    ['a brace', '{"cve":{"id":"CVE-2030-0002"}'],
    ['a bracket', '{"cve":{"id":"CVE-2030-0002","a":[1}}'],
    ['its end', '{"cve":{"id":"CVE-2030-0002","a":"b'],
  ])('recovers after an item that lacks %s', async (_, broken) => {
    for (const sizes of [[1], [7], [1000]]) {
      const whole = [toItem('0001'), toItem('0003'), toItem('0004')].map((item) =>
        JSON.stringify(item),
      )
      const json = `{"vulnerabilities":[${[whole[0], broken, whole[1], whole[2]].join(',')}]}`
      const found = await readItems(json, { sizes })
      expect(found.items).toEqual(['0001', '0003', '0004'].map(toItem))
      expect(found.problems.map(({ id }) => id)).toEqual(['CVE-2030-0002'])
      expect(found.error).toBeUndefined()
    }
  })

  it('reports items that are too long, and continues', async () => {
    const long = { cve: { id: 'CVE-2030-0002', text: '[{"'.repeat(100) } }
    const json = JSON.stringify({ a: 1, CVE_Items: [toItem('0001'), long, toItem('0003')] })
    for (const sizes of [[1], [50], [10_000]]) {
      const found = await readItems(json, { sizes, maxItemBytes: 200 })
      expect(found).toEqual({
        items: [toItem('0001'), toItem('0003')],
        problems: [
          {
            id: 'CVE-2030-0002',
            message: 'Cannot read CVE-2030-0002: it is longer than 200 bytes',
          },
        ],
        members: { a: 1 },
        hasItems: true,
        error: undefined,
      })
    }
  })

  it('yields items without other members that are too long', async () => {
    const json = JSON.stringify({ long: 'x'.repeat(500), a: 1, CVE_Items: [2], more: [0] })
    for (const sizes of [[1], [10_000]]) {
      expect(await readItems(json, { sizes, maxItemBytes: 200 })).toMatchObject({
        items: [2],
        error: undefined,
      })
    }
  })

  it.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['hello', 'it is not JSON'],
    ['"hello"', 'it is not JSON'],
    ['{"a"}', 'it is not JSON'],
    ['{"a":}', 'it is truncated'],
    ['{a:1}', 'it is not JSON'],
    ['{"a":1 "b":2}', 'it is not JSON'],
    ['{"a":tru}', 'it is not JSON'],
    ['{"a":1', 'it is truncated'],
    ['{"a":"', 'it is truncated'],
    ['[] []', 'it contains data after its end'],
  ])('rejects %j: %s', async (json, reason) => {
    expect(await readItems(json)).toMatchObject({
      items: [],
      error: `Cannot read the document: ${reason}`,
    })
  })

  it('yields the intact items of a truncated document', async () => {
    const json = JSON.stringify({ vulnerabilities: [toItem('0001'), toItem('0002')] })
    const second = json.indexOf(',{"cve"')
    for (let length = second; length < json.length; length += 1) {
      const found = await readItems(json.slice(0, length), { sizes: [5] })
      const isSecondWhole = length >= json.length - 2
      expect(found.items.length).toBe(isSecondWhole ? 2 : 1)
      expect(found.error).toBe('Cannot read the document: it is truncated')
    }
  })

  it('yields the intact items before an error of its source', async () => {
    async function* failing() {
      yield new TextEncoder().encode('[1,2,')
      throw new Error('gone')
    }
    const { items, error } = await collectUntilError(readJsonItems(failing(), { names: NAMES }))
    expect([items.flatMap((found) => found.items), error]).toEqual([[1, 2], 'gone'])
  })

  it('ends soon if the document consists of item starts only', async () => {
    const json = `[{"cve":1},${'{"cve":'.repeat(3000)}`
    const found = await readItems(json, { sizes: [10_000], maxItemBytes: 4000 })
    expect(found.items).toEqual([{ cve: 1 }])
    expect(found.error).toBe('Cannot read the document: it is truncated')
  })
})

describe('Hostile JSON', () => {
  const data = findSharedData()
  const file = data === undefined ? undefined : join(data, 'hostile', 'json-parsing.json')
  const isThere = file !== undefined && existsSync(file)

  it.skipIf(!isThere)('results in an item or a problem, as in JSON.parse', async () => {
    const cases = readCases(file ?? '')
    expect(cases.length).toBeGreaterThan(200)
    for (const { name, bytes } of cases) {
      for (const sizes of [[1], [100_000]]) {
        const document = Buffer.concat([
          Buffer.from('[{"cve":1},'),
          bytes,
          Buffer.from(',{"cve":2}]'),
        ])
        const found = await readItems(document, { sizes })
        expect(found.items[0], name).toEqual({ cve: 1 })
        const value = tryParse(bytes)
        if (value === undefined) continue
        expect(found.items, name).toEqual([{ cve: 1 }, value, { cve: 2 }])
        expect([found.problems, found.error], name).toEqual([[], undefined])
      }
    }
  })

  it.skipIf(!isThere)('ends a document, too', async () => {
    for (const { name, bytes } of readCases(file ?? '')) {
      const found = await readItems(bytes, { sizes: [3] })
      expect(found.error ?? 'read', name).toMatch(/^(read|Cannot read the document: .*)$/)
    }
  })
})

interface Found {
  readonly items: readonly unknown[]
  readonly problems: readonly { readonly id?: string | undefined; readonly message: string }[]
  readonly members: Readonly<Record<string, unknown>>
  readonly hasItems: boolean
  readonly error: string | undefined
}

async function readItems(
  content: string | Uint8Array,
  options: { readonly sizes?: readonly number[]; readonly maxItemBytes?: number } = {},
): Promise<Found> {
  const { sizes, maxItemBytes } = options
  const { items, error } = await collectUntilError(
    readJsonItems(toChunks(content, sizes), { names: NAMES, maxItemBytes }),
  )
  const last = items.at(-1)
  return {
    items: items.flatMap((found) => found.items),
    problems: items.flatMap((found) => found.problems),
    members: Object.fromEntries(last?.members ?? []),
    hasItems: last?.hasItems === true,
    error,
  }
}

function toItem(sequence: string) {
  return { cve: { id: `CVE-2030-${sequence}` } }
}

function readCases(file: string): readonly { readonly name: string; readonly bytes: Buffer }[] {
  const cases: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(cases)) return []
  return cases.map((item) => ({ name: item.name, bytes: Buffer.from(item.base64, 'base64') }))
}

function tryParse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return undefined
  }
}
