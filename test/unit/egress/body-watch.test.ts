import { get, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { BodyWatch } from '../../../adapters/egress/pinned-response.ts'
import { EGRESS_LIMITS } from '../../../core/egress/limits.ts'
import { ok, type RawTarget, startRawTarget } from '../../helpers/egress/raw-target.ts'

const LIMITS = { ...EGRESS_LIMITS, idleMs: 50, minBytesPerSecond: 1_000 }

let target: RawTarget | undefined

afterEach(() => target?.close())

/** Watches a response of `bytes` bytes of which the target sends the first `sent`. */
async function watchResponse({ bytes, sent }: { bytes: number; sent: number }): Promise<BodyWatch> {
  target = await startRawTarget((socket) => {
    socket.write(ok('x'.repeat(bytes)).slice(0, sent - bytes || undefined))
  })
  const { url } = target
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject)
  })
  return new BodyWatch(incoming, { socket: incoming.socket, limits: LIMITS, now: 0 })
}

describe('BodyWatch', () => {
  it('never reports a slow body while its reader leaves bytes unread', async () => {
    const watch = await watchResponse({ bytes: 3_000_000, sent: 3_000_000 })
    await expect.poll(() => watch.isReaderWaiting, { timeout: 20_000 }).toBe(false)
    for (const now of [1_000, 60_000, 3_600_000]) expect(watch.check(now)).toBeUndefined()
    watch.incoming.destroy()
  })

  it('reports a slow body if nothing arrives while its reader waits', async () => {
    const watch = await watchResponse({ bytes: 9, sent: 2 })
    watch.incoming.resume()
    await expect.poll(() => watch.isReaderWaiting, { timeout: 20_000 }).toBe(true)
    expect(watch.check(49)).toBeUndefined()
    expect(watch.check(50)).toEqual({
      failure: 'too_slow',
      reason: 'no data received for 0.05 s',
    })
    watch.incoming.destroy()
  })
})
