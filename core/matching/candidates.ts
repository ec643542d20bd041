import type { ApiEntry } from './api-lists.ts'
import { type Hit, type PathQuery, segmentsOf } from './hits.ts'
import type { Match, MatchCandidate } from './match.ts'
import { HOLE, REST } from './placeholders.ts'
import type { Site } from './sites.ts'

/** An endpoint as an answer. */
export function toCandidate(hit: Hit, confidence: number): MatchCandidate {
  const { api, endpointId, shortId, method } = hit.end
  return {
    level: 'endpoint',
    endpointId,
    shortId,
    method,
    apiId: api.id,
    apiName: api.name,
    vendorName: api.vendorName,
    confidence: round(confidence),
  }
}

/** An API as an answer. */
export function toApiCandidate(api: ApiEntry, confidence: number): MatchCandidate {
  return {
    level: 'api',
    endpointId: undefined,
    shortId: undefined,
    method: undefined,
    apiId: api.id,
    apiName: api.name,
    vendorName: api.vendorName,
    confidence: round(confidence),
  }
}

/** The vendor of an API as an answer. */
export function toVendorCandidate(api: ApiEntry, confidence: number): MatchCandidate {
  const candidate = toApiCandidate(api, confidence)
  return { ...candidate, level: 'vendor', apiId: undefined, apiName: undefined }
}

/** Names of the APIs that a match of a vendor may mean, at most 5; undefined for any other match. */
export function toCandidateNames(match: Match | undefined): readonly string[] | undefined {
  if (match?.level !== 'vendor') return undefined
  return [...new Set(match.alternatives.flatMap(({ apiName }) => apiName ?? []))]
}

/** How sure a host makes: as written, by a variable's value, by a pattern. */
export function hostFactor(site: Site): number {
  return site.rank === 0 ? 1 : site.rank === 1 ? 0.98 : 0.9
}

/** How sure a path makes: less for a path of parameters only, for a rest, for another slash. */
export function pathFactor(hit: Hit, query: PathQuery): number {
  const segments = segmentsOf(hit.node)
  const isAnything = segments.length > 0 && segments.every(isParameter)
  const isSameSlash = hit.end.hasTrailingSlash === query.hasTrailingSlash
  return (
    (isAnything ? 0.8 : 1) *
    (segments[0] === REST ? 0.8 : 1) *
    (isSameSlash || segments[0] === REST ? 1 : 0.98)
  )
}

/** How sure a method makes: less when it is unknown, least when the path has several. */
export function methodFactor(
  hit: Hit,
  context: { readonly query: PathQuery; readonly isGuess: boolean },
): number {
  const { method } = context.query
  if (method === undefined) return context.isGuess ? 0.7 : 0.9
  return method === hit.end.method ? 1 : 0.95
}

/** The path template that a hit stands at, with its parameters unnamed: `/v1/users/{}`. */
export function toTemplate(hit: Hit): string {
  let path = hit.end.hasTrailingSlash && hit.node.parent ? '/' : ''
  for (const segment of segmentsOf(hit.node)) path = `/${toText(segment)}${path}`
  return path === '' ? '/' : path
}

/** The same as a part of a URL, with the query that the endpoint asks for. */
export function toEndpointPath(hit: Hit): string {
  const path = toTemplate(hit)
    .replaceAll('{+}', '{}')
    .replace(/[?#%\\]/g, encodeURIComponent)
  const { demand } = hit.end
  if (!demand) return path
  const query = new URLSearchParams(demand.pairs.map(([name, value]) => [name, value]))
  for (const name of demand.names) query.append(name, '{}')
  return query.size === 0 ? path : `${path}?${String(query).replaceAll('%7B%7D', '{}')}`
}

/** How the host was found, in words. */
export function hostReason(site: Site): string {
  if (site.rank === 0) return 'the host is catalogued'
  return site.rank === 1 ? 'a variable of the server gives the host' : 'the host fits a pattern'
}

/** Joins what there is to say into one sentence. */
export function toSentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function toText(segment: string): string {
  if (segment === HOLE) return '{}'
  if (segment === REST) return '{+}'
  return segment.includes(HOLE) ? segment.replaceAll(HOLE, '{}') : segment
}

function isParameter(segment: string): boolean {
  return segment === HOLE || segment === REST
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100
}
