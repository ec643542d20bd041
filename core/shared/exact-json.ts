/** A number in its writer's digits, where a JavaScript number would lose some. */
export class Numeral {
  /** As JSON writes numbers. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Has `JSON.stringify` write the digits as they are. */
  toJSON(): unknown {
    return (JSON as unknown as RawJson).rawJSON(this.text)
  }
}

/**
 * Parses JSON as `JSON.parse` does; numbers that a JavaScript number would change, and integers
 * beyond 2^53, become `Numeral`s. Throws `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!MAY_LOSE.test(text)) return value
  // A reviver, which is told the digits, would cost ten times as much in large texts.
  const numerals: Numeral[] = []
  const marked = text.replace(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || !isLossy(Number(token), token)) return token
    numerals.push(new Numeral(token))
    return String(FIRST_MARK + 2 * (numerals.length - 1))
  })
  return numerals.length === 0 ? value : restore(JSON.parse(marked), numerals)
}

/** ECMAScript's `JSON.rawJSON`, which TypeScript does not know yet. */
interface RawJson {
  rawJSON(text: string): unknown
}

/** Digits that a number may not have room for, or an exponent; in texts too, where it is harmless. */
const MAY_LOSE = /[[:,\s]-?(?:\d[\d.]{15}|[\d.]+[eE])/
/** Of valid JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
/** A number of this size is a mark: all that stood there are replaced. */
const FIRST_MARK = 2 ** 53

function isLossy(value: number, source: string): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return true
  return String(value) !== source && (!Number.isFinite(value) || isRounded(value, source))
}

/** Fifteen significant digits survive always, but in the smallest of numbers. */
function isRounded(value: number, source: string): boolean {
  const digits = (/^-?([\d.]*)/.exec(source)?.[1] ?? '').replace(/^[0.]+/, '')
  const significant = digits.replace('.', '').length
  return significant > 0 && (significant > 15 || Math.abs(value) < 2.3e-308)
}

/** Puts the numerals where their marks stand. */
function restore(value: unknown, numerals: readonly Numeral[]): unknown {
  if (typeof value === 'number') {
    return value < FIRST_MARK ? value : numerals[(value - FIRST_MARK) / 2]
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      value[index] = restore(value[index], numerals)
    }
    return value
  }
  const object = value as Record<string, unknown>
  for (const name of Object.keys(object)) object[name] = restore(object[name], numerals)
  return object
}
