import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { ServiceError } from '../../core/http/problems.ts'
import { VERSION } from '../../core/version.ts'
import {
  type Get,
  type GetAnswer,
  type GetOptions,
  SourceError,
} from '../../core/vulnerabilities/sync/get.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { readBody } from './response-body.ts'

/** A `Get` over connections of its own. */
export interface HttpGet {
  readonly get: Get
  /** Closes idle connections. */
  close(): void
}

const MAX_HEADER_BYTES = 16 * 1024
const NO_URL = 'Cannot read a source: its address must be an http(s) URL without a password'
const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Codes of failures that another attempt would meet again. */
const HOPELESS = /^(ENOTFOUND|ERR_INVALID_CHAR)$|CERT|LEAF_SIGNATURE/
/** Codes of failures that seldom pass within minutes. */
const UNLIKELY = /^(ECONNREFUSED|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPROTO)$|^(ERR_SSL|HPE)_/
const TIMEOUTS = { connectMs: 10_000, headMs: 60_000, idleMs: 30_000, totalMs: 3_600_000 }

/**
 * Creates a `Get` over `node:http` and `node:https`, which behave alike on Node, Bun and Deno where
 * `fetch` does not. It follows only `http:` and `https:`, never from the latter to the former, and
 * sends no credentials from a URL. Addresses are not vetted: for sources that the operator names.
 */
export function createHttpGet(): HttpGet {
  const options = { keepAlive: true, maxSockets: 4, scheduling: 'lifo' } as const
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  return {
    get: async (url, given) => getFollowing({ agents, url: readUrl(url), given }),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Call {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly url: URL
  readonly given: GetOptions
}

async function getFollowing(call: Call): Promise<GetAnswer> {
  const { given } = call
  const timeouts = { ...TIMEOUTS, ...given.timeouts }
  const deadline = createDeadline(given.signal, timeouts.totalMs)
  let { url } = call
  let headers = given.headers ?? {}
  try {
    for (let hops = 0; ; hops += 1) {
      const response = await send({ ...call, url }, { headers, deadline, timeouts })
      const { statusCode: status = 0, headers: received } = response
      const { location } = received
      const isRedirect = REDIRECTS.has(status) && location !== undefined
      if (!isRedirect || !given.maxRedirects) {
        const body = readBody(response, {
          name: toName(url),
          maxBytes: given.maxBytes,
          idleMs: timeouts.idleMs,
          deadline,
          signal: given.signal,
        })
        return { status, headers: toHeaders(received), ...body }
      }
      response.destroy()
      if (hops >= given.maxRedirects) throw refuse(url, `more than ${given.maxRedirects} redirects`)
      const next = readUrl(location, url)
      if (url.protocol === 'https:' && next.protocol !== 'https:') {
        throw refuse(url, 'it redirects to an address without TLS')
      }
      if (next.origin !== url.origin) headers = keepAccept(headers)
      url = next
    }
  } catch (error) {
    deadline.end()
    given.signal?.throwIfAborted()
    if (error instanceof ServiceError) throw error
    throw toSourceError(url, deadline.isOver() ? new Expired('the time is up') : error)
  }
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly deadline: Deadline
  readonly timeouts: typeof TIMEOUTS
}

/** Sends one request; once more when a connection that was kept turns out to be closed. */
async function send(call: Call, sent: Sent, isSecond = false): Promise<IncomingMessage> {
  const { agents, url } = call
  const isSecure = url.protocol === 'https:'
  const { deadline, timeouts } = sent
  let isReused = false
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isSecure ? requestHttps : requestHttp)(url, {
        agent: isSecure ? agents.https : agents.http,
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: {
          'user-agent': `api-discovery/${VERSION}`,
          'accept-encoding': 'identity',
          ...sent.headers,
        },
      })
      let hasEnded = false
      const settle = () => {
        clearTimeout(timer)
        release()
      }
      // Deno sends a request anew when its kept connection is destroyed, and tells no error.
      const end = (error: Error) => {
        hasEnded = true
        settle()
        reject(error)
        request.destroy(error)
      }
      const expireAfter = (ms: number, what: string) =>
        setTimeout(() => end(new Expired(`${what} in ${ms / 1000} s`)), ms)
      let timer = expireAfter(timeouts.connectMs, 'no connection')
      let release = () => {}
      const waitForHead = () => {
        clearTimeout(timer)
        if (!hasEnded) timer = expireAfter(timeouts.headMs, 'no answer')
      }
      request.on('socket', (socket) => {
        isReused = !socket.connecting
        if (hasEnded) socket.destroy()
        else if (isReused) waitForHead()
        else socket.once(isSecure ? 'secureConnect' : 'connect', waitForHead)
      })
      request.once('response', (response) => {
        settle()
        if (hasEnded) response.destroy()
        else resolve(response)
      })
      // It stays: a connection that breaks later says so here as well as to the body's reader.
      request.on('error', (error) => {
        hasEnded = true
        settle()
        reject(error)
      })
      release = deadline.guard(end)
      if (!hasEnded) request.end()
    })
  } catch (error) {
    const isStale = isReused && !isSecond && toCode(error) === 'ECONNRESET' && !deadline.isOver()
    if (!isStale) throw error
    return send(call, sent, true)
  }
}

/** What a timer ended. */
class Expired extends Error {
  override readonly name = 'Expired'
}

function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  const isPlain = url?.username === '' && url.password === ''
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlain) {
    if (base) throw refuse(base, 'it redirects to what is no plain http: or https: address')
    throw new ServiceError('invalid_input', NO_URL)
  }
  url.hash = ''
  return url
}

function keepAccept(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() === 'accept'),
  )
}

function toHeaders(received: IncomingMessage['headers']): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

/** The address without its query, which may hold what nobody else should read. */
function toName(url: URL): string {
  return `${url.origin}${url.pathname}`
}

/** Where it leads is no accident, and the same next time. */
function refuse(url: URL, reason: string): SourceError {
  return new SourceError(`Cannot read ${toName(url)}: ${reason}`, { maxAttempts: 1 })
}

function toSourceError(url: URL, cause: unknown): SourceError {
  const code = cause instanceof Expired ? '' : (toCode(cause) ?? '')
  const maxAttempts = HOPELESS.test(code) ? 1 : UNLIKELY.test(code) ? 3 : undefined
  const reason = cause instanceof Expired ? cause.message : toReason(code)
  return new SourceError(`Cannot read ${toName(url)}: ${reason}`, { maxAttempts, cause })
}

function toReason(code: string): string {
  if (code === 'ENOTFOUND') return 'there is no host of this name (ENOTFOUND)'
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}

function toCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
