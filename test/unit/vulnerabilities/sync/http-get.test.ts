import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpGet, toAllowEntries } from '../../../../adapters/egress/http-get.ts'
import { type GetOptions, type GetResponse, SourceError } from '../../../../core/ports/get.ts'
import { VERSION } from '../../../../core/version.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const { get, close } = createHttpGet({ allow: ['127.0.0.1'] })
const seen: string[] = []
const servers: ReturnType<typeof createServer>[] = []
let answers: Readonly<Record<string, Answer>> = {}
let url = ''
let other = ''

beforeAll(async () => {
  url = await startServer()
  other = await startServer()
  answers = {
    '/plain': (_, response) => response.end('{"a":1}'),
    '/echo': (request, response) => response.end(JSON.stringify(request.headers)),
    '/refused': (_, response) => {
      response.writeHead(403, { message: 'slow down', 'retry-after': '7' }).end('no')
    },
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"a":')
      setTimeout(() => response.destroy(), 20)
    },
    '/cut-chunks': (_, response) => {
      response.write('{"a":')
      setTimeout(() => response.destroy(), 20)
    },
    '/stalls': (_, response) => {
      response.write('{"a":')
    },
    '/silent': () => {},
    '/endless': (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) {}
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    },
    '/long-head': (_, response) => response.setHeader('x', 'y'.repeat(20_000)).end(),
    '/to-plain': redirectTo(() => '/plain'),
    '/to-other': redirectTo(() => `${other}/echo`),
    '/to-own': redirectTo(() => '/echo'),
    '/loop': redirectTo(() => '/loop'),
    '/to-file': redirectTo(() => 'file:///etc/hostname'),
    '/to-password': redirectTo(() => `${other.replace('://', '://user:word@')}/echo`),
    '/close-after': (_, response) => response.setHeader('connection', 'keep-alive').end('1'),
  }
})

afterAll(() => {
  close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

describe('An outgoing GET', () => {
  it('returns status, headers and body, and sends an honest user agent', async () => {
    const plain = await get(`${url}/plain?secret=1`, { maxBytes: 100 })
    expect([plain.status, await readText(plain)]).toEqual([200, '{"a":1}'])
    const echo = await get(`${url}/echo`, { maxBytes: 1000, headers: { apiKey: 'k' } })
    expect(JSON.parse(await readText(echo))).toMatchObject({
      'user-agent': `api-discovery/${VERSION}`,
      'accept-encoding': 'identity',
      apikey: 'k',
    })
  })

  it('returns an error response with its headers', async () => {
    const answer = await get(`${url}/refused`, { maxBytes: 100 })
    expect([answer.status, answer.headers.message, answer.headers['retry-after']]).toEqual([
      403,
      'slow down',
      '7',
    ])
    answer.discard()
  })

  it('returns a redirect unless it may follow it', async () => {
    const answer = await get(`${url}/to-plain`, { maxBytes: 100 })
    answer.discard()
    expect([answer.status, answer.headers.location]).toEqual([302, '/plain'])
    expect(await getText('/to-plain', { maxRedirects: 3 })).toBe('{"a":1}')
  })

  it('sends its headers to the same origin only', async () => {
    const headers = { apiKey: 'secret', accept: 'application/json' }
    const own = JSON.parse(await getText('/to-own', { maxRedirects: 3, headers }))
    const foreign = JSON.parse(await getText('/to-other', { maxRedirects: 3, headers }))
    expect([own.apikey, own.accept]).toEqual(['secret', 'application/json'])
    expect([foreign.apikey, foreign.accept]).toEqual([undefined, 'application/json'])
  })

  it.each([
    ['/cut', {}, 'its response is incomplete'],
    ['/cut-chunks', {}, 'its response is incomplete'],
    ['/stalls', { timeouts: { idleMs: 100 } }, 'no data received for 0.1 s'],
    ['/stalls', { timeouts: { totalMs: 100 } }, 'the time limit was exceeded'],
    ['/silent', { timeouts: { headMs: 100 } }, 'no response within 0.1 s'],
    ['/silent', { timeouts: { totalMs: 100 } }, 'the time limit was exceeded'],
    ['/endless', {}, 'it is larger than 100000 bytes'],
    ['/long-head', {}, 'the connection failed (HPE_HEADER_OVERFLOW)'],
    ['/loop', { maxRedirects: 3 }, 'more than 3 redirects'],
    ['/to-file', { maxRedirects: 3 }, 'it redirects to an invalid URL'],
    ['/to-password', { maxRedirects: 3 }, 'it redirects to an invalid URL'],
  ] as const)('fails with a clear error at %s with %j', async (path, options, reason) => {
    expect(await failureOf(getText(`${path}?apiKey=secret`, options))).toEqual([
      'source_failed',
      `Cannot read ${url}${path}: ${reason}`,
    ])
  })

  it('fails with a clear error if the connection is refused', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const address = `http://127.0.0.1:${port}/`
    expect(await failureOf(get(address, { maxBytes: 1 }))).toEqual([
      'source_failed',
      `Cannot read ${address}: the connection failed (ECONNREFUSED)`,
    ])
  })

  it('fails at once for an invalid address, and soon if the connection is refused', async () => {
    // Names have at most 63 characters: no lookup is needed.
    const unknown = `http://${'n'.repeat(64)}.invalid/`
    const attempts = async (address: string, options: Partial<GetOptions> = {}) => {
      const failure = get(address, { maxBytes: 10, ...options }).then(readText)
      const error = await failure.catch((reason: unknown) => reason)
      return error instanceof SourceError ? [error.message, error.maxAttempts] : error
    }
    expect(await attempts(unknown)).toEqual([
      `Cannot read ${unknown}: host not found (ENOTFOUND)`,
      1,
    ])
    expect(await attempts('http://127.0.0.1:1/')).toEqual([
      'Cannot read http://127.0.0.1:1/: the connection failed (ECONNREFUSED)',
      3,
    ])
    expect(await attempts(`${url}/plain`, { headers: { apiKey: 'a\nb' } })).toEqual([
      'Cannot send header "apikey": its name or value is invalid',
      1,
    ])
    expect(await attempts(`${url}/loop`, { maxRedirects: 1 })).toEqual([expect.anything(), 1])
    expect(await attempts(`${url}/endless`)).toEqual([expect.anything(), 1])
    expect(await attempts(`${url}/cut`, { maxBytes: 1000 })).toEqual([expect.anything(), Infinity])
  })

  it.each([
    'ftp://a.example/',
    'nonsense',
    'http://user:word@127.0.0.1/',
    'http://user@127.0.0.1/',
  ])('rejects %s without repeating it', async (address) => {
    expect(await failureOf(get(address, { maxBytes: 1 }))).toEqual([
      'invalid_input',
      'Cannot read a source: its URL must be http or https, without a user name or password',
    ])
  })

  it('ends with the reason of the signal, before the head and within the body', async () => {
    const reason = new Error('enough')
    for (const path of ['/silent', '/stalls', '/endless']) {
      const ending = new AbortController()
      setTimeout(() => ending.abort(reason), 50)
      const given = { maxBytes: 1e12, signal: ending.signal }
      await expect(get(`${url}${path}`, given).then(readText)).rejects.toBe(reason)
    }
    await expect(getText('/plain', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('ends on a reused connection, too', async () => {
    for (const [path, options] of [
      ['/silent', () => ({ timeouts: { headMs: 100 } })],
      ['/silent', () => ({ timeouts: { totalMs: 100 } })],
      ['/silent', () => ({ signal: AbortSignal.timeout(100) })],
      ['/stalls', () => ({ timeouts: { idleMs: 100 } })],
      ['/stalls', () => ({ signal: AbortSignal.timeout(100) })],
    ] as const) {
      expect(await getText('/plain', {})).toBe('{"a":1}')
      seen.length = 0
      await expect(getText(path, options())).rejects.toThrow()
      await new Promise((resolve) => setTimeout(resolve, 50))
      // The client does not silently send the request again.
      expect(seen).toEqual([path])
    }
  })

  it('retries over a new connection if the reused one was closed', async () => {
    expect(await getText('/close-after', {})).toBe('1')
    seen.length = 0
    for (const server of servers) server.closeAllConnections()
    expect(await getText('/close-after', {})).toBe('1')
    expect(seen).toEqual(['/close-after'])
  })
})

async function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    seen.push(path)
    answers[path]?.(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function redirectTo(target: () => string): Answer {
  return (_, response) => response.writeHead(302, { location: target() }).end('moved')
}

describe('Allowed URLs', () => {
  it('are those that a GET accepts, and none that it cannot read', async () => {
    const urls = [
      'https://nvd.example/a?b',
      'http://[::1]:81/',
      'HTTP://Localhost./',
      'feeds/a.json',
      'ftp://a.example/',
      '',
    ]
    expect(toAllowEntries(urls)).toEqual(['nvd.example:443', '[::1]:81', 'localhost.:80'])
    const odd = ['https://a..b.example/x', 'https://a!b.example/x']
    expect(toAllowEntries(odd)).toEqual([])
    const { get, close } = createHttpGet({ allow: toAllowEntries([...urls, ...odd]) })
    for (const url of odd) {
      expect(await failureOf(get(url, { maxBytes: 1 }))).toEqual([
        'source_failed',
        `Cannot read ${url}: its address is not allowed`,
      ])
    }
    close()
  })
})

async function getText(path: string, options: Partial<GetOptions>): Promise<string> {
  return readText(await get(`${url}${path}`, { maxBytes: 100_000, ...options }))
}

async function readText({ body }: GetResponse): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: { code?: unknown; message?: unknown }) => reason,
  )
  return [error?.code, error?.message]
}
