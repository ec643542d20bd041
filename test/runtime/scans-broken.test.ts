import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { openTestService } from '../helpers/service.ts'

const service = await openTestService()
afterAll(() => service.close())

const LISTENERS = 'Bun' in globalThis || 'Deno' in globalThis ? ['node', 'native'] : ['node']
const HEAD = `${JSON.stringify({ project_name: 'Broken' })}\n`
const ROW = `${JSON.stringify({ endpoint_url: 'https://api.pigeon.example/v3/messages' })}\n`
/** More than one storage batch, ending with a complete line. */
const BODY = HEAD + ROW.repeat(3000)

/** Declared length of the body, and the part that is sent before the client disconnects. */
const BROKEN = {
  'a counted body of which the end is missing': {
    header: `Content-Length: ${BODY.length + ROW.length}`,
    content: BODY,
  },
  'a chunked body without its last chunk': {
    header: 'Transfer-Encoding: chunked',
    content: `${BODY.length.toString(16)}\r\n${BODY}\r\n`,
  },
} as const

/** Sends the bytes and disconnects, normally or by a reset. */
function sendAndLeave(url: string, given: { readonly text: string; readonly isReset: boolean }) {
  const { hostname, port } = new URL(url)
  return new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(given.text, () => {
        setTimeout(() => (given.isReset ? socket.resetAndDestroy() : socket.destroy()), 300)
      })
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

async function readScans() {
  const { app, storage, caller } = service
  const found = await app.scans.findProjects(caller.account, { name: 'broken', limit: 10 })
  return [found.map(({ endpoints }) => endpoints), await storage.scans.count(caller.account)]
}

describe.each(LISTENERS)('an interrupted upload over the %s listener', (listener) => {
  it.each(Object.entries(BROKEN))('leaves no data: %s', async (_, { header, content }) => {
    const server = await serve(service.app.handle, {
      port: 0,
      listener: listener === 'native' ? 'native' : 'node',
    })
    const text = [
      'POST /api/scanned/projects HTTP/1.1',
      'Host: service.test',
      `api-key: ${service.keys.all}`,
      'Content-Type: application/x-ndjson',
      header,
      '',
      content,
    ].join('\r\n')
    for (const isReset of [false, true]) {
      await sendAndLeave(server.url, { text, isReset })
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await readScans()).toEqual([[], 2])
    }
    await server.close(0)
  })
})

describe('the same upload', () => {
  it('is stored when it is complete', async () => {
    const request = new Request('http://service.test/api/scanned/projects', {
      method: 'POST',
      headers: { 'api-key': service.keys.all, 'content-type': 'application/x-ndjson' },
      body: BODY + ROW,
    })
    expect((await service.app.fetch(request)).status).toBe(200)
    expect(await readScans()).toEqual([[3001], 3])
  })
})
