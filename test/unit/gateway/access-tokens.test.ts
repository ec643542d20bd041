import { afterEach, describe, expect, it } from 'vitest'
import { EgressError, type EgressFailure, type EgressRequest } from '../../../core/ports/egress.ts'
import {
  type Answered,
  type GatewayService,
  openGatewayService,
  readBody,
} from '../../helpers/gateway-service.ts'

const TOKEN_URL = 'https://auth.acme.example/token'
const SECRET = 'canary & secret'

let opened: GatewayService | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

/** A service whose target accepts only the newest token. */
async function openTokenService(
  more: { readonly token?: () => Answered | Promise<Answered> } = {},
) {
  opened = await openGatewayService()
  const service = opened
  let issued = 0
  const state = { valid: '' }
  service.egress.answer = (request) => {
    if (request.url !== TOKEN_URL) {
      return { status: findHeader(request) === `Bearer ${state.valid}` ? 200 : 401 }
    }
    if (more.token) return more.token()
    issued += 1
    state.valid = `token-${issued}`
    const answer = { access_token: state.valid, token_type: 'bearer', expires_in: 3600 }
    return { body: JSON.stringify(answer) }
  }
  await service.app.gateway.credentials.put(service.ada, {
    apiId: '1',
    kind: 'OAuth2',
    clientId: 'my client',
    clientSecret: SECRET,
    tokenUrl: TOKEN_URL,
    scope: 'read write',
  })
  const call = async (operation = 'getThing', followRedirects = false) => {
    const values = operation === 'getThing' ? { id: '1' } : { name: 'x' }
    const asked = { endpointId: service.ids[operation] ?? '', values, followRedirects }
    const answer = await service.app.gateway.call(asked, { account: service.ada })
    await readBody(answer.body)
    return answer
  }
  const hosts = () => service.egress.sent.map(({ url }) => new URL(url).hostname.split('.')[0])
  return { service, state, call, hosts }
}

function findHeader({ headers }: EgressRequest, wanted = 'authorization'): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1]
}

describe('access token', () => {
  it('is requested as specified by RFC 6749, and sent to the target', async () => {
    const { service, call } = await openTokenService()
    expect((await call()).status).toBe(200)
    const [asked, sent] = service.egress.sent
    expect(asked).toEqual({
      method: 'POST',
      url: TOKEN_URL,
      headers: [
        ['accept', 'application/json'],
        ['accept-encoding', 'identity'],
        ['authorization', `Basic ${btoa('my+client:canary+%26+secret')}`],
        ['content-type', 'application/x-www-form-urlencoded'],
        ['user-agent', 'api-discovery/0.1.0'],
      ],
      body: new TextEncoder().encode('grant_type=client_credentials&scope=read+write'),
      limits: { maxBodyBytes: 65_536 },
    })
    expect(sent && findHeader(sent)).toBe('Bearer token-1')
  })

  it('is requested once for concurrent calls, and cached until 30 seconds before its expiry', async () => {
    const { service, call, hosts } = await openTokenService()
    await Promise.all([call(), call(), call()])
    expect(hosts().filter((host) => host === 'auth').length).toBe(1)
    service.clock.advance(3_569_999)
    await call()
    expect(hosts().filter((host) => host === 'auth').length).toBe(1)
    service.clock.advance(1)
    await call()
    expect(hosts().filter((host) => host === 'auth').length).toBe(2)
  })

  it('is requested again and the call retried if the target refuses it early', async () => {
    const { service, state, call, hosts } = await openTokenService()
    await call()
    service.clock.advance(10_000)
    state.valid = 'another'
    service.egress.sent.length = 0
    expect((await call()).status).toBe(200)
    expect(hosts()).toEqual(['api', 'auth', 'api'])
    expect(service.egress.discarded).toEqual(['https://api.acme.example/things/1'])
  })

  it('is redacted from recordings after a refused one was replaced', async () => {
    const { service, state, call } = await openTokenService()
    await call()
    service.clock.advance(10_000)
    state.valid = 'another'
    const { answer } = service.egress
    service.egress.answer = async (request) => ({
      ...(await answer(request)),
      ...(request.url === TOKEN_URL ? {} : { body: findHeader(request)?.slice(7) ?? '' }),
    })
    const { app, ada, ids } = service
    const asked = { endpointId: ids.getThing ?? '', values: { id: '1' }, isRecorded: true }
    expect(await readBody((await app.gateway.call(asked, { account: ada })).body)).toBe('token-2')
    const { items } = await app.gateway.recordings.list(ada, { size: 1, page: 1 })
    const kept = await app.gateway.recordings.get(ada, items[0]?.id ?? '')
    expect(kept.body).toBe('[redacted]')
  })

  it('is not requested for a key with an exhausted budget', async () => {
    const { service, hosts } = await openTokenService()
    const { app, ada, key, ids } = service
    await app.gateway.policies.put(ada, { keyId: key.id, dailyBudget: 0 })
    const asked = { endpointId: ids.getThing ?? '', values: { id: '1' } }
    const called = app.gateway.call(asked, { account: ada, keyId: key.id })
    await expect(called).rejects.toMatchObject({ code: 'budget_exhausted' })
    expect(hosts()).toEqual([])
  })

  it('is requested again only once for many refused calls', async () => {
    const { service, state, call, hosts } = await openTokenService()
    await call()
    service.clock.advance(10_000)
    state.valid = 'another'
    const statuses = (await Promise.all([call(), call(), call()])).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200])
    expect(hosts().filter((host) => host === 'auth').length).toBe(2)
  })

  it('causes no retry if a new one is refused', async () => {
    const { state, call, hosts } = await openTokenService()
    await call()
    state.valid = 'another'
    expect((await call()).status).toBe(401)
    expect(hosts()).toEqual(['auth', 'api', 'api'])
  })

  it('causes no retry of a call that is not idempotent, but is renewed for the next', async () => {
    const { service, state, call, hosts } = await openTokenService()
    await call('addThing')
    service.clock.advance(10_000)
    state.valid = 'another'
    expect((await call('addThing')).status).toBe(401)
    expect(hosts()).toEqual(['auth', 'api', 'api'])
    expect((await call('addThing')).status).toBe(200)
    expect(hosts()).toEqual(['auth', 'api', 'api', 'auth', 'api'])
  })

  it('is requested at most every ten seconds if it is always refused', async () => {
    const { service, state, call, hosts } = await openTokenService({
      token: () => ({ body: '{"access_token":"t","expires_in":3600}' }),
    })
    state.valid = 'another'
    for (let second = 0; second < 60; second += 1) {
      const operation = second % 2 === 0 ? 'getThing' : 'addThing'
      expect((await call(operation)).status).toBe(401)
      service.clock.advance(1000)
    }
    expect(hosts().filter((host) => host === 'auth').length).toBe(6)
  })

  it('is dropped if it was refused after a redirect within the origin', async () => {
    const { service, state, call, hosts } = await openTokenService()
    const { answer } = service.egress
    service.egress.answer = (request) =>
      request.url.endsWith('/1')
        ? { status: 302, headers: [['location', '/things/2']] }
        : answer(request)
    expect((await call('getThing', true)).status).toBe(200)
    service.clock.advance(10_000)
    state.valid = 'another'
    expect((await call('getThing', true)).status).toBe(401)
    expect((await call('getThing', true)).status).toBe(200)
    expect(hosts().filter((host) => host === 'auth').length).toBe(2)
  })

  it.each<readonly [EgressFailure, string]>([
    ['refused_address', 'address_refused'],
    ['refused_url', 'address_refused'],
    ['connect_failed', 'target_unreachable'],
    ['unresolved', 'target_unreachable'],
    ['connect_timeout', 'target_timeout'],
    ['malformed_answer', 'target_failed'],
  ])('fails the call if its URL cannot be called (%s): %s', async (failure, code) => {
    const { service, call, hosts } = await openTokenService({
      token: () => {
        throw new EgressError(failure, 'Cannot call https://auth.acme.example: so it is')
      },
    })
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code,
      message:
        'Cannot get an access token from the token URL of the credential: Cannot call https://auth.acme.example: so it is',
    })
    expect(hosts()).toEqual(['auth'])
    const { items } = await service.app.gateway.listCalls(service.ada, { size: 1, page: 1 })
    expect(items.map((item) => [item.origin, item.failure])).toEqual([['', code]])
  })

  it('delays the call if its URL is rate limited', async () => {
    const { call } = await openTokenService({
      token: () => ({ status: 429, headers: [['retry-after', '7']] }),
    })
    await expect(call()).rejects.toMatchObject({ code: 'target_failed' })
    await expect(call()).rejects.toMatchObject({
      code: 'target_throttled',
      retryAfter: 7,
      message: expect.stringContaining('token URL'),
    })
  })

  it('is cached for five minutes without an expiry', async () => {
    const token = () => ({ body: '{"access_token":"t"}' })
    const { service, state, call, hosts } = await openTokenService({ token })
    state.valid = 't'
    await call()
    service.clock.advance(269_999)
    await call()
    service.clock.advance(1)
    await call()
    expect(hosts()).toEqual(['auth', 'api', 'api', 'auth', 'api'])
  })

  it.each<readonly [string, Answered, string]>([
    [
      'refused',
      { status: 401, body: '{"error":"invalid_client","error_description":"canary"}' },
      'it refused the client: 401 invalid_client',
    ],
    ['asked for otherwise', { status: 400, body: 'canary' }, 'it refused the client: 400'],
    ['not there', { status: 500, body: 'canary' }, 'it returned status 500'],
    ['no JSON', { body: 'canary' }, 'its response contains no access token'],
    ['no token', { body: '{"access_token":7}' }, 'its response contains no access token'],
    [
      'a token that ends the header',
      { body: '{"access_token":"a\\r\\nb"}' },
      'its response contains no access token',
    ],
    [
      'another type',
      { body: '{"access_token":"a","token_type":"mac"}' },
      'its token is not of type Bearer',
    ],
    ['too long', { body: 'x'.repeat(70_000) }, 'its response is too long'],
  ])('fails the call if it cannot be obtained: %s', async (_, answer, reason) => {
    const { service, call, hosts } = await openTokenService({ token: () => answer })
    const error: unknown = await call().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'target_failed',
      message: `Cannot get an access token from the token URL of the credential: ${reason}`,
    })
    expect(hosts()).toEqual(['auth'])
    expect(JSON.stringify(service.logged)).not.toContain('canary')
  })
})
