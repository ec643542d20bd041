import * as v from 'valibot'
import { USAGE_ROLES } from '../code-scanner/model/finding.ts'
import { printableLine } from '../shared/line-schema.ts'
import { boundedList } from '../shared/list-schema.ts'
import { isWebAddress } from '../shared/urls.ts'

const NOT_BLANK = v.check((value: string) => value.trim() !== '', 'must not be empty')

/** One printable line that is not blank. */
export const nonEmptyLine = (maxLength: number) => v.pipe(printableLine(maxLength), NOT_BLANK)

export const webAddress = v.config(
  v.pipe(
    nonEmptyLine(4000),
    v.check(
      isWebAddress,
      'must be a URL of http, https, ws or wss, or a host with or without path',
    ),
  ),
  { abortPipeEarly: true },
)

const CONFIDENCE = 'must be a number from 0 to 1'
const ROLE = `must be one of ${USAGE_ROLES.join(', ')}`

/**
 * Optional fields of a scanned endpoint in requests. A field that is added here and in
 * `returnedFields` is accepted, stored and returned; `toScanSubmission` sends it. Null and an empty
 * list are the same as a missing field.
 */
export const sentFields = {
  /** Packages with the lowest version that a manifest permits. */
  lowest_packages: v.nullish(boundedList(printableLine(500), 100)),
  /** URLs of other environments that the code may use instead of `endpoint_url`. */
  alternatives: v.nullish(boundedList(webAddress, 20)),
  /** Confidence of the scanner, 0 to 1. */
  confidence: v.nullish(
    v.pipe(v.number(CONFIDENCE), v.minValue(0, CONFIDENCE), v.maxValue(1, CONFIDENCE)),
  ),
  /** Most relevant role of the usages; without one, it follows from the files. */
  role: v.nullish(v.picklist(USAGE_ROLES, ROLE)),
}

/** The same fields in responses. */
export const returnedFields = {
  lowest_packages: v.optional(v.array(v.string())),
  alternatives: v.optional(v.array(v.string())),
  confidence: v.optional(v.number()),
  role: v.optional(v.picklist(USAGE_ROLES)),
} satisfies { readonly [Name in keyof typeof sentFields]: v.GenericSchema }

type Sent = v.InferOutput<v.ObjectSchema<typeof sentFields, undefined>>
export type WireFields = v.InferOutput<v.ObjectSchema<typeof returnedFields, undefined>>

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name & string

type ReadonlyValue<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value

/** The fields of a stored endpoint; absent if not sent. */
export type EndpointFields = {
  readonly [Name in keyof Sent as CamelCase<Name>]?:
    | ReadonlyValue<NonNullable<Sent[Name]>>
    | undefined
}

const NAMES = Object.keys(sentFields) as readonly (keyof Sent)[]

/** Pairs of the name in requests and responses, and the name in records. */
const PAIRS = NAMES.map(
  (name) => [name, name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] as const,
)

/** Reads the fields of a request. */
export function readSentFields(sent: Sent): EndpointFields {
  return Object.fromEntries(
    PAIRS.flatMap(([name, member]) => {
      const value = sent[name]
      const isEmpty = value === null || value === undefined || Object(value).length === 0
      return isEmpty ? [] : [[member, value]]
    }),
  )
}

/** Converts the fields to those of requests and responses. */
export function toWireFields(endpoint: EndpointFields): WireFields {
  const values: Readonly<Record<string, unknown>> = endpoint
  return Object.fromEntries(
    PAIRS.flatMap(([name, member]) =>
      values[member] === undefined ? [] : [[name, values[member]]],
    ),
  )
}
