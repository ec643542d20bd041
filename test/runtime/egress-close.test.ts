import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { findEgressFailure, toGet } from '../helpers/egress/calls.ts'
import { ok, startRawTarget } from '../helpers/egress/raw-target.ts'

/** Accepts connections and never sends anything. */
let silent: Server
let port = 0
let open: Set<Socket>

beforeEach(async () => {
  open = new Set()
  silent = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
    socket.resume()
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  port = typeof address === 'object' && address ? address.port : 0
})

afterEach(() => {
  for (const socket of open) socket.destroy()
  silent.close()
})

async function whenOpen(count: number): Promise<number> {
  for (let wait = 0; wait < 100 && open.size !== count; wait += 1) await sleep(10)
  return open.size
}

describe('a closed egress', () => {
  it('aborts connections in progress', async () => {
    const egress = createPinnedEgress({ allow: ['127.0.0.1'] })
    const failure = findEgressFailure(egress, toGet(`https://127.0.0.1:${port}/`))
    expect(await whenOpen(1)).toBe(1)
    egress.close()
    expect(await failure).toBe('connect_failed, unsent')
    expect(await whenOpen(0)).toBe(0)
  })

  it('ends calls in name resolution, and opens no connections', async () => {
    let found: (addresses: readonly string[]) => void = () => {}
    const lookup = new Promise<readonly string[]>((resolve) => {
      found = resolve
    })
    const egress = createPinnedEgress({
      allow: ['127.0.0.1'],
      resolve: (name) => (name === 'slow.example.com' ? new Promise(() => {}) : lookup),
    })
    const limits = { connectMs: 100 }
    const never = findEgressFailure(egress, toGet(`http://slow.example.com:${port}/`, { limits }))
    const late = findEgressFailure(egress, toGet(`http://late.example.com:${port}/`))
    egress.close()
    found(['127.0.0.1', '127.0.0.1'])
    expect([await never, await late]).toEqual(['connect_timeout, unsent', 'connect_failed, unsent'])
    expect(open.size).toBe(0)
  })

  it('rejects calls', async () => {
    const target = await startRawTarget((socket) => socket.write(ok('fine')))
    const egress = createPinnedEgress({ allow: ['127.0.0.1'] })
    expect(await findEgressFailure(egress, toGet(target.url))).toBe('answered 200')
    egress.close()
    expect(await findEgressFailure(egress, toGet(target.url))).toBe('connect_failed, unsent')
    expect(target.requests).toHaveLength(1)
    await target.close()
  })
})
