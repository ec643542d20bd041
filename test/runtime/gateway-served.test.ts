import { afterEach, describe, expect, it } from 'vitest'
import { createDecoder, createPinnedEgress } from '../../adapters/egress/index.ts'
import { serve } from '../../adapters/runtime/serve.ts'
import { type GatewayService, openGatewayService } from '../helpers/gateway-service.ts'
import { type MirrorTarget, startMirrorTarget } from '../helpers/mirror-target.ts'

const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A served gateway and a real target, connected over sockets. */
async function openServedGateway() {
  const target = await startMirrorTarget()
  closing.push(target.close)
  const egress = createPinnedEgress({ allow: [target.address] })
  closing.push(() => egress.close())
  const service = await openGatewayService({
    app: { egress, decode: createDecoder(), clock: Date.now },
  })
  closing.push(service.close)
  await service.moveTo(target.origin)
  const server = await serve(service.app.handle, { port: 0 })
  closing.push(() => server.close(0))
  const call = (more: { query?: string; signal?: AbortSignal } = {}) =>
    fetch(`${server.url}/api/gateway?endpoint_id=${service.ids.getThing}${more.query ?? ''}`, {
      method: 'POST',
      headers: { 'api-key': service.key.text },
      body: '{"id":"1"}',
      redirect: 'manual',
      ...(more.signal ? { signal: more.signal } : {}),
    })
  return { service, target, call }
}

/** Returns the newest call once this number is stored; calls are stored in the background. */
async function lastCall({ app, ada }: GatewayService, count = 1) {
  for (let wait = 0; wait < 200; wait += 1) {
    const { items, total } = await app.gateway.listCalls(ada, { size: 1, page: 1 })
    if (total >= count && items[0]) {
      const { status, failure, bytes } = items[0]
      return { status, failure, bytes }
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return undefined
}

async function* inPieces(count: number): AsyncIterable<Uint8Array> {
  for (let piece = 0; piece < count; piece += 1) yield new Uint8Array(65_536).fill(97)
}

/** Yields chunks until the reader stops. */
async function* forever(): AsyncIterable<Uint8Array> {
  for (let piece = 0; piece < 100_000; piece += 1) {
    yield new Uint8Array(1024).fill(97)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function whenClosed(target: MirrorTarget): Promise<number> {
  for (let wait = 0; wait < 200 && target.open > 0; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return target.open
}

describe('a served gateway with a real target', () => {
  it('forwards a response of known length, and counts it', async () => {
    const { service, target, call } = await openServedGateway()
    target.answer(() => ({ headers: [['Content-Length', '5']], body: 'hello' }))
    const answer = await call()
    expect([answer.status, await answer.text()]).toEqual([200, 'hello'])
    expect(answer.headers.get('content-length')).toBe('5')
    expect(await lastCall(service)).toEqual({ status: 200, failure: '', bytes: 5 })
    expect(target.requests[0]?.headers.map(([name]) => name.toLowerCase())).not.toContain('api-key')
  })

  it('forwards a long one of unknown length, and counts it', async () => {
    const { service, target, call } = await openServedGateway()
    target.answer(() => ({ status: 404, body: inPieces(50) }))
    const answer = await call()
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([404, 3_276_800])
    expect(await lastCall(service)).toEqual({ status: 404, failure: '', bytes: 3_276_800 })
  })

  it('forwards and records one simultaneously', async () => {
    const { service, target, call } = await openServedGateway()
    target.answer(() => ({ body: inPieces(2) }))
    expect((await (await call({ query: '&record=true' })).text()).length).toBe(131_072)
    expect(await lastCall(service)).toEqual({ status: 200, failure: '', bytes: 131_072 })
    const { app, ada } = service
    const { items } = await app.gateway.recordings.list(ada, { size: 1, page: 1 })
    const { body, isTruncated } = await app.gateway.recordings.get(ada, items[0]?.id ?? '')
    expect([body?.length, isTruncated]).toEqual([65_536, true])
  })

  it('breaks off with the target, and records the reason', async () => {
    const { service, target, call } = await openServedGateway()
    target.answer(() => 'broken')
    const isWhole = await call()
      .then(async (answer) => !answer.headers.has('gateway-error') && (await answer.text()) !== '')
      .catch(() => false)
    expect(isWhole).toBe(false)
    expect(await lastCall(service)).toMatchObject({ failure: 'target_failed' })
  })

  it('ends the call of the target when the client leaves within the body', async () => {
    const { service, target, call } = await openServedGateway()
    target.answer(() => ({ body: forever() }))
    const controller = new AbortController()
    const answer = await call({ signal: controller.signal })
    await answer.body?.getReader().read()
    controller.abort()
    expect(await whenClosed(target)).toBe(0)
    expect(await lastCall(service)).toMatchObject({ status: 200, failure: 'aborted' })
  })

  it('ends the call of the target when the client leaves before the response', async () => {
    const { service, target, call } = await openServedGateway()
    target.answer(() => 'silent')
    const controller = new AbortController()
    const answer = call({ signal: controller.signal }).catch(() => undefined)
    await target.whenAsked(1)
    controller.abort()
    await answer
    expect(await whenClosed(target)).toBe(0)
    expect(await lastCall(service)).toEqual({ status: 0, failure: 'aborted', bytes: 0 })
  })

  it('returns redirects, and follows them on request', async () => {
    const { target, call } = await openServedGateway()
    target.answer(({ target: path }) =>
      path === '/there' ? { body: 'there' } : { status: 302, headers: [['Location', '/there']] },
    )
    const passed = await call()
    expect([passed.status, passed.headers.get('location')]).toEqual([302, `${target.origin}/there`])
    await passed.text()
    const followed = await call({ query: '&follow_redirects=true' })
    expect([followed.status, await followed.text()]).toEqual([200, 'there'])
  })

  it('reuses one connection for many calls', async () => {
    const { target, call } = await openServedGateway()
    for (const _ of [1, 2, 3, 4, 5]) await (await call()).text()
    expect(target.connections).toBe(1)
  })
})
