import * as v from 'valibot'
import { isDay } from '../../shared/dates.ts'
import { lineOf } from '../../shared/line-schema.ts'

const MAX_WORDS = 200
const MAX_NAMES = 2000
const MAX_EXCEPTIONS = 1000

/** An object of these members and no others. */
function objectOf<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  const object = v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return `is not known here; there are ${known}`
    return received === 'undefined' ? 'is missing' : `must be an object of ${known}`
  })
  // A list is an object too, whose members would be what is not known.
  const isNoList = (value: unknown) => !Array.isArray(value)
  return v.pipe(v.unknown(), v.check(isNoList, `must be an object of ${known}`), object)
}

const filled = (maxLength: number) =>
  v.pipe(
    v.string('must be a text'),
    lineOf(maxLength),
    v.check((text) => text.trim() !== '', 'must not be empty'),
  )

const itemsOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(v.array(item, 'must be a list'), v.maxLength(most, `must have at most ${most} items`))

const filledItemsOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(itemsOf(item, most), v.minLength(1, 'must not be empty'))

const choice = (item: v.GenericSchema<unknown, string>) =>
  v.pipe(
    objectOf({
      allow: v.optional(filledItemsOf(item, MAX_NAMES)),
      deny: v.optional(filledItemsOf(item, MAX_NAMES)),
    }),
    v.check(({ allow, deny }) => Boolean(allow ?? deny), 'must have allow or deny'),
  )

const word = filled(200)

const country = v.pipe(
  v.string('must be a text'),
  v.regex(/^[A-Z]{2}$/, 'must be a country of ISO 3166-1: two capital letters'),
)

const exception = v.pipe(
  objectOf({
    api: v.optional(filled(400)),
    vendor: v.optional(filled(200)),
    host: v.optional(filled(300)),
    allow: filledItemsOf(word, MAX_WORDS),
    until: v.pipe(
      v.string('must be a day, as 2030-12-31'),
      v.check(isDay, 'must be a day, as 2030-12-31'),
    ),
    reason: filled(2000),
  }),
  v.check(
    ({ api, vendor, host }) => [api, vendor, host].filter((one) => one !== undefined).length === 1,
    'must have one of api, vendor and host',
  ),
)

/** A policy as it is written; its words are read after. */
export const policySchema = objectOf({
  deny: v.optional(itemsOf(word, MAX_WORDS), []),
  warn: v.optional(itemsOf(word, MAX_WORDS), []),
  vendors: v.optional(choice(filled(200))),
  licences: v.optional(choice(filled(200))),
  countries: v.optional(choice(country)),
  exceptions: v.optional(itemsOf(exception, MAX_EXCEPTIONS), []),
})
