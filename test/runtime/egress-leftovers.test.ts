import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createPinnedEgress,
  type PinnedEgressOptions,
} from '../../adapters/egress/pinned-egress.ts'
import { findEgressFailure, readAnswer, toGet } from '../helpers/egress/calls.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'
import { createSinkConnect } from '../helpers/egress/sink.ts'
import { runScript } from '../helpers/script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
let target: RawTarget
let open: Set<Socket>
const closing: (() => unknown)[] = []

beforeEach(async () => {
  open = new Set()
  target = await startRawTarget((socket, { path }) => {
    if (!open.has(socket)) socket.on('close', () => open.delete(socket))
    open.add(socket)
    if (path === '/deaf') socket.pause()
    setTimeout(() => socket.write(ok('fine')), path === '/later' ? 150 : 1)
  })
  closing.push(target.close)
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function openEgress(options: PinnedEgressOptions = {}) {
  const egress = createPinnedEgress({ allow: ['127.0.0.1'], ...options })
  closing.push(egress.close)
  return egress
}

async function whenOpen(isRight: (count: number) => boolean): Promise<number> {
  for (let wait = 0; wait < 100 && !isRight(open.size); wait += 1) await sleep(10)
  return open.size
}

describe('idle connections', () => {
  it('are closed after their timeout', async () => {
    const egress = openEgress({ connectionIdleMs: 100 })
    await readAnswer(egress, toGet(target.url))
    expect(open.size).toBe(1)
    expect(await whenOpen((count) => count === 0)).toBe(0)
  })

  it('are limited to 32 per origin', async () => {
    const egress = openEgress()
    const calls = Array.from({ length: 40 }, () => readAnswer(egress, toGet(target.url)))
    await Promise.all(calls)
    expect(target.connections()).toBe(40)
    expect(await whenOpen((count) => count <= 32)).toBe(32)
  })

  it('do not keep the process alive, unlike reused ones', async () => {
    const child = 'test/helpers/egress/rest-child.ts'
    expect(await runScript([child, target.url], { cwd: ROOT })).toEqual({
      code: 0,
      output: 'answered 200\nanswered 200\n',
      errors: '',
    })
    expect(target.connections()).toBe(1)
  })

  it('are closed with an origin that is evicted', async () => {
    const { connect } = createSinkConnect(target.port)
    const egress = openEgress({
      connect,
      resolve: async () => ['8.8.8.8'],
      connectionIdleMs: 60_000,
    })
    await readAnswer(egress, toGet('http://first.example.com/'))
    expect(open.size).toBe(1)
    for (let n = 0; n < 1_000; n += 1) {
      const never = new AbortController()
      const sent = findEgressFailure(
        egress,
        toGet(`http://a${n}.example.com/`, { signal: never.signal }),
      )
      never.abort(new Error('enough'))
      expect(await sent).toBe('other: Error: enough')
    }
    expect(await whenOpen((count) => count === 0)).toBe(0)
  })
})

describe('a finished call', () => {
  it('removes its listener from the signal', async () => {
    const egress = openEgress()
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners += 1
      addEventListener.apply(signal, given)
    }
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners -= 1
      removeEventListener.apply(signal, given)
    }
    expect(await findEgressFailure(egress, toGet(target.url, { signal }))).toBe('answered 200')
    const refused = toGet('http://10.0.0.1/', { signal })
    expect(await findEgressFailure(egress, refused)).toBe('refused_address, unsent')
    const late = toGet(`${target.url}/later`, { signal, limits: { firstByteMs: 30 } })
    expect(await findEgressFailure(egress, late)).toBe('first_byte_timeout')
    expect(listeners).toBe(0)
  })

  it('stops sending a body that its target did not wait for', async () => {
    const egress = openEgress()
    const body = new Uint8Array(30_000_000)
    const request = toGet(`${target.url}/deaf`, { method: 'POST', body })
    expect(await readAnswer(egress, request)).toEqual([200, 'fine'])
    for (const socket of open) socket.resume()
    expect(await whenOpen((count) => count === 0)).toBe(0)
  })
})
