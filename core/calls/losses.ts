import { Numeral } from '../shared/exact-json.ts'

/**
 * Why a value cannot be written without losing something, or at all; undefined when it can. Numbers
 * of a caller in the same process have lost their digits already, those out of JSON are `Numeral`s.
 */
export function findLoss(value: unknown): string | undefined {
  if (typeof value === 'number') return findNumberLoss(value)
  if (typeof value === 'object' && value !== null) return findInside(value, 0)
  return typeof value === 'bigint' ? 'must be given as text, not as a bigint' : undefined
}

const MAX_DEPTH = 1_000
/** From here on JavaScript writes an exponent: it is no id that has lost its last digits. */
const PLAINLY_INEXACT = 1e21

function findNumberLoss(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'must be a finite number'
  const isLossy = Number.isInteger(value) && !Number.isSafeInteger(value)
  if (!isLossy || Math.abs(value) >= PLAINLY_INEXACT) return undefined
  return 'must be given as text: beyond 2^53, a number loses digits'
}

function findInside(value: object, depth: number): string | undefined {
  // Numerals are exact, and a file is no list of numbers.
  if (value instanceof Numeral || ArrayBuffer.isView(value)) return undefined
  if (depth === MAX_DEPTH) return 'is nested too deep'
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
  if (typeof value === 'object' && value !== null) return findInside(value, depth + 1)
  const loss = findLoss(value)
  return loss === undefined ? undefined : `holds a value that ${loss}`
}
