import * as v from 'valibot'
import { parseBoolean } from '../shared/booleans.ts'
import { isDay } from '../shared/dates.ts'
import { parseExactJson } from '../shared/exact-json.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { parseJsonObject } from './body.ts'
import type { Body, InputRule, JsonSchema, Param } from './operation.ts'

type Placement = Param['in']

/** Parser and documentation of a parameter; `query`, `header` or `form` assigns its location. */
export interface ParamReader<Input, Output> {
  readonly schema: v.GenericSchema<string | undefined, Output>
  readonly document: JsonSchema
  readonly input?: Input
}

/** Declares an optional query parameter. */
export function query<I, O>(reader: ParamReader<I, O>, description: string): Param<I, O> {
  return createParam('query', reader, description)
}

/** Declares an optional header, decoded as UTF-8, Latin-1 or percent-encoded text. */
export function header<I, O>(reader: ParamReader<I, O>, description: string): Param<I, O> {
  return createParam('header', reader, description)
}

/** Declares an optional field of a form, a JSON object, or the query. */
export function form<I, O>(reader: ParamReader<I, O>, description: string): Param<I, O> {
  return createParam('form', reader, description)
}

/** Makes a parameter required and non-empty. */
export function required<I, O>(
  param: Param<I, O>,
): Param<I, Exclude<O, undefined>> & { readonly isRequired: true } {
  return {
    ...param,
    isRequired: true,
    absent: undefined,
    schema: v.pipe(
      v.optional(v.string(), ''),
      v.check((value) => value.trim() !== '', 'is required'),
      param.schema as v.GenericSchema<string, O>,
    ) as unknown as v.GenericSchema<string | undefined, Exclude<O, undefined>>,
  }
}

/** Reads text of at most `maxLength` characters; undefined when absent. */
export function text(maxLength = 1000): ParamReader<string, string | undefined> {
  return {
    schema: v.optional(
      v.pipe(v.string(), v.maxLength(maxLength, `must be at most ${maxLength} characters long`)),
    ),
    document: { type: 'string', maxLength },
  }
}

/**
 * Reads an absolute http or https URL of at most 2,000 characters; undefined when absent or empty.
 */
export function httpUrl(): ParamReader<string, string | undefined> {
  const { schema, document } = text(2_000)
  return {
    schema: v.pipe(
      schema,
      v.transform((value) => (value === '' ? undefined : value)),
      v.optional(v.pipe(v.string(), v.check(isHttpUrl, 'must be an http or https URL'))),
    ),
    document: { ...document, format: 'uri' },
  }
}

/**
 * Reads text that matches a pattern; `wanted` describes the pattern in messages. Undefined when
 * absent or empty. The pattern must have no flags: JSON Schema cannot express them.
 */
export function textMatching(format: {
  readonly pattern: RegExp
  readonly wanted: string
}): ParamReader<string, string | undefined> {
  const { pattern, wanted } = format
  return {
    schema: v.pipe(
      v.optional(v.string()),
      v.transform((value) => (value === '' ? undefined : value)),
      v.optional(v.pipe(v.string(), v.regex(pattern, `must be ${wanted}`))),
    ),
    document: { type: 'string', pattern: pattern.source },
  }
}

/** Reads one of a fixed set of values; undefined when absent or empty. */
export function oneOf<const T extends string>(values: readonly T[]): ParamReader<T, T | undefined> {
  return {
    schema: v.pipe(
      v.optional(v.string()),
      v.transform((value) => (value === '' ? undefined : value)),
      v.optional(v.picklist(values, `must be one of ${values.join(', ')}`)),
    ),
    document: { type: 'string', enum: values },
  }
}

/** Reads a decimal integer within bounds; `fallback` when absent or empty. */
export function integer(bounds: {
  readonly min: number
  readonly max: number
  readonly fallback: number
}): ParamReader<number, number> {
  const { min, max, fallback } = bounds
  const message = `must be an integer from ${min} to ${max}`
  return {
    schema: v.pipe(
      v.optional(v.string(), ''),
      v.check((value) => value === '' || isIntegerText(value, min, max), message),
      v.transform((value) => (value === '' ? fallback : Number(value))),
    ),
    document: { type: 'integer', minimum: min, maximum: max, default: fallback },
  }
}

/** Reads a decimal integer within bounds; undefined when absent or empty. */
export function optionalInteger(bounds: {
  readonly min: number
  readonly max: number
}): ParamReader<number, number | undefined> {
  const { min, max } = bounds
  const message = `must be an integer from ${min} to ${max}`
  return {
    schema: v.pipe(
      v.optional(v.string(), ''),
      v.check((value) => value === '' || isIntegerText(value, min, max), message),
      v.transform((value) => (value === '' ? undefined : Number(value))),
    ),
    document: { type: 'integer', minimum: min, maximum: max },
  }
}

/**
 * Reads a JSON object of at most 100 levels; undefined when absent or empty. Numbers that would
 * lose digits become `Numeral`s.
 */
export function jsonObject(): ParamReader<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>> | undefined
> {
  return {
    schema: v.pipe(
      v.optional(v.string(), ''),
      v.check(
        (value) => value === '' || parseExactJsonObject(value) !== undefined,
        'must be a JSON object',
      ),
      v.transform((value) => (value === '' ? undefined : parseExactJsonObject(value))),
    ),
    document: { type: 'string', contentMediaType: 'application/json' },
  }
}

/** Reads a valid calendar day, `YYYY-MM-DD`; undefined when absent or empty. */
function day(): ParamReader<string, string | undefined> {
  return {
    schema: v.pipe(
      v.optional(v.string()),
      v.transform((value) => (value === '' ? undefined : value)),
      v.optional(v.pipe(v.string(), v.check(isDay, 'must be a calendar day, YYYY-MM-DD'))),
    ),
    document: { type: 'string', format: 'date' },
  }
}

/** Reads a boolean in any spelling that clients send; false when absent. */
export function flag(): ParamReader<boolean, boolean> {
  return {
    schema: v.pipe(
      v.optional(v.string(), ''),
      v.check((value) => parseBoolean(value) !== undefined, 'must be true or false'),
      v.transform((value) => parseBoolean(value) === true),
    ),
    document: { type: 'boolean', default: false },
  }
}

/** `page` and `size` of the searches (Specification 8). */
export const pageParams = {
  size: query(integer({ min: 1, max: 100, fallback: 10 }), 'Results per page.'),
  page: query(integer({ min: 1, max: 1_000_000_000, fallback: 1 }), 'Page number, from 1.'),
}

/** A range of UTC days, including both ends. */
export const dayRangeParams = {
  start_date: query(day(), 'First day, YYYY-MM-DD, UTC.'),
  end_date: query(day(), 'Last day (inclusive), YYYY-MM-DD, UTC.'),
}

/** Rejects a range that ends before it starts. */
export const dayRangeRule: InputRule = {
  names: ['start_date', 'end_date'],
  check({ start_date: start, end_date: end }) {
    if (typeof start !== 'string' || typeof end !== 'string' || start <= end) return undefined
    return { in: 'query', name: 'start_date', message: `must not be after end_date: ${end}` }
  },
}

/** Rejects two mutually exclusive parameters if both are set. */
export function mutuallyExclusiveRule(first: string, second: string): InputRule {
  return {
    names: [first, second],
    check: (input) =>
      input[first] && input[second]
        ? { in: 'query', name: second, message: `must not be set together with ${first}` }
        : undefined,
  }
}

/** Rejects an input without any of the parameters. */
export function oneRequiredRule(...names: readonly [string, ...string[]]): InputRule {
  const list = [...names.slice(0, -2), names.slice(-2).join(' or ')].join(', ')
  return {
    names,
    check: (input) =>
      names.some((name) => input[name] !== undefined && input[name] !== '')
        ? undefined
        : { in: 'query', name: names[0], message: `is required: pass ${list}` },
  }
}

/** Parameters may arrive in a form or JSON body as well as in the query. */
export const formBody = { kind: 'form' } as const satisfies Body

function createParam<I, O>(
  placement: Placement,
  reader: ParamReader<I, O>,
  description: string,
): Param<I, O> {
  const result = v.safeParse(reader.schema, undefined)
  const absent = result.success ? { value: result.output } : undefined
  return { in: placement, ...reader, isRequired: false, absent, description }
}

function isIntegerText(value: string, min: number, max: number): boolean {
  return /^[0-9]{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max
}

function parseExactJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parseJsonObject(text, parseExactJson)
  } catch {
    // The schema's check reports the issue.
    return undefined
  }
}
