import { describe, expect, it } from 'vitest'
import type { OutgoingCall } from '../../../core/calls/call.ts'
import type { Parameter, RequestBody } from '../../../core/catalogue/records.ts'
import { createRequestBody, decodeBody, issuesOf, toPlan } from './support.ts'

function planOf(body: RequestBody | undefined, ...parameters: readonly Partial<Parameter>[]) {
  return toPlan({
    method: 'post',
    body,
    parameters: parameters.map((given) => ({ name: 'x', placement: 'body', ...given })),
  })
}

function typeOf(call: OutgoingCall): string | undefined {
  return call.headers.find(([name]) => name === 'content-type')?.[1]
}

describe('JSON bodies', () => {
  const plan = planOf(
    createRequestBody('application/vnd.shop+json', { allowsAdditional: true }),
    { name: 'count', type: 'integer', isRequired: true },
    { name: 'note' },
    { name: 'tags', type: 'array', items: { type: 'number', enum: [] } },
  )

  it('contain declared values in order, then undeclared names', () => {
    const values = '{"own":{"a":null},"__proto__":1,"note":"ü","count":"5"}'
    const call = plan.build(JSON.parse(values))
    expect([typeOf(call), decodeBody(call)]).toEqual([
      'application/vnd.shop+json',
      '{"count":5,"note":"ü","own":{"a":null},"__proto__":1}',
    ])
  })

  it('preserve digits that a number would lose', () => {
    const call = plan.build({ count: '12345678901234567890', tags: ['1.10', 2] })
    expect(decodeBody(call)).toBe('{"count":12345678901234567890,"tags":[1.10,2]}')
  })

  it('are omitted without values, and empty if one is required', () => {
    const optional = plan.build({})
    expect([optional.headers, optional.body]).toEqual([[], undefined])
    expect(issuesOf(() => plan.build({ note: 'a' }))).toEqual({ count: 'is required' })
    const required = planOf(createRequestBody('application/json', { isRequired: true }), {})
    expect(decodeBody(required.build({}))).toBe('{}')
  })

  it('are a single value if they are no object', () => {
    const whole = planOf(createRequestBody('application/json', { isFlattened: false }), {
      name: 'body',
      type: 'array',
      items: { type: 'integer', enum: [] },
    })
    expect(decodeBody(whole.build({ body: [1, '2'] }))).toBe('[1,2]')
    expect(decodeBody(whole.build({ body: '[3]' }))).toBe('[3]')
  })

  it('are sent with any JSON media type', () => {
    expect(typeOf(planOf(createRequestBody('*/*'), {}).build({ x: 'a' }))).toBe('application/json')
    expect(typeOf(planOf(createRequestBody('a\r\nb+json'), {}).build({ x: 'a' }))).toBe(
      'application/json',
    )
  })

  it('refuse files and excessive nesting', () => {
    const upload = { bytes: new Uint8Array(1), filename: 'a', mediaType: '' }
    expect(issuesOf(() => plan.build({ count: 1, own: upload }))).toEqual({
      own: 'must not be a file',
    })
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
    expect(issuesOf(() => plan.build({ count: 1, own: deep }))).toEqual({
      own: 'is nested too deeply',
    })
  })
})

describe('Form-encoded bodies', () => {
  const urlencoded = 'application/x-www-form-urlencoded'

  it('contain pairs, with repeated lists and objects as JSON or in their declared encoding', () => {
    const plan = planOf(
      createRequestBody(urlencoded, { allowsAdditional: true }),
      { name: 'a', placement: 'formData' },
      { name: 'b', placement: 'formData', type: 'array' },
      { name: 'c', placement: 'formData', type: 'object' },
      { name: 'd', placement: 'formData', type: 'object', style: 'deepObject', explode: true },
      { name: 'e', placement: 'formData', type: 'array', collectionFormat: 'csv' },
    )
    const call = plan.build({
      a: 'x y&z',
      b: [1, 2],
      c: { k: 'v' },
      d: { k: { l: 1 } },
      e: ['p', 'q'],
      own: [true],
    })
    expect([typeOf(call), decodeBody(call)]).toEqual([
      urlencoded,
      'a=x%20y%26z&b=1&b=2&c=%7B%22k%22%3A%22v%22%7D&d%5Bk%5D%5Bl%5D=1&e=p,q&own=true',
    ])
  })

  it('are used for form parameters without a body', () => {
    const call = planOf(undefined, { placement: 'formData' }).build({ x: 'a' })
    expect([typeOf(call), decodeBody(call)]).toEqual([urlencoded, 'x=a'])
  })

  it('accept an object or a string if they have no fields', () => {
    const plan = planOf(createRequestBody(urlencoded, { isFlattened: false }), {
      name: 'body',
      type: '',
    })
    expect(decodeBody(plan.build({ body: { a: 1, b: null, c: [2, 3] } }))).toBe('a=1&c=2&c=3')
    expect(decodeBody(plan.build({ body: 'a=1&b=x y' }))).toBe('a=1&b=x%20y')
  })
})

describe('Multipart bodies', () => {
  const multipart = createRequestBody('multipart/form-data', { allowsAdditional: true })

  it('contain strings, lists, objects and files', () => {
    const plan = planOf(
      multipart,
      { name: 'file', placement: 'formData', type: 'file' },
      { name: 'b"c', placement: 'formData', type: 'array' },
      { name: 'meta', placement: 'formData', type: 'object' },
      { name: 'tags', placement: 'formData', type: 'array', collectionFormat: 'csv' },
      { name: 'xml', placement: 'formData', contentType: 'text/xml' },
    )
    const call = plan.build({
      file: { text: 'hé', filename: 'a"\r\n.txt', content_type: 'text/plain\r\nx: y' },
      'b"c': [1, 'ü'],
      meta: { a: 1 },
      tags: ['p', null, 'q'],
      xml: '<a/>',
      own: 'z',
    })
    const line = (...lines: readonly string[]) => lines.join('\r\n')
    expect(typeOf(call)).toBe('multipart/form-data; boundary=api-discovery-form-1')
    expect(decodeBody(call)).toBe(
      line(
        '--api-discovery-form-1',
        'content-disposition: form-data; name="file"; filename="a%22%0D%0A.txt"',
        'content-type: text/plainx: y',
        '',
        'hé',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="b%22c"',
        '',
        '1',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="b%22c"',
        '',
        'ü',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="meta"',
        'content-type: application/json',
        '',
        '{"a":1}',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="tags"',
        '',
        'p,q',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="xml"',
        'content-type: text/xml',
        '',
        '<a/>',
        '--api-discovery-form-1',
        'content-disposition: form-data; name="own"',
        '',
        'z',
        '--api-discovery-form-1--',
        '',
      ),
    )
  })

  it('accept files as strings, base64, JSON and uploads', () => {
    const plan = planOf(multipart, { name: 'f', placement: 'formData', type: 'file' })
    const contentOf = (f: unknown) => {
      const text = decodeBody(plan.build({ f })) ?? ''
      return text.slice(text.indexOf('filename'), text.lastIndexOf('\r\n--api'))
    }
    const octets = 'content-type: application/octet-stream'
    expect(contentOf('plain')).toBe(`filename="f"\r\n${octets}\r\n\r\nplain`)
    expect(contentOf({ base64: 'aGk=' })).toBe(`filename="f"\r\n${octets}\r\n\r\nhi`)
    expect(contentOf('{"base64":"aGk=","filename":"h"}')).toBe(
      `filename="h"\r\n${octets}\r\n\r\nhi`,
    )
    expect(contentOf('{"base64":"aGk=","other":1}')).toContain('{"base64":"aGk=","other":1}')
    const upload = { bytes: new Uint8Array([104, 105]), filename: 'u.txt', mediaType: 'text/plain' }
    expect(contentOf(upload)).toBe('filename="u.txt"\r\ncontent-type: text/plain\r\n\r\nhi')
    expect(issuesOf(() => plan.build({ f: { base64: '%' } }))).toEqual({
      f: 'must be a file: a string, or { text | base64, filename?, content_type? }',
    })
  })

  it('choose a boundary that no value contains', () => {
    const plan = planOf(multipart, { placement: 'formData' })
    const call = plan.build({ x: '--api-discovery-form-1\r\n--api-discovery-form-2' })
    expect(typeOf(call)).toBe('multipart/form-data; boundary=api-discovery-form-3')
    const longer = plan.build({ x: '--api-discovery-form-12' })
    expect(typeOf(longer)).toBe('multipart/form-data; boundary=api-discovery-form-2')
    const many = Array.from({ length: 50_000 }, (_, index) => `--api-discovery-form-${index + 1}`)
    expect(typeOf(plan.build({ x: many.join('') }))).toBe(
      'multipart/form-data; boundary=api-discovery-form-50001',
    )
  })

  it('are used for a form with files, regardless of the order of media types', () => {
    const body = { ...multipart, mediaTypes: ['application/x-www-form-urlencoded'] }
    const call = planOf(body, { placement: 'formData', type: 'file' }).build({ x: 'a' })
    expect(typeOf(call)).toBe('multipart/form-data; boundary=api-discovery-form-1')
  })
})

describe('Other bodies', () => {
  const wholeOf = (mediaType: string) =>
    planOf(createRequestBody(mediaType, { isFlattened: false }), { name: 'body', type: 'string' })

  it('are sent unchanged', () => {
    const text = wholeOf('application/xml').build({ body: '<a>ü</a>' })
    expect([typeOf(text), decodeBody(text)]).toEqual(['application/xml', '<a>ü</a>'])
    const bytes = wholeOf('application/octet-stream').build({ body: { base64: 'AP8=' } })
    expect([typeOf(bytes), bytes.body]).toEqual([
      'application/octet-stream',
      new Uint8Array([0, 255]),
    ])
    const image = wholeOf('image/*').build({ body: { base64: 'AA==', content_type: 'image/png' } })
    expect(typeOf(image)).toBe('image/png')
  })

  it('refuse objects', () => {
    expect(issuesOf(() => wholeOf('text/plain').build({ body: { a: 1 } }))).toEqual({
      body: 'must be a file: a string, or { text | base64, filename?, content_type? }',
    })
  })
})

describe("The caller's media type", () => {
  const plan = planOf(
    createRequestBody('application/json'),
    {},
    { name: 'Content-Type', placement: 'header' },
  )

  it('is sent if it matches the body', () => {
    expect(typeOf(plan.build({ x: 'a', 'Content-Type': 'application/vnd.a+json' }))).toBe(
      'application/vnd.a+json',
    )
    expect(issuesOf(() => plan.build({ x: 'a', 'Content-Type': 'text/xml' }))).toEqual({
      'content-type': 'must be compatible with application/json, the format of the body',
    })
  })

  it('is not required if the body determines it', () => {
    const required = { name: 'Content-Type', placement: 'header' as const, isRequired: true }
    expect(
      typeOf(planOf(createRequestBody('application/json'), {}, required).build({ x: 'a' })),
    ).toBe('application/json')
    expect(issuesOf(() => planOf(undefined, required).build({}))).toEqual({
      'Content-Type': 'is required',
    })
  })
})
