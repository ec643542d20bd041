/**
 * A number with its original digits, if a JavaScript number would lose some.
 *
 * @example
 * ```ts
 * import { Numeral, parseExactJson } from 'api-discovery/gateway'
 *
 * const id = parseExactJson('12345678901234567890')
 * id instanceof Numeral // true
 * JSON.stringify({ id }) // '{"id":12345678901234567890}'
 * ```
 */
export class Numeral {
  /** The digits in JSON syntax. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Makes `JSON.stringify` write the original digits. */
  toJSON(): unknown {
    return (JSON as unknown as RawJson).rawJSON(this.text)
  }
}

/**
 * Parses JSON like `JSON.parse`, but returns `Numeral`s for integers beyond 2^53 and for other
 * numbers that a JavaScript number would change. Throws `SyntaxError`.
 *
 * @example
 * ```ts
 * import { parseExactJson } from 'api-discovery/gateway'
 *
 * const value = parseExactJson('{ "id": 12345678901234567890, "size": 3 }')
 * JSON.stringify(value) // '{"id":12345678901234567890,"size":3}'
 * ```
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!MAY_LOSE.test(text)) return value
  // A reviver with access to the digits would take ten times as long for large texts.
  const numerals: Numeral[] = []
  const marked = text.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || !isLossy(Number(token), token)) return token
    numerals.push(new Numeral(token))
    return String(FIRST_MARK + 2 * (numerals.length - 1))
  })
  return numerals.length === 0 ? value : restoreNumerals(JSON.parse(marked), numerals)
}

/** ECMAScript's `JSON.rawJSON`, which TypeScript does not declare yet. */
interface RawJson {
  rawJSON(text: string): unknown
}

/**
 * Prefilter: more digits than a number may store, or an exponent. Matches inside strings are
 * harmless.
 */
const MAY_LOSE = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|[\d.]+[eE])/
/** For valid JSON only. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
/** Numbers from this size on are placeholders: the original ones were all replaced. */
const FIRST_MARK = 2 ** 53

function isLossy(value: number, source: string): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return true
  return String(value) !== source && (!Number.isFinite(value) || isRounded(value, source))
}

/** Fifteen significant digits always survive, except in the smallest numbers. */
function isRounded(value: number, source: string): boolean {
  const digits = (/^-?([\d.]*)/.exec(source)?.[1] ?? '').replace(/^[0.]+/, '')
  const significant = digits.replace('.', '').length
  return significant > 0 && (significant > 15 || Math.abs(value) < 2.3e-308)
}

/** Replaces the placeholders by their numerals. */
function restoreNumerals(value: unknown, numerals: readonly Numeral[]): unknown {
  if (typeof value === 'number') {
    return value < FIRST_MARK ? value : numerals[(value - FIRST_MARK) / 2]
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      value[index] = restoreNumerals(value[index], numerals)
    }
    return value
  }
  const object = value as Record<string, unknown>
  for (const name of Object.keys(object)) object[name] = restoreNumerals(object[name], numerals)
  return object
}
