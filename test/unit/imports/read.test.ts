import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/errors.ts'
import { readDescription } from '../../../core/imports/read-description.ts'

const encoder = new TextEncoder()

function findParseError(source: string | readonly number[]) {
  const bytes = typeof source === 'string' ? encoder.encode(source) : Uint8Array.from(source)
  try {
    readDescription(bytes)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { code: error.code, message: error.message, extra: error.extra }
  }
  throw new Error('It was read')
}

const SMALL = '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{}}'

describe('reading a description', () => {
  it('reads JSON and detects its kind and version', () => {
    expect(readDescription(encoder.encode(SMALL))).toEqual({
      document: { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} },
      format: 'json',
      kind: 'openapi-3.1',
      version: '3.1.0',
      size: SMALL.length,
      skipped: 0,
      warnings: [],
    })
  })

  it('reads YAML with dates, merge keys, anchors and numeric versions', () => {
    const text =
      'swagger: 2.0\ninfo: {version: 2020-01-01}\nx-base: &b {a: 1}\nx-more: {<<: *b, on: no}\n'
    expect(readDescription(encoder.encode(text))).toMatchObject({
      document: {
        swagger: 2,
        info: { version: '2020-01-01' },
        'x-base': { a: 1 },
        'x-more': { a: 1, on: 'no' },
      },
      format: 'yaml',
      kind: 'swagger-2.0',
      version: '2',
    })
  })

  it('reads UTF-8 with a byte order mark and UTF-16 in both orders', () => {
    const utf16 = (isBig: boolean) =>
      [...`\ufeff${SMALL}`].flatMap((character) => {
        const code = character.charCodeAt(0)
        return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8]
      })
    const utf8 = [0xef, 0xbb, 0xbf, ...encoder.encode(SMALL)]
    const kinds = [utf8, utf16(false), utf16(true)].map(
      (bytes) => readDescription(Uint8Array.from(bytes)).kind,
    )
    expect(kinds).toEqual(['openapi-3.1', 'openapi-3.1', 'openapi-3.1'])
  })

  it('reads JSON with comments and trailing commas as YAML, with a warning', () => {
    const read = readDescription(encoder.encode('{"openapi": "3.0.0", # why\n "paths": {},}'))
    expect(read).toMatchObject({
      format: 'yaml',
      warnings: [
        {
          pointer: '',
          message: 'Invalid JSON: expected a member name in double quotes (line 1, column 22)',
        },
      ],
    })
  })

  it('uses the last of duplicate JSON members and reports their locations', () => {
    const text = '{"openapi":"3.0.0","paths":{"/a":{"get":{}},"/a":{"put":{}}},"openapi":"3.1.0"}'
    const { document, warnings } = readDescription(encoder.encode(text))
    expect(document).toEqual({ openapi: '3.1.0', paths: { '/a': { put: {} } } })
    expect(warnings.map(({ pointer }) => pointer)).toEqual(['/paths/~1a', '/openapi'])
  })

  it('replaces escaped NUL characters and lone surrogates, and keeps surrogate pairs', () => {
    const text = '{"openapi":"3.0.0","a\\u0000":["\\ud800x","\\ud83d\\ude00"]}'
    expect(readDescription(encoder.encode(text)).document).toEqual({
      openapi: '3.0.0',
      'a\ufffd': ['\ufffdx', '\u{1f600}'],
    })
  })

  it('treats keys named like inherited members as ordinary data', () => {
    const text = '{"openapi":"3.0.0","__proto__":{"polluted":1},"constructor":{"prototype":{}}}'
    const { document } = readDescription(encoder.encode(text))
    expect(Object.keys(document)).toEqual(['openapi', '__proto__', 'constructor'])
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype)
  })
})

describe('rejecting other documents', () => {
  it.each([
    ['an empty file', '', 'invalid_body', 'it is empty'],
    ['white space', ' \n\t ', 'invalid_body', 'it is empty'],
    ['a NUL', `{"a":\n"\0"}`, 'invalid_body', 'it contains a NUL character (line 2, column 2)'],
    ['HTML', '<!DOCTYPE html><html>', 'unsupported_media_type', 'it is an HTML page'],
    ['XML', '<?xml version="1.0"?><a/>', 'unsupported_media_type', 'it is an XML document'],
    ['WSDL', '<wsdl:definitions/>', 'unsupported_media_type', 'it is a WSDL document'],
    ['Swagger 1', '{"swaggerVersion":"1.2"}', 'invalid_description', 'it is a Swagger 1.x'],
    ['AsyncAPI', 'asyncapi: 2.0.0', 'invalid_description', 'it is an AsyncAPI document'],
    [
      'Postman',
      '{"info":{"_postman_id":"1","schema":"https://schema.getpostman.com/x"}}',
      'invalid_description',
      'it is a Postman collection',
    ],
    ['HAR', '{"log":{"entries":[]}}', 'invalid_description', 'it is an HTTP archive'],
    [
      'a JSON Schema',
      '{"$schema":"x","type":"object"}',
      'invalid_description',
      'it is a JSON Schema',
    ],
    ['a list', '[1]', 'invalid_description', 'it contains a list'],
    ['text', 'hello', 'invalid_description', 'it contains a string'],
    [
      'OpenAPI 4',
      'openapi: 4.0.0',
      'invalid_description',
      'unsupported "openapi" version "4.0.0"; supported versions are',
    ],
    ['no version', 'paths: {}', 'invalid_description', 'it is not an API description'],
  ])('rejects %s', (_name, text, code, reason) => {
    const refused = findParseError(text)
    expect(refused.code).toBe(code)
    expect(refused.message).toContain(reason)
  })

  it.each([
    ['a zip archive', [0x50, 0x4b, 3, 4, 0, 0]],
    ['a gzip file', [0x1f, 0x8b, 8, 0]],
    ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
    ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ])('rejects %s by its signature', (name, bytes) => {
    expect(findParseError(bytes)).toEqual({
      code: 'unsupported_media_type',
      message: `Cannot import the file: it is ${name}. Import a JSON or YAML file instead`,
      extra: {},
    })
  })

  it('locates text that is not UTF-8', () => {
    expect(findParseError([0x61, 0x0a, 0x62, 0xff, 0x63])).toEqual({
      code: 'invalid_body',
      message: 'Cannot import the file: it is not UTF-8 text (line 2, column 2)',
      extra: { line: 2, column: 2 },
    })
  })

  it('locates errors in JSON and YAML identically on every runtime', () => {
    expect(findParseError('{"openapi": "3.0.0",\n "paths": {"/a": {"get": [1 2]}}')).toEqual({
      code: 'invalid_description',
      message: 'Invalid JSON: expected "," or "]" (line 2, column 29)',
      extra: { line: 2, column: 29 },
    })
    expect(findParseError('openapi: 3.0.0\npaths:\n  a: 1\n  a: 2\n')).toEqual({
      code: 'invalid_description',
      message: 'Invalid YAML: duplicated mapping key (line 4, column 3)',
      extra: { line: 4, column: 3 },
    })
  })

  it('parses text that is not JSON from its first token as YAML', () => {
    expect(findParseError('[kev\n')).toEqual({
      code: 'invalid_description',
      message:
        'Invalid YAML: the text ends before a closing quote or bracket (line 2, column 1); the bracket [ at line 1, column 1 is not closed',
      extra: { line: 2, column: 1 },
    })
    expect(findParseError('{"a": [kev\n')).toMatchObject({
      message: 'Invalid JSON: expected a value (line 1, column 8)',
    })
  })

  it('rejects a source beyond the size limit before reading it', () => {
    const read = () => readDescription(encoder.encode(SMALL), { limits: { maxBytes: 10 } })
    expect(read).toThrow(`Cannot import the file: ${SMALL.length} bytes, at most 10 are allowed`)
  })
})
