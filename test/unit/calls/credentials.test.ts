import { describe, expect, it } from 'vitest'
import type { SecuritySchemeReference } from '../../../core/catalogue/records.ts'
import { createRequestBody, decodeBody, issuesOf, toLine, toPlan } from './support.ts'

const use: SecuritySchemeReference = {
  scheme: 'key',
  authType: 'header',
  name: 'X-Key',
  httpScheme: '',
  placement: 'header',
  scopes: [],
}

describe('Parameters of security schemes', () => {
  const plan = toPlan({
    security: [
      [use],
      [{ ...use, authType: 'query', placement: 'query', name: 'key' }],
      [{ ...use, placement: 'cookie', name: 'sid' }],
    ],
  })

  it('are optional, and secret regardless of who sets them', () => {
    const call = plan.build({ 'X-Key': 'a', key: 'b c', sid: 'd' })
    expect(call).toEqual({
      method: 'GET',
      url: 'https://api.example.com/v1/things?key=b%20c',
      headers: [
        ['x-key', 'a'],
        ['cookie', 'sid=d'],
      ],
      body: undefined,
      secrets: [
        { placement: 'header', name: 'x-key' },
        { placement: 'query', name: 'key' },
        { placement: 'cookie', name: 'sid' },
      ],
    })
    expect(plan.build({}).secrets).toEqual([])
  })

  it('receive stored credentials if the caller sets no value', () => {
    const credentials = [
      { placement: 'header', name: 'X-KEY', value: 'stored' },
      { placement: 'query', name: 'key', value: 'stored&more' },
    ] as const
    const call = plan.build({ 'x-key': 'own' }, { credentials })
    expect([toLine(call), call.headers, call.secrets]).toEqual([
      '/things?key=stored%26more',
      [['x-key', 'own']],
      [
        { placement: 'header', name: 'x-key' },
        { placement: 'query', name: 'key' },
      ],
    ])
  })

  it('leave their plain name to a described parameter', () => {
    const mixed = toPlan({
      security: [[{ ...use, name: 'key' }]],
      parameters: [{ name: 'key', placement: 'query' }],
    })
    const call = mixed.build({ key: 'a', 'header.key': 'b' })
    expect([toLine(call), call.headers]).toEqual(['/things?key=a', [['key', 'b']]])
  })

  it('need a qualified name if two schemes share a name', () => {
    const twice = toPlan({
      security: [[{ ...use, name: 'key' }], [{ ...use, placement: 'query', name: 'key' }]],
    })
    expect(issuesOf(() => twice.build({ key: 'a' }))).toEqual({
      key: 'is ambiguous: use "header.key" or "query.key"',
    })
  })
})

describe('Credentials', () => {
  it('fill required parameters of any placement', () => {
    const plan = toPlan({
      method: 'post',
      path: '/{token}/things',
      body: createRequestBody('application/json'),
      parameters: [
        { name: 'token', placement: 'path' },
        { name: 'Authorization', placement: 'header', isRequired: true },
        { name: 'secret', placement: 'body', isRequired: true },
        { name: 'note', placement: 'body' },
      ],
    })
    const call = plan.build(
      { note: 'n' },
      {
        credentials: [
          { placement: 'path', name: 'token', value: 'a/b' },
          { placement: 'header', name: 'authorization', value: 'Bearer x' },
          { placement: 'body', name: 'secret', value: 's' },
        ],
      },
    )
    expect([toLine(call), call.headers, decodeBody(call)]).toEqual([
      '/a%2Fb/things',
      [
        ['authorization', 'Bearer x'],
        ['content-type', 'application/json'],
      ],
      '{"secret":"s","note":"n"}',
    ])
    expect(call.secrets).toEqual([
      { placement: 'header', name: 'authorization' },
      { placement: 'body', name: 'secret' },
      { placement: 'path', name: 'token', range: [27, 32] },
    ])
  })

  it('are added where the endpoint declares nothing, except in paths and bodies that it does not have', () => {
    const call = toPlan({}).build(
      {},
      {
        credentials: [
          { placement: 'query', name: 'k', value: 'a b' },
          { placement: 'header', name: 'X-K', value: 'b' },
          { placement: 'cookie', name: 'c', value: 'd;e' },
          { placement: 'body', name: 'f', value: 'g' },
          { placement: 'path', name: 'h', value: 'i' },
        ],
      },
    )
    expect([toLine(call), call.headers, call.body]).toEqual([
      '/things?k=a%20b',
      [
        ['x-k', 'b'],
        ['cookie', 'c=d%3Be'],
      ],
      undefined,
    ])
    expect(call.secrets.map(({ name }) => name)).toEqual(['k', 'x-k', 'c'])
  })

  it('are secret in an undescribed path parameter', () => {
    const plan = toPlan({ path: '/{id}/x', parameters: [{ name: 'id', placement: 'path' }] })
    const credentials = [{ placement: 'path' as const, name: 'id', value: 'abc' }]
    const [place] = plan.build({}, { credentials }).secrets
    expect(place).toEqual({ placement: 'path', name: 'id', range: [27, 30] })
    expect(plan.build({ id: 'abc' }, { credentials }).secrets).toEqual([])
  })

  it('cannot split a header or leave the path, and are not repeated in messages', () => {
    const plan = toPlan({ path: '/{token}/x', parameters: [{ name: 'token', placement: 'path' }] })
    const run = () =>
      plan.build(
        {},
        {
          credentials: [
            { placement: 'path', name: 'token', value: '../hidden-value' },
            { placement: 'header', name: 'x-key', value: 'hidden-value\r\nhost: evil' },
          ],
        },
      )
    const issues = issuesOf(run)
    expect(Object.keys(issues)).toEqual(['token', 'x-key'])
    expect(JSON.stringify(issues)).not.toContain('hidden-value')
  })
})

describe('Headers', () => {
  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'TE', 'Upgrade'])(
    'never accept or require %s from the caller',
    (name) => {
      const parameters = [{ name, placement: 'header' as const, isRequired: true }]
      const plan = toPlan({ parameters })
      expect(plan.build({}).headers).toEqual([])
      expect(issuesOf(() => plan.build({ [name]: 'a' }))).toEqual({
        [name]: 'is set automatically: omit it',
      })
      const credentials = [{ placement: 'header' as const, name, value: 'a' }]
      expect(plan.build({}, { credentials }).headers).toEqual([])
    },
  )

  it('refuse line breaks, control characters and characters beyond Latin-1', () => {
    const plan = toPlan({ parameters: [{ name: 'X-A', placement: 'header' }] })
    expect(plan.build({ 'X-A': 'caf\u00e9\t!' }).headers).toEqual([['x-a', 'caf\u00e9\t!']])
    for (const value of ['a\nb', 'a\rb', 'a\0b', '\u0007', '\u20ac']) {
      expect(Object.keys(issuesOf(() => plan.build({ 'X-A': value })))).toEqual(['X-A'])
    }
  })

  it('combine a cookie header with cookie parameters', () => {
    const plan = toPlan({
      parameters: [
        { name: 'Cookie', placement: 'header' },
        { name: 'a', placement: 'cookie' },
      ],
    })
    expect(plan.build({ Cookie: 'x=y', a: 'b' }).headers).toEqual([['cookie', 'x=y; a=b']])
  })

  it('refuse names that are invalid in HTTP', () => {
    const plan = toPlan({ parameters: [{ name: 'X A:', placement: 'header' }] })
    expect(issuesOf(() => plan.build({ 'X A:': 'a' }))).toEqual({
      'X A:': 'cannot be sent: its name is invalid in HTTP',
    })
  })
})

describe('A call plan', () => {
  it('describes whether a call is idempotent and which media types it accepts', () => {
    const response = {
      status: '200',
      mediaType: 'application/json',
      example: undefined,
      schema: undefined,
    }
    const { isIdempotent, accept } = toPlan({ response })
    expect([isIdempotent, accept]).toEqual([true, 'application/json, */*;q=0.5'])
    expect([toPlan({ method: 'post' }).isIdempotent, toPlan({}).accept]).toEqual([false, '*/*'])
  })
})
