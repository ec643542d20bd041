import { describe, expect, it } from 'vitest'
import { readForm } from '../../../core/http/forms.ts'
import { runSynchronously } from '../../../core/shared/time-slices.ts'
import { catchError, encodeUtf8 } from './support.ts'

const names = ['vendor', 'file']

function parseForm(body: string, options: { contentType?: string; fileName?: string } = {}) {
  const { contentType = '', fileName } = options
  const form = readBytes(encodeUtf8(body), {
    contentType,
    ...(fileName === undefined ? {} : { fileName }),
  })
  return {
    fields: Object.fromEntries(form.fields),
    repeated: [...form.repeated],
    file: form.file && {
      text: new TextDecoder().decode(form.file.bytes),
      filename: form.file.filename,
      mediaType: form.file.mediaType,
    },
  }
}

function readBytes(bytes: Uint8Array, options: { contentType: string; fileName?: string }) {
  return runSynchronously(readForm(bytes, { ...options, names, maxTextBytes: 100_000 }))
}

function multipart(boundary: string, parts: readonly (readonly [string, string])[]): string {
  const all = parts.map(([head, body]) => `--${boundary}\r\n${head}\r\n\r\n${body}\r\n`)
  return `${all.join('')}--${boundary}--\r\n`
}

const field = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}`

describe('a form', () => {
  it('that is empty has no fields', () => {
    expect(parseForm('')).toEqual({ fields: {}, repeated: [], file: undefined })
  })

  it('is parsed as urlencoded pairs, regardless of its label', () => {
    const fields = { vendor: 'a b', note: 'ü&=+', empty: '' }
    const body = 'vendor=a+b&note=%C3%BC%26%3D%2B&empty=\r\n'
    for (const contentType of ['', 'text/plain', 'application/json', 'image/png']) {
      expect(parseForm(body, { contentType }).fields).toEqual(fields)
    }
  })

  it('is parsed as JSON if it starts with a brace, regardless of its label', () => {
    const body = ' {"vendor":"a","n":1.5,"yes":true,"gone":null,"list":[1,{"a":2}]}'
    expect(parseForm(body, { contentType: 'application/x-www-form-urlencoded' }).fields).toEqual({
      vendor: 'a',
      n: '1.5',
      yes: 'true',
      list: '[1,{"a":2}]',
    })
  })

  it('is parsed as multipart if it looks like it, regardless of its label', () => {
    const body = multipart('x-y', [
      [field('vendor'), 'Ösel'],
      ['content-disposition: attachment; name=note', 'line\r\nbreak'],
    ])
    for (const contentType of ['', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect(parseForm(body, { contentType }).fields).toEqual({
        vendor: 'Ösel',
        note: 'line\r\nbreak',
      })
    }
  })

  it('uses the boundary of its label if text precedes the parts', () => {
    const body = `preamble\r\n${multipart('b', [[field('vendor'), 'x']])}epilogue`
    const contentType = 'multipart/form-data; charset=utf-8; boundary="b"'
    expect(parseForm(body, { contentType }).fields).toEqual({ vendor: 'x' })
  })

  it('reports repeated fields', () => {
    expect(parseForm('a=1&b=2&a=3').repeated).toEqual(['a'])
    const parts = multipart('b', [
      [field('a'), '1'],
      [field('a'), '2'],
    ])
    expect(parseForm(parts)).toEqual({ fields: { a: '1' }, repeated: ['a'], file: undefined })
  })
})

describe('a file', () => {
  const fileName = 'file'

  it('is the part of its name, with its label', () => {
    const body = multipart('b', [
      [`${field('file', '; filename="../x.json"')}\r\nContent-Type: application/json`, '{"a":1}'],
      [field('vendor'), 'v'],
    ])
    expect(parseForm(body, { fileName })).toEqual({
      fields: { vendor: 'v' },
      repeated: [],
      file: { text: '{"a":1}', filename: '../x.json', mediaType: 'application/json' },
    })
  })

  it('is the body itself if that is not a form', () => {
    for (const text of [
      '{"openapi":"3.1.0"}',
      'openapi: 3.1.0\nx: a=b',
      '---\nswagger: "2.0"\n',
      '[]',
    ]) {
      const contentType = 'application/x-www-form-urlencoded'
      expect(parseForm(text, { fileName, contentType })).toEqual({
        fields: {},
        repeated: [],
        file: { text, filename: '', mediaType: contentType },
      })
    }
  })

  it('is a YAML document of several parts that only resembles multipart', () => {
    const text = '--- # first\nopenapi: 3.1.0\n--- \nopenapi: 3.1.0\n'
    expect(parseForm(text, { fileName }).file?.text).toBe(text)
  })

  it('is a field of a form, as text', () => {
    expect(parseForm('vendor=v&file=%7B%22a%22%3A1%7D', { fileName })).toEqual({
      fields: { vendor: 'v' },
      repeated: [],
      file: { text: '{"a":1}', filename: '', mediaType: '' },
    })
  })

  it('is reassembled if it was sent line by line', () => {
    const form = parseForm('file=%7B%0A&file=%22a%22%3A1%0A&file=%7D', { fileName })
    expect([form.file?.text, form.repeated]).toEqual(['{\n"a":1\n}', []])
  })

  it('is a member of a JSON object, as text or as an object', () => {
    expect(parseForm('{"file":"a: 1","vendor":"v"}', { fileName }).file?.text).toBe('a: 1')
    expect(parseForm('{ "vendor":"v","file":{"a":1}}', { fileName }).file?.text).toBe('{"a":1}')
  })

  it('that is repeated is reported', () => {
    const body = multipart('b', [
      [field('file'), '1'],
      [field('file'), '2'],
    ])
    expect(parseForm(body, { fileName }).repeated).toEqual(['file'])
  })

  it('is preserved byte by byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const head = encodeUtf8(`--b\r\n${field('file')}\r\n\r\n`)
    const tail = encodeUtf8('\r\n--b--\r\n')
    const body = new Uint8Array([...head, ...bytes, ...tail])
    const form = readBytes(body, { contentType: '', fileName })
    expect([...(form.file?.bytes ?? [])]).toEqual([...bytes])
  })
})

describe('an invalid form', () => {
  it.each([
    ['JSON that is cut short', '{"a":', {}, 'it is not valid JSON'],
    [
      'a multipart label without boundary',
      'x',
      { contentType: 'multipart/form-data' },
      'it has no boundary',
    ],
    [
      'an end that is missing',
      `--b\r\n${field('a')}\r\n\r\nx`,
      {},
      'Cannot read the multipart body',
    ],
    [
      'too many parts',
      multipart(
        'b',
        Array.from({ length: 21 }, (_, at) => [field(`p${at}`), '']),
      ),
      {},
      'Cannot read the multipart body',
    ],
    [
      'a part header of 17 KB',
      multipart('b', [[field('a', `; x="${'y'.repeat(17_000)}"`), '']]),
      {},
      'Cannot read the multipart body',
    ],
  ] as const)('is rejected: %s', async (_, body, options, detail) => {
    const error = await catchError(() => parseForm(body, options))
    expect(error).toMatchObject({ code: 'invalid_body', message: expect.stringContaining(detail) })
  })

  it('is rejected if a field is not UTF-8', async () => {
    const bytes = new Uint8Array([
      ...encodeUtf8(`--b\r\n${field('a')}\r\n\r\n`),
      0xff,
      ...encodeUtf8('\r\n--b--\r\n'),
    ])
    const error = await catchError(() => readBytes(bytes, { contentType: '' }))
    expect(error).toMatchObject({ code: 'invalid_body' })
  })
})
