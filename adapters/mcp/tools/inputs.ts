import * as v from 'valibot'

/** Advice of tools that take IDs of the catalogue. */
export const SEARCH_AGAIN = 'Search again: IDs change when an API is removed and imported again'

/** Members that several tools have. */
export const page = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000), v.description('From 1.')),
  1,
)

export const maxWords = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(100),
    v.maxValue(20_000),
    v.description('Approximate length of the result.'),
  ),
  2000,
)

export const text = (maxLength: number, description: string) =>
  v.pipe(v.string(), v.maxLength(maxLength), v.description(description))

export const apiId = text(40, 'ID of an API, from search_apis.')

export const integer = v.pipe(v.number(), v.integer())
/** Number of the next page; null after the last one. */
export const nextPage = v.nullable(integer)
