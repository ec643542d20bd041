import { anyOf } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'

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

/** Whether this member is a page for people beside the address for programs: `{ url, suggestionUrl }`. */
export function isPage(entries: Readonly<Record<string, Expression>>, key: string): boolean {
  return /^ur[il]$/i.test(key) && Object.keys(entries).some((other) => OF_PROGRAMS.test(other))
}

const OF_PROGRAMS = /^(?:api|suggest\w*|\w*complet\w*)_?ur[il]$/i

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
