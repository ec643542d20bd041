import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { GatewayCall } from '../../../core/gateway/call-service.ts'
import { createRedactor } from '../../../core/gateway/recordings/redact.ts'
import { EgressError } from '../../../core/ports/egress.ts'
import { runSynchronously } from '../../../core/shared/time-slices.ts'
import {
  type Answered,
  type GatewayService,
  readBody,
  START,
  useGatewayService,
} from '../../helpers/gateway-service.ts'

const open = useGatewayService()

async function record(service: GatewayService, answer: Answered, more: Partial<GatewayCall> = {}) {
  const { app, ada, egress, ids } = service
  egress.answer = () => answer
  const asked = { endpointId: ids.getThing ?? '', values: { id: '1' }, isRecorded: true, ...more }
  const { body } = await app.gateway.call(asked, { account: ada })
  await readBody(body).catch(() => undefined)
  const { items } = await app.gateway.recordings.list(ada, { size: 1, page: 1 })
  return app.gateway.recordings.get(ada, items[0]?.id ?? '')
}

async function* toByteStream(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

async function* breakOff(): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode('half')
  throw new EgressError('malformed_answer', 'broke off')
}

const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const

describe('recording', () => {
  it('contains status, passed headers and text', async () => {
    const service = await open()
    const kept = await record(service, {
      status: 201,
      headers: [JSON_TYPE, ['set-cookie', 'a=b'], ['etag', '"1"']],
      body: '{"ok":true}',
    })
    expect(kept).toEqual({
      id: expect.stringMatching(/^rec_[0-9A-Za-z]{22}$/),
      endpointId: 1,
      endpoint: service.ids.getThing,
      apiId: 1,
      recordedAt: START,
      status: 201,
      headers: [JSON_TYPE, ['etag', '"1"']],
      mediaType: 'application/json',
      body: '{"ok":true}',
      isTruncated: false,
    })
  })

  it('contains security headers, redacted and truncated, for its account only', async () => {
    const service = await open()
    const { app, ada, egress, ids } = service
    const asked = { endpointId: ids.getThing ?? '', values: { id: '1' }, isRecorded: true }
    const policy = "default-src 'none'; report-uri https://r.example/?token=s3cr3t-9"
    egress.answer = () => ({
      headers: [
        JSON_TYPE,
        ['strict-transport-security', 'max-age=31536000'],
        ['content-security-policy', policy],
        ['content-security-policy', `img-src ${'a'.repeat(3000)}`],
        ['x-content-type-options', 'nosniff'],
        ['access-control-allow-origin', '*'],
        ['server', 'thing/1.0'],
      ],
      body: '{}',
    })
    const { body, headers } = await app.gateway.call(asked, { account: ada })
    await readBody(body)
    expect(headers).toMatchObject({ 'content-security-policy': 'sandbox' })
    expect(Object.keys(headers)).not.toContain('strict-transport-security')
    const { items } = await app.gateway.recordings.list(ada, { size: 1, page: 1 })
    const joined = `default-src 'none'; report-uri https://r.example/?token=[redacted] img-src ${'a'.repeat(3000)}`
    expect(items[0]?.headers).toEqual([
      JSON_TYPE,
      ['strict-transport-security', 'max-age=31536000'],
      ['content-security-policy', joined.slice(0, 2000)],
      ['x-content-type-options', 'nosniff'],
      ['access-control-allow-origin', '*'],
    ])
    const published = await app.gateway.recordings.publish(ada, items[0]?.id ?? '')
    expect(published.headers).toEqual([JSON_TYPE])
  })

  it('is announced to the caller before its body ends', async () => {
    const service = await open()
    const { app, ada, egress, ids } = service
    egress.answer = () => ({ status: 404, headers: [['gateway-recording', 'x']], body: 'none' })
    const asked = { endpointId: ids.getThing ?? '', values: { id: '1' } }
    const plain = await app.gateway.call(asked, { account: ada })
    expect(plain.headers['gateway-recording']).toBeUndefined()
    const answer = await app.gateway.call({ ...asked, isRecorded: true }, { account: ada })
    const id = answer.headers['gateway-recording'] ?? ''
    await expect(app.gateway.recordings.get(ada, id)).rejects.toMatchObject({ code: 'not_found' })
    await readBody(answer.body)
    expect(await app.gateway.recordings.get(ada, id)).toMatchObject({
      id,
      body: 'none',
      headers: [],
    })
  })

  it('is announced without a body as well', async () => {
    const service = await open()
    const { app, ada, egress, ids } = service
    egress.answer = () => ({ status: 204 })
    const asked = { endpointId: ids.getThing ?? '', values: { id: '1' }, isRecorded: true }
    const { headers } = await app.gateway.call(asked, { account: ada })
    const id = headers['gateway-recording'] ?? ''
    expect(await app.gateway.recordings.get(ada, id)).toMatchObject({ id, status: 204, body: '' })
  })

  it('contains no secret of the account or the call, and nothing that resembles one', async () => {
    const service = await open()
    const { app, ada, key } = service
    const { credentials } = app.gateway
    await credentials.put(ada, { apiId: '1', kind: 'header', name: 'X-Key', value: 'canary "one' })
    await credentials.put(ada, { apiId: '1', kind: 'query', name: 'q', value: 'canary-two' })
    const kept = await record(
      service,
      {
        headers: [JSON_TYPE, ['link', '<https://a.example/?q=canary-two>; rel=next']],
        body: JSON.stringify({
          echo: ['canary "one', 'canary-two', 'canary-three', key.text],
          url: 'https://a.example/?k=canary%20%22one&access_token=abc',
          access_token: 'abc',
          pin_password: 1234,
          name: 'left',
        }),
      },
      { values: { id: '1', 'x-key': 'canary-three' } },
    )
    expect(JSON.parse(kept.body ?? '')).toEqual({
      echo: ['[redacted]', '[redacted]', '[redacted]', '[redacted]'],
      url: 'https://a.example/?k=[redacted]&access_token=[redacted]',
      access_token: '[redacted]',
      pin_password: '[redacted]',
      name: 'left',
    })
    expect(JSON.stringify(kept)).not.toContain('canary')
  })

  it('is truncated, without the beginning of a secret at the end', async () => {
    const service = await open()
    await service.app.gateway.credentials.put(service.ada, {
      apiId: '1',
      kind: 'bearer',
      value: 'canary-of-ada',
    })
    const body = `${'x'.repeat(65_536 - 6)}canary-of-ada`
    const kept = await record(service, { body: toByteStream(new TextEncoder().encode(body)) })
    expect([kept.isTruncated, kept.body?.slice(-20)]).toEqual([true, 'xxxxxxxxxx[redacted]'])
  })

  it('is decoded if the host can, and has no body if it is not text', async () => {
    const encoded: Answered = {
      headers: [['content-encoding', 'gzip']],
      body: toByteStream(gzipSync('{"ok":1}')),
    }
    const plain = await open()
    expect((await record(plain, encoded)).body).toBeUndefined()
    await plain.close()
    const asked: unknown[] = []
    const service = await open({
      app: {
        async decode(_, options) {
          asked.push(options)
          return new TextEncoder().encode('{"ok":1}')
        },
      },
    })
    const again = { ...encoded, body: toByteStream(gzipSync('{"ok":1}')) }
    expect((await record(service, again)).body).toBe('{"ok":1}')
    expect(asked).toEqual([{ encodings: ['gzip'], maxBytes: 1_048_576, maxRatio: 100 }])
    const image = await record(service, { body: toByteStream(Uint8Array.of(0x89, 0x50, 0xff, 0)) })
    expect(image.body).toBeUndefined()
  })

  it('requests no content encoding', async () => {
    const service = await open()
    await record(service, {}, { header: () => 'gzip' })
    expect(service.egress.sent[0]?.headers).toContainEqual(['accept-encoding', 'identity'])
  })

  it('is marked as truncated if the response is incomplete', async () => {
    const service = await open()
    const { body, isTruncated } = await record(service, { body: breakOff() })
    expect([body, isTruncated]).toEqual(['half', true])
  })

  it('is one of the newest hundred, visible to its account only', async () => {
    const service = await open()
    const { app, ada, bob } = service
    for (let count = 0; count < 101; count += 1) await record(service, { body: String(count) })
    const { items, total } = await app.gateway.recordings.list(ada, { size: 100, page: 1 })
    expect([items.length, total]).toEqual([100, 100])
    const id = items[0]?.id ?? ''
    expect((await app.gateway.recordings.list(bob, { size: 1, page: 1 })).total).toBe(0)
    for (const use of ['get', 'remove', 'publish'] as const) {
      await expect(app.gateway.recordings[use](bob, id)).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    await app.gateway.recordings.remove(ada, id)
    await expect(app.gateway.recordings.get(ada, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('becomes the example response of its endpoint until it is unpublished', async () => {
    const service = await open()
    const { app, ada, storage, ids } = service
    const caller = { account: ada, scopes: new Set(['read'] as const) }
    const asked = { endpoint_id: ids.getThing ?? '' }
    const example = async () =>
      (await app.call('getEndpointExample', asked, caller)).output_response
    expect(await example()).toBe('')
    const { id } = await record(service, { headers: [JSON_TYPE], body: '{"ok":true}' })
    const before = await storage.catalogue.revision()
    await app.gateway.recordings.publish(ada, id)
    expect(await storage.catalogue.revision()).not.toBe(before)
    expect(await example()).toBe('{"ok":true}')
    await app.gateway.recordings.unpublish(ids.getThing ?? '')
    expect(await example()).toBe('')
    await expect(app.gateway.recordings.unpublish(ids.getThing ?? '')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('unsuitable recording', () => {
  it.each<readonly [string, Answered, string]>([
    ['of a failure', { status: 404, body: '{}' }, 'its status is 404, and must be 2xx'],
    ['of a redirect', { status: 302, body: '{}' }, 'its status is 302, and must be 2xx'],
    ['no text', { body: toByteStream(Uint8Array.of(0xff)) }, 'its body is not text'],
    ['too long', { body: 'x'.repeat(65_537) }, 'its body is truncated'],
    ['broken off', { body: breakOff() }, 'its body is truncated'],
  ])('is not published: %s', async (_, answer, reason) => {
    const service = await open()
    const { app, ada, ids } = service
    const { id } = await record(service, answer)
    await expect(app.gateway.recordings.publish(ada, id)).rejects.toMatchObject({
      code: 'conflict',
      message: `Cannot publish the recording: ${reason}`,
    })
    await expect(app.gateway.recordings.unpublish(ids.getThing ?? '')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('redaction', () => {
  const redactor = createRedactor(['s3cret/value', 'alpha\\\\"b <c> d', 'pässwört', 'abc'])
  const redact = (text: string) => runSynchronously(redactor(text))

  it.each([
    ['a s3cret/value b', 'a [redacted] b'],
    ['?k=s3cret%2Fvalue', '?k=[redacted]'],
    ['k=s3cret%2fvalue and s3cret%252Fvalue', 'k=[redacted] and [redacted]'],
    ['{"echo":"s3cret\\/value s3cret\\\\\\/value"}', '{"echo":"[redacted] [redacted]"}'],
    ['s3cret\\u002fvalue s3cret\\u002Fvalue', '[redacted] [redacted]'],
    ['s3cret&#47;value s3cret&#x2F;value', '[redacted] [redacted]'],
    [JSON.stringify('alpha\\\\"b <c> d'), '"[redacted]"'],
    [JSON.stringify(JSON.stringify({ x: 'alpha\\\\"b <c> d' })), '"{\\"x\\":\\"[redacted]\\"}"'],
    ['alpha\\\\&quot;b &lt;c&gt; d', '[redacted]'],
    ['alpha%5C%5C%22b+%3Cc%3E+d', '[redacted]'],
    ['p%C3%A4ssw%c3%b6rt p\\u00e4ssw\\u00F6rt', '[redacted] [redacted]'],
    ['x s3cr', 'x [redacted]'],
    ['abc', 'abc'],
    ['{"client_secret": "x\\"y", "n": 1}', '{"client_secret": "[redacted]", "n": 1}'],
    ['{"apiKey":"x', '{"apiKey":"[redacted]'],
    ['{"tokens":12,"ok":true}', '{"tokens":"[redacted]","ok":true}'],
    ['<password>x</password><name>y</name>', '<password>[redacted]</password><name>y</name>'],
    ['a=1&password=x&b=2', 'a=1&password=[redacted]&b=2'],
    ['Authorization: Bearer abcdefgh123', 'Authorization: [redacted]'],
    ['eyJhbGciOiJub25l.eyJzdWIiOiIx.c2ln', '[redacted]'],
    ['v1-eyJhbGciOiJub25l.eyJzdWIiOiIx', 'v1-[redacted]'],
    ['adk_live_0123456789', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc', '[redacted]'],
    ['{"name":"Ada","id":7}', '{"name":"Ada","id":7}'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  const secret = 'Kq7-pässwört/8Zt'
  const every = createRedactor([secret])
  const bytes = new TextEncoder().encode(secret)
  const toHex = (separator: string) =>
    [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(separator)
  const toBase64 = (before: string, after: string) =>
    btoa(String.fromCharCode(...new TextEncoder().encode(before + secret + after)))
  const escapeAll = (toEscape: (code: number) => string) =>
    Array.from(secret, (character) => toEscape(character.charCodeAt(0))).join('')
  const hexOf = (code: number) => code.toString(16).padStart(4, '0')

  it.each<readonly [string, string]>([
    ['upper case', secret.toUpperCase()],
    ['lower case', secret.toLowerCase()],
    ['reversed', [...secret].reverse().join('')],
    ['base64', toBase64('', '')],
    ['base64 after one byte', toBase64('u', ':x')],
    ['base64 after two bytes', toBase64('u:', 'x')],
    ['base64 after many bytes', toBase64('user:', ' and so on')],
    [
      'base64 for URLs',
      toBase64('', '').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    ],
    ['base64 in lines', toBase64('', '').replace(/(.{4})/g, '$1\r\n')],
    ['hex', toHex('')],
    ['hex in capitals', toHex('').toUpperCase()],
    ['hex with colons', toHex(':')],
    ['escapes of JSON throughout', escapeAll((code) => `\\u${hexOf(code)}`)],
    ['escapes of JSON in JSON', escapeAll((code) => `\\\\u${hexOf(code).toUpperCase()}`)],
    ['escapes by \\x', escapeAll((code) => `\\x${hexOf(code).slice(2)}`)],
    ['entities by decimals', escapeAll((code) => `&#${code};`)],
    ['entities by hex', escapeAll((code) => `&#x${hexOf(code)};`)],
    ['escapes of URLs throughout', [...bytes].map((byte) => `%${hexOf(byte).slice(2)}`).join('')],
  ])('removes a secret by itself, in %s', (form, spelling) => {
    const redacted = runSynchronously(every(`before ${spelling} after`))
    // Base64 digits that also encode neighbouring bytes cannot be removed.
    const isPart = /base64/.test(form)
    expect(redacted).toMatch(isPart ? /^before \w{0,8}\[redacted\].{0,16} after$/s : WHOLE)
  })

  it('removes nothing else of the same length', () => {
    const text = `${btoa('another value')} ${'0123456789abcdef'.repeat(4)} \\u0041\\u0042 &#65;`
    expect(runSynchronously(every(text))).toBe(text)
  })
})

const WHOLE = /^before \[redacted\] after$/
