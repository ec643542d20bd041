import * as v from 'valibot'

/** Lone surrogates and control characters go into no header and no storage. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** Refuses a text that holds lone surrogates or control characters. */
export const printable = v.check<string, string>(
  (value) => !UNPRINTABLE.test(value),
  'must not hold control characters',
)

/** A printable text of at most `maxLength` characters. */
export function lineOf(maxLength: number) {
  return v.pipe(
    v.string(),
    v.maxLength(maxLength, `must be at most ${maxLength} characters long`),
    printable,
  )
}
