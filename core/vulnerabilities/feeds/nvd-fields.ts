import { isCpe, unescapeCpe } from '../cpe.ts'
import type { CpeMatch, CveText, VersionBound, VersionRange } from '../records.ts'
import {
  createFieldError,
  expectArray,
  expectObject,
  expectString,
  type Fields,
} from './json-fields.ts'
import { parseTimestamp } from './timestamps.ts'

// Shared by both formats of NVD. Every function throws a `ServiceError` with code `invalid_input`
// that names the field.

/** Parses a time to milliseconds since the epoch. */
export function parseTimeField(value: unknown, field: string): number {
  const time = typeof value === 'string' ? parseTimestamp(value) : undefined
  if (time === undefined) throw createFieldError(field, 'a timestamp')
  return time
}

/** Reads descriptions, at least one, and sorts English first. */
export function parseDescriptions(value: unknown, field: string): readonly CveText[] {
  const texts = expectArray(value, field).map((item) => {
    const { lang, value } = expectObject(item, field)
    return { language: expectString(lang, field), text: expectString(value, field) }
  })
  const first = texts[0]
  if (!first) throw createFieldError(field, 'a list of at least one description')
  if (texts.length === 1 || isEnglish(first)) return texts
  return sortEnglishFirst(texts)
}

/** Sorts English first, else in input order. */
export function sortEnglishFirst(texts: readonly CveText[]): readonly CveText[] {
  return [...texts.filter(isEnglish), ...texts.filter((text) => !isEnglish(text))]
}

/** Parses `AND` or `OR`; `OR` if missing. */
export function parseOperator(value: unknown, field: string): 'AND' | 'OR' {
  if (value === 'AND' || value === 'OR') return value
  if (value === undefined) return 'OR'
  throw createFieldError(field, 'AND or OR')
}

/** Parses a boolean; false if missing. */
export function parseFlag(value: unknown, field: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw createFieldError(field, 'true or false')
  return value
}

/** Reads products and versions; the member `key` contains their CPE. */
export function parseCpeMatch(value: unknown, key: 'criteria' | 'cpe23Uri'): CpeMatch {
  const match = expectObject(value, 'cpeMatch')
  const cpe = expectString(match[key], key)
  if (!isCpe(cpe)) throw createFieldError(key, 'a CPE 2.3 name')
  if (typeof match.vulnerable !== 'boolean') throw createFieldError('vulnerable', 'true or false')
  const range = parseVersionRange(match)
  return range
    ? { isVulnerable: match.vulnerable, cpe, range }
    : { isVulnerable: match.vulnerable, cpe }
}

/** Reads a score of 0 to 10, rounded to one decimal. */
export function parseScore(value: unknown, field: string): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 10)) {
    throw createFieldError(field, 'a number from 0 to 10')
  }
  return Math.round(value * 10) / 10
}

function parseVersionRange(match: Fields): VersionRange | undefined {
  const from =
    parseVersionBound(match.versionStartIncluding, true) ??
    parseVersionBound(match.versionStartExcluding, false)
  const to =
    parseVersionBound(match.versionEndIncluding, true) ??
    parseVersionBound(match.versionEndExcluding, false)
  if (from) return to ? { from, to } : { from }
  return to ? { to } : undefined
}

function parseVersionBound(value: unknown, isIncluded: boolean): VersionBound | undefined {
  if (value === undefined || value === null) return undefined
  // Some bounds are escaped as in a CPE.
  const version = unescapeCpe(expectString(value, 'cpeMatch'))
  return version === '' ? undefined : { version, isIncluded }
}

function isEnglish(text: CveText): boolean {
  return text.language === 'en' || text.language.startsWith('en-')
}
