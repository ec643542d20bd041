import { anyOf } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import { looksLikeApi } from '../noise/noise.ts'

/** Whether a record tells of something: `{ id, title, url }`. */
export function isThingRecord(entries: Readonly<Record<string, Expression>>): boolean {
  const keys = Object.keys(entries)
  return keys.some((key) => THING_KEYS.test(key)) && !keys.some((key) => REQUEST_KEYS.test(key))
}

/** Whether a URL is a thing's page: below a site's path, with a part that is not known. */
export function isPageOfThing(
  value: Expression,
  at: { readonly url: string; readonly names: readonly string[]; readonly isThing: boolean },
): boolean {
  const { url } = at
  const isPlain = /(?:^|\.)ur[il]$/i.test(at.names.at(-1) ?? '')
  return (
    at.isThing &&
    isPlain &&
    value.kind !== 'text' &&
    /^\w+:\/\/[^/]+\/.*\{\}/.test(url) &&
    !looksLikeApi(url)
  )
}

/** What records of things have, and what those of requests have. */
const THING_KEYS = new RegExp(
  `^${anyOf`
    id name title artist author score rating year date type status count summary description
    image icon thumb\w* criticsRating criticsScore \w+_?name \w+_?id \w+Score
  `}$`,
  'i',
)
const REQUEST_KEYS = /^(?:method|headers|params|query|qs|body|json|timeout|auth|form|responseType)$/
