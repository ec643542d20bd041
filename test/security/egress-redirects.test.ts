import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPinnedEgress } from '../../adapters/egress/pinned-egress.ts'
import { createRedirectRequest } from '../../core/egress/redirects.ts'
import type { EgressRequest } from '../../core/ports/egress.ts'
import { findEgressFailure, toGet } from '../helpers/egress/calls.ts'
import { PORTABLE_HEADERS, toFollowing } from '../helpers/egress/following.ts'
import { ok, type RawTarget, startRawTarget } from '../helpers/egress/raw-target.ts'
import { createSinkConnect, type SinkConnect } from '../helpers/egress/sink.ts'

const STATUSES = [301, 302, 303, 307, 308]
const CANARY = 'canary-31337'
let target: RawTarget
let sink: SinkConnect
let location = ''
let status = 302

beforeAll(async () => {
  target = await startRawTarget((socket, { path }) => {
    const [, left] = /^\/chain\/(\d+)/.exec(path) ?? []
    if (path === '/start') socket.write(redirect(location))
    else if (left && left !== '0') socket.write(redirect(`/chain/${Number(left) - 1}`))
    else socket.write(ok('end'))
  })
})

beforeEach(() => {
  sink = createSinkConnect(target.port)
  target.messages.length = 0
})

afterAll(() => target.close())

function redirect(to: string): string {
  return `HTTP/1.1 ${status} Elsewhere\r\nLocation: ${to}\r\nContent-Length: 2\r\n\r\nhi`
}

function openFollowing() {
  const egress = createPinnedEgress({ connect: sink.connect, resolve: async () => ['8.8.8.8'] })
  return { egress, following: toFollowing(egress) }
}

function withCanary(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  const headers = [
    ['api-key', CANARY],
    ['authorization', CANARY],
    ['cookie', CANARY],
    ['x-own', CANARY],
    ['accept-language', CANARY],
    ...PORTABLE_HEADERS,
  ] as const
  return toGet(url, { headers, ...more })
}

describe('redirect', () => {
  it.each(STATUSES)('%i is returned unless following is enabled', async (each) => {
    status = each
    location = '/chain/0'
    const { egress, following } = openFollowing()
    const answer = await egress.send(toGet('http://a.example.com/start'))
    answer.discard()
    expect([answer.status, answer.headers]).toEqual([
      each,
      [
        ['location', '/chain/0'],
        ['content-length', '2'],
      ],
    ])
    const followed = await following.send(withCanary('http://a.example.com/start'))
    followed.discard()
    expect([followed.status, followed.url]).toEqual([200, 'http://a.example.com/chain/0'])
    egress.close()
  })

  it('is followed three times, then returned', async () => {
    status = 302
    const { egress, following } = openFollowing()
    const request = withCanary('http://a.example.com/chain/3')
    expect(await findEgressFailure(following, request)).toBe('answered 200')
    expect(target.messages).toHaveLength(4)
    const longer = withCanary('http://a.example.com/chain/9')
    expect(await findEgressFailure(following, longer)).toBe('answered 302')
    expect(target.messages).toHaveLength(8)
    egress.close()
  })

  it.each([
    ['http://127.0.0.1/', 'refused_address'],
    ['//127.0.0.1/', 'refused_address'],
    ['http:\\\\127.0.0.1\\', 'refused_address'],
    ['http://2130706433/', 'refused_address'],
    ['http://[::1]/', 'refused_address'],
    ['http://[::ffff:169.254.169.254]/', 'refused_address'],
    ['http://localhost/', 'refused_url'],
    ['http://a.internal/', 'refused_url'],
    ['http://user:word@b.example.com/', 'refused_url'],
    ['http://b.example.com:22/', 'refused_url'],
    ['file:///etc/hostname', 'refused_url'],
    ['data:text/plain,a', 'refused_url'],
    ['unix:/run/docker.sock', 'refused_url'],
  ])('to %s ends the call: %s', async (to, failure) => {
    const { egress, following } = openFollowing()
    for (status of STATUSES) {
      location = to
      expect(await findEgressFailure(following, withCanary('http://a.example.com/start'))).toBe(
        `${failure}, unsent`,
      )
    }
    expect(new Set(sink.opened)).toEqual(new Set(['8.8.8.8:80']))
    expect(target.messages).toHaveLength(STATUSES.length)
    egress.close()
  })

  it.each(['http://b.example.com/chain/0', 'http://a.example.com:8080/chain/0'])(
    'to %s carries no credentials',
    async (to) => {
      const { egress, following } = openFollowing()
      for (status of STATUSES) {
        location = to
        target.messages.length = 0
        const request = withCanary('http://a.example.com/start')
        expect(await findEgressFailure(following, request)).toBe('answered 200')
        const [first = '', second = ''] = target.messages
        expect(first.split(CANARY)).toHaveLength(6)
        expect(second).not.toContain(CANARY)
        expect(second).toMatch(/accept: a\/b\r\nuser-agent: tests\r\n/)
      }
      egress.close()
    },
  )

  it('carries a body only within its origin', async () => {
    const { egress, following } = openFollowing()
    const body = new TextEncoder().encode(`{"key":"${CANARY}"}`)
    const sent: unknown[] = []
    for (status of STATUSES) {
      for (location of ['/chain/0', 'http://b.example.com/chain/0']) {
        target.messages.length = 0
        const request = withCanary('http://a.example.com/start', { method: 'POST', body })
        const result = await findEgressFailure(following, request)
        const last = target.messages.at(-1) ?? ''
        sent.push([status, location[0], result, last.split(' ')[0], last.includes('{"key"')])
      }
    }
    expect(sent).toEqual([
      ...[301, 302, 303].flatMap((each) => [
        [each, '/', 'answered 200', 'GET', false],
        [each, 'h', 'answered 200', 'GET', false],
      ]),
      ...[307, 308].flatMap((each) => [
        [each, '/', 'answered 200', 'POST', true],
        [each, 'h', `answered ${each}`, 'POST', true],
      ]),
    ])
    egress.close()
  })

  it('is not followed from https to http, or without a location', () => {
    const request = toGet('https://a.example.com/')
    const next = (to: string | undefined, each = 302) =>
      createRedirectRequest(request, { status: each, location: to, portableHeaders: [] })?.url
    expect([
      next('http://a.example.com/'),
      next(undefined),
      next('http://['),
      next('/a', 300),
      next('/a#b'),
      next('https://b.example.com'),
    ]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'https://a.example.com/a',
      'https://b.example.com/',
    ])
  })

  it('drops body headers, and repeats HEAD as HEAD', () => {
    const request = toGet('https://a.example.com/', {
      method: 'POST',
      headers: [
        ['content-type', 'a/b'],
        ['content-language', 'en'],
        ['x-own', 'a'],
      ],
      body: new Uint8Array(1),
    })
    const redirect = { status: 303, location: '/a', portableHeaders: [] }
    const next = createRedirectRequest(request, redirect)
    expect([next?.method, next?.headers, next?.body]).toEqual(['GET', [['x-own', 'a']], undefined])
    const head = { ...request, method: 'HEAD', body: undefined }
    expect(createRedirectRequest(head, redirect)?.method).toBe('HEAD')
  })
})
