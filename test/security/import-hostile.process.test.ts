import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkerIsolate } from '../../adapters/isolate/worker-isolate.ts'
import { ServiceError } from '../../core/errors.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import { PARSE_TASK, parseInline } from '../../core/imports/parse-description.ts'

const DATA = new URL('../../../shared/data/', import.meta.url)
const isThere = existsSync(DATA)
if (!isThere) console.log('skipped: the collections of hostile files are not on this machine')

const encoder = new TextEncoder()

/** Returns `read`, or the code of a 4xx error; rethrows all other errors. */
function parseOutcome(bytes: Uint8Array): string {
  try {
    parseInline({ bytes, options: {} })
    return 'read'
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { status } = PROBLEM_TYPES[error.code]
    if (status < 400 || status > 499) throw error
    return error.code
  }
}

function decodeBase64(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function readData(path: string): Uint8Array {
  return readFileSync(new URL(path, DATA))
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, Map.prototype]

function snapshot(): readonly (readonly PropertyKey[])[] {
  return PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype))
}

/** Builds YAML whose aliases expand to `width` to the power of `levels` values. */
function aliasBomb(levels: number, width: number): string {
  const lines = ['openapi: 3.0.0', 'x-a0: &a0 [x, x]']
  for (let level = 1; level <= levels; level += 1) {
    const aliases = Array.from({ length: width }, () => `*a${level - 1}`).join(', ')
    lines.push(`x-a${level}: &a${level} [${aliases}]`)
  }
  return lines.join('\n')
}

describe('bombs', () => {
  const deep = (open: string, close: string, count: number) =>
    `{"openapi":"3.0.0","x":${open.repeat(count)}1${close.repeat(count)}}`

  it.each([
    ['lists 100,000 deep', deep('[', ']', 100_000), 'too_expensive'],
    ['objects 100,000 deep', deep('{"a":', '}', 100_000), 'too_expensive'],
    ['lists that never close', `{"openapi":"3.0.0","x":${'['.repeat(100_000)}`, 'too_expensive'],
    ['YAML lists 100,000 deep', `openapi: 3.0.0\nx: ${'['.repeat(100_000)}`, 'too_expensive'],
    ['YAML keys 500 deep', deepYaml(500), 'too_expensive'],
    ['ten to the tenth aliases', aliasBomb(10, 10), 'too_expensive'],
    ['an alias within itself', 'openapi: 3.0.0\nx: &a [*a]', 'too_expensive'],
    ['20,000 aliases', `openapi: 3.0.0\na: &a 1\nb: [${'*a,'.repeat(20_000)}]`, 'too_expensive'],
    [
      'five million values',
      `{"openapi":"3.0.0","x":[${'[],'.repeat(5_000_000)}1]}`,
      'too_expensive',
    ],
    ['a YAML constructor', 'openapi: 3.0.0\nx: !!js/function "x"', 'invalid_description'],
    ['33 MiB', ' '.repeat(33 * 1024 * 1024), 'too_large'],
  ])('refuses %s', (_name, text, code) => {
    expect(parseOutcome(encoder.encode(text))).toBe(code)
  })

  it('counts long texts once per alias', () => {
    const text = `openapi: 3.0.0\na: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(1000)}]`
    expect(parseOutcome(encoder.encode(text))).toBe('too_expensive')
  })

  it('refuses shared schemas that expand to too many parameters', () => {
    const properties = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`p${at}`, {}]))
    const operation = {
      requestBody: { content: { 'application/json': { schema: { $ref: '#/x' } } } },
    }
    const paths = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`/${at}`, { post: operation }]),
    )
    const document = { openapi: '3.0.0', x: { type: 'object', properties }, paths }
    expect(parseOutcome(encoder.encode(JSON.stringify(document)))).toBe('too_expensive')
  })

  it('refuses path items that share large content', () => {
    const schema = { type: 'string', description: 'x'.repeat(50_000) }
    const big = { get: { responses: { 200: { content: { 'application/json': { schema } } } } } }
    const others = Array.from({ length: 500 }, (_, at) => [`/${at}`, { $ref: '#/paths/~1big' }])
    const document = { openapi: '3.0.0', paths: { '/big': big, ...Object.fromEntries(others) } }
    expect(parseOutcome(encoder.encode(JSON.stringify(document)))).toBe('too_expensive')
  })

  it('refuses servers shared by thousands of operations', () => {
    const servers = Array.from({ length: 2000 }, (_, at) => ({ url: `https://h${at}.example` }))
    const paths = Array.from({ length: 2000 }, (_, at) => [`/${at}`, { get: {} }])
    const document = { openapi: '3.0.0', servers, paths: Object.fromEntries(paths) }
    expect(parseOutcome(encoder.encode(JSON.stringify(document)))).toBe('too_expensive')
  })

  it('refuses a few kilobytes of YAML whose aliases expand to megabytes', () => {
    const lines = ['openapi: 3.0.0', `x-a0: &a0 {description: "${'x'.repeat(2000)}"}`]
    for (let level = 1; level < 5; level += 1) {
      lines.push(
        `x-a${level}: &a${level} {allOf: [${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]}`,
      )
    }
    expect(parseOutcome(encoder.encode(lines.join('\n')))).toBe('too_expensive')
  })

  it('parses a path with twenty thousand parameters in bounded time', () => {
    const path = Array.from({ length: 20_000 }, (_, at) => `{${at.toString(36)}}`).join('')
    const paths = { [`/${path}`]: { get: {} } }
    expect(parseOutcome(encoder.encode(JSON.stringify({ openapi: '3.0.0', paths })))).toBe('read')
  })

  it('parses cyclic schemas in bounded time', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `s${at}`,
        {
          allOf: Array.from({ length: 30 }, (_, to) => ({
            $ref: `#/components/schemas/s${(at * 7 + to) % 300}`,
          })),
          properties: { [`p${at}`]: { $ref: `#/components/schemas/s${(at + 1) % 300}` } },
        },
      ]),
    )
    const paths = Object.fromEntries(
      Object.keys(schemas).map((name) => {
        const content = {
          'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
        }
        return [`/${name}`, { put: { requestBody: { content }, responses: { 200: { content } } } }]
      }),
    )
    const document = { openapi: '3.0.0', paths, components: { schemas } }
    expect(parseOutcome(encoder.encode(JSON.stringify(document)))).toBe('read')
  })
})

describe('names with a meaning in JavaScript', () => {
  it('change no prototype, wherever they occur', () => {
    const before = snapshot()
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length']
    for (const name of names) {
      const text = `{"openapi":"3.0.0","${name}":{"${name}":{"polluted":true}},
        "info":{"title":"T","${name}":1},
        "paths":{"/a/{${name}}":{"${name}":{},"post":{"tags":["${name}"],
          "security":[{"${name}":[]}],"responses":{"${name}":{"$ref":"#/${name}"}},
          "parameters":[{"$ref":"#/${name}/${name}"},{"name":"${name}","in":"${name}"}],
          "requestBody":{"content":{"application/json":{"schema":{"properties":{"${name}":{}}}}}}}}},
        "components":{"securitySchemes":{"${name}":{"type":"${name}"}},"${name}":{}}}`
      expect(parseOutcome(encoder.encode(text))).toBe('read')
      expect(parseOutcome(encoder.encode(text.replace('{', '{ # YAML\n')))).toBe('read')
    }
    expect(snapshot()).toEqual(before)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('references outside the description', () => {
  const forms = [
    'file:///etc/hostname',
    'http://127.0.0.1:1/x.json#/a',
    '//127.0.0.1/x',
    '..\\..\\x.yaml',
    '%2e%2e/x.yaml',
    'data:application/json,{}',
    'jar:file:///x!/y',
    'node:fs',
    '/etc/hostname',
    './other.yaml#/components/schemas/A',
    '',
    '#a',
    '#/paths/%zz',
    '#/%00',
  ]

  it('are never followed, and each is reported', () => {
    for (const form of forms) {
      const document = {
        openapi: '3.0.0',
        info: { title: 'References' },
        paths: { '/a': { get: { parameters: [{ $ref: form }] }, parameters: [] } },
      }
      const bytes = encoder.encode(JSON.stringify(document))
      const { report, endpoints } = parseInline({ bytes, options: {} })
      expect([form, endpoints.length, report.warnings.length]).toEqual([form, 1, 1])
    }
  })
})

describe.skipIf(!isThere)('collections of hostile files', () => {
  it('refuses every JSON parsing case, whether valid JSON or not', () => {
    const cases: readonly { readonly base64: string }[] = JSON.parse(
      new TextDecoder().decode(readData('hostile/json-parsing.json')),
    )
    const codes = new Set(cases.map(({ base64 }) => parseOutcome(decodeBase64(base64))))
    expect(cases.length).toBe(318)
    expect([...codes].sort()).toEqual([
      'invalid_body',
      'invalid_description',
      'too_expensive',
      'unsupported_media_type',
    ])
  })

  it('refuses every case of the YAML suite', () => {
    const cases: readonly { readonly yaml_base64: string }[] = JSON.parse(
      new TextDecoder().decode(readData('hostile/yaml-test-suite.json')),
    )
    const codes = new Set(cases.map(({ yaml_base64 }) => parseOutcome(decodeBase64(yaml_base64))))
    expect(cases.length).toBe(402)
    expect([...codes].sort()).toEqual(['invalid_body', 'invalid_description'])
  })

  it('retains every naughty string, or the nearest one that can be stored', () => {
    const strings: readonly string[] = JSON.parse(
      new TextDecoder().decode(readData('hostile/naughty-strings.json')),
    )
    const paths = Object.fromEntries(
      strings.map((text, at) => [`/${at}`, { get: { summary: text, description: text } }]),
    )
    const bytes = encoder.encode(JSON.stringify({ openapi: '3.0.0', paths }))
    const { endpoints } = parseInline({ bytes, options: {} })
    const storable = strings.map((text) => text.replaceAll('\0', '\ufffd'))
    expect(new Set(endpoints.map(({ description }) => description))).toEqual(new Set(storable))
  })
})

describe.skipIf(!isThere)('mutants of real descriptions', () => {
  const files = [
    'authentiq__1.0.yaml',
    'urlbox__main_v1~31.yaml',
    'xkcd__1.0.0.json',
    'test-readmeio-oas-examples__3.1_json_train-travel.json',
    'landregistry__deed_1.0.0.yaml',
    'bikewise__v2.json',
  ]
  const SNIPPETS = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ': ',
    '\n',
    '- ',
    '&a ',
    '*a',
    '$ref',
    '\0',
    '\t',
    'null',
    '1e999',
    '../',
    '#/',
    '\ud800',
  ]

  it('are accepted or rejected with 4xx after any change of bytes', () => {
    const sources = files.map((file) => readData(`openapi/${file}`))
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(40),
      put: fc.oneof(
        fc.constantFrom(...SNIPPETS).map((text) => encoder.encode(text)),
        fc.uint8Array({ maxLength: 4 }),
      ),
    })
    const before = snapshot()
    fc.assert(
      fc.property(
        fc.constantFrom(...sources),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        (source, edits) => {
          let bytes = source
          for (const { at, cut, put } of edits) {
            const start = Math.floor(at * bytes.length)
            bytes = Uint8Array.from([
              ...bytes.subarray(0, start),
              ...put,
              ...bytes.subarray(start + cut),
            ])
          }
          parseOutcome(bytes)
        },
      ),
      { seed: 20261121, numRuns: 250 },
    )
    expect(snapshot()).toEqual(before)
  })

  it('are accepted or rejected with 4xx after any swap of values', () => {
    const documents = files
      .filter((file) => file.endsWith('.json'))
      .map((file) => new TextDecoder().decode(readData(`openapi/${file}`)))
    const odd = fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1.5,
      '',
      'text',
      [],
      {},
      [null],
      [[]],
      { $ref: '#' },
      { $ref: 7 },
      { '': 1 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...documents),
        fc.array(fc.tuple(fc.array(fc.nat(1000), { maxLength: 9 }), odd), {
          minLength: 1,
          maxLength: 8,
        }),
        (text, edits) => {
          const document: unknown = JSON.parse(text)
          for (const [steps, value] of edits) replaceAt(document, steps, value)
          parseOutcome(encoder.encode(JSON.stringify(document)))
        },
      ),
      { seed: 20261122, numRuns: 400 },
    )
  })
})

describe('slow parse', () => {
  it('is terminated in its thread', async () => {
    const isolate = createWorkerIsolate({ maxWorkers: 1 })
    const rows = Array.from({ length: 150_000 }, (_, at) => `  /a${at}: {get: {tags: [a, b]}}`)
    const bytes = encoder.encode(`openapi: 3.0.0\npaths:\n${rows.join('\n')}`)
    const input = { bytes, options: {} }
    await expect(isolate.run(PARSE_TASK, input, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'too_expensive',
    })
    await isolate.close()
  })
})

function deepYaml(count: number): string {
  return `openapi: 3.0.0\n${Array.from({ length: count }, (_, at) => `${' '.repeat(at)}a:`).join('\n')}`
}

/** Sets a value at the position that the steps select, each modulo the number of members. */
function replaceAt(root: unknown, steps: readonly number[], value: unknown): void {
  let node = root
  for (const [depth, step] of steps.entries()) {
    if (typeof node !== 'object' || node === null) return
    const keys = Object.keys(node)
    const key = keys[step % Math.max(1, keys.length)]
    if (key === undefined) return
    const owner = node as Record<string, unknown>
    const below = owner[key]
    if (depth === steps.length - 1 || typeof below !== 'object') {
      owner[key] = structuredClone(value)
      return
    }
    node = below
  }
}
