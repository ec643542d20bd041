import * as v from 'valibot'
import { parseBoolean } from '../shared/booleans.ts'
import { parseDay } from '../shared/dates.ts'
import type { Comparison } from './search/query.ts'
import { findTermIssue } from './search/term.ts'

/** The term itself, as it was sent: it must be there, and be one that can be searched for. */
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
 * digits with an optional fraction. Like every member here it is absent when null or empty.
 */
export function numberFilter(description: string) {
  return member({
    description,
    wanted: 'must be a number like 7.5, with >, <, >=, <= or = in front of it or nothing',
    read: (text) => readComparison(text, parseDecimal),
  })
}

/** A comparison with a year. */
export function yearFilter(description: string) {
  return member({
    description,
    wanted: 'must be a year like 2021, with >, <, >=, <= or = in front of it or nothing',
    read: (text) => readComparison(text, parseInteger),
  })
}

/** A comparison with a calendar day, as milliseconds at which it begins in UTC. */
export function dayFilter(description: string) {
  return member({
    description,
    wanted: 'must be a day like 2021-12-31, with >, <, >=, <= or = in front of it or nothing',
    read: (text) => readComparison(text, parseDay),
  })
}

/** An integer within bounds. */
export function integer(
  bounds: { readonly min: number; readonly max: number },
  description: string,
) {
  const { min, max } = bounds
  return member({
    description,
    wanted: `must be an integer from ${min} to ${max}`,
    read: (text) => {
      const value = parseInteger(text)
      return value === undefined || value < min || value > max ? undefined : value
    },
  })
}

/** Text of at most `maxLength` characters in which `pattern` is found. */
export function text(
  form: { readonly maxLength: number; readonly pattern?: RegExp; readonly wanted: string },
  description: string,
) {
  const { maxLength, pattern = /^/, wanted } = form
  return member({
    description,
    wanted: `must be ${wanted}`,
    read: (value) => (value.length <= maxLength && pattern.test(value) ? value : undefined),
  })
}

/** Metrics of a CVSS vector in the order given; the version in front of a whole vector is no metric. */
export function vector(description: string) {
  return member({
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

/** A boolean, as JSON or as clients write it in text; false counts as absent. */
export function flag(description: string) {
  const wanted = 'must be true or false'
  return v.pipe(
    v.optional(v.union([v.boolean(), v.string(), v.number(), v.null()], wanted)),
    v.description(description),
    v.check((value) => parseBoolean(String(value ?? '')) !== undefined, wanted),
    v.transform((value) => parseBoolean(String(value ?? '')) === true),
  )
}

/** A member that is text or a number; undefined when it is null or empty. */
function member<T>(form: {
  readonly description: string
  readonly wanted: string
  /** Undefined for what is not wanted. */
  readonly read: (text: string) => T | undefined
}) {
  return v.pipe(
    v.optional(v.union([v.string(), v.number(), v.null()], form.wanted)),
    v.description(form.description),
    v.rawTransform(({ dataset, addIssue, NEVER }): T | undefined => {
      const given = String(dataset.value ?? '').trim()
      if (given === '') return undefined
      const value = form.read(given)
      if (value !== undefined) return value
      addIssue({ message: form.wanted })
      return NEVER
    }),
  )
}

function readComparison(
  given: string,
  parse: (text: string) => number | undefined,
): Comparison | undefined {
  const [, operator = '=', operand = ''] = /^(>=|<=|>|<|=)?\s*(\S+)$/.exec(given) ?? []
  const value = parse(operand)
  return value === undefined ? undefined : { operator: operator as Comparison['operator'], value }
}

function parseDecimal(given: string): number | undefined {
  return /^\d{1,15}(\.\d{1,15})?$/.test(given) ? Number(given) : undefined
}

function parseInteger(given: string): number | undefined {
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined
}
