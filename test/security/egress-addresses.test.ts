import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetchEgress } from '../../adapters/egress/fetch-egress.ts'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import {
  listHostileUrls,
  REFUSED_IPV4,
  REFUSED_IPV6,
  spellIpv4,
  wrapIpv4,
} from '../helpers/egress/hostile-urls.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'
import { createSinkConnect, type SinkConnect } from '../helpers/egress/sink.ts'

const REFUSED = /^refused_(url|address), unsent$/
let target: RawTarget
let sink: SinkConnect
let urls: readonly string[]

beforeAll(async () => {
  target = await startRawTarget((socket) => socket.write(ok('reached')))
  sink = createSinkConnect(target.port)
  urls = listHostileUrls(target.port)
})

afterAll(() => target.close())

describe('5,000 hostile URLs', () => {
  it('reach no target', async () => {
    expect(urls.length).toBeGreaterThan(5_000)
    const { connect, opened } = sink
    const egress = createPinnedEgress({ connect, resolve: async () => ['127.0.0.1'] })
    const missed: string[] = []
    for (const url of urls) {
      const failure = await findEgressFailure(egress, toGet(url))
      if (!REFUSED.test(failure)) missed.push(`${url} ${failure}`)
    }
    expect(missed).toEqual([])
    expect(opened).toEqual([])
    expect(target.connections()).toBe(0)
    egress.close()
  })

  it('reach no target behind names', async () => {
    const { connect, opened } = sink
    const wrapped = REFUSED_IPV4.flatMap(wrapIpv4).map((host) => host.slice(1, -1))
    const odd = ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', 'fe80::1%lo', 'localhost', '', 'a']
    const all = [...REFUSED_IPV4, ...REFUSED_IPV6, ...wrapped, ...odd]
    let answers: readonly string[] = []
    const egress = createPinnedEgress({ connect, addressTtlMs: 0, resolve: async () => answers })
    for (const address of all) {
      for (const mixed of [[address], ['8.8.8.8', address], [address, '2606:4700::1111']]) {
        answers = mixed
        expect([mixed, await findEgressFailure(egress, toGet('http://api.example.com/'))]).toEqual([
          mixed,
          'refused_address, unsent',
        ])
      }
    }
    expect(opened).toEqual([])
    egress.close()
  })

  it('are refused if their origin is already known', async () => {
    const { connect } = sink
    const egress = createPinnedEgress({ connect, resolve: async () => ['8.8.8.8'] })
    const results: unknown[] = []
    for (const url of [
      'http://a.example.com/',
      'http://u@a.example.com/',
      'http://:w@a.example.com/',
    ])
      results.push(await findEgressFailure(egress, toGet(url)))
    expect(results).toEqual(['answered 200', 'refused_url, unsent', 'refused_url, unsent'])
    egress.close()
    sink.opened.length = 0
  })

  it('are refused by the fetch egress too, if the URL alone shows it', async () => {
    let fetched = 0
    const fetch = async () => {
      fetched += 1
      return new Response('')
    }
    const egress = createFetchEgress({ fetch })
    for (const url of urls) expect(await findEgressFailure(egress, toGet(url))).toMatch(REFUSED)
    expect(fetched).toBe(0)
  })
})

describe('control', () => {
  it('reaches the sink with plain fetch in more than 100 spellings', async () => {
    const spellings = [...spellIpv4('127.0.0.1'), '[::ffff:127.0.0.1]', '[::ffff:7f00:1]']
    const isLoopback = (text: string) =>
      ['127.0.0.1', '[::ffff:7f00:1]'].includes(URL.parse(text)?.hostname ?? '')
    const loopback = spellings
      .flatMap((host) => [`http://${host}:${target.port}/a`, `http:\\\\${host}:${target.port}\\b`])
      .concat(spellings.map((host) => `HTTP://${host}:${target.port}/c`))
      .filter(isLoopback)
    const before = target.requests.length
    for (const url of loopback) {
      await fetch(url)
        .then((response) => response.text())
        .catch(() => undefined)
    }
    expect(target.requests.length - before).toBeGreaterThan(100)
  })

  it('reaches the sink through the egress with allowed and public addresses', async () => {
    const { connect, opened } = sink
    const resolve = async () => ['8.8.8.8']
    const egress = createPinnedEgress({ connect, resolve, allow: ['127.0.0.1'] })
    for (const host of ['api.example.com', '8.8.4.4', '[2606:4700::1111]', '127.0.0.1']) {
      expect(await readAnswer(egress, toGet(`http://${host}/`))).toEqual([200, 'reached'])
    }
    expect(opened).toEqual(['8.8.8.8:80', '8.8.4.4:80', '2606:4700::1111:80', '127.0.0.1:80'])
    egress.close()
  })
})

describe('own listener', () => {
  it('is never called by any of its addresses, even if allowed', async () => {
    const reached = target.requests.length
    // The listener resolves anything but a plain address, so it counts as any address.
    const odd = ['127.1', '0', '2130706433', '127.0.0.1.', '::1%lo', 'localhost', '']
    for (const address of ['127.0.0.1', '0.0.0.0', '::', '::ffff:127.0.0.1', ...odd]) {
      const egress = createPinnedEgress({
        allow: ['127.0.0.0/8', 'self.example'],
        resolve: async () => ['127.0.0.1'],
        ownAddresses: () => [{ address, port: target.port }],
      })
      for (const host of ['127.0.0.1', 'self.example', '2130706433']) {
        const request = toGet(`http://${host}:${target.port}/`)
        expect(await findEgressFailure(egress, request)).toBe('refused_address, unsent')
      }
      egress.close()
    }
    expect(target.requests.length).toBe(reached)
  })

  it('is never called by another address of this machine if it listens on all', async () => {
    const { connect, opened } = createSinkConnect(target.port)
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const addresses = own.map(({ address }) => address).filter((text) => !/^fe80:|%/i.test(text))
    const egress = createPinnedEgress({
      connect,
      allow: ['0.0.0.0/0', '::/0'],
      ownAddresses: () => [{ address: '0.0.0.0', port: 8080 }],
    })
    for (const address of [...addresses, '127.0.0.2', '::1']) {
      const host = address.includes(':') ? `[${address}]` : address
      const failure = await findEgressFailure(egress, toGet(`http://${host}:8080/`))
      expect([address, failure]).toEqual([address, 'refused_address, unsent'])
    }
    expect(opened).toEqual([])
    egress.close()
  })

  it('does not block other ports or other loopback addresses', async () => {
    const egress = createPinnedEgress({
      allow: ['127.0.0.0/8'],
      ownAddresses: () => [
        { address: '127.0.0.2', port: target.port },
        { address: '0.0.0.0', port: 1 },
      ],
    })
    expect(await readAnswer(egress, toGet(`${target.url}/`))).toEqual([200, 'reached'])
    egress.close()
  })
})

describe('connection to an unexpected peer', () => {
  it('sends nothing', async () => {
    const { connect } = sink
    const reached = target.requests.length
    const egress = createPinnedEgress({
      resolve: async () => ['8.8.8.8'],
      connect: (to) => connect({ ...to, address: '127.0.0.1' }),
    })
    const request = toGet('http://api.example.com/')
    expect(await findEgressFailure(egress, request)).toBe('refused_address, unsent')
    expect(target.requests.length).toBe(reached)
    egress.close()
  })
})
