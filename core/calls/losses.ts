import { Numeral } from '../shared/exact-json.ts'

/**
 * Returns why a value cannot be serialised without loss, or at all; undefined if it can. Numbers
 * from an in-process caller may already have lost digits; numbers from JSON are exact `Numeral`s.
 */
export function findLoss(value: unknown): string | undefined {
  if (typeof value === 'number') return findNumberLoss(value)
  if (typeof value === 'object' && value !== null) return findNestedLoss(value, 0)
  return typeof value === 'bigint' ? 'must be a string, not a bigint' : undefined
}

const MAX_DEPTH = 1_000
/** From this value on, JavaScript writes an exponent, so the number is no ID with lost digits. */
const PLAINLY_INEXACT = 1e21

function findNumberLoss(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'must be a finite number'
  const isLossy = Number.isInteger(value) && !Number.isSafeInteger(value)
  if (!isLossy || Math.abs(value) >= PLAINLY_INEXACT) return undefined
  return 'must be a string: numbers beyond 2^53 lose digits'
}

function findNestedLoss(value: object, depth: number): string | undefined {
  // Numerals are exact, and binary data is no list of numbers.
  if (value instanceof Numeral || ArrayBuffer.isView(value)) return undefined
  if (depth === MAX_DEPTH) return 'is nested too deeply'
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const loss = findMemberLoss(value[index], depth)
      if (loss !== undefined) return loss
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    const loss = findMemberLoss((value as Readonly<Record<string, unknown>>)[name], depth)
    if (loss !== undefined) return loss
  }
  return undefined
}

function findMemberLoss(value: unknown, depth: number): string | undefined {
  if (typeof value === 'object' && value !== null) return findNestedLoss(value, depth + 1)
  const loss = findLoss(value)
  return loss === undefined ? undefined : `contains a value that ${loss}`
}
