import * as v from 'valibot'

/** Version of the AI Catalog format. */
export const SPEC_VERSION = '1.0'

/** An entry of an AI Catalog: `url` locates the described resource, or `data` contains it. */
export const entrySchema = v.object({
  identifier: v.pipe(v.string(), v.description('URN: publisher domain, then names.')),
  displayName: v.string(),
  type: v.pipe(v.string(), v.description('Media type of the resource.')),
  url: v.optional(v.string()),
  data: v.optional(v.record(v.string(), v.unknown())),
  description: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  representativeQueries: v.optional(v.array(v.string())),
  version: v.optional(v.string()),
  updatedAt: v.optional(v.string()),
  metadata: v.optional(v.record(v.string(), v.string())),
})

export type CatalogEntry = v.InferOutput<typeof entrySchema>

/** Members of an AI Catalog before its entries. */
export const catalogHeadSchema = v.object({
  specVersion: v.literal(SPEC_VERSION),
  host: v.object({
    displayName: v.string(),
    identifier: v.optional(v.string()),
    documentationUrl: v.string(),
  }),
})

const value = v.pipe(v.string(), v.maxLength(500, 'must be at most 500 characters long'))

type Filter = Readonly<Record<string, string | readonly string[]>>

/** Checks the members itself: `v.record` ignores those named as members of the prototype. */
const filterSchema = v.pipe(
  v.custom<Filter>(
    isFilter,
    'must be an object of at most 20 fields, with strings or lists of at most 100 strings of 500 characters',
  ),
  v.description(
    'Accepted values by field, each a string or a list: identifier, displayName, type, publisher, tags, version, metadata.vendor, metadata.category. All fields have to match.',
  ),
)

function isFilter(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return false
  const lists = Object.values(filter).map((values) => [values].flat())
  return (
    lists.length <= 20 &&
    lists.every(
      (values) =>
        values.length <= 100 &&
        values.every((each) => typeof each === 'string' && each.length <= 500),
    )
  )
}

const textSchema = v.pipe(v.string(), v.maxLength(1000, 'must be at most 1000 characters long'))

function integer(max: number, fallback: number) {
  const message = `must be an integer from 1 to ${max}`
  return v.optional(
    v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(max, message)),
    fallback,
  )
}

/** Request body of a search in a registry. */
export const searchRequestSchema = v.object({
  query: v.object({
    text: v.pipe(
      textSchema,
      v.check((text) => text.trim() !== '', 'must not be empty'),
      v.description('What the caller needs, in words.'),
    ),
    filter: v.optional(filterSchema),
  }),
  federation: v.pipe(
    v.optional(v.picklist(['auto', 'referrals', 'none']), 'auto'),
    v.description('Without effect: the registry refers to no others.'),
  ),
  pageSize: integer(100, 10),
  pageToken: v.optional(v.string()),
})

/** A page of found entries, best first. */
export const searchResponseSchema = v.object({
  results: v.array(
    v.object({
      ...entrySchema.entries,
      score: v.pipe(v.number(), v.integer(), v.description('Relevance, 0 to 100.')),
      source: v.pipe(v.string(), v.description('Base address of the registry.')),
    }),
  ),
  pageToken: v.optional(v.string()),
})

/** Request body for the numbers of entries by field. */
export const exploreRequestSchema = v.object({
  query: v.optional(v.object({ text: v.optional(textSchema), filter: v.optional(filterSchema) })),
  resultType: v.object({
    facets: v.pipe(
      v.array(
        v.object({
          field: value,
          limit: integer(1000, 20),
          minCount: integer(1_000_000, 1),
        }),
      ),
      v.maxLength(20, 'must have at most 20 fields'),
    ),
  }),
})

const count = v.pipe(v.number(), v.integer())

/** The most frequent values of each field. */
export const exploreResponseSchema = v.object({
  resultType: v.literal('facets'),
  facets: v.record(
    v.string(),
    v.object({
      buckets: v.array(v.object({ value: v.string(), count })),
      otherCount: v.pipe(count, v.description('How often entries have values beyond the limit.')),
    }),
  ),
})

/** A page of entries. */
export const listResponseSchema = v.object({
  items: v.array(entrySchema),
  total: count,
  pageToken: v.optional(v.string()),
})

/** `errorCode` of a problem document, by its status. */
export const ARD_ERROR_CODES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RATE_LIMIT_EXCEEDED'],
])
