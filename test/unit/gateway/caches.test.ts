import { describe, expect, it } from 'vitest'
import type { CallPlan } from '../../../core/calls/call.ts'
import type { Api, Endpoint } from '../../../core/catalogue/records.ts'
import { createShortCache } from '../../../core/gateway/short-cache.ts'
import { createTargets } from '../../../core/gateway/targets.ts'
import { createManualClock } from '../../helpers/random.ts'

describe('short cache', () => {
  it('reads a value once a second, synchronously if the reader is synchronous', () => {
    const clock = createManualClock()
    const cache = createShortCache<number>(clock)
    let reads = 0
    const get = () => cache.get('a', () => ++reads)
    expect([get(), get(), cache.peek('a')?.value]).toEqual([1, 1, 1])
    clock.advance(999)
    expect(get()).toBe(1)
    clock.advance(1)
    expect([cache.peek('a'), get()]).toEqual([undefined, 2])
  })

  it('reads again after the clock was set back', () => {
    const clock = createManualClock()
    const cache = createShortCache<number>(clock)
    let reads = 0
    cache.get('a', () => ++reads)
    clock.advance(-1)
    expect(cache.get('a', () => ++reads)).toBe(2)
  })

  it('reads once for concurrent callers', async () => {
    const cache = createShortCache<number>(createManualClock())
    let reads = 0
    const get = () => cache.get('a', async () => ++reads)
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1])
  })

  it('does not cache a value that was read before a change', async () => {
    const cache = createShortCache<string>(createManualClock())
    let finish: (value: string) => void = () => undefined
    const old = cache.get('a', () => new Promise<string>((resolve) => (finish = resolve)))
    cache.forget()
    const anew = cache.get('a', async () => 'new')
    finish('old')
    expect([await old, await anew]).toEqual(['old', 'new'])
    expect(cache.peek('a')?.value).toBe('new')
  })

  it('reads again after a failed read', async () => {
    const cache = createShortCache<string>(createManualClock())
    await expect(
      Promise.resolve(cache.get('a', () => Promise.reject(new Error('away')))),
    ).rejects.toThrow('away')
    expect(await cache.get('a', async () => 'there')).toBe('there')
  })
})

describe('targets', () => {
  const PLAN = {} as CallPlan

  function open() {
    const state = { revision: '1', path: '/a', reads: 0 }
    const targets = createTargets({
      catalogue: {
        findEndpoint(id) {
          state.reads += 1
          if (id === 'absent') return undefined
          const isInbound = id === 'webhook'
          return {
            id: 1,
            shortId: id,
            apiId: 2,
            method: 'get',
            path: state.path,
            isInbound,
          } as Endpoint
        },
        findApi: async (id) =>
          id === '2'
            ? ({ kind: 'http', vendor: { id: 3 }, authTypes: [] } as unknown as Api)
            : undefined,
      },
      revision: () => state.revision,
      createPlan: () => PLAN,
    })
    return { targets, state }
  }

  it('are cached while the catalogue is unchanged, and returned synchronously', async () => {
    const { targets, state } = open()
    const first = await targets.find('abcdefg')
    expect(first).toMatchObject({ method: 'GET', apiId: 2, vendorId: 3, plan: PLAN })
    expect(targets.find('abcdefg')).toBe(first)
    state.revision = '2'
    state.path = '/b'
    expect((await targets.find('abcdefg')).endpoint.path).toBe('/b')
    expect(state.reads).toBe(2)
  })

  it('are not cached if the catalogue changed while they were read', async () => {
    const { targets, state } = open()
    const old = targets.find('abcdefg')
    state.revision = '2'
    state.path = '/b'
    const anew = targets.find('abcdefg')
    expect([(await old).endpoint.path, (await anew).endpoint.path]).toEqual(['/a', '/b'])
    expect((await targets.find('abcdefg')).endpoint.path).toBe('/b')
  })

  it('exclude webhooks and unknown endpoints', async () => {
    const { targets } = open()
    await expect(targets.find('webhook')).rejects.toMatchObject({ code: 'no_server' })
    await expect(targets.find('absent')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are limited to the 1,000 most recently used', async () => {
    const { targets, state } = open()
    for (let number = 0; number < 1000; number += 1) await targets.find(`e${number}`)
    targets.find('e0')
    await targets.find('another')
    const before = state.reads
    targets.find('e0')
    expect(state.reads).toBe(before)
    await targets.find('e1')
    expect(state.reads).toBe(before + 1)
  })
})
