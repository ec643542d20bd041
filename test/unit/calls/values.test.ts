import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../core/catalogue/records.ts'
import { parseExactJson } from '../../../core/shared/exact-json.ts'
import { createRequestBody, decodeBody, errorOf, issuesOf, toLine, toPlan } from './support.ts'

function buildQuery(shape: Partial<Parameter>, x: unknown): string {
  return toLine(toPlan({ parameters: [{ name: 'x', placement: 'query', ...shape }] }).build({ x }))
}

function refuse(shape: Partial<Parameter>, x: unknown): string | undefined {
  const plan = toPlan({ parameters: [{ name: 'x', placement: 'query', ...shape }] })
  return issuesOf(() => plan.build({ x })).x
}

describe('Types', () => {
  it('accept strings for other scalars if nothing is lost', () => {
    expect(buildQuery({ type: 'integer' }, '7')).toBe('/things?x=7')
    expect(buildQuery({ type: 'integer' }, '12345678901234567890')).toBe(
      '/things?x=12345678901234567890',
    )
    expect(buildQuery({ type: 'number' }, '1.10')).toBe('/things?x=1.10')
    expect(buildQuery({ type: 'boolean' }, 'true')).toBe('/things?x=true')
    expect(buildQuery({ type: 'string' }, 7)).toBe('/things?x=7')
    expect(buildQuery({ type: 'string' }, false)).toBe('/things?x=false')
    expect(buildQuery({ type: 'array' }, 'a,b')).toBe('/things?x=a%2Cb')
    expect(buildQuery({ type: 'array' }, '["a","b"]')).toBe('/things?x=a&x=b')
    expect(buildQuery({ type: 'object' }, '{"a":1}')).toBe('/things?a=1')
    expect(buildQuery({ type: '' }, [1, true, null, 'a'])).toBe('/things?x=1&x=true&x=a')
  })

  it('refuse values that would lose something, without repeating them', () => {
    const integer = 'must be an integer'
    for (const value of ['07', '7.0', '', ' 7', '1e3', 7.5, true, [7], 1e21]) {
      expect(refuse({ type: 'integer' }, value)).toBe(integer)
    }
    expect(refuse({ type: 'number' }, '0x1')).toBe('must be a number')
    expect(refuse({ type: 'boolean' }, 'yes')).toBe('must be true or false')
    expect(refuse({ type: 'boolean' }, 1)).toBe('must be true or false')
    expect(refuse({ type: 'string' }, { a: 1 })).toBe('must be a string')
    expect(refuse({ type: 'object' }, '[1]')).toBe('must be an object')
    expect(refuse({ type: 'object' }, '{oops')).toBe('must be an object')
    expect(refuse({ type: '' }, { bytes: new Uint8Array(1) })).toBe('must not be a file')
  })

  it('accept any of several types, the type of the value first', () => {
    const shape = { type: 'object', otherTypes: ['integer'] }
    expect(buildQuery(shape, 5)).toBe('/things?x=5')
    expect(buildQuery(shape, '5')).toBe('/things?x=5')
    expect(buildQuery(shape, { gte: 5 })).toBe('/things?gte=5')
    expect(refuse(shape, 'a')).toBe('must be an object, or an integer')
  })

  it('accept common synonyms, and ignore unknown types', () => {
    expect(buildQuery({ type: 'int' }, '7')).toBe('/things?x=7')
    expect(refuse({ type: 'int' }, 'a')).toBe('must be an integer')
    expect(buildQuery({ type: 'uuid' }, 'a')).toBe('/things?x=a')
  })

  it('apply to each item of a list', () => {
    const items = { type: 'integer', enum: [] }
    expect(buildQuery({ type: 'array', items }, ['1', 2])).toBe('/things?x=1&x=2')
    expect(refuse({ type: 'array', items }, ['1', 'b'])).toBe('item 2 must be an integer')
  })
})

describe('Numbers that lose digits', () => {
  const digits = '9007199254740993'
  const given = parseExactJson(`{"id":${digits},"list":[${digits},1],"in":{"b":[1e400]}}`) as {
    readonly id: unknown
    readonly list: unknown
    readonly in: unknown
  }
  const beyond = 'must be a string: numbers beyond 2^53 lose digits'

  it('keep their digits from JSON, for every type', () => {
    for (const type of ['integer', 'number', 'string', '', 'array']) {
      expect(buildQuery({ type }, given.id)).toBe(`/things?x=${digits}`)
    }
    for (const items of [undefined, { type: 'string', enum: [] }, { type: 'integer', enum: [] }]) {
      const shape = { type: 'array', ...(items ? { items } : {}) }
      expect(buildQuery(shape, given.list)).toBe(`/things?x=${digits}&x=1`)
    }
    expect(buildQuery({ type: 'object' }, given.in)).toBe('/things?b=%5B1e400%5D')
    expect(buildQuery({ type: 'object' }, `{"a":${digits}}`)).toBe(`/things?a=${digits}`)
    expect(refuse({ type: 'integer', range: { maximum: 5 } }, given.id)).toBe('must be at most 5')
    expect(refuse({ type: 'boolean' }, given.id)).toBe('must be true or false')
    expect(refuse({ type: 'integer' }, parseExactJson('[1e400]'))).toBe('must be an integer')
  })

  it('keep their digits in bodies, declared or not', () => {
    const body = createRequestBody('application/json', { allowsAdditional: true })
    const parameters = [{ name: 'in', placement: 'body', type: 'object' }] as const
    const call = toPlan({ method: 'post', body, parameters }).build(given)
    expect(decodeBody(call)).toBe(`{"in":{"b":[1e400]},"id":${digits},"list":[${digits},1]}`)
  })

  it('are refused from an in-process caller, at any depth', () => {
    const lost = Number(digits)
    for (const type of ['integer', 'string', '', 'array']) {
      expect(refuse({ type }, lost)).toBe(beyond)
    }
    for (const items of [undefined, { type: 'string', enum: [] }]) {
      const shape = { type: 'array', ...(items ? { items } : {}) }
      expect(refuse(shape, [1, lost])).toBe(
        items ? `item 2 ${beyond}` : `contains a value that ${beyond}`,
      )
    }
    expect(refuse({ type: 'object' }, { a: [{ b: lost }] })).toBe(`contains a value that ${beyond}`)
    const body = createRequestBody('application/json', { allowsAdditional: true })
    const plan = toPlan({ method: 'post', body })
    expect(issuesOf(() => plan.build({ a: { b: lost }, c: 5n, d: Number.NaN }))).toEqual({
      a: `contains a value that ${beyond}`,
      c: 'must be a string, not a bigint',
      d: 'must be a finite number',
    })
    for (const type of ['integer', 'number', 'string', '']) {
      expect(refuse({ type }, Number.POSITIVE_INFINITY)).toBe('must be a finite number')
    }
  })

  it('are accepted for parameters of type number', () => {
    expect(buildQuery({ type: 'number' }, 2 ** 60)).toBe('/things?x=1152921504606847000')
    expect(buildQuery({ type: 'array', items: { type: 'number', enum: [] } }, [2 ** 60])).toBe(
      '/things?x=1152921504606847000',
    )
    expect(
      decodeBody(
        toPlan({
          method: 'post',
          body: createRequestBody('application/json', { allowsAdditional: true }),
        }).build({ a: { b: 1e300 } }),
      ),
    ).toBe('{"a":{"b":1e+300}}')
  })

  it('are not searched in cyclic values', () => {
    const ring: Record<string, unknown> = {}
    ring.a = ring
    ring.b = ring
    expect(refuse({ type: 'object' }, ring)).toBe('is nested too deeply')
  })
})

describe('Strings for lists', () => {
  it('are split at commas unless the whole string is an item', () => {
    const items = { type: 'integer', enum: [] }
    expect(buildQuery({ type: 'array', items, explode: false }, '1,2')).toBe('/things?x=1,2')
    expect(buildQuery({ type: 'array', items: { type: 'string', enum: [] } }, 'a,b')).toBe(
      '/things?x=a%2Cb',
    )
    expect(refuse({ type: 'array', items }, '1,b')).toBe('item 1 must be an integer')
  })
})

describe('Allowed values', () => {
  it('are compared as text', () => {
    expect(buildQuery({ type: 'integer', enum: ['1', '2'] }, '2')).toBe('/things?x=2')
    expect(refuse({ type: 'integer', enum: ['1', '2'] }, 3)).toBe('must be one of: 1, 2')
    expect(refuse({ enum: ['a', 'B'] }, 'b')).toBe('must be one of: a, B')
  })

  it('are accepted even if they contradict the declared type', () => {
    expect(buildQuery({ type: 'number', enum: ['SALE'] }, 'SALE')).toBe('/things?x=SALE')
    expect(refuse({ type: 'number', enum: ['SALE'] }, 'sale')).toBe('must be a number')
  })

  it('may be listed with surrounding spaces', () => {
    expect(buildQuery({ enum: ['a', ' b'] }, 'b')).toBe('/things?x=b')
    expect(refuse({ enum: ['a', ' b'] }, 'c')).toBe('must be one of: a, b')
  })

  it('apply to items, wherever they are listed', () => {
    const listed = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }
    expect(buildQuery(listed, ['a', 'b'])).toBe('/things?x=a&x=b')
    expect(refuse(listed, ['a', 'c'])).toBe('item 2 must be one of: a, b')
    expect(buildQuery({ type: 'array', enum: ['a', 'b'] }, ['b'])).toBe('/things?x=b')
    expect(refuse({ type: 'array', enum: ['a', 'b'] }, ['c'])).toBe('must be one of: a, b')
  })
})

describe('Bounds', () => {
  it.each([
    [{ minimum: 1 }, 0, 'must be at least 1'],
    [{ maximum: 9 }, '10', 'must be at most 9'],
    [{ maximum: 9 }, '99999999999999999999', 'must be at most 9'],
    [{ exclusiveMinimum: 1 }, 1, 'must be more than 1'],
    [{ exclusiveMaximum: 9 }, 9, 'must be less than 9'],
  ])('of numbers are enforced: %j', (range, value, message) => {
    expect(refuse({ type: 'integer', range }, value)).toBe(message)
  })

  it('of strings count characters', () => {
    expect(buildQuery({ range: { maxLength: 2 } }, '😀😀')).toBe(
      '/things?x=%F0%9F%98%80%F0%9F%98%80',
    )
    expect(refuse({ range: { maxLength: 2 } }, 'abc')).toBe('must be at most 2 characters long')
    expect(refuse({ range: { minLength: 2 } }, '😀')).toBe('must be at least 2 characters long')
  })

  it('of lists count items', () => {
    const range = { minItems: 2, maxItems: 3 }
    expect(refuse({ type: 'array', range }, 'a')).toBe('must have at least 2 items')
    expect(refuse({ type: 'array', range }, [1, 2, 3, 4])).toBe('must have at most 3 items')
  })
})

describe('Names', () => {
  const twice = toPlan({
    method: 'put',
    path: '/things/{id}',
    body: createRequestBody('application/json'),
    parameters: [
      { name: 'id', placement: 'path' },
      { name: 'id', placement: 'body', type: 'integer' },
      { name: 'mark', placement: 'query' },
    ],
  })

  it('that are ambiguous need their placement', () => {
    const call = twice.build({ 'path.id': 'a', 'body.id': 5, mark: 'm' })
    expect([toLine(call), decodeBody(call)]).toEqual(['/things/a?mark=m', '{"id":5}'])
    expect(issuesOf(() => twice.build({ id: 'a' }))).toEqual({
      id: 'is ambiguous: use "path.id" or "body.id"',
      'path.id': 'is required',
    })
  })

  it('may always be qualified by placement, but not set twice', () => {
    expect(toLine(twice.build({ 'path.id': 'a', 'query.mark': 'm' }))).toBe('/things/a?mark=m')
    expect(issuesOf(() => twice.build({ 'path.id': 'a', mark: 'm', 'query.mark': 'n' }))).toEqual({
      'query.mark': 'is set twice: also as "mark"',
    })
  })

  it('of headers are case-insensitive', () => {
    const plan = toPlan({ parameters: [{ name: 'X-Mark', placement: 'header' }] })
    expect(plan.build({ 'x-mark': 'a' }).headers).toEqual([['x-mark', 'a']])
  })

  it('that are unknown are refused, also those of inherited members', () => {
    expect(issuesOf(() => toPlan({}).build({ x: 1, constructor: 2, y: null }))).toEqual({
      x: 'is not a parameter of the endpoint',
      constructor: 'is not a parameter of the endpoint',
    })
  })
})

describe('Missing values', () => {
  it('include null and undefined, and required ones use their default', () => {
    const plan = toPlan({
      path: '/things/{id}',
      parameters: [
        { name: 'id', placement: 'path' },
        { name: 'page', placement: 'query', type: 'integer', defaultValue: '1' },
        { name: 'size', placement: 'query', type: 'integer', defaultValue: '9', isRequired: true },
      ],
    })
    expect(toLine(plan.build({ id: 'a', page: null, size: undefined }))).toBe('/things/a?size=9')
    expect(issuesOf(() => plan.build({ id: null }))).toEqual({ id: 'is required' })
  })
})

describe('A refused call', () => {
  it('shortens the names in its issues to a hundred characters, escaped', () => {
    expect(issuesOf(() => toPlan({}).build({ ['x'.repeat(1_000)]: 1, 'a\r\n': 1 }))).toEqual({
      [`${'x'.repeat(99)}…`]: 'is not a parameter of the endpoint',
      'a\\u000d\\u000a': 'is not a parameter of the endpoint',
    })
  })

  it("lists bounds and items of the endpoint's parameters", () => {
    const plan = toPlan({
      parameters: [
        { name: 'size', placement: 'query', type: 'integer', range: { minimum: 1, maximum: 9 } },
        { name: 'code', placement: 'query', range: { minLength: 2, maxLength: 3 } },
        {
          name: 'tags',
          placement: 'query',
          type: 'array',
          items: { type: 'string', enum: ['a', ' b'] },
          range: { maxItems: 2 },
        },
        { name: 'any', placement: 'query', type: 'array', items: { type: '', enum: [] } },
      ],
    })
    const shared = { placement: 'query', is_required: false }
    expect(errorOf(() => plan.build({ size: 0 })).extra).toEqual({
      parameters: [
        { name: 'size', ...shared, type: 'integer', minimum: 1, maximum: 9 },
        { name: 'code', ...shared, type: 'string', minLength: 2, maxLength: 3 },
        {
          name: 'tags',
          ...shared,
          type: 'array',
          maxItems: 2,
          items: { type: 'string', enum: ['a', 'b'] },
        },
        { name: 'any', ...shared, type: 'array' },
      ],
    })
  })

  it('reports all issues at once, with all parameters of the endpoint', () => {
    const plan = toPlan({
      path: '/things/{id}',
      parameters: [
        { name: 'id', placement: 'path' },
        { name: 'kind', placement: 'query', enum: ['a', 'b'], defaultValue: 'a' },
        { name: 'X-Mark', placement: 'header' },
      ],
    })
    const error = errorOf(() => plan.build({ id: '..', kind: 'c', 'X-Mark': 'a\r\nb: c', z: 1 }))
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('Cannot call the endpoint: invalid parameters')
    expect(error.issues).toEqual([
      { in: 'body', name: 'kind', message: 'must be one of: a, b' },
      { in: 'body', name: 'z', message: 'is not a parameter of the endpoint' },
      { in: 'body', name: 'id', message: 'must not contain . or .. as a path segment' },
      {
        in: 'body',
        name: 'X-Mark',
        message:
          'must not contain line breaks, control characters or characters beyond Latin-1: it is a header',
      },
    ])
    expect(error.extra).toEqual({
      parameters: [
        { name: 'id', placement: 'path', is_required: true, type: 'string' },
        {
          name: 'kind',
          placement: 'query',
          is_required: false,
          type: 'string',
          enum: ['a', 'b'],
          default: 'a',
        },
        { name: 'X-Mark', placement: 'header', is_required: false, type: 'string' },
      ],
    })
  })
})
