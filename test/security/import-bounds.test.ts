import { describe, expect, it } from 'vitest'
import type { EndpointDescription } from '../../core/catalogue/records.ts'
import { ServiceError } from '../../core/errors.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import { ENDPOINT_LIMITS } from '../../core/imports/limits.ts'
import { parseInline } from '../../core/imports/parse-description.ts'
import { listDescriptionBombs } from '../helpers/description-bombs.ts'
import { casesOf } from '../helpers/runs.ts'

const { maxPath, maxParameters, maxEnum, maxAlternatives, maxSchemes, maxItems, maxText, maxName } =
  ENDPOINT_LIMITS

function parseDescriptionText(text: string) {
  return parseInline({ bytes: new TextEncoder().encode(text), options: {} })
}

/** A description of one operation with these members. */
function parseOne(members: object, more: object = {}) {
  const paths = { '/a': { get: members }, '/other': { get: {} } }
  return parseDescriptionText(
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Bounds' }, paths, ...more }),
  )
}

/** Returns the counts and lengths of an endpoint that have bounds. */
function measureEndpoint(endpoint: EndpointDescription) {
  const { parameters, security, servers } = endpoint
  const max = (values: readonly number[]) => Math.max(0, ...values)
  return {
    path: endpoint.path.length,
    parameters: parameters.length,
    enum: max(parameters.map((each) => Math.max(each.enum.length, each.items?.enum.length ?? 0))),
    alternatives: security.length,
    schemes: max(security.map(({ length }) => length)),
    items: max([
      servers.length,
      endpoint.tags.length,
      endpoint.declaredStatuses.length,
      endpoint.body?.mediaTypes.length ?? 0,
      ...security.flat().map(({ scopes }) => scopes.length),
      ...servers.flatMap(({ variables }) => variables.map(({ values }) => values.length)),
    ]),
    text: max([endpoint.description.length, ...parameters.map((each) => each.description.length)]),
    name: max([endpoint.operationId.length, ...parameters.map((each) => each.name.length)]),
    all: JSON.stringify(endpoint).length,
  }
}

describe('description bombs', () => {
  const bombs = listDescriptionBombs(0.1)

  it('number more than fifty', () => {
    expect(bombs.length).toBeGreaterThan(50)
  })

  it.each(casesOf(bombs))(
    '$name: is rejected with a reason, or every endpoint is within bounds',
    ({ build }) => {
      let parsed: ReturnType<typeof parseDescriptionText>
      try {
        parsed = parseDescriptionText(build())
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        expect([error.code, PROBLEM_TYPES[error.code].status]).toEqual([
          expect.stringMatching(/^(?:too_expensive|invalid_description)$/),
          422,
        ])
        expect(error.message.length).toBeLessThan(500)
        return
      }
      for (const endpoint of parsed.endpoints) {
        const size = measureEndpoint(endpoint)
        expect(size.path).toBeLessThanOrEqual(maxPath)
        expect(size.parameters).toBeLessThanOrEqual(maxParameters)
        expect(size.enum).toBeLessThanOrEqual(maxEnum)
        expect(size.alternatives).toBeLessThanOrEqual(maxAlternatives)
        expect(size.schemes).toBeLessThanOrEqual(maxSchemes)
        expect(size.items).toBeLessThanOrEqual(maxItems)
        expect(size.text).toBeLessThanOrEqual(maxText)
        expect(size.name).toBeLessThanOrEqual(maxName)
        expect(size.all).toBeLessThanOrEqual(2 * ENDPOINT_LIMITS.maxKept)
      }
      expect(JSON.stringify(parsed.api).length).toBeLessThan(4 * maxText)
      const { warnings } = parsed.report
      expect(Math.max(0, ...warnings.map(({ message }) => message.length))).toBeLessThan(1100)
      expect(Math.max(0, ...warnings.map(({ pointer }) => pointer.length))).toBeLessThan(1100)
    },
  )

  it('with too many operations are rejected with the limit', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 30_001 }, (_, at) => [`/${at}`, { get: {} }]),
    )
    expect(() => parseDescriptionText(JSON.stringify({ openapi: '3.0.0', paths }))).toThrow(
      'Cannot import the description: more than 30000 operations. Split it into several',
    )
  })
})

describe('operation above the bounds', () => {
  const many = <Item>(count: number, toItem: (at: number) => Item) =>
    Array.from({ length: count }, (_, at) => toItem(at))
  const parameter = (name: string, schema: object, more: object = {}) => ({
    ...{ name, in: 'query', schema },
    ...more,
  })
  const body = (properties: object) => ({
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  })

  it.each([
    [
      'parameters',
      { parameters: many(2500, (at) => parameter(`p${at}`, { type: 'string' })) },
      ['/paths/~1a/get/parameters', 'More than 2000 parameters; the rest were ignored'],
      { parameters: 2000 },
    ],
    [
      'properties of its body',
      body(Object.fromEntries(many(2500, (at) => [`p${at}`, {}]))),
      ['/paths/~1a/get/parameters', 'More than 2000 parameters; the rest were ignored'],
      { parameters: 2000 },
    ],
    [
      'allowed values',
      { parameters: [parameter('p', { enum: many(10_500, (at) => `v${at}`) })] },
      [
        '/paths/~1a/get/parameters',
        'Parameter "p" is too large; its texts and allowed values were truncated',
      ],
      { enum: 10_000 },
    ],
    [
      'security alternatives',
      { security: many(150, (at) => ({ [`s${at}`]: [] })) },
      ['/paths/~1a/get/security', 'More than 100 security alternatives; the rest were ignored'],
      { alternatives: 100 },
    ],
    [
      'schemes',
      { security: [Object.fromEntries(many(30, (at) => [`s${at}`, []]))] },
      ['/paths/~1a/get/security', 'More than 20 schemes in one alternative; the rest were ignored'],
      { schemes: 20 },
    ],
    [
      'tags',
      { tags: many(1500, (at) => `t${at}`) },
      ['/paths/~1a/get/tags', 'More than 1000 tags; the rest were ignored'],
      { items: 1000 },
    ],
    [
      'text',
      { description: 'x'.repeat(150_000) },
      ['/paths/~1a/get/description', 'Truncated from 150000 to 100000 characters'],
      { text: 100_000 },
    ],
    [
      'name',
      { parameters: [parameter('n'.repeat(1200), {}), parameter('p', {})] },
      ['/paths/~1a/get/parameters', 'Ignored a parameter whose name has 1200 characters'],
      { parameters: 1 },
    ],
    [
      'texts of all parameters',
      {
        parameters: many(50, (at) => parameter(`p${at}`, {}, { description: 'x'.repeat(50_000) })),
      },
      [
        '/paths/~1a/get/parameters',
        'Parameters exceed 524288 characters; only the first 10 were imported',
      ],
      { parameters: 10 },
    ],
    [
      'example',
      { responses: { 200: { content: { 'application/json': { example: 'x'.repeat(600_000) } } } } },
      ['/paths/~1a/get/responses', 'Ignored an example of 600000 characters: too large to store'],
      { parameters: 0 },
    ],
  ] as const)(
    'has its %s truncated with a warning, and the rest is imported',
    (_, operation, cut, size) => {
      const { endpoints, report } = parseOne(operation)
      expect(endpoints.map(({ path }) => path)).toEqual(['/a', '/other'])
      const [endpoint] = endpoints
      expect(endpoint && measureEndpoint(endpoint)).toMatchObject(size)
      const [pointer, message] = cut
      expect(report.warnings).toContainEqual({ pointer, message })
    },
  )

  it('is skipped with a warning if its path is too long', () => {
    const path = `/${'p'.repeat(4000)}`
    const paths = { [path]: { get: {} }, '/other': { get: {} } }
    const { endpoints, report } = parseDescriptionText(
      JSON.stringify({ openapi: '3.0.0', info: { title: 'A' }, paths }),
    )
    expect(endpoints.map(({ key }) => key)).toEqual(['get /other'])
    expect(report.skipped).toBe(1)
    expect(report.warnings).toEqual([
      {
        pointer: `/paths/~1${'p'.repeat(991)}…`,
        message: 'Path longer than 4000 characters; skipped',
      },
    ])
  })

  it('shares parameters: they are truncated and reported once', () => {
    const schema = { enum: many(10_500, (at) => `v${at}`) }
    const more = { components: { parameters: { p: parameter('p', schema) } } }
    const shared = { parameters: [{ $ref: '#/components/parameters/p' }] }
    const paths = Object.fromEntries(many(20, (at) => [`/${at}`, { get: shared }]))
    const { endpoints, report } = parseDescriptionText(
      JSON.stringify({ openapi: '3.1.0', info: { title: 'A' }, paths, ...more }),
    )
    const parameters = new Set(endpoints.map((endpoint) => endpoint.parameters[0]))
    expect([parameters.size, report.warnings.length]).toEqual([1, 1])
  })
})
