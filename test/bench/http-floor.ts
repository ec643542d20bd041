import { createServer } from 'node:http'
import process from 'node:process'
import { serve } from '../../adapters/runtime/serve.ts'
import type { HttpResponse } from '../../core/http/message.ts'

/** Serves the same small JSON response with a bare server or through an adapter. */
export const FLOORS = ['bare-node', 'adapter-node', 'bare-native', 'adapter-native'] as const

const HEADERS = { 'content-type': 'application/json' }
const native = globalThis as {
  readonly Bun?: { serve(options: object): { readonly port: number } }
  readonly Deno?: { serve(options: object, handler: unknown): { addr: { readonly port: number } } }
}

function toResponseBody(target: string): string {
  if (target === '/cpu') return JSON.stringify(process.cpuUsage())
  return JSON.stringify({ id: 1, name: 'endpoint', tags: ['a', 'b'], target })
}

async function startFloorServer(floor: string): Promise<number> {
  if (floor.startsWith('adapter')) {
    const listener = floor === 'adapter-node' ? 'node' : 'native'
    const answer = (request: { readonly target: string }): HttpResponse => ({
      status: 200,
      headers: HEADERS,
      body: toResponseBody(request.target),
    })
    return (await serve(answer, { port: 0, listener })).port
  }
  const fetch = (request: Request) => {
    const { url } = request
    return new Response(toResponseBody(url.slice(url.indexOf('/', 8))), { headers: HEADERS })
  }
  const at = { port: 0, hostname: '127.0.0.1' }
  if (floor === 'bare-native' && native.Bun) return native.Bun.serve({ ...at, fetch }).port
  if (floor === 'bare-native' && native.Deno) {
    return native.Deno.serve({ ...at, onListen: () => undefined }, fetch).addr.port
  }
  const server = createServer((incoming, outgoing) => {
    const body = toResponseBody(incoming.url ?? '/')
    outgoing.writeHead(200, { ...HEADERS, 'content-length': Buffer.byteLength(body) })
    outgoing.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, at.hostname, resolve))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const floor = process.argv[2]
if (floor !== undefined && FLOORS.some((known) => known === floor)) {
  process.stdout.write(`${await startFloorServer(floor)}\n`)
}
