import { isCpe, unescapeCpe } from '../cpe.ts'
import type { CpeMatch, CveText, VersionBound, VersionRange } from '../records.ts'
import { type Fields, toFields, toList, toText, wrongField } from './fields.ts'
import { parseTimestamp } from './timestamps.ts'

// Shared by both formats of NVD. Every function throws a `ServiceError` with code `invalid_input`
// that names the field.

/** Parses a time to milliseconds since the epoch. */
export function toTime(value: unknown, field: string): number {
  const time = typeof value === 'string' ? parseTimestamp(value) : undefined
  if (time === undefined) throw wrongField(field, 'a timestamp')
  return time
}

/** Reads descriptions, at least one, and sorts English first. */
export function toDescriptions(value: unknown, field: string): readonly CveText[] {
  const texts = toList(value, field).map((item) => {
    const { lang, value } = toFields(item, field)
    return { language: toText(lang, field), text: toText(value, field) }
  })
  const first = texts[0]
  if (!first) throw wrongField(field, 'a list of at least one description')
  if (texts.length === 1 || isEnglish(first)) return texts
  return [...texts.filter(isEnglish), ...texts.filter((text) => !isEnglish(text))]
}

/** `AND` or `OR`; `OR` if missing. */
export function toOperator(value: unknown, field: string): 'AND' | 'OR' {
  if (value === 'AND' || value === 'OR') return value
  if (value === undefined) return 'OR'
  throw wrongField(field, 'AND or OR')
}

/** A boolean; false if missing. */
export function toFlag(value: unknown, field: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw wrongField(field, 'true or false')
  return value
}

/** Reads products and versions; the member `key` contains their CPE. */
export function toMatch(value: unknown, key: 'criteria' | 'cpe23Uri'): CpeMatch {
  const match = toFields(value, 'cpeMatch')
  const cpe = toText(match[key], key)
  if (!isCpe(cpe)) throw wrongField(key, 'a CPE 2.3 name')
  if (typeof match.vulnerable !== 'boolean') throw wrongField('vulnerable', 'true or false')
  const range = toRange(match)
  return range
    ? { isVulnerable: match.vulnerable, cpe, range }
    : { isVulnerable: match.vulnerable, cpe }
}

/** Reads a score of 0 to 10, rounded to one decimal. */
export function toScore(value: unknown, field: string): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 10)) {
    throw wrongField(field, 'a number from 0 to 10')
  }
  return Math.round(value * 10) / 10
}

function toRange(match: Fields): VersionRange | undefined {
  const from =
    toBound(match.versionStartIncluding, true) ?? toBound(match.versionStartExcluding, false)
  const to = toBound(match.versionEndIncluding, true) ?? toBound(match.versionEndExcluding, false)
  if (from) return to ? { from, to } : { from }
  return to ? { to } : undefined
}

function toBound(value: unknown, isIncluded: boolean): VersionBound | undefined {
  if (value === undefined || value === null) return undefined
  // Some bounds are escaped as in a CPE.
  const version = unescapeCpe(toText(value, 'cpeMatch'))
  return version === '' ? undefined : { version, isIncluded }
}

function isEnglish(text: CveText): boolean {
  return text.language === 'en' || text.language.startsWith('en-')
}
