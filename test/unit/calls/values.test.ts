import { describe, expect, it } from 'vitest'
import type { Parameter } from '../../../core/catalogue/records.ts'
import { errorOf, issuesOf, toBody, toLine, toPlan, toText } from './support.ts'

function send(shape: Partial<Parameter>, x: unknown): string {
  return toLine(toPlan({ parameters: [{ name: 'x', placement: 'query', ...shape }] }).build({ x }))
}

function refuse(shape: Partial<Parameter>, x: unknown): string | undefined {
  const plan = toPlan({ parameters: [{ name: 'x', placement: 'query', ...shape }] })
  return issuesOf(() => plan.build({ x })).x
}

describe('types', () => {
  it('take texts for other scalars where nothing is lost', () => {
    expect(send({ type: 'integer' }, '7')).toBe('/things?x=7')
    expect(send({ type: 'integer' }, '12345678901234567890')).toBe('/things?x=12345678901234567890')
    expect(send({ type: 'number' }, '1.10')).toBe('/things?x=1.10')
    expect(send({ type: 'boolean' }, 'true')).toBe('/things?x=true')
    expect(send({ type: 'string' }, 7)).toBe('/things?x=7')
    expect(send({ type: 'string' }, false)).toBe('/things?x=false')
    expect(send({ type: 'array' }, 'a,b')).toBe('/things?x=a%2Cb')
    expect(send({ type: 'array' }, '["a","b"]')).toBe('/things?x=a&x=b')
    expect(send({ type: 'object' }, '{"a":1}')).toBe('/things?a=1')
    expect(send({ type: '' }, [1, true, null, 'a'])).toBe('/things?x=1&x=true&x=a')
  })

  it('refuse what would lose something, and repeat nothing of it', () => {
    const integer = 'must be an integer (beyond 2^53 as text)'
    for (const value of ['07', '7.0', '', ' 7', '1e3', 7.5, true, [7], 2 ** 60, Number.NaN]) {
      expect(refuse({ type: 'integer' }, value)).toBe(integer)
    }
    expect(refuse({ type: 'number' }, '0x1')).toBe('must be a number')
    expect(refuse({ type: 'boolean' }, 'yes')).toBe('must be true or false')
    expect(refuse({ type: 'boolean' }, 1)).toBe('must be true or false')
    expect(refuse({ type: 'string' }, { a: 1 })).toBe('must be text')
    expect(refuse({ type: 'object' }, '[1]')).toBe('must be an object')
    expect(refuse({ type: 'object' }, '{oops')).toBe('must be an object')
    expect(refuse({ type: '' }, { bytes: new Uint8Array(1) })).toBe('must not be a file')
  })

  it('take any of several types, the given one first', () => {
    const shape = { type: 'object', otherTypes: ['integer'] }
    expect(send(shape, 5)).toBe('/things?x=5')
    expect(send(shape, '5')).toBe('/things?x=5')
    expect(send(shape, { gte: 5 })).toBe('/things?gte=5')
    expect(refuse(shape, 'a')).toBe('must be an object, or an integer (beyond 2^53 as text)')
  })

  it('that JSON Schema does not have are taken for what they mean, or for any', () => {
    expect(send({ type: 'int' }, '7')).toBe('/things?x=7')
    expect(refuse({ type: 'int' }, 'a')).toBe('must be an integer (beyond 2^53 as text)')
    expect(send({ type: 'uuid' }, 'a')).toBe('/things?x=a')
  })

  it('look at each item of a list', () => {
    const items = { type: 'integer', enum: [] }
    expect(send({ type: 'array', items }, ['1', 2])).toBe('/things?x=1&x=2')
    expect(refuse({ type: 'array', items }, ['1', 'b'])).toBe(
      'item 2 must be an integer (beyond 2^53 as text)',
    )
  })
})

describe('texts for lists', () => {
  it('are cut at commas where they are no item as they are', () => {
    const items = { type: 'integer', enum: [] }
    expect(send({ type: 'array', items, explode: false }, '1,2')).toBe('/things?x=1,2')
    expect(send({ type: 'array', items: { type: 'string', enum: [] } }, 'a,b')).toBe(
      '/things?x=a%2Cb',
    )
    expect(refuse({ type: 'array', items }, '1,b')).toBe(
      'item 1 must be an integer (beyond 2^53 as text)',
    )
  })
})

describe('allowed values', () => {
  it('are compared as text', () => {
    expect(send({ type: 'integer', enum: ['1', '2'] }, '2')).toBe('/things?x=2')
    expect(refuse({ type: 'integer', enum: ['1', '2'] }, 3)).toBe('must be one of: 1, 2')
    expect(refuse({ enum: ['a', 'B'] }, 'b')).toBe('must be one of: a, B')
  })

  it('are allowed even where the description names another type', () => {
    expect(send({ type: 'number', enum: ['SALE'] }, 'SALE')).toBe('/things?x=SALE')
    expect(refuse({ type: 'number', enum: ['SALE'] }, 'sale')).toBe('must be a number')
  })

  it('may be listed with blanks around them', () => {
    expect(send({ enum: ['a', ' b'] }, 'b')).toBe('/things?x=b')
    expect(refuse({ enum: ['a', ' b'] }, 'c')).toBe('must be one of: a, b')
  })

  it('hold for items, wherever they are listed', () => {
    const listed = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }
    expect(send(listed, ['a', 'b'])).toBe('/things?x=a&x=b')
    expect(refuse(listed, ['a', 'c'])).toBe('item 2 must be one of: a, b')
    expect(send({ type: 'array', enum: ['a', 'b'] }, ['b'])).toBe('/things?x=b')
    expect(refuse({ type: 'array', enum: ['a', 'b'] }, ['c'])).toBe('must be one of: a, b')
  })
})

describe('bounds', () => {
  it.each([
    [{ minimum: 1 }, 0, 'must be at least 1'],
    [{ maximum: 9 }, '10', 'must be at most 9'],
    [{ maximum: 9 }, '99999999999999999999', 'must be at most 9'],
    [{ exclusiveMinimum: 1 }, 1, 'must be more than 1'],
    [{ exclusiveMaximum: 9 }, 9, 'must be less than 9'],
  ])('of numbers %j', (range, value, message) => {
    expect(refuse({ type: 'integer', range }, value)).toBe(message)
  })

  it('of texts count characters', () => {
    expect(send({ range: { maxLength: 2 } }, '😀😀')).toBe('/things?x=%F0%9F%98%80%F0%9F%98%80')
    expect(refuse({ range: { maxLength: 2 } }, 'abc')).toBe('must be at most 2 characters long')
    expect(refuse({ range: { minLength: 2 } }, '😀')).toBe('must be at least 2 characters long')
  })

  it('of lists count items', () => {
    const range = { minItems: 2, maxItems: 3 }
    expect(refuse({ type: 'array', range }, 'a')).toBe('must have at least 2 items')
    expect(refuse({ type: 'array', range }, [1, 2, 3, 4])).toBe('must have at most 3 items')
  })
})

describe('names', () => {
  const twice = toPlan({
    method: 'put',
    path: '/things/{id}',
    body: toBody('application/json'),
    parameters: [
      { name: 'id', placement: 'path' },
      { name: 'id', placement: 'body', type: 'integer' },
      { name: 'mark', placement: 'query' },
    ],
  })

  it('that stand in two places are written with their place', () => {
    const call = twice.build({ 'path.id': 'a', 'body.id': 5, mark: 'm' })
    expect([toLine(call), toText(call)]).toEqual(['/things/a?mark=m', '{"id":5}'])
    expect(issuesOf(() => twice.build({ id: 'a' }))).toEqual({
      id: 'stands in more than one place: write path.id or body.id',
      'path.id': 'is required',
    })
  })

  it('may be written with their place always, but not twice', () => {
    expect(toLine(twice.build({ 'path.id': 'a', 'query.mark': 'm' }))).toBe('/things/a?mark=m')
    expect(issuesOf(() => twice.build({ 'path.id': 'a', mark: 'm', 'query.mark': 'n' }))).toEqual({
      'query.mark': 'is given twice: as mark too',
    })
  })

  it('of headers fold case', () => {
    const plan = toPlan({ parameters: [{ name: 'X-Mark', placement: 'header' }] })
    expect(plan.build({ 'x-mark': 'a' }).headers).toEqual([['x-mark', 'a']])
  })

  it('that are not known are refused, those of inherited members too', () => {
    expect(issuesOf(() => toPlan({}).build({ x: 1, constructor: 2, y: null }))).toEqual({
      x: 'is not known to the endpoint',
      constructor: 'is not known to the endpoint',
    })
  })
})

describe('missing values', () => {
  it('are null and undefined too; what is required has its default', () => {
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

describe('a refused call', () => {
  it('tells everything at once, with all that the endpoint takes', () => {
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
    expect(error.message).toBe('Cannot call the endpoint: its parameters do not fit')
    expect(error.issues).toEqual([
      { in: 'body', name: 'kind', message: 'must be one of: a, b' },
      { in: 'body', name: 'z', message: 'is not known to the endpoint' },
      { in: 'body', name: 'id', message: 'must not hold . or .. as a step of the path' },
      {
        in: 'body',
        name: 'X-Mark',
        message: 'cannot stand in a header: it has line breaks, controls or non-Latin-1 text',
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
