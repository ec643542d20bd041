import * as v from 'valibot'
import { parseBoolean } from '../shared/booleans.ts'
import { parseDay } from '../shared/dates.ts'
import { boundedList } from '../shared/list-schema.ts'
import type { Comparison, Comparisons } from './search/query.ts'
import { findTermIssue } from './search/search-term.ts'

/** Creates the schema of the search term, which is required. */
export function term(description: string) {
  return v.pipe(
    v.string(),
    v.description(description),
    v.rawCheck(({ dataset, addIssue }) => {
      const issue = dataset.typed ? findTermIssue(dataset.value) : undefined
      if (issue !== undefined) addIssue({ message: issue })
    }),
  )
}

/**
 * A comparison with a decimal number (Specification 4.7): an optional operator, optional spaces,
 * and digits with an optional fraction. Or a range of two bounds, `>=4 <7` or `>=4,<7`. Like every
 * member here, it counts as absent if null or empty.
 */
export function numberFilter(description: string) {
  return comparisonMember({
    description,
    like: 'a number like 7.5',
    range: '>=4 <7',
    parse: parseDecimal,
  })
}

/** Creates the schema of a comparison with a year, or of a range of years. */
export function yearFilter(description: string) {
  const range = '>=2019 <=2021'
  return comparisonMember({ description, like: 'a year like 2021', range, parse: parseInteger })
}

/**
 * Creates the schema of a comparison with a calendar day, or of a range. A day is parsed to the
 * milliseconds of its start in UTC.
 */
export function dayFilter(description: string) {
  const range = '>=2021-01-01 <2021-07-01'
  return comparisonMember({ description, like: 'a day like 2021-12-31', range, parse: parseDay })
}

/** One or more of some words, case-insensitive: a list or a comma-separated string. */
export function choices<const Word extends string>(words: readonly Word[], description: string) {
  const wanted = `must be one or more of ${words.join(', ')}`
  const list = boundedList(v.string(), words.length)
  return v.pipe(
    v.optional(v.union([v.string(), list, v.null()], wanted)),
    v.description(description),
    transformText<string | string[] | null | undefined, readonly Word[]>({
      wanted,
      read: (text) => {
        const parts = text.toLowerCase().split(',', words.length + 1)
        const found = parts.flatMap((part) => words.find((word) => word === part.trim()) ?? [])
        const isRead = found.length === parts.length && parts.length <= words.length
        return isRead ? found : undefined
      },
    }),
  )
}

/** Creates the schema of an integer within bounds. */
export function integer(
  bounds: { readonly min: number; readonly max: number },
  description: string,
) {
  const { min, max } = bounds
  return optionalMember({
    description,
    wanted: `must be an integer from ${min} to ${max}`,
    read: (text) => {
      const value = parseInteger(text)
      return value === undefined || value < min || value > max ? undefined : value
    },
  })
}

/** Creates the schema of a string of at most `maxLength` characters that matches `pattern`. */
export function text(
  form: { readonly maxLength: number; readonly pattern?: RegExp; readonly wanted: string },
  description: string,
) {
  const { maxLength, pattern = /^/, wanted } = form
  return optionalMember({
    description,
    wanted: `must be ${wanted}`,
    read: (value) => (value.length <= maxLength && pattern.test(value) ? value : undefined),
  })
}

/**
 * Metrics of a CVSS vector in the order sent. The version prefix of a complete vector is removed.
 */
export function vector(description: string) {
  return optionalMember({
    description,
    wanted: 'must be metrics of a CVSS vector, like AV:N/PR:N',
    read: (value) => {
      const metrics = value.replace(/^CVSS:\d\.\d\//i, '').split('/')
      const isVector = metrics.length <= 40 && metrics.every((each) => METRIC.test(each))
      return isVector ? metrics : undefined
    },
  })
}

const METRIC = /^[A-Za-z]{1,3}:[A-Za-z]{1,6}$/

/** Creates the schema of a boolean, as JSON or as a string; false counts as absent. */
export function flag(description: string) {
  const wanted = 'must be true or false'
  return v.pipe(
    v.optional(v.union([v.boolean(), v.string(), v.number(), v.null()], wanted)),
    v.description(description),
    v.check((value) => parseBoolean(String(value ?? '')) !== undefined, wanted),
    v.transform((value) => parseBoolean(String(value ?? '')) === true),
  )
}

function comparisonMember(form: {
  readonly description: string
  /** Describes the operand. */
  readonly like: string
  /** An example. */
  readonly range: string
  readonly parse: (text: string) => number | undefined
}) {
  const { description, like, range, parse } = form
  return optionalMember({
    description,
    wanted: `must be ${like}, optionally after >, <, >=, <= or =, or a range like ${range}`,
    read: (text) => parseComparisons(text, parse),
  })
}

/** Creates the schema of a string or number; undefined if null or empty. */
function optionalMember<T>(form: {
  readonly description: string
  readonly wanted: string
  readonly read: (text: string) => T | undefined
}) {
  return v.pipe(
    v.optional(v.union([v.string(), v.number(), v.null()], form.wanted)),
    v.description(form.description),
    transformText<string | number | null | undefined, T>(form),
  )
}

/** Reads the value as a string; undefined if null or empty. */
function transformText<Input, T>(form: {
  readonly wanted: string
  /** Returns undefined for an invalid value. */
  readonly read: (text: string) => T | undefined
}) {
  return v.rawTransform<Input, T | undefined>(({ dataset, addIssue, NEVER }) => {
    const text = String(dataset.value ?? '').trim()
    if (text === '') return undefined
    const value = form.read(text)
    if (value !== undefined) return value
    addIssue({ message: form.wanted })
    return NEVER
  })
}

const COMPARISONS = /^(>=|<=|>|<|=)?\s*([^\s,<>=]+)(?:(?:\s*,\s*|\s+)(>=|<=|>|<)\s*([^\s,<>=]+))?$/

function parseComparisons(
  text: string,
  parse: (text: string) => number | undefined,
): Comparisons | undefined {
  const [, operator = '=', operand = '', second, bound = ''] = COMPARISONS.exec(text) ?? []
  const value = parse(operand)
  if (value === undefined) return undefined
  const first = { operator: operator as Comparison['operator'], value }
  if (second === undefined) return first
  const end = parse(bound)
  // A range has a lower and an upper bound.
  if (end === undefined || operator === '=' || operator[0] === second[0]) return undefined
  return [first, { operator: second as Comparison['operator'], value: end }]
}

function parseDecimal(text: string): number | undefined {
  return /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined
}

function parseInteger(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
