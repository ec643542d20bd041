import * as v from 'valibot'
import { isDay } from '../../shared/dates.ts'
import { printableLine } from '../../shared/line-schema.ts'
import { parsePackageUrl } from '../../shared/package-urls.ts'

const MAX_CONDITIONS = 200
const MAX_NAMES = 2000
const MAX_EXCEPTIONS = 1000

/** Creates the schema of an object with exactly these members. */
function objectOf<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  const object = v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return `is an unknown member: use ${known}`
    return received === 'undefined' ? 'is required' : `must be an object with ${known}`
  })
  // An array is an object too: its elements would be reported as unknown members.
  const isNoList = (value: unknown) => !Array.isArray(value)
  return v.pipe(v.unknown(), v.check(isNoList, `must be an object with ${known}`), object)
}

const nonEmptyLine = (maxLength: number) =>
  v.pipe(
    v.string('must be a string'),
    printableLine(maxLength),
    v.check((text) => text.trim() !== '', 'must not be empty'),
  )

const itemsOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(v.array(item, 'must be a list'), v.maxLength(most, `must have at most ${most} items`))

const filledItemsOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(itemsOf(item, most), v.minLength(1, 'must not be empty'))

const allowDenyList = (item: v.GenericSchema<unknown, string>) =>
  v.pipe(
    objectOf({
      allow: v.optional(filledItemsOf(item, MAX_NAMES)),
      deny: v.optional(filledItemsOf(item, MAX_NAMES)),
    }),
    v.check(({ allow, deny }) => Boolean(allow ?? deny), 'must have allow or deny'),
  )

const condition = nonEmptyLine(200)

const country = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 country code: two capital letters'),
)

const exception = v.pipe(
  objectOf({
    api: v.optional(nonEmptyLine(400)),
    vendor: v.optional(nonEmptyLine(200)),
    host: v.optional(nonEmptyLine(300)),
    package: v.optional(
      v.pipe(
        nonEmptyLine(500),
        v.check((text) => parsePackageUrl(text).found !== undefined, 'must be a package URL'),
      ),
    ),
    allow: filledItemsOf(condition, MAX_CONDITIONS),
    until: v.pipe(
      v.string('must be a date such as 2030-12-31'),
      v.check(isDay, 'must be a date such as 2030-12-31'),
    ),
    reason: nonEmptyLine(2000),
  }),
  v.check(
    ({ api, vendor, host, package: purl }) =>
      [api, vendor, host, purl].filter((one) => one !== undefined).length === 1,
    'must have exactly one of api, vendor, host and package',
  ),
)

/** A policy document; its conditions are parsed later. */
export const policySchema = objectOf({
  deny: v.optional(itemsOf(condition, MAX_CONDITIONS), []),
  warn: v.optional(itemsOf(condition, MAX_CONDITIONS), []),
  vendors: v.optional(allowDenyList(nonEmptyLine(200))),
  licences: v.optional(allowDenyList(nonEmptyLine(200))),
  countries: v.optional(allowDenyList(country)),
  exceptions: v.optional(itemsOf(exception, MAX_EXCEPTIONS), []),
})
