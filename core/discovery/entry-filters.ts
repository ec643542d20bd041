import { ServiceError } from '../errors.ts'
import { compareCodePoints } from '../shared/text.ts'
import type { IndexedEntry } from './entry-index.ts'

/** Fields that filters and facets accept, with the entry's values. */
const FIELDS: ReadonlyMap<string, (entry: IndexedEntry) => readonly string[]> = new Map([
  ['identifier', ({ identifier }) => [identifier]],
  ['displayName', ({ displayName }) => [displayName]],
  ['type', ({ type }) => [type]],
  ['publisher', ({ publisher }) => [publisher]],
  ['tags', ({ tags }) => [...new Set(tags)]],
  ['version', ({ version }) => toList(version)],
  ['metadata.vendor', ({ vendor }) => [vendor]],
  ['metadata.category', ({ category }) => toList(category)],
])

type Predicate = (entry: IndexedEntry) => boolean

/**
 * Creates the predicate of a structured filter: all fields have to match, each with any of its
 * values, ignoring case. Throws `invalid_input` for unsupported fields.
 */
export function createFilter(
  filter: Readonly<Record<string, string | readonly string[]>>,
): Predicate {
  const conditions = Object.entries(filter).map(([field, values]): Predicate => {
    const read = getFieldReader(field, 'query.filter')
    const wanted = new Set([values].flat().map((value) => value.toLowerCase()))
    return (entry) => read(entry).some((value) => wanted.has(value.toLowerCase()))
  })
  return (entry) => conditions.every((isMet) => isMet(entry))
}

/** The most frequent values of a field, then by value, and the number of all other entries. */
export function countValues(
  entries: readonly IndexedEntry[],
  facet: { readonly field: string; readonly limit: number; readonly minCount: number },
) {
  const read = getFieldReader(facet.field, 'resultType.facets')
  const counts = new Map<string, number>()
  for (const entry of entries) {
    for (const value of read(entry)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const all = [...counts]
    .map(([value, count]) => ({ value, count }))
    .filter(({ count }) => count >= facet.minCount)
    .sort((one, other) => other.count - one.count || compareCodePoints(one.value, other.value))
  const otherCount = all.slice(facet.limit).reduce((sum, { count }) => sum + count, 0)
  return { buckets: all.slice(0, facet.limit), otherCount }
}

/**
 * Parses the filter expression of a list: `type = 'a,b' AND createdAfter > '2026-01-31'`. Throws
 * `invalid_input` with the reason.
 */
export function parseFilterExpression(expression: string): Predicate {
  const conditions: Predicate[] = []
  let rest = expression.trim()
  while (rest !== '') {
    const [whole = '', field = '', operator = '', ...values] = CONDITION.exec(rest) ?? []
    const value = values.find((each) => each !== undefined) ?? ''
    const condition = createCondition(field, { value, operator })
    if (!condition || !OPERATORS[field]?.includes(operator)) {
      throw createInputError('filter', {
        in: 'query',
        message: `cannot be read at "${rest.slice(0, 60)}": must be conditions such as type = 'application/openapi+json' AND updatedAfter > '2026-01-31'`,
      })
    }
    conditions.push(condition)
    rest = rest.slice(whole.length)
  }
  return (entry) => conditions.every((isMet) => isMet(entry))
}

/** One condition, with the `AND` that another one follows. */
const CONDITION =
  /^([A-Za-z]{1,40})\s*(>=|=|>)\s*(?:'([^']*)'|"([^"]*)"|([^\s'"]+))(?:\s+AND\s+(?=\S)|\s*$)/i

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  displayName: ['='],
  type: ['='],
  publisherId: ['='],
  createdAfter: ['=', '>', '>='],
  updatedAfter: ['=', '>', '>='],
}

function createCondition(
  field: string,
  { value, operator }: { readonly value: string; readonly operator: string },
): Predicate | undefined {
  const wanted = value.toLowerCase()
  const listed = new Set(wanted.split(',').map((each) => each.trim()))
  const time = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  const isAfter = (at: number) => (operator === '>' ? at > time : at >= time)
  switch (field) {
    case 'displayName':
      return ({ displayName }) => displayName.toLowerCase().includes(wanted)
    case 'type':
      return ({ type }) => listed.has(type)
    case 'publisherId':
      return ({ publisher }) => listed.has(publisher)
    case 'createdAfter':
      return Number.isNaN(time) ? undefined : ({ createdAt }) => isAfter(createdAt)
    case 'updatedAfter':
      return Number.isNaN(time) ? undefined : ({ updatedAt }) => isAfter(updatedAt)
    default:
      return undefined
  }
}

/** Parses `displayName, updatedAt DESC`. Throws `invalid_input` for other fields. */
export function parseOrder(orderBy: string): (one: IndexedEntry, other: IndexedEntry) => number {
  const orders = orderBy.split(',').map((part) => {
    const [field = '', direction = 'asc', ...others] = part.trim().split(/\s+/)
    const compare = ORDERS.get(field)
    if (!compare || !/^(?:asc|desc)$/i.test(direction) || others.length > 0) {
      throw createInputError('orderBy', {
        in: 'query',
        message: `must list the fields displayName, createdAt and updatedAt, each optionally followed by ASC or DESC: "${part.trim().slice(0, 60)}"`,
      })
    }
    return { compare, sign: /^desc$/i.test(direction) ? -1 : 1 }
  })
  return (one, other) => {
    for (const { compare, sign } of orders) {
      const order = compare(one, other) * sign
      if (order !== 0) return order
    }
    return 0
  }
}

type Compare = (one: IndexedEntry, other: IndexedEntry) => number

const byName: Compare = (one, other) => one.position - other.position
const byCreation: Compare = (one, other) => one.createdAt - other.createdAt
const byUpdate: Compare = (one, other) => one.updatedAt - other.updatedAt

/** The specification spells the fields in two ways. */
const ORDERS: ReadonlyMap<string, Compare> = new Map([
  ['displayName', byName],
  ['name', byName],
  ['createdAt', byCreation],
  ['created_at', byCreation],
  ['updatedAt', byUpdate],
  ['updated_at', byUpdate],
])

function getFieldReader(field: string, name: string) {
  const read = FIELDS.get(field)
  if (read) return read
  const message = `does not support the field "${field.slice(0, 60)}": must be one of ${[...FIELDS.keys()].join(', ')}`
  throw createInputError(name, { in: 'body', message })
}

/** Creates an `invalid_input` error of one field. */
export function createInputError(
  name: string,
  issue: { readonly in: 'query' | 'body'; readonly message: string },
): ServiceError {
  const { message } = issue
  return new ServiceError('invalid_input', `${name} ${message}`, {
    issues: [{ in: issue.in, name, message }],
  })
}

function toList(value: string): readonly string[] {
  return value === '' ? [] : [value]
}
