import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPinnedEgress, type PinnedEgress } from '../../../adapters/egress/pinned-egress.ts'
import type { Egress, EgressRequest } from '../../../core/ports/egress.ts'
import {
  type Consent,
  type ConsentState,
  createConsent,
  toTokenUrl,
} from '../../../core/rate-limits/consent.ts'
import { parseAllowedHosts, toHostAndPort } from '../../../core/rate-limits/hosts.ts'
import type { Account } from '../../../core/shared/account.ts'
import { ADA, BOB } from '../../conformance/storage/gateway-samples.ts'
import { createManualClock, strongRandom } from '../../helpers/random.ts'

/** Responds to the token request only. */
type Answer = (response: ServerResponse, path: string) => void

let answer: Answer = (response) => response.end()
let asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response, request.url ?? '')
})
let origin = ''
let egress: PinnedEgress

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  egress = createPinnedEgress({ allow: ['127.0.0.1'] })
})

afterAll(() => {
  egress.close()
  server.close()
})

/** Creates a consent check with tokens in memory. `patienceMs` replaces the five seconds. */
function createConsentFixture(
  options: {
    readonly hosts?: readonly string[]
    readonly egress?: Egress
    readonly patienceMs?: number
  } = {},
) {
  const { patienceMs = 5_000 } = options
  const tokens = new Map<string, string>()
  const sent: EgressRequest[] = []
  const port = options.egress ?? egress
  const clock = createManualClock()
  const consent = createConsent({
    store: {
      async getConsentToken({ id }: Account, fresh: string) {
        const token = tokens.get(id) ?? fresh
        tokens.set(id, token)
        return token
      },
    },
    egress: {
      send(request) {
        sent.push(request)
        return port.send({
          ...request,
          limits: { ...request.limits, firstByteMs: patienceMs, totalMs: patienceMs },
        })
      },
    },
    hosts: parseAllowedHosts(options.hosts),
    clock,
    random: strongRandom,
    userAgent: 'api-discovery/1.2.3 rate-limit-test',
  })
  return { consent, sent, clock }
}

/** Checks consent with a response built from the account's token. */
async function checkConsent(
  consent: Consent,
  toAnswer: (token: string, other: string) => Answer,
): Promise<ConsentState> {
  const [token, other] = [await consent.getToken(ADA), await consent.getToken(BOB)]
  answer = toAnswer(token, other)
  return consent.check(ADA, origin)
}

const GIVEN: ConsentState = { by: 'token', address: '127.0.0.1' }
const toTextAnswer = (body: string): Answer => {
  return (response) => response.setHeader('content-type', 'text/plain').end(body)
}
const status = (code: number, body = ''): Answer => {
  return (response) => response.writeHead(code).end(body)
}

describe("A host without the operator's permission", () => {
  it('consents by returning the token on a single line, and its address is recorded', async () => {
    const { consent, sent } = createConsentFixture()
    expect(await checkConsent(consent, toTextAnswer)).toEqual(GIVEN)
    expect(await checkConsent(consent, (token) => toTextAnswer(`${token}\n`))).toEqual(GIVEN)
    expect(await checkConsent(consent, (token) => toTextAnswer(`${token}\r\n`))).toEqual(GIVEN)
    expect(sent[0]).toMatchObject({
      method: 'GET',
      url: `${origin}/.well-known/api-discovery-ada-1.txt`,
      headers: [
        ['accept', 'text/plain'],
        ['accept-encoding', 'identity'],
        ['user-agent', 'api-discovery/1.2.3 rate-limit-test'],
      ],
      limits: { firstByteMs: 5000, totalMs: 5000, maxBodyBytes: 1024 },
    })
    expect(await consent.getToken(ADA)).toMatch(/^[\w-]{43}$/)
    expect(await consent.getToken(ADA)).not.toBe(await consent.getToken(BOB))
  })

  it.each<[string, (token: string, other: string) => Answer, string]>([
    ['nothing', () => status(404), 'not_found'],
    ['status 410', () => status(410), 'not_found'],
    ['the token with status 404', (token) => status(404, token), 'not_found'],
    ['an empty body', () => toTextAnswer(''), 'other_content'],
    ['half of the token', (token) => toTextAnswer(token.slice(0, 21)), 'other_content'],
    ['the token twice', (token) => toTextAnswer(token + token), 'other_content'],
    ['the token on two lines', (token) => toTextAnswer(`${token}\n${token}`), 'other_content'],
    ['the token after a space', (token) => toTextAnswer(` ${token}`), 'other_content'],
    ['the token and an empty line', (token) => toTextAnswer(`${token}\n\n`), 'other_content'],
    ['the token in lower case', (token) => toTextAnswer(token.toLowerCase()), 'other_content'],
    ['the token of another account', (_, other) => toTextAnswer(other), 'other_content'],
    ['a page that contains the token', (token) => toTextAnswer(`<p>${token}</p>`), 'other_content'],
    [
      'another page',
      () => toTextAnswer('<!doctype html><title>Not found</title>'),
      'other_content',
    ],
    ['status 401', () => status(401), 'refused'],
    ['status 403', () => status(403), 'refused'],
    ['a server error', () => status(500), 'refused'],
    ['no content', () => status(204), 'refused'],
    ['status 429', () => status(429), 'busy'],
    ['status 503', () => status(503), 'busy'],
    ['no response in time', () => () => undefined, 'unreachable'],
    ['a closed connection', () => (response) => response.destroy(), 'unreachable'],
    ['1,025 bytes', () => toTextAnswer('a'.repeat(1025)), 'too_large'],
    ['a million bytes in chunks', () => sendMuch, 'too_large'],
    [
      'a redirect to the token',
      () => (response) => response.writeHead(302, { location: '/token.txt' }).end(),
      'redirected',
    ],
  ])('does not consent by returning %s', async (_, toAnswer, reason) => {
    const { consent } = createConsentFixture(reason === 'unreachable' ? { patienceMs: 100 } : {})
    asked = []
    expect(await checkConsent(consent, toAnswer)).toEqual({ by: undefined, reason })
    expect(asked.every((path) => path === '/.well-known/api-discovery-ada-1.txt')).toBe(true)
  })

  it('does not consent for another port', async () => {
    const { consent } = createConsentFixture()
    expect(await checkConsent(consent, toTextAnswer)).toEqual(GIVEN)
    const other = createServer((_, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const there = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await consent.check(ADA, there)).toEqual({ by: undefined, reason: 'not_found' })
    other.close()
  })

  it('is not contacted if this service does not connect to it', async () => {
    const strict = createPinnedEgress({ resolve: async () => ['10.0.0.7'] })
    const { consent } = createConsentFixture({ egress: strict })
    for (const place of [origin, 'http://169.254.169.254', 'http://inside.example.com']) {
      await expect(consent.check(ADA, place)).rejects.toMatchObject({ code: 'address_refused' })
    }
    strict.close()
  })

  it('cannot consent if its address is unknown', async () => {
    let told = ''
    const { consent } = createConsentFixture({
      egress: {
        async send({ url }) {
          return { status: 200, headers: [], url, body: toTwoChunks(told), discard() {} }
        },
      },
    })
    told = await consent.getToken(ADA)
    expect(await consent.check(ADA, origin)).toEqual({ by: undefined, reason: 'unpinned' })
  })

  it('receives one request for concurrent checks, and at most 30 per minute', async () => {
    const { consent, sent, clock } = createConsentFixture()
    answer = status(404)
    const many = Array.from({ length: 1000 }, () => consent.checkRateLimited(ADA, origin))
    expect(new Set((await Promise.all(many)).map(({ by }) => by))).toEqual(new Set([undefined]))
    expect(sent.length).toBe(1)
    for (let n = 1; n < 30; n += 1) {
      await consent.checkRateLimited({ id: `account ${n}`, name: '' }, origin)
    }
    await expect(consent.checkRateLimited(BOB, origin)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfter: 60,
    })
    clock.advance(60_000)
    expect(await consent.checkRateLimited(BOB, origin)).toEqual({
      by: undefined,
      reason: 'not_found',
    })
    expect(sent.length).toBe(31)
  })

  it('stays available to other accounts after one account exhausts its checks, in any notation of the host', async () => {
    const { consent, sent, clock } = createConsentFixture()
    answer = status(404)
    const { port } = new URL(origin)
    for (let n = 0; n < 10; n += 1) {
      await consent.checkRateLimited(
        ADA,
        n % 2 === 0 ? origin : `http://[::ffff:127.0.0.1]:${port}`,
      )
      clock.advance(2_000)
    }
    await expect(consent.checkRateLimited(ADA, origin)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfter: 40,
    })
    expect(await consent.checkRateLimited(BOB, origin)).toEqual({
      by: undefined,
      reason: 'not_found',
    })
    expect(sent.length).toBe(11)
  })
})

describe('A host that the operator allows', () => {
  it('is not contacted, for its port only', async () => {
    const { host } = new URL(origin)
    const { consent, sent } = createConsentFixture({ hosts: [host] })
    expect(await consent.check(ADA, origin)).toEqual({ by: 'operator' })
    expect(await consent.checkRateLimited(ADA, origin)).toEqual({ by: 'operator' })
    expect(sent).toEqual([])
  })

  it('covers ports 80 and 443 without a port, and no subdomains', () => {
    expect([
      ...parseAllowedHosts(['API.example.com', 'b.example:8443', '[::1]:9001', '10.0.0.1']),
    ]).toEqual([
      'api.example.com:80',
      'api.example.com:443',
      'b.example:8443',
      '[::1]:9001',
      '10.0.0.1:80',
      '10.0.0.1:443',
    ])
  })

  it.each([
    '',
    '*',
    '*.example.com',
    'https://a.example',
    'a.example/path',
    'a b',
    'a.example:0x1',
    '10.0.0.0/8',
    'a@b.example',
  ])('rejects the entry "%s"', (entry) => {
    expect(() => parseAllowedHosts([entry])).toThrow(RangeError)
  })
})

describe('The key of a host', () => {
  it.each([
    ['http://[::ffff:192.0.2.7]:8080', '192.0.2.7:8080'],
    ['http://192.0.2.7:8080', '192.0.2.7:8080'],
    ['http://0xC0000207:8080', '192.0.2.7:8080'],
    ['https://[2001:DB8:0::7]', '[2001:db8::7]:443'],
    ['https://API.example.com.', 'api.example.com:443'],
    ['https://api.example.com', 'api.example.com:443'],
  ])('is independent of the notation: %s', (origin, host) => {
    expect(toHostAndPort(origin)).toBe(host)
  })
})

describe('The URL of a token', () => {
  it('encodes any account id as one path segment', () => {
    expect(toTokenUrl({ id: '../a b/ä?#' }, 'https://a.example')).toBe(
      'https://a.example/.well-known/api-discovery-..%2Fa%20b%2F%C3%A4%3F%23.txt',
    )
  })
})

function sendMuch(response: ServerResponse): void {
  response.on('error', () => undefined)
  response.write('a'.repeat(1000))
  for (let n = 0; n < 1000; n += 1) response.write('a'.repeat(1000))
  response.end()
}

async function* toTwoChunks(told: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(told.slice(0, 9))
  yield new TextEncoder().encode(told.slice(9))
}
