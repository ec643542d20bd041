import * as v from 'valibot'
import { isDay, parseInstant } from '../shared/dates.ts'
import { lineOf } from '../shared/line-schema.ts'
import { listOf } from '../shared/list-schema.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { isTextWithin, MAX_AGREEMENTS, MAX_TEXT_BYTES } from './limits.ts'

/** Control characters and lone surrogates, which not every storage keeps; several lines may be. */
const UNPRINTABLE_IN_LINES = /[^\P{Cc}\t\n\r\f]|\p{Cs}/u

const filledLine = (maxLength: number) =>
  v.pipe(lineOf(maxLength), v.trim(), v.minLength(1, 'must not be empty'))

const newAgreement = v.strictObject({
  agreement_name: filledLine(300),
  agreement_link: v.pipe(
    lineOf(2000),
    v.check((value) => isHttpUrl(value), 'must be an http or https URL'),
  ),
  type: v.nullish(
    v.pipe(lineOf(60), v.regex(/^[A-Za-z][A-Za-z -]*$/, 'must be letters, hyphens and blanks')),
  ),
  text: v.nullish(
    v.pipe(
      v.string(),
      v.check((value) => isTextWithin(value, MAX_TEXT_BYTES), 'must be at most 1 MiB'),
      v.check((value) => !UNPRINTABLE_IN_LINES.test(value), 'must not hold control characters'),
    ),
  ),
  retrieved_at: v.nullish(
    v.pipe(
      lineOf(40),
      v.check((value) => isDay(value) || parseInstant(value) !== undefined, 'must be a timestamp'),
    ),
  ),
})

/** What `PUT /agreements` takes; which members go together is the service's to say. */
export const newAgreementsSchema = v.strictObject({
  api_id: v.nullish(
    v.union([v.pipe(v.number(), v.integer(), v.minValue(1, 'must be at least 1')), lineOf(40)]),
  ),
  api_name: v.nullish(filledLine(200)),
  vendor_name: v.nullish(filledLine(200)),
  agreements: listOf(newAgreement, MAX_AGREEMENTS),
})

export type NewAgreementsWire = v.InferOutput<typeof newAgreementsSchema>
