import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import process from 'node:process'
import replyFrom from '@fastify/reply-from'
import fastProxy from 'fast-proxy'
import Fastify from 'fastify'
import httpProxy from 'http-proxy'

// One of the peer proxies of test/bench/gateway.ts, set up as documented by its project, with
// keep-alive connections. Prints its port.
//   node test/bench/gateway-peer.ts (bare|bare-call|http-proxy|fast-proxy|reply-from) ORIGIN

const HOST = '127.0.0.1'
const agent = new Agent({ keepAlive: true })

/**
 * Does the same HTTP work as the gateway without any check: it receives a POST with a JSON body,
 * then sends a GET.
 */
function createBareCall(origin: string): RequestListener {
  const { hostname, port } = new URL(origin)
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', () => {
      JSON.parse(body)
      const { url: path } = incoming
      const headers = { host: hostname, accept: '*/*', 'accept-encoding': 'identity' }
      const onward = request({ agent, hostname, port, method: 'GET', path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      onward.on('error', () => outgoing.destroy())
      outgoing.on('close', () => onward.destroy())
      onward.end()
    })
  }
}

/** A proxy without any check. */
function createBare(origin: string): RequestListener {
  const { hostname, port } = new URL(origin)
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url, headers } = incoming
    const onward = request(
      { agent, hostname, port, method, path: url, headers: { ...headers, host: hostname } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    if (method === 'GET') onward.end()
    else incoming.pipe(onward)
  }
}

function createHttpProxy(origin: string): RequestListener {
  const proxy = httpProxy.createProxyServer({ target: origin, agent })
  proxy.on('error', (_, incoming) => incoming.destroy())
  return (incoming, outgoing) => proxy.web(incoming, outgoing)
}

function createFastProxy(origin: string): RequestListener {
  const { proxy } = fastProxy({ base: origin })
  return (incoming, outgoing) => proxy(incoming, outgoing, incoming.url ?? '/', {})
}

function listenOnFreePort(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  return new Promise((resolve) => {
    server.listen(0, HOST, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

async function listenFastify(origin: string): Promise<number> {
  const app = Fastify()
  app.register(replyFrom, { base: origin })
  app.all('/*', (incoming, reply) => reply.from(incoming.url))
  return Number(new URL(await app.listen({ port: 0, host: HOST })).port)
}

const LISTENERS: Readonly<Record<string, (origin: string) => RequestListener>> = {
  bare: createBare,
  'bare-call': createBareCall,
  'http-proxy': createHttpProxy,
  'fast-proxy': createFastProxy,
}

const [, , kind = '', origin = ''] = process.argv
if (origin !== '') {
  const create = LISTENERS[kind]
  process.stdout.write(
    `${await (create ? listenOnFreePort(create(origin)) : listenFastify(origin))}\n`,
  )
}
