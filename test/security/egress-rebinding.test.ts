import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { findEgressFailure, toGet } from '../helpers/egress/calls.ts'
import { REFUSED_IPV4, REFUSED_IPV6 } from '../helpers/egress/hostile-urls.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'
import { createSinkConnect } from '../helpers/egress/sink.ts'
import { createSeededRandom } from '../helpers/random.ts'

const PRIVATE = [...REFUSED_IPV4, ...REFUSED_IPV6]
let target: RawTarget

beforeAll(async () => {
  target = await startRawTarget((socket) => socket.write(ok('reached')))
})

afterAll(() => target.close())

/** A name that resolves to other addresses at each lookup. */
function createFlipFlop(seed: number) {
  const random = createSeededRandom(seed)
  const pick = (list: readonly string[]) => list[(random(1)[0] ?? 0) % list.length] ?? ''
  let lookups = 0
  let isPublic = true
  return {
    lookups: () => lookups,
    isPublic: () => isPublic,
    async resolve(): Promise<readonly string[]> {
      lookups += 1
      const [kind = 0] = random(1)
      isPublic = kind < 64
      if (isPublic) return ['8.8.8.8']
      if (kind < 160) return [pick(PRIVATE)]
      return kind < 208 ? ['8.8.8.8', pick(PRIVATE)] : [pick(PRIVATE), '8.8.8.8']
    },
  }
}

describe('name with changing addresses', () => {
  it('connects only to checked addresses in 10,000 lookups', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    const names = createFlipFlop(1)
    const egress = createPinnedEgress({
      resolve: names.resolve,
      addressTtlMs: 0,
      // Public addresses are only counted: the test is about connections to other ones.
      connect: (to) => connect(to).destroy(),
    })
    const failures = new Map<string, number>()
    for (let n = 0; n < 10_000; n += 1) {
      const failure = await findEgressFailure(egress, toGet('http://api.example.com/'))
      const key = `${names.isPublic()} ${failure}`
      failures.set(key, (failures.get(key) ?? 0) + 1)
    }
    expect(names.lookups()).toBe(10_000)
    expect([...failures.keys()].sort()).toEqual([
      'false refused_address, unsent',
      'true connect_failed, unsent',
    ])
    expect(new Set(opened)).toEqual(new Set(['8.8.8.8:80']))
    egress.close()
  })

  it('reuses no connection in 1,000 lookups', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    const names = createFlipFlop(2)
    const egress = createPinnedEgress({ resolve: names.resolve, addressTtlMs: 0, connect })
    let answered = 0
    for (let n = 0; n < 1_000; n += 1) {
      const reached = target.requests.length
      const failure = await findEgressFailure(egress, toGet('http://api.example.com/'))
      expect(failure).toBe(names.isPublic() ? 'answered 200' : 'refused_address, unsent')
      expect(target.requests.length - reached).toBe(names.isPublic() ? 1 : 0)
      if (names.isPublic()) answered += 1
    }
    expect(names.lookups()).toBe(1_000)
    expect(answered).toBeGreaterThan(200)
    expect(new Set(opened)).toEqual(new Set(['8.8.8.8:80']))
    egress.close()
  })

  it('is resolved once for concurrent calls, and once for a few seconds', async () => {
    const { connect } = createSinkConnect(target.port)
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      return ['8.8.8.8']
    }
    const egress = createPinnedEgress({ resolve, connect })
    const request = toGet('http://api.example.com/')
    await Promise.all(Array.from({ length: 20 }, () => findEgressFailure(egress, request)))
    expect(await findEgressFailure(egress, request)).toBe('answered 200')
    expect(lookups).toBe(1)
    egress.close()
  })

  it('is called at a current address, never over a connection to an old one', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    let address = '8.8.8.8'
    const egress = createPinnedEgress({ connect, addressTtlMs: 0, resolve: async () => [address] })
    for (address of ['8.8.8.8', '8.8.8.8', '8.8.4.4', '8.8.4.4', '8.8.8.8']) {
      expect(await findEgressFailure(egress, toGet('http://api.example.com/'))).toBe('answered 200')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(opened).toEqual(['8.8.8.8:80', '8.8.4.4:80', '8.8.8.8:80'])
    egress.close()
  })

  it('retains its checked addresses during a slow lookup, and loses them by its result', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    let tell: (addresses: readonly string[]) => void = () => {}
    let lookups = 0
    const egress = createPinnedEgress({
      connect,
      addressTtlMs: 0,
      async resolve() {
        lookups += 1
        return lookups === 1 ? ['8.8.8.8'] : new Promise((resolve) => (tell = resolve))
      },
    })
    const request = toGet('http://api.example.com/', { limits: { connectMs: 2_000 } })
    for (let n = 0; n < 5; n += 1)
      expect(await findEgressFailure(egress, request)).toBe('answered 200')
    expect(lookups).toBe(2)
    tell(['127.0.0.1'])
    await new Promise((resolve) => setTimeout(resolve, 5))
    const refused = findEgressFailure(egress, request)
    tell(['127.0.0.1'])
    expect(await refused).toBe('refused_address, unsent')
    expect(new Set(opened)).toEqual(new Set(['8.8.8.8:80']))
    egress.close()
  })

  it('is called at the address of an earlier response if that is allowed', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    let lookups = 0
    const addresses = ['8.8.8.8', '8.8.4.4']
    const egress = createPinnedEgress({
      connect,
      addressTtlMs: 0,
      resolve: async () => [addresses[lookups++ % 2] ?? ''],
    })
    const url = 'http://api.example.com/'
    const first = await egress.send(toGet(url))
    first.discard()
    expect(first.address).toBe('8.8.8.8')
    const pinned = toGet(url, { address: '8.8.8.8' })
    for (let n = 0; n < 20; n += 1) {
      expect(await findEgressFailure(egress, pinned)).toBe('answered 200')
      if (n % 5 === 0) expect(await findEgressFailure(egress, toGet(url))).toBe('answered 200')
      const answer = await egress.send(pinned)
      answer.discard()
      expect(answer.address).toBe('8.8.8.8')
    }
    expect(lookups).toBe(5)
    for (const address of [...PRIVATE.slice(0, 20), '', 'api.example.com']) {
      const refused = await findEgressFailure(egress, toGet(url, { address }))
      expect(refused).toBe('refused_address, unsent')
    }
    expect(new Set(opened)).toEqual(new Set(['8.8.8.8:80', '8.8.4.4:80']))
    egress.close()
  })

  it('shares no connection with another name at the same address', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    const egress = createPinnedEgress({ resolve: async () => ['8.8.8.8'], connect })
    for (const host of ['a.example.com', 'b.example.com', 'c.example.com']) {
      expect(await findEgressFailure(egress, toGet(`http://${host}/`))).toBe('answered 200')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(opened).toEqual(Array(3).fill('8.8.8.8:80'))
    egress.close()
  })
})

describe('unresolvable name', () => {
  it('is distinguished from a slow lookup', async () => {
    const gone = createPinnedEgress({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    const none = createPinnedEgress({ resolve: async () => [] })
    const slow = createPinnedEgress({ resolve: () => new Promise(() => {}) })
    const request = toGet('http://api.example.com/', { limits: { connectMs: 60 } })
    expect([
      await findEgressFailure(gone, request),
      await findEgressFailure(none, request),
      await findEgressFailure(slow, request),
    ]).toEqual(['unresolved, unsent', 'unresolved, unsent', 'connect_timeout, unsent'])
  })
})

describe('target with several addresses', () => {
  it('is reached at the next address if the first refuses or does not respond', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    const egress = createPinnedEgress({
      resolve: async () => ['2606:4700::1111', '8.8.4.4', '8.8.8.8'],
      limits: { connectMs: 3_000 },
      connect(to) {
        const socket = connect(to)
        if (to.address === '8.8.8.8') return socket
        if (to.address === '8.8.4.4') return socket.destroy(new Error('refused'))
        // Never completes a connection.
        socket.emit = () => false
        return socket
      },
    })
    expect(await findEgressFailure(egress, toGet('http://api.example.com/'))).toBe('answered 200')
    expect(opened).toEqual(['2606:4700::1111:80', '8.8.4.4:80', '8.8.8.8:80'])
    egress.close()
  })
})
