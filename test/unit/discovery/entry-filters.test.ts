import { describe, expect, it } from 'vitest'
import {
  countValues,
  createFilter,
  parseFilterExpression,
  parseOrder,
} from '../../../core/discovery/entry-filters.ts'
import type { IndexedEntry } from '../../../core/discovery/entry-index.ts'
import { ServiceError } from '../../../core/errors.ts'

function toEntry(displayName: string, more: Partial<IndexedEntry> = {}): IndexedEntry {
  return {
    position: 0,
    identifier: `urn:air:a.example:${displayName}`,
    displayName,
    type: 'application/openapi+json',
    publisher: 'a.example',
    tags: [],
    version: '',
    vendor: 'A',
    category: '',
    createdAt: Date.UTC(2026, 0, 1),
    updatedAt: Date.UTC(2026, 0, 1),
    ...more,
  }
}

const MAIL = toEntry('Mail', {
  tags: ['Send', 'send'],
  version: '1',
  category: 'Mail',
  position: 0,
})
const MAPS = toEntry('Maps', {
  publisher: 'b.example',
  tags: ['geo', 'send'],
  position: 1,
  updatedAt: Date.UTC(2026, 5, 1),
})
const TIDES = toEntry('Tides & Maps', { type: 'application/json', position: 2 })
const ALL = [MAIL, MAPS, TIDES]

const namesOf = (isMatch: (entry: IndexedEntry) => boolean) =>
  ALL.filter(isMatch).map(({ displayName }) => displayName)

function catchError(work: () => unknown): ServiceError {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('has not failed')
}

describe('createFilter', () => {
  it.each([
    [{}, ['Mail', 'Maps', 'Tides & Maps']],
    [{ tags: 'SEND' }, ['Mail', 'Maps']],
    [{ tags: ['geo', 'none'] }, ['Maps']],
    [{ tags: ['send'], publisher: ['a.example'] }, ['Mail']],
    [{ type: [] }, []],
    [{ version: '' }, []],
    [{ 'metadata.category': 'mail', 'metadata.vendor': 'a' }, ['Mail']],
    [{ displayName: 'maps' }, ['Maps']],
    [{ identifier: 'urn:air:a.example:Mail' }, ['Mail']],
  ])('%j selects %j', (filter, names) => {
    expect(namesOf(createFilter(filter))).toEqual(names)
  })

  it.each(['host.displayName', 'constructor', '__proto__', ''])(
    'rejects the field "%s"',
    (field) => {
      const error = catchError(() => createFilter(Object.fromEntries([[field, 'x']])))
      expect([error.code, error.issues[0]?.name]).toEqual(['invalid_input', 'query.filter'])
    },
  )
})

describe('countValues', () => {
  it('counts each value once per entry, the most frequent first', () => {
    expect(countValues(ALL, { field: 'tags', limit: 10, minCount: 1 })).toEqual({
      buckets: [
        { value: 'send', count: 2 },
        { value: 'Send', count: 1 },
        { value: 'geo', count: 1 },
      ],
      otherCount: 0,
    })
  })

  it('sums the values beyond the limit, without rare ones', () => {
    const field = 'displayName'
    expect(countValues(ALL, { field, limit: 1, minCount: 1 }).otherCount).toBe(2)
    expect(countValues(ALL, { field, limit: 1, minCount: 2 })).toEqual({
      buckets: [],
      otherCount: 0,
    })
  })
})

describe('parseFilterExpression', () => {
  it.each([
    ['', ['Mail', 'Maps', 'Tides & Maps']],
    ["displayName = 'maps'", ['Maps', 'Tides & Maps']],
    ['displayName = "tides & maps"', ['Tides & Maps']],
    ["type='application/json,application/xml'", ['Tides & Maps']],
    ['publisherId = b.example', ['Maps']],
    ["updatedAfter > '2026-02-01'", ['Maps']],
    ["createdAfter >= '2026-01-01T00:00:00Z'", ['Mail', 'Maps', 'Tides & Maps']],
    ["displayName = 'maps' and publisherId = 'a.example , c.example'", ['Tides & Maps']],
    ["displayName = 'a AND b'", []],
  ])('%s selects %j', (expression, names) => {
    expect(namesOf(parseFilterExpression(expression))).toEqual(names)
  })

  it.each([
    'type',
    "type = 'a' AND",
    "type = 'a' OR type = 'b'",
    "type > 'a'",
    "AND type = 'a'",
    "type = 'a",
    "tags = 'a'",
    "createdAfter > 'soon'",
    "hasOwnProperty = 'a'",
  ])('rejects %s', (expression) => {
    const { code, message } = catchError(() => parseFilterExpression(expression))
    expect(code).toBe('invalid_input')
    expect(message).toMatch(/^filter cannot be read at "/)
  })

  it('reads a hostile expression in linear time', () => {
    const expression = `type = ${' '.repeat(50_000)}'${'a'.repeat(50_000)}`
    expect(catchError(() => parseFilterExpression(expression)).code).toBe('invalid_input')
  })
})

describe('parseOrder', () => {
  it.each([
    ['displayName DESC', ['Tides & Maps', 'Maps', 'Mail']],
    ['updatedAt desc, name', ['Maps', 'Mail', 'Tides & Maps']],
    ['created_at, updated_at, displayName', ['Mail', 'Tides & Maps', 'Maps']],
  ])('%s', (orderBy, names) => {
    expect([...ALL].sort(parseOrder(orderBy)).map(({ displayName }) => displayName)).toEqual(names)
  })

  it.each(['', 'color', 'displayName UP', 'displayName ASC ASC', ','])(
    'rejects "%s"',
    (orderBy) => {
      expect(catchError(() => parseOrder(orderBy)).message).toMatch(/^orderBy must list the fields/)
    },
  )
})

describe('times', () => {
  it('distinguishes after from not before', () => {
    const at = "'2026-06-01T00:00:00Z'"
    expect(namesOf(parseFilterExpression(`updatedAfter > ${at}`))).toEqual([])
    expect(namesOf(parseFilterExpression(`updatedAfter >= ${at}`))).toEqual(['Maps'])
    expect(catchError(() => parseFilterExpression("createdAfter = '5'")).code).toBe('invalid_input')
  })
})
