import type { Parameter, ValueRange } from '../catalogue/records.ts'
import { Numeral, parseExactJson } from '../shared/exact-json.ts'
import { toFile } from './files.ts'
import { findLoss } from './losses.ts'
import { isJsonObject, isUpload, toPlainText } from './values.ts'

/** Constraints of a value. */
export interface ValueRule {
  /** JSON Schema types, and `file`; empty for any type. */
  readonly types: readonly string[]
  /** As text; undefined to allow any value. */
  readonly allowed: ReadonlySet<string> | undefined
  readonly range: ValueRange | undefined
  readonly items: ValueRule | undefined
}

/** Why a value is refused. Must not contain the value, which may be a secret. */
export class Refusal {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** Converts a described parameter to a rule. */
export function toRule(
  parameter: Pick<Parameter, 'type' | 'otherTypes' | 'enum' | 'range' | 'items'>,
): ValueRule {
  const { otherTypes = [], items } = parameter
  const type = TYPE_SYNONYMS.get(parameter.type) ?? parameter.type
  const listed = parameter.enum
  return {
    // An unknown type is no constraint.
    types: TYPE_NAMES.has(type) ? [type, ...otherTypes] : [],
    // Lists that were split at commas have spaces before their values.
    allowed: listed.length > 0 ? new Set(listed.flatMap((one) => [one.trim(), one])) : undefined,
    range: parameter.range,
    items: items && toRule({ type: items.type, enum: items.enum }),
  }
}

/**
 * Converts a value to the rule's type, or returns a `Refusal`. If nothing is lost, a string becomes
 * a number, a boolean or parsed JSON, a scalar becomes a string, and a single value becomes an
 * array.
 */
export function applyRule(value: unknown, rule: ValueRule): unknown {
  const loss = mayLoseDigits(value, rule) ? findLoss(value) : undefined
  if (loss !== undefined) return new Refusal(loss)
  const converted = convertToTypes(value, rule.types)
  if (converted instanceof Refusal) {
    // Some descriptions list values that contradict the declared type.
    return typeof value === 'string' && rule.allowed?.has(value) ? value : converted
  }
  if (Array.isArray(converted)) {
    const list = applyToList(converted, rule)
    const isCut = list instanceof Refusal && typeof value === 'string' && value.includes(',')
    // A string that is not a valid item may be a comma-separated list, as in a query.
    const parts = isCut ? applyToList(value.split(','), rule) : list
    return parts instanceof Refusal ? list : parts
  }
  if (rule.allowed !== undefined && !rule.allowed.has(toPlainText(converted))) {
    return createNotAllowedRefusal(rule.allowed)
  }
  return (rule.range && checkRange(converted, rule.range)) ?? converted
}

const TYPE_NAMES = new Map([
  ['string', 'a string'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['file', 'a file: a string, or { text | base64, filename?, content_type? }'],
])

/** Type names in imprecise descriptions. */
const TYPE_SYNONYMS = new Map([
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['text', 'string'],
  ['list', 'array'],
])

const INTEGER = /^-?(?:0|[1-9]\d*)$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MAX_LISTED = 20

/**
 * A parameter of type number accepts its rounding. The items of an array are checked individually.
 */
function mayLoseDigits(value: unknown, { types, items }: ValueRule): boolean {
  if (typeof value === 'number') return !(Number.isFinite(value) && types.includes('number'))
  return !(items && Array.isArray(value))
}

function convertToTypes(value: unknown, types: readonly string[]): unknown {
  if (types.length === 0) return isUpload(value) ? new Refusal('must not be a file') : value
  for (const type of types) if (isOfType(value, type)) return value
  for (const type of types) {
    const loosened = coerceValue(value, type)
    if (loosened !== undefined) return loosened
  }
  return new Refusal(`must be ${types.map((type) => TYPE_NAMES.get(type) ?? type).join(', or ')}`)
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'string') return typeof value === 'string'
  if (type === 'integer') return Number.isSafeInteger(value) || isNumeral(value, INTEGER)
  if (type === 'number') return typeof value === 'number' || value instanceof Numeral
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'array') return Array.isArray(value)
  return type === 'object' && isJsonObject(value)
}

function isNumeral(value: unknown, form: RegExp): boolean {
  return value instanceof Numeral && form.test(value.text)
}

function coerceValue(value: unknown, type: string): unknown {
  if (type === 'file') return toFile(value)
  if (type === 'array') return toArray(value)
  if (type === 'string') {
    const isScalar = typeof value === 'boolean' || typeof value === 'number'
    return isScalar || value instanceof Numeral ? toPlainText(value) : undefined
  }
  if (typeof value !== 'string') return undefined
  if (type === 'integer') return INTEGER.test(value) ? toExactNumber(value) : undefined
  if (type === 'number') return NUMBER.test(value) ? toExactNumber(value) : undefined
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined
  const parsed = type === 'object' && value.startsWith('{') ? parseJsonText(value) : undefined
  return isJsonObject(parsed) ? parsed : undefined
}

function toExactNumber(text: string): number | Numeral {
  const number = Number(text)
  return String(number) === text ? number : new Numeral(text)
}

function toArray(value: unknown): readonly unknown[] {
  const parsed =
    typeof value === 'string' && value.startsWith('[') ? parseJsonText(value) : undefined
  return Array.isArray(parsed) ? parsed : [value]
}

function parseJsonText(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    // A string that is not JSON remains a string.
    return undefined
  }
}

/**
 * Applies a rule to an array. Allowed values apply to its items, regardless of where the
 * description lists them.
 */
function applyToList(list: readonly unknown[], rule: ValueRule): unknown {
  const items: unknown[] = []
  for (let index = 0; index < list.length; index += 1) {
    const given = list[index]
    const item = rule.items && given !== null ? applyRule(given, rule.items) : given
    if (item instanceof Refusal) return new Refusal(`item ${index + 1} ${item.message}`)
    if (isUpload(item)) return new Refusal(`item ${index + 1} must not be a file`)
    items.push(item)
  }
  const { allowed, range } = rule
  if (allowed !== undefined && !allowed.has(toPlainText(items))) {
    if (!items.every((item) => allowed.has(toPlainText(item))))
      return createNotAllowedRefusal(allowed)
  }
  if (range?.minItems !== undefined && items.length < range.minItems) {
    return new Refusal(`must have at least ${range.minItems} items`)
  }
  if (range?.maxItems !== undefined && items.length > range.maxItems) {
    return new Refusal(`must have at most ${range.maxItems} items`)
  }
  return items
}

function createNotAllowedRefusal(allowed: ReadonlySet<string>): Refusal {
  const texts = new Set([...allowed].map((text) => text.trim()))
  const more = texts.size > MAX_LISTED ? ', …' : ''
  return new Refusal(`must be one of: ${[...texts].slice(0, MAX_LISTED).join(', ')}${more}`)
}

function checkRange(value: unknown, range: ValueRange): Refusal | undefined {
  if (typeof value === 'string') return checkLength(value, range)
  if (typeof value !== 'number' && !(value instanceof Numeral)) return undefined
  const number = typeof value === 'number' ? value : Number(value.text)
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = range
  if (minimum !== undefined && number < minimum) return new Refusal(`must be at least ${minimum}`)
  if (maximum !== undefined && number > maximum) return new Refusal(`must be at most ${maximum}`)
  if (above !== undefined && number <= above) return new Refusal(`must be more than ${above}`)
  if (below !== undefined && number >= below) return new Refusal(`must be less than ${below}`)
  return undefined
}

/**
 * A string never has more characters than code units, which avoids counting characters in most
 * cases.
 */
function checkLength(text: string, { minLength = 0, maxLength }: ValueRange): Refusal | undefined {
  if (minLength > 0 && (text.length < minLength || [...text].length < minLength)) {
    return new Refusal(`must be at least ${minLength} characters long`)
  }
  if (maxLength !== undefined && text.length > maxLength && [...text].length > maxLength) {
    return new Refusal(`must be at most ${maxLength} characters long`)
  }
  return undefined
}
