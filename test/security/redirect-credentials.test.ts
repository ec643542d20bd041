import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayCall } from '../../core/gateway/call-service.ts'
import type { CredentialKind } from '../../core/gateway/records.ts'
import type { EgressRequest } from '../../core/ports/egress.ts'
import { type GatewayService, openGatewayService, readBody } from '../helpers/gateway-service.ts'

const CANARY = 'canary-8Kq2Zt'
const HOME = 'http://api.acme.example'
/** Other host, port and scheme. */
const ELSEWHERE = ['http://other.example/', `${HOME}:8080/`, 'https://api.acme.example/']
const STATUSES = [301, 302, 303, 307, 308]

/** Common headers, conditional headers, and two headers of a specific API. */
const HEADERS = [
  ...['User-Agent', 'Accept', 'Accept-Language', 'Accept-Encoding', 'Authorization'],
  ...['If-Match', 'If-None-Match', 'If-Range', 'Range', 'Referer', 'X-Api-Key', 'api-key'],
]
const PARAMETERS = ['user-agent', 'accept', 'accept-language', 'accept-encoding', 'key']

/** Position of a value: its documented placement and name. */
type Place = readonly [placement: string, name: string]
const PLACES: readonly Place[] = [
  ...HEADERS.map((name): Place => ['header', name]),
  ...['query', 'cookie', 'path', 'body', 'formData'].flatMap((placement) =>
    PARAMETERS.map((name): Place => [placement, name]),
  ),
]
/** Kinds of credentials by placement. */
const KINDS: Readonly<Record<string, CredentialKind>> = {
  header: 'header',
  query: 'query',
  cookie: 'cookie',
  path: 'path',
  body: 'body',
  formData: 'body',
}

let service: GatewayService
let apiId = ''
let ids: ReadonlyMap<string | undefined, string>

beforeAll(async () => {
  service = await openGatewayService()
  await importPlaces(service)
})

afterAll(() => service.close())

/** One operation per position, which is its identifier. */
function describeApi() {
  const paths = PLACES.map(([placement, name], index) => {
    const id = `/${placement}/${index}`
    const isParameter = placement !== 'body' && placement !== 'formData'
    const schema = { type: 'string' }
    const parameters = isParameter
      ? [{ name, in: placement, required: placement === 'path', schema }]
      : []
    const mediaType =
      placement === 'body' ? 'application/json' : 'application/x-www-form-urlencoded'
    const content = { [mediaType]: { schema: { type: 'object', properties: { [name]: schema } } } }
    const operation = {
      operationId: `${placement} ${name}`,
      parameters,
      responses: { 200: { description: 'Done' } },
    }
    return placement === 'path'
      ? [`${id}/{${name}}`, { get: operation }]
      : [
          id,
          isParameter ? { get: operation } : { post: { ...operation, requestBody: { content } } },
        ]
  })
  return {
    openapi: '3.0.3',
    info: { title: 'Places', version: '1.0.0' },
    servers: [{ url: HOME }],
    paths: Object.fromEntries(paths),
  }
}

async function importPlaces({ app, storage }: GatewayService) {
  const bytes = new TextEncoder().encode(JSON.stringify(describeApi()))
  await app.imports.importDescription({
    bytes,
    vendorName: 'Places',
    createVendor: true,
    isPublic: true,
  })
  const [api] = await storage.catalogue.findApisByName({ vendorName: 'Places' })
  const endpoints = await storage.catalogue.listApiEndpoints(api?.id ?? 0)
  expect(endpoints).toHaveLength(PLACES.length)
  apiId = String(api?.id)
  ids = new Map(endpoints.map(({ operationId, shortId }) => [operationId, shortId]))
}

function hasCanary({ url, headers, body }: EgressRequest): boolean {
  const text = [url, ...headers.flat(), new TextDecoder().decode(body)].join('\n')
  return text.includes(CANARY)
}

/** Responds with one redirect after the other, finally with 200. */
function redirectAlong({ egress }: GatewayService, status: number, chain: readonly string[]): void {
  let hops = 0
  egress.sent.length = 0
  egress.answer = () => {
    const location = chain[hops++]
    return location === undefined ? {} : { status, headers: [['location', location]] }
  }
}

async function callAtPlace(place: Place, more: Partial<GatewayCall>): Promise<void> {
  const endpointId = ids.get(place.join(' ')) ?? ''
  const asked = { endpointId, values: {}, followRedirects: true, ...more }
  const { body } = await service.app.gateway.call(asked, { account: service.ada })
  await readBody(body)
}

/** Stores a credential while the action runs. */
async function withCredential(kind: CredentialKind, name: string, action: () => Promise<void>) {
  const { gateway } = service.app
  const credential = { apiId, kind, name, value: CANARY, origins: [HOME] }
  const stored = await gateway.credentials.put(service.ada, credential)
  await action().finally(() => gateway.credentials.remove(service.ada, stored.credential.id))
}

/**
 * Calls the endpoint of a position along every redirect chain. Returns where the canary was
 * received.
 */
async function findCanary([placement, name]: Place, values: Readonly<Record<string, unknown>>) {
  const chains = ELSEWHERE.flatMap((to) => [
    [to],
    // Within the origin, to another origin, and back.
    [`${HOME}/again`, to, `${HOME}/back`],
  ])
  const seen = { home: 0, away: 0, back: 0, followed: 0 }
  for (const status of STATUSES) {
    for (const chain of chains) {
      redirectAlong(service, status, chain)
      await callAtPlace([placement, name], { values })
      const { sent } = service.egress
      const leftAt = sent.findIndex(({ url }) => new URL(url).origin !== HOME)
      for (const [index, request] of sent.entries()) {
        const isAway = new URL(request.url).origin !== HOME
        if (isAway) seen.followed += 1
        if (!hasCanary(request)) continue
        if (isAway) seen.away += 1
        else if (leftAt >= 0 && index > leftAt) seen.back += 1
        else seen.home += 1
      }
    }
  }
  return seen
}

describe('redirect to another origin', () => {
  it.each(PLACES)('carries no described parameter: %s %s', async (placement, name) => {
    const seen = await findCanary([placement, name], { [name]: CANARY })
    expect(seen).toMatchObject({ away: 0, back: 0 })
    expect(seen.home).toBeGreaterThan(0)
    expect(seen.followed).toBeGreaterThan(0)
  })

  it.each(PLACES)('carries no stored credential: %s %s', async (placement, name) => {
    await withCredential(KINDS[placement] ?? 'header', name, async () => {
      const seen = await findCanary([placement, name], {})
      expect(seen).toMatchObject({ away: 0, back: 0 })
      expect(seen.home).toBeGreaterThan(0)
      expect(seen.followed).toBeGreaterThan(0)
    })
  })

  it("carries the gateway's own headers instead of a credential", async () => {
    await withCredential('header', 'User-Agent', async () => {
      redirectAlong(service, 302, ['http://other.example/'])
      const header = (name: string) => (name === 'accept-language' ? 'de' : undefined)
      await callAtPlace(['header', 'User-Agent'], { accept: 'a/b', header })
    })
    const [home, away] = service.egress.sent.map(({ headers }) => Object.fromEntries(headers))
    expect(home).toMatchObject({ 'user-agent': CANARY, accept: 'a/b' })
    expect(away).toEqual({
      accept: 'a/b',
      'accept-encoding': 'identity',
      'accept-language': 'de',
      'user-agent': expect.stringMatching(/^api-discovery/),
    })
  })
})
