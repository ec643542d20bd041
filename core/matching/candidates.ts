import type { ApiEntry } from './api-lists.ts'
import { getSegments, type Hit, type PathQuery } from './hits.ts'
import type { Match, MatchCandidate } from './match.ts'
import { HOLE, REST } from './placeholders.ts'
import type { Site } from './sites.ts'

/** Converts an endpoint to a candidate. */
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
    confidence: roundConfidence(confidence),
  }
}

/** Converts an API to a candidate. */
export function toApiCandidate(api: ApiEntry, confidence: number): MatchCandidate {
  return {
    level: 'api',
    endpointId: undefined,
    shortId: undefined,
    method: undefined,
    apiId: api.id,
    apiName: api.name,
    vendorName: api.vendorName,
    confidence: roundConfidence(confidence),
  }
}

/** Converts the vendor of an API to a candidate. */
export function toVendorCandidate(api: ApiEntry, confidence: number): MatchCandidate {
  const candidate = toApiCandidate(api, confidence)
  return { ...candidate, level: 'vendor', apiId: undefined, apiName: undefined }
}

/** Names of the APIs that a vendor match may refer to, at most 5; undefined for other matches. */
export function toCandidateNames(match: Match | undefined): readonly string[] | undefined {
  if (match?.level !== 'vendor') return undefined
  return [...new Set(match.alternatives.flatMap(({ apiName }) => apiName ?? []))]
}

/** Returns the confidence factor of a host: literal, by a variable's value, or by a pattern. */
export function hostFactor(site: Site): number {
  return site.rank === 0 ? 1 : site.rank === 1 ? 0.98 : 0.9
}

/**
 * Returns the confidence factor of a path: lower for paths of parameters only, for `REST`, and for
 * a different trailing slash.
 */
export function pathFactor(hit: Hit, query: PathQuery): number {
  const segments = getSegments(hit.node)
  const isAnything = segments.length > 0 && segments.every(isParameter)
  const isSameSlash = hit.end.hasTrailingSlash === query.hasTrailingSlash
  return (
    (isAnything ? 0.8 : 1) *
    (segments[0] === REST ? 0.8 : 1) *
    (isSameSlash || segments[0] === REST ? 1 : 0.98)
  )
}

/**
 * Returns the confidence factor of a method: lower if it is unknown, lowest if the path has
 * several.
 */
export function methodFactor(
  hit: Hit,
  context: { readonly query: PathQuery; readonly isGuess: boolean },
): number {
  const { method } = context.query
  if (method === undefined) return context.isGuess ? 0.7 : 0.9
  return method === hit.end.method ? 1 : 0.95
}

/** Returns the path template of a hit, with unnamed parameters: `/v1/users/{}`. */
export function toTemplate(hit: Hit): string {
  let path = hit.end.hasTrailingSlash && hit.node.parent ? '/' : ''
  for (const segment of getSegments(hit.node)) path = `/${toTemplateSegment(segment)}${path}`
  return path === '' ? '/' : path
}

/**
 * Returns the path template of a hit as part of a URL, with the values that the endpoint requires
 * in the query.
 */
export function toEndpointPath(hit: Hit): string {
  const path = toTemplate(hit)
    .replaceAll('{+}', '{}')
    .replace(/[?#%\\]/g, encodeURIComponent)
  const { demand } = hit.end
  if (!demand) return path
  const query = new URLSearchParams(demand.pairs.map(([name, value]) => [name, value]))
  return query.size === 0 ? path : `${path}?${query}`
}

/** Explains how the host was matched. */
export function hostReason(site: Site): string {
  if (site.rank === 0) return 'the host is catalogued'
  return site.rank === 1 ? 'the host is a value of a server variable' : 'the host matches a pattern'
}

/** Joins explanations into one sentence. */
export function toSentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function toTemplateSegment(segment: string): string {
  if (segment === HOLE) return '{}'
  if (segment === REST) return '{+}'
  return segment.includes(HOLE) ? segment.replaceAll(HOLE, '{}') : segment
}

function isParameter(segment: string): boolean {
  return segment === HOLE || segment === REST
}

function roundConfidence(confidence: number): number {
  return Math.round(confidence * 100) / 100
}
