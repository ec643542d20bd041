import { describe, expect, it } from 'vitest'
import { readBodyValues } from '../../../core/http/forms.ts'
import { readCallInput, readInput } from '../../../core/http/input.ts'
import type { Operation } from '../../../core/http/operation.ts'
import { Numeral } from '../../../core/shared/exact-json.ts'
import { runSynchronously } from '../../../core/shared/time-slices.ts'
import { catchError, encodeUtf8, toHttpRequest } from './support.ts'

const URLENCODED = 'application/x-www-form-urlencoded'

function multipart(parts: readonly (readonly [head: string, body: string])[]): string {
  const all = parts.map(
    ([head, body]) => `--b-1\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`,
  )
  return `${all.join('')}--b-1--\r\n`
}

const readBytes = (bytes: Uint8Array, options: Parameters<typeof readBodyValues>[1]) =>
  runSynchronously(readBodyValues(bytes, options))

const parseValues = (body: string, contentType = '') =>
  readBytes(encodeUtf8(body), { contentType, maxTextBytes: 100_000 })

async function problemOf(work: () => unknown): Promise<readonly [unknown, unknown]> {
  const { code, message } = (await catchError(work)) as {
    readonly code: unknown
    readonly message: string
  }
  return [code, message]
}

describe('a body of values', () => {
  it('that is empty has no values', () => {
    for (const body of ['', ' \r\n', '\u{feff}']) {
      for (const label of ['', 'application/json', URLENCODED]) {
        expect(parseValues(body, label)).toEqual({})
      }
    }
  })

  it('preserves JSON types, regardless of its label', () => {
    const body = ' {"a":"x","n":1.5,"yes":true,"none":null,"list":[1,{"b":2}]}'
    for (const label of ['', URLENCODED, 'multipart', 'application/json; charset=utf-8']) {
      expect(parseValues(body, label)).toEqual({
        a: 'x',
        n: 1.5,
        yes: true,
        none: null,
        list: [1, { b: 2 }],
      })
    }
  })

  it('preserves JSON digits that a number would lose', () => {
    expect(parseValues('{"id":9007199254740993,"in":[1e400,1.5]}')).toEqual({
      id: new Numeral('9007199254740993'),
      in: [new Numeral('1e400'), 1.5],
    })
  })

  it('contains texts from pairs, and arrays for repeated names', () => {
    for (const label of ['', URLENCODED, 'application/json', 'image/png']) {
      expect(parseValues('a=1&b=x+y&a=%C3%BC&empty=&a=3\r\n', label)).toEqual({
        a: ['1', 'ü', '3'],
        b: 'x y',
        empty: '',
      })
    }
  })

  it('accepts ten thousand pairs and rejects more', async () => {
    expect(parseValues('a&'.repeat(10_000))).toEqual({
      a: Array.from({ length: 10_000 }, () => ''),
    })
    expect(await problemOf(() => parseValues('a&'.repeat(10_001)))).toEqual([
      'invalid_body',
      'Cannot read the form: at most 10000 values are accepted',
    ])
  })

  it('contains texts and files from multipart, regardless of its label', () => {
    const body = multipart([
      ['name="note"', 'Ösel\r\n2'],
      ['name="tag"', 'a'],
      ['name="tag"', 'b'],
      ['name="photo"; filename="a.png"\r\nContent-Type: image/png', '\u{1}'],
      ['name="raw"\r\nContent-Type: application/octet-stream', 'bytes'],
      ['name="page"; filename="b.txt"', '1'],
      ['name="page"; filename="c.txt"', '2'],
    ])
    for (const label of ['', URLENCODED, 'multipart/form-data; boundary=b-1']) {
      expect(parseValues(body, label)).toEqual({
        note: 'Ösel\r\n2',
        tag: ['a', 'b'],
        photo: { bytes: encodeUtf8('\u{1}'), filename: 'a.png', mediaType: 'image/png' },
        raw: { bytes: encodeUtf8('bytes'), filename: '', mediaType: 'application/octet-stream' },
        page: [
          { bytes: encodeUtf8('1'), filename: 'b.txt', mediaType: '' },
          { bytes: encodeUtf8('2'), filename: 'c.txt', mediaType: '' },
        ],
      })
    }
  })

  it('accepts any name as an own member, without touching prototypes', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']
    const bodies = [
      JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x']))),
      names.map((name) => `${name}=x`).join('&'),
      multipart(names.slice(0, 4).map((name) => [`name="${name}"`, 'x'])),
    ]
    for (const [index, body] of bodies.entries()) {
      const values = parseValues(body)
      expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
      expect(Object.entries(values)).toEqual(
        names.slice(0, index === 2 ? 4 : 5).map((name) => [name, 'x']),
      )
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('is rejected with a reason if it is neither', async () => {
    const notObject = 'Cannot read the JSON body: it must be an object'
    const cases: readonly (readonly [string, string, string])[] = [
      ['[1]', '', notObject],
      ['"text"', URLENCODED, notObject],
      ['5', 'application/json', notObject],
      ['{"a":', '', 'Cannot read the JSON body: it is not valid JSON'],
      ['a', 'multipart/form-data', 'Cannot read the multipart body: it has no boundary'],
      [multipart([['filename=x', '1']]), '', 'Cannot read the multipart body: a part has no name'],
      [
        multipart([['name=a', 'x']]).slice(0, -8),
        '',
        'Cannot read the multipart body: Multipart stream not finished',
      ],
      [
        multipart(Array.from({ length: 1_001 }, () => ['name=a', ''])),
        '',
        'Cannot read the multipart body: Multipart part count exceeds',
      ],
    ]
    for (const [body, label, message] of cases) {
      const [code, found] = await problemOf(() => parseValues(body, label))
      expect([code, String(found).startsWith(message), found]).toEqual([
        'invalid_body',
        true,
        found,
      ])
    }
    const bytes = new Uint8Array([0x61, 0x3d, 0xff])
    expect(await problemOf(() => readBytes(bytes, { contentType: '', maxTextBytes: 9 }))).toEqual([
      'invalid_body',
      'Cannot read the body: it is not valid UTF-8',
    ])
  })
})

describe('a body of another media type', () => {
  const labels = ['text/plain; charset=utf-8', 'application/xml', 'application/octet-stream', '?']

  it('is rejected with a reason, if it contains no values', async () => {
    const bodies = ['<a b="c=d">e</a>', 'hello world', 'a b=c', '\u0000\u0001=', 'ü=1']
    for (const label of labels) {
      for (const body of bodies) {
        expect(await problemOf(() => parseValues(body, label))).toEqual([
          'unsupported_media_type',
          'Cannot read the body as values: send a JSON object or a form. Send a raw body for the target as the value "body"',
        ])
      }
    }
    const contentType = 'image/png'
    const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff])
    const [code] = await problemOf(() => readBytes(bytes, { contentType, maxTextBytes: 9 }))
    expect(code).toBe('unsupported_media_type')
  })

  it('is read if it contains values, or is empty', () => {
    for (const label of labels) {
      expect(parseValues('\u{feff} {"a":1}', label)).toEqual({ a: 1 })
      expect(parseValues('a=1&b[]=2', label)).toEqual({ a: '1', 'b[]': '2' })
      expect(parseValues('%C3%BC=1', label)).toEqual({ ü: '1' })
      expect(parseValues(' \r\n', label)).toEqual({})
    }
  })
})

describe('an operation that takes values', () => {
  const operation: Operation = {
    method: 'POST',
    paths: ['/x'],
    tag: 'x',
    summary: 'X',
    scope: 'call',
    body: { kind: 'values', description: 'Anything.' },
    output: { kind: 'empty' },
  }
  const limits = { maxBodyBytes: 20, maxFileBytes: 200, maxStreamBytes: 99, maxLineBytes: 99 }
  const from = (body?: string, label = '') => {
    const headers = { 'content-type': label }
    const parts = { method: 'POST', headers, ...(body === undefined ? {} : { body }) }
    const placements = new Map()
    return readInput(operation, {
      ...{ queryText: '', limits, placements, ignored: new Set<string>() },
      request: toHttpRequest(parts),
    })
  }

  it('receives them as its body', async () => {
    expect(await from('{"a":1}')).toEqual({ body: { a: 1 } })
    expect(await from('a=1')).toEqual({ body: { a: '1' } })
    expect(await from()).toEqual({ body: {} })
  })

  it('rejects a body above the limit', async () => {
    expect(await problemOf(() => from(`a=${'x'.repeat(19)}`))).toEqual([
      'too_large',
      'Cannot read the body: at most 20 bytes are accepted',
    ])
  })

  it('accepts files up to their own limit, and no additional text', async () => {
    const label = 'multipart/form-data; boundary=b-1'
    const toFile = (length: number) => multipart([['name="f"; filename="f"', 'x'.repeat(length)]])
    const room = 200 - toFile(0).length
    expect(await from(toFile(room), label)).toEqual({
      body: { f: { bytes: encodeUtf8('x'.repeat(room)), filename: 'f', mediaType: '' } },
    })
    expect(await problemOf(() => from(toFile(room + 1), label))).toEqual([
      'too_large',
      'Cannot read the body: at most 200 bytes are accepted',
    ])
    const toTexts = (length: number) =>
      multipart([
        ['name="a"', 'x'.repeat(10)],
        ['name="b"', 'x'.repeat(length)],
      ])
    expect(await from(toTexts(10), label)).toEqual({
      body: { a: 'x'.repeat(10), b: 'x'.repeat(10) },
    })
    expect(await problemOf(() => from(toTexts(11), label))).toEqual([
      'too_large',
      'Cannot read the multipart body: at most 20 bytes are accepted besides its files',
    ])
    expect(await problemOf(() => from(`{"a":"${'x'.repeat(20)}"}`, 'application/json'))).toEqual([
      'too_large',
      'Cannot read the body: at most 20 bytes are accepted',
    ])
  })

  it('accepts only an object from an in-process caller', async () => {
    const body = { a: 1, file: new Uint8Array(2) }
    expect(readCallInput(operation, { body })).toEqual({ body })
    expect(readCallInput(operation, {})).toEqual({ body: {} })
    for (const wrong of [null, [], 'x', 5]) {
      expect(await problemOf(() => readCallInput(operation, { body: wrong }))).toEqual([
        'invalid_input',
        'body must be an object',
      ])
    }
  })
})
