import { KNOWN_VENDORS } from '../../vendors/known-vendors.ts'
import { anyOf } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import { looksLikeApi } from '../noise/noise.ts'
import { domainOf, hostOf } from '../noise/url-hosts.ts'

/** Whether a record describes an entity: `{ id, title, url }`. */
export function isEntityRecord(entries: Readonly<Record<string, Expression>>): boolean {
  const keys = Object.keys(entries)
  return keys.some((key) => ENTITY_KEYS.test(key)) && !keys.some((key) => REQUEST_KEYS.test(key))
}

/** Whether a record describes a page for people: `{ title, description, url }`. */
export function isArticleRecord(entries: Readonly<Record<string, Expression>>): boolean {
  return isEntityRecord(entries) && Object.keys(entries).some((key) => ARTICLE_KEYS.test(key))
}

/** Whether a record selects images that a site may show: `{ protocol: 'https', hostname }`. */
export function isImagePattern(entries: Readonly<Record<string, Expression>>): boolean {
  const keys = Object.keys(entries)
  return keys.includes('protocol') && keys.every((key) => PATTERN_KEYS.test(key))
}

/** Whether a server forwards requests to this member: `{ source: '/api/:path*', destination }`. */
export function isProxied(entries: Readonly<Record<string, Expression>>, key: string): boolean {
  const { source } = entries
  const isPath = source?.kind === 'text' && source.text.startsWith('/')
  return key === 'destination' && isPath && !/permanent|status/.test(Object.keys(entries).join(' '))
}

/**
 * Whether this member is a page for people beside an API of the same site:
 * `{ url: 'https://acme.io/?q=', suggestionUrl: 'https://acme.io/ac?q=' }`.
 */
export function isPageBesideApi(
  entries: Readonly<Record<string, Expression>>,
  key: string,
): boolean {
  const page = entries[key]
  if (!/^ur[il]$/i.test(key) || page?.kind !== 'text' || isApi(page.text)) return false
  const domain = domainOfUrl(page.text)
  const isBeside = ([other, value]: readonly [string, Expression]) =>
    API_KEYS.test(other) && value.kind === 'text' && domainOfUrl(value.text) === domain
  return domain !== undefined && Object.entries(entries).some(isBeside)
}

/** Whether a URL is an API's; known hosts of searches also have pages for people. */
function isApi(url: string): boolean {
  const isKnown = KNOWN_VENDORS.findByHost(hostOf(url) ?? '')?.by === 'host'
  return looksLikeApi(url) || (isKnown && !url.includes('?'))
}

function domainOfUrl(url: string): string | undefined {
  return /^https?:\/\//i.test(url) ? domainOf(hostOf(url) ?? '') : undefined
}

const API_KEYS = /^(?:api|suggest(?:ion)?s?|(?:auto_?)?completer?|auto_?completion)_?ur[il]$/i

/** Keys of records that describe entities, and of those that describe requests. */
const ENTITY_KEYS = new RegExp(
  `^${anyOf`
    id name title artist author score rating year date type status count summary description
    image icon thumb\w* criticsRating criticsScore \w+_?name \w+_?id \w+Score
  `}$`,
  'i',
)
const ARTICLE_KEYS =
  /^(?:title|tagline|slogan|description|summary|excerpt|author|artist|founded|pricing\w*|platforms)$/i
const PATTERN_KEYS = /^(?:protocol|hostname|port|pathname|search)$/
const REQUEST_KEYS = /^(?:method|headers|params|query|qs|body|json|timeout|auth|form|responseType)$/
