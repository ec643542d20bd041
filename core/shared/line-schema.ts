import * as v from 'valibot'

/** Lone surrogates and control characters are invalid in headers and storage. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** Rejects a text with lone surrogates or control characters. */
export const printable = v.check<string, string>(
  (value) => !UNPRINTABLE.test(value),
  'must not contain control characters',
)

/** Creates the schema of a printable text of at most `maxLength` characters. */
export function printableLine(maxLength: number) {
  return v.pipe(
    v.string(),
    v.maxLength(maxLength, `must be at most ${maxLength} characters long`),
    printable,
  )
}
