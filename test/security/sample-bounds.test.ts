import { describe, expect, it } from 'vitest'
import { buildSampleTree, sampleResponse } from '../../core/schemas/samples.ts'

/** A response with this schema, with `count` components `/c0`, `/c1` and so on for references. */
function sampleOf(schema: object, count: number, toComponent: (at: number) => object) {
  const loaded: number[] = []
  const sample = sampleResponse({
    response: {
      status: '200',
      mediaType: 'application/json',
      example: undefined,
      schema: JSON.stringify(schema),
    },
    findComponents: async (pointers) => {
      const texts = pointers
        .filter((pointer) => Number(pointer.slice(2)) < count)
        .map((pointer) => [pointer, JSON.stringify(toComponent(Number(pointer.slice(2))))] as const)
      loaded.push(texts.reduce((sum, [, text]) => sum + text.length, 0))
      return new Map(texts)
    },
  })
  return { sample, loaded }
}

const refTo = (at: number) => ({ $ref: `#/c${at}` })
const range = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('work per sample', () => {
  it('loads components up to a number of characters', async () => {
    const { sample, loaded } = sampleOf({ allOf: range(300).map(refTo) }, 300, () => ({
      type: 'object',
      description: 'x'.repeat(500_000),
    }))

    expect(await sample).toBe('{}')
    // At most two million, plus one batch of 20.
    expect(loaded.reduce((sum, size) => sum + size, 0)).toBeLessThan(13_000_000)
  })

  it('follows cyclic references a bounded number of times', () => {
    const component = (at: number) => ({
      allOf: range(60).map((to) => refTo((at * 7 + to) % 1000)),
      properties: Object.fromEntries(range(5).map((to) => [`p${at}x${to}`, refTo(at * 5 + to)])),
    })
    const components = range(5000).map(component)
    let calls = 0
    buildSampleTree(refTo(0), (pointer) => {
      calls += 1
      return components[Number(pointer.slice(2))]
    })

    expect(calls).toBeGreaterThan(100)
    expect(calls).toBeLessThanOrEqual(30_000)
  })

  it('measures a long default once for all properties', () => {
    let calls = 0
    const long = {
      type: 'object',
      default: {
        toJSON: () => {
          calls += 1
          return 'x'.repeat(400_000)
        },
      },
    }
    buildSampleTree(
      { properties: Object.fromEntries(range(1000).map((at) => [`p${at}`, refTo(0)])) },
      () => long,
    )

    expect(calls).toBe(1)
  })

  it('reads the properties of a wide schema a bounded number of times', () => {
    let reads = 0
    const wide = new Proxy(
      Object.fromEntries(range(10_000).map((at) => [`p${at}`, { writeOnly: true }])),
      {
        ownKeys: (target) => {
          reads += 1
          return Reflect.ownKeys(target)
        },
      },
    )
    buildSampleTree(
      { properties: Object.fromEntries(range(1000).map((at) => [`q${at}`, refTo(0)])) },
      () => ({ type: 'object', properties: wide }),
    )

    expect(reads).toBeLessThanOrEqual(4)
  })

  it('yields between samples of large schemas', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 0)
    const properties = Object.fromEntries(range(2000).map((at) => [`p${at}`, { type: 'string' }]))
    await Promise.all(range(8).map(() => sampleOf({ properties }, 0, () => ({})).sample))
    clearInterval(timer)

    expect(turns).toBeGreaterThanOrEqual(8)
  })
})

describe('truncated sample', () => {
  it('omits properties above the limit, and fills the rest by type', async () => {
    const component = (at: number) => ({
      type: 'object',
      description: 'x'.repeat(20_000),
      properties: {
        name: { type: 'string' },
        ...Object.fromEntries(range(20).map((to) => [`to${to}`, refTo(at * 20 + to + 1)])),
        list: { type: 'array', items: refTo(at * 20 + 20) },
      },
    })
    const { sample } = sampleOf(refTo(0), 100_000, component)
    const value: unknown = JSON.parse(await sample)
    let objects = 0
    const check = (node: unknown): void => {
      if (Array.isArray(node)) {
        for (const item of node) check(item)
        return
      }
      objects += 1
      const { name, ...others } = node as Record<string, unknown>
      if (Object.keys(others).length > 0) expect(name).toBe('string')
      for (const other of Object.values(others)) {
        expect(other).toBeTypeOf('object')
        expect(other).not.toBeNull()
        check(other)
      }
    }
    check(value)

    expect(objects).toBeGreaterThan(20)
    expect(objects).toBeLessThan(3000)
  })
})
