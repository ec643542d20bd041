import { describe, expect, it } from 'vitest'
import type { ResponseShape } from '../../../core/catalogue/records.ts'
import { parseInline } from '../../../core/imports/parse-description.ts'
import { sampleParameters, sampleResponse } from '../../../core/schemas/samples.ts'

function sample(schema: unknown, components: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = []
  const response: ResponseShape = {
    status: '200',
    mediaType: 'application/json',
    example: undefined,
    schema: JSON.stringify(schema),
  }
  const findComponents = async (pointers: readonly string[]) => {
    asked.push(...pointers)
    return new Map(
      pointers.flatMap((pointer): [string, string][] =>
        Object.hasOwn(components, pointer) ? [[pointer, JSON.stringify(components[pointer])]] : [],
      ),
    )
  }
  return sampleResponse({ response, findComponents }).then((text) => ({ text, asked }))
}

describe('sampling a response', () => {
  it('prefers the documented example and is empty when nothing is known', async () => {
    const none = async () => new Map<string, string>()
    const response = { status: '200', mediaType: '', example: 'shown', schema: '{}' }
    expect(await sampleResponse({ response, findComponents: none })).toBe('shown')
    expect(await sampleResponse({ response: undefined, findComponents: none })).toBe('')
  })

  it('loads components as far as the schema refers to them and stops at cycles', async () => {
    const { text, asked } = await sample(
      { type: 'array', items: { $ref: '#/a' } },
      {
        '/a': { properties: { name: { type: 'string', example: 'x' }, b: { $ref: '#/b' } } },
        '/b': { allOf: [{ properties: { size: { type: 'integer' } } }, { $ref: '#/c' }] },
        '/c': { properties: { parent: { $ref: '#/a' }, at: { type: 'string', format: 'date' } } },
        '/unused': {},
      },
    )
    expect(JSON.parse(text)).toEqual([{ name: 'x', b: { size: 0, at: '2019-08-24' } }])
    expect(asked).toEqual(['/a', '/b', '/c'])
  })

  it('stays small where lists of lists multiply what they hold', async () => {
    let schema: unknown = { type: 'string', example: 'x'.repeat(10_000) }
    for (let level = 0; level < 9; level += 1)
      schema = { type: 'array', minItems: 3, items: schema }
    expect((await sample(schema)).text.length).toBeLessThan(300_000)
    const shallow = { type: 'array', minItems: 2, items: { type: 'array', minItems: 3, items: {} } }
    expect((await sample({ ...shallow, example: undefined })).text).toBe(
      JSON.stringify([
        [null, null, null],
        [null, null, null],
      ]),
    )
  })

  it('leaves out an example that is too large beside what else there is', async () => {
    const { text } = await sample({
      type: 'object',
      properties: {
        large: { type: 'string', example: 'x'.repeat(400_000) },
        small: { type: 'string', example: 'y' },
      },
    })
    expect(JSON.parse(text)).toEqual({ large: 'string', small: 'y' })
  })

  it('takes the first alternative that is not null and leaves out what is only written', async () => {
    const { text } = await sample({
      oneOf: [
        { type: 'null' },
        {
          type: 'object',
          properties: { a: { enum: ['first', 'second'] }, b: { type: 'string', writeOnly: true } },
          additionalProperties: { type: 'boolean' },
        },
      ],
    })
    expect(JSON.parse(text)).toEqual({ a: 'first' })
  })

  it('stays small for schemas that would multiply without end', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`/s${index}`, wideSchema(60)]),
    )
    const { text } = await sample({ $ref: '#/s0' }, wide)
    expect(text.length).toBeLessThan(200_000)
    const { text: long } = await sample({
      type: 'array',
      minItems: 1e9,
      items: { type: 'string', minLength: 1e9 },
    })
    expect(long.length).toBeLessThan(1000)
  })

  it('is empty for a schema whose components are gone', async () => {
    expect((await sample({ $ref: '#/gone' })).text).toBe('')
  })
})

describe('sampling the parameters of a call', () => {
  it('gives each required one a text, in the order example, default, allowed value, type', async () => {
    const text = JSON.stringify({
      openapi: '3.0.0',
      paths: {
        '/a/{id}': {
          get: {
            parameters: [
              { name: 'id', in: 'path', example: 7, schema: { default: 1 } },
              { name: 'id', in: 'query', required: true, schema: { default: 2 } },
              { name: 'kind', in: 'query', required: true, schema: { enum: ['k', 'l'] } },
              { name: 'n', in: 'query', required: true, schema: { type: 'integer' } },
              { name: 'flag', in: 'query', required: true, schema: { type: 'boolean' } },
              {
                name: 'when',
                in: 'query',
                required: true,
                schema: { type: 'string', format: 'date' },
              },
              { name: 'list', in: 'query', required: true, schema: { type: 'array', items: {} } },
              { name: 'left', in: 'query', schema: { type: 'string' } },
            ],
          },
        },
      },
    })
    const { endpoints } = parseInline({
      bytes: new TextEncoder().encode(text),
      options: {},
    })
    expect(await sampleParameters(endpoints[0]?.parameters ?? [])).toEqual({
      'path.id': '7',
      'query.id': '2',
      kind: 'k',
      n: '0',
      flag: 'true',
      when: '2019-08-24',
      list: '[]',
    })
  })
})

function wideSchema(count: number) {
  return {
    type: 'object',
    additionalProperties: { $ref: '#/s1' },
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: `#/s${index}` }]),
    ),
  }
}
