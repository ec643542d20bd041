import * as fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const COUNT = 0x110000 - SURROGATES.count

/**
 * Any character, for `fc.string`. It has the same values as its unit `binary`, which first builds a
 * map of all of them: this takes seconds in each process.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: COUNT - 1 }).map(toCharacter, toNumber)

function toCharacter(number: number): string {
  const { first, count } = SURROGATES
  return String.fromCodePoint(number < first ? number : number + count)
}

function toNumber(character: unknown): number {
  const [point, ...others] = typeof character === 'string' ? [...character] : []
  const code = point?.codePointAt(0)
  const { first, count } = SURROGATES
  if (code === undefined || others.length > 0 || (code >= first && code < first + count)) {
    throw new Error('It is not a character')
  }
  return code < first ? code : code - count
}
