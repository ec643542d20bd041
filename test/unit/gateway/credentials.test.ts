import { describe, expect, it } from 'vitest'
import type { GatewayCall } from '../../../core/gateway/call-service.ts'
import type { CredentialRequest } from '../../../core/gateway/credentials/credential-request.ts'
import { type GatewayService, START, useGatewayService } from '../../helpers/gateway-service.ts'

const open = useGatewayService()

const KEY: CredentialRequest = { apiId: '1', kind: 'header', name: 'X-Key', value: 'canary-of-ada' }
const BEARER: CredentialRequest = { apiId: '1', kind: 'bearer', value: 'canary-token' }
const BASIC: CredentialRequest = { apiId: '1', kind: 'BasicAuth', username: 'ä', password: 'p:w' }

function putCredential({ app, ada }: GatewayService, request: CredentialRequest, account = ada) {
  return app.gateway.credentials.put(account, request)
}

/** Headers of the sent call besides those of every call; undefined if nothing was sent. */
async function callWithCredentials(
  service: GatewayService,
  more: Partial<GatewayCall> = {},
  account = service.ada,
) {
  const { app, ids, egress } = service
  egress.sent.length = 0
  const asked = { endpointId: ids.getThing ?? '', values: { id: '1' }, ...more }
  await app.gateway.call(asked, { account })
  const common = ['accept', 'accept-encoding', 'user-agent']
  return Object.fromEntries(
    (egress.sent[0]?.headers ?? []).filter(([name]) => !common.includes(name)),
  )
}

describe('stored credential', () => {
  it('is returned without its secret, with the origins of the current servers', async () => {
    const service = await open()
    const { credential, vendor } = await putCredential(service, KEY)
    expect([credential, vendor]).toEqual([
      {
        id: expect.stringMatching(/^crd_[0-9A-Za-z]{22}$/),
        apiId: 1,
        vendorId: undefined,
        kind: 'header',
        name: 'X-Key',
        origins: ['https://api.acme.example'],
        tokenUrl: '',
        oauthScope: '',
        sealed: expect.stringMatching(/^v1\./),
        createdAt: START,
        updatedAt: START,
      },
      undefined,
    ])
    expect(JSON.stringify(await service.app.gateway.credentials.list(service.ada))).not.toContain(
      'canary',
    )
  })

  it('requires origins if an import added several', async () => {
    const service = await open()
    const { app, ada } = service
    const bytes = new TextEncoder().encode(
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Planted', version: '1' },
        servers: [{ url: 'https://collector.example' }],
        paths: { '/': { get: { responses: { 200: { description: 'Done' } } } } },
      }),
    )
    await app.imports.importDescription({
      bytes,
      vendorName: 'Acme',
      createVendor: false,
      isPublic: true,
    })
    const credential = { vendor: 'Acme', kind: 'bearer', value: 'canary' } as const
    await expect(app.gateway.credentials.put(ada, credential)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(
        /^origins is required .*https:\/\/api\.acme\.example, https:\/\/collector\.example/,
      ),
    })
    const origins = ['https://api.acme.example']
    const stored = await app.gateway.credentials.put(ada, { ...credential, origins })
    expect(stored.credential.origins).toEqual(origins)
  })

  it('is sent with calls of its account only', async () => {
    const service = await open()
    await putCredential(service, KEY)
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'canary-of-ada' })
    expect(await callWithCredentials(service, {}, service.bob)).toEqual({})
  })

  it('replaces the previous one, and retains its ID', async () => {
    const service = await open()
    const former = await putCredential(service, KEY)
    await callWithCredentials(service)
    const anew = await putCredential(service, { ...KEY, name: 'x-key', value: 'second' })
    expect(anew.credential.id).toBe(former.credential.id)
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'second' })
  })

  it('can be opened after concurrent stores', async () => {
    const service = await open()
    const values = ['one', 'two', 'three']
    await Promise.allSettled(values.map((value) => putCredential(service, { ...KEY, value })))
    expect((await service.app.gateway.credentials.list(service.ada)).length).toBe(1)
    expect(values).toContain((await callWithCredentials(service))['x-key'])
  })

  it('is not used after its removal', async () => {
    const service = await open()
    const { credential } = await putCredential(service, KEY)
    await callWithCredentials(service)
    const { credentials } = service.app.gateway
    await expect(credentials.remove(service.bob, credential.id)).rejects.toMatchObject({
      code: 'not_found',
    })
    await credentials.remove(service.ada, credential.id)
    expect(await callWithCredentials(service)).toEqual({})
  })

  it('is not used a second after its removal in another process', async () => {
    const service = await open()
    const { credential } = await putCredential(service, KEY)
    await callWithCredentials(service)
    await service.storage.gateway.removeCredential(service.ada, credential.id)
    service.clock.advance(999)
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'canary-of-ada' })
    service.clock.advance(1)
    expect(await callWithCredentials(service)).toEqual({})
  })

  it('is overridden by a value of the caller', async () => {
    const service = await open()
    await putCredential(service, KEY)
    expect(await callWithCredentials(service, { values: { id: '1', 'X-Key': 'own' } })).toEqual({
      'x-key': 'own',
    })
  })

  it('is not sent with TRACE, whose response would show it', async () => {
    const service = await open()
    await putCredential(service, KEY)
    const more = { endpointId: service.ids.traceThings ?? '', values: {} }
    expect(await callWithCredentials(service, more)).toEqual({})
    expect(service.egress.sent[0]?.method).toBe('TRACE')
  })

  it('of an API takes precedence over one of its vendor', async () => {
    const service = await open()
    const { apiId, ...rest } = KEY
    const { vendor } = await putCredential(service, { ...rest, vendor: 'acme', value: 'of-vendor' })
    expect(vendor).toBe('Acme')
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'of-vendor' })
    await putCredential(service, KEY)
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'canary-of-ada' })
  })

  it('is not sent if the endpoint does not declare its scheme', async () => {
    const service = await open()
    await putCredential(service, BASIC)
    expect(await callWithCredentials(service)).toEqual({})
    await putCredential(service, KEY)
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'canary-of-ada' })
  })

  it('is not sent to public endpoints, and does not block calls of other origins', async () => {
    const service = await open()
    await putCredential(service, KEY)
    const more = { endpointId: service.ids.hasThings ?? '', values: {} }
    expect(await callWithCredentials(service, more)).toEqual({})
    await service.moveTo('https://evil.example')
    expect(await callWithCredentials(service, more)).toEqual({})
  })

  it('is sent to all endpoints of an API without schemes', async () => {
    const service = await open()
    await service.moveTo('https://api.acme.example', { hasSchemes: false })
    await putCredential(service, BASIC)
    expect(await callWithCredentials(service)).toEqual({ authorization: 'Basic w6Q6cDp3' })
  })

  it('is stored and sent with an empty password', async () => {
    const service = await open()
    await service.moveTo('https://api.acme.example', { hasSchemes: false })
    await putCredential(service, { ...BASIC, username: 'key', password: '' })
    expect(await callWithCredentials(service)).toEqual({ authorization: `Basic ${btoa('key:')}` })
  })

  it('of kind bearer is accepted for OAuth 2', async () => {
    const service = await open()
    await putCredential(service, BEARER)
    expect(await callWithCredentials(service)).toEqual({ authorization: 'Bearer canary-token' })
  })

  it('does not open after being moved to another account, and nothing is sent', async () => {
    const service = await open()
    const { credential } = await putCredential(service, KEY)
    await service.storage.gateway.saveCredential(service.bob, credential)
    await expect(callWithCredentials(service, {}, service.bob)).rejects.toMatchObject({
      code: 'internal',
    })
    expect(service.egress.sent).toEqual([])
  })
})

describe('API with a new origin', () => {
  it('does not receive the credential: 409, and nothing is sent', async () => {
    const service = await open()
    const { credential } = await putCredential(service, KEY)
    await callWithCredentials(service)
    await service.moveTo('https://evil.example')
    await expect(callWithCredentials(service)).rejects.toMatchObject({
      code: 'origin_changed',
      message:
        'Cannot send the stored credential to https://evil.example: it is confirmed for https://api.acme.example. Store it again to confirm the new origin',
      extra: {
        credential_id: credential.id,
        origin: 'https://evil.example',
        confirmed_origins: ['https://api.acme.example'],
      },
    })
    expect(service.egress.sent).toEqual([])
  })

  it.each([
    'http://api.acme.example',
    'https://api.acme.example:8443',
    'https://api.acme.example.',
  ])('has a new origin at %s too', async (server) => {
    const service = await open()
    await putCredential(service, KEY)
    await service.moveTo(server)
    await expect(callWithCredentials(service)).rejects.toMatchObject({ code: 'origin_changed' })
    expect(service.egress.sent).toEqual([])
  })

  it('is called without it if the caller passes a value, or nothing is stored', async () => {
    const service = await open()
    await putCredential(service, KEY)
    await service.moveTo('https://evil.example')
    expect(await callWithCredentials(service, { values: { id: '1', 'x-key': 'own' } })).toEqual({
      'x-key': 'own',
    })
    expect(await callWithCredentials(service, {}, service.bob)).toEqual({})
  })

  it('receives it again once the account confirms the origin', async () => {
    const service = await open()
    await putCredential(service, KEY)
    await service.moveTo('https://new.acme.example')
    await putCredential(service, { ...KEY, origins: ['https://NEW.acme.example:443'] })
    expect(await callWithCredentials(service)).toEqual({ 'x-key': 'canary-of-ada' })
  })

  it('requests no access token for the new origin', async () => {
    const service = await open()
    await putCredential(service, {
      apiId: '1',
      kind: 'OAuth2',
      clientId: 'c',
      clientSecret: 's',
      tokenUrl: 'https://auth.acme.example/token',
    })
    await service.moveTo('https://evil.example')
    await expect(callWithCredentials(service)).rejects.toMatchObject({ code: 'origin_changed' })
    expect(service.egress.sent).toEqual([])
  })
})

describe('invalid credential', () => {
  it.each<readonly [string, CredentialRequest, readonly string[]]>([
    ['no subject', { kind: 'bearer', value: 'x' }, ['api_id']],
    ['two subjects', { ...BEARER, vendor: 'Acme' }, ['api_id']],
    ['no value', { apiId: '1', kind: 'header', name: 'X' }, ['value']],
    ['no name', { apiId: '1', kind: 'query', value: 'x' }, ['name']],
    ['members of another kind', { ...BEARER, name: 'X', username: 'u' }, ['name', 'username']],
    ['no client', { apiId: '1', kind: 'OAuth2' }, ['client_id', 'client_secret', 'token_url']],
    ['a header of the connection', { ...KEY, name: 'Host' }, ['name']],
    ['no header name', { ...KEY, name: 'X Key' }, ['name']],
    ['a value that ends the header', { ...KEY, value: 'a\r\nb' }, ['value']],
    ['a value beyond Latin-1', { ...KEY, value: '€' }, ['value']],
    ['a cookie in a cookie', { ...KEY, kind: 'cookie', value: 'a; b=c' }, ['value']],
    ['a colon in a user name', { ...BASIC, username: 'a:b' }, ['username']],
    ['an API that is not there', { ...KEY, apiId: '77' }, ['api_id']],
    ['a user without a word of the password', { ...BASIC, password: undefined }, ['password']],
    ['a password without a user', { ...BASIC, username: '' }, ['username']],
    ['an empty list of origins', { ...KEY, origins: [] }, ['origins']],
    ['origins with more in them', { ...KEY, origins: ['https://a.example/x'] }, ['origins']],
    ['origins of another scheme', { ...KEY, origins: ['ftp://a.example'] }, ['origins']],
    ['origins with a user', { ...KEY, origins: ['https://u@a.example'] }, ['origins']],
    ['no origins at all', { ...KEY, origins: ['a.example'] }, ['origins']],
    [
      'a token URL without TLS',
      {
        apiId: '1',
        kind: 'OAuth2',
        clientId: 'c',
        clientSecret: 's',
        tokenUrl: 'http://a.example',
      },
      ['token_url'],
    ],
  ])('%s', async (_, request, names) => {
    const service = await open()
    const error: unknown = await putCredential(service, request).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid_input', issues: names.map((name) => ({ name })) })
    expect(String((error as Error).message)).not.toContain('canary')
    expect(await service.storage.gateway.listCredentials(service.ada)).toEqual([])
  })

  it('reports a missing target and several targets', async () => {
    const service = await open()
    const messageOf = (request: CredentialRequest) =>
      putCredential(service, request).catch((error: Error) => error.message)
    expect(await messageOf({ ...BEARER, vendor: 'Acme' })).toBe(
      'api_id must not be set together with vendor',
    )
    expect(await messageOf({ kind: 'bearer', value: 'x' })).toBe(
      'api_id is required: pass api_id or vendor',
    )
  })

  it('is every credential if the host has no secret for sealing', async () => {
    const service = await open({ hasSealer: false })
    await expect(putCredential(service, KEY)).rejects.toMatchObject({
      code: 'not_implemented',
      message: 'Cannot store credentials: the service has no secret to encrypt them',
    })
  })
})
