import { type ApiEntry, type ApiList, getSortedApis } from './api-lists.ts'
import {
  hostFactor,
  hostReason,
  methodFactor,
  pathFactor,
  toApiCandidate,
  toCandidate,
  toEndpointPath,
  toSentence,
  toTemplate,
  toVendorCandidate,
} from './candidates.ts'
import { createQueryReader } from './demands.ts'
import { compareHits, getSegments, type Hit, isTie, type PathQuery } from './hits.ts'
import { isReserved } from './hosts.ts'
import type { Location } from './locations.ts'
import type { Match } from './match.ts'
import { type Findings, MAX_HITS, searchPaths } from './path-tree.ts'
import { HOLE, REST } from './placeholders.ts'
import type { Site } from './sites.ts'

/** Maximum number of steps of one lookup, regardless of the catalogue's content. */
const MAX_STEPS = 4096

interface LookupTarget {
  readonly location: Location
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
}

/**
 * Finds the best match in the sites of a location (see `findTiers`). Returns an endpoint of the
 * first tier that has a match, else an API or vendor of the first tier. Undefined without tiers.
 */
export function findMatch(
  tiers: readonly (readonly Site[])[],
  target: LookupTarget,
): Match | undefined {
  const { path, query, fragment, host } = target.location
  const pathQuery = path && {
    segments: path.segments,
    hasTrailingSlash: path.hasTrailingSlash || path.segments.length === 0,
    method: target.method,
    query: createQueryReader(query, fragment),
  }
  let fallback: Match | undefined
  let stepsLeft = MAX_STEPS
  for (const tier of tiers) {
    const first = tier[0]
    if (!first || stepsLeft <= 0) break
    const isUnowned = first.isShared || isReserved(host)
    if (!pathQuery) {
      if (isUnowned) continue
      return toApiMatch(tier, undefined)
    }
    const found = first.isShared
      ? searchExactly(tier, { query: pathQuery, stepsLeft })
      : searchTier(tier, { query: pathQuery, stepsLeft })
    stepsLeft -= found.steps
    const [best] = found.hits
    if (best) return toEndpointMatch({ ...found, best }, { site: first, query: pathQuery, host })
    if (isUnowned) continue
    fallback ??= toNearMatch(found, { site: first, query: pathQuery }) ?? toApiMatch(tier, found)
  }
  return fallback
}

/** On a shared host, only paths with a literal segment can match. */
function searchExactly(
  tier: readonly Site[],
  options: { readonly query: PathQuery; readonly stepsLeft: number },
): Findings & { readonly isLoose: boolean } {
  const found = searchSites(tier, { ...options, isLoose: false })
  const hits = found.hits.filter(({ node }) =>
    getSegments(node).some((segment) => !segment.includes(HOLE) && segment !== REST),
  )
  return { ...found, hits, isLoose: false }
}

function searchTier(
  tier: readonly Site[],
  options: { readonly query: PathQuery; readonly stepsLeft: number },
): Findings & { readonly isLoose: boolean } {
  const strict = searchSites(tier, { ...options, isLoose: false })
  const isHopeless = strict.hits.length + strict.near.length === 0
  if (!isHopeless || !options.query.segments.some((segment) => segment.includes(HOLE))) {
    return { ...strict, isLoose: false }
  }
  const loose = searchSites(tier, { ...options, isLoose: true })
  return { ...loose, near: [], steps: loose.steps + strict.steps, isLoose: true }
}

function searchSites(
  tier: readonly Site[],
  options: { readonly query: PathQuery; readonly stepsLeft: number; readonly isLoose: boolean },
): Findings {
  const { query, isLoose } = options
  const [first, ...others] = tier
  if (!first) return { hits: [], near: [], bases: [], baseDepth: -1, steps: 0 }
  const findings = searchPaths(first.root, { query, isLoose, maxSteps: options.stepsLeft })
  for (const site of others) {
    const maxSteps = options.stepsLeft - findings.steps
    if (maxSteps <= 0) break
    const more = searchPaths(site.root, { query, isLoose, maxSteps })
    findings.steps += more.steps
    findings.hits.push(...more.hits)
    findings.near.push(...more.near)
    if (more.baseDepth > findings.baseDepth) findings.bases = more.bases
    else if (more.baseDepth === findings.baseDepth) {
      findings.bases = [...findings.bases, ...more.bases]
    }
    findings.baseDepth = Math.max(findings.baseDepth, more.baseDepth)
  }
  if (others.length > 0) {
    findings.hits.sort((a, b) => compareHits(a, b, query))
    findings.near.sort((a, b) => compareHits(a, b, query))
  }
  return findings
}

/** Maximum number of APIs that are considered for one host. */
const MAX_APIS = 64

const MAX_ALTERNATIVES = MAX_HITS - 1

/** Builds the match for a path with at least one endpoint. */
function toEndpointMatch(
  found: Pick<Findings, 'hits'> & { readonly best: Hit; readonly isLoose: boolean },
  context: { readonly site: Site; readonly query: PathQuery; readonly host: string },
): Match {
  const { best, hits, isLoose } = found
  const { site, query, host } = context
  const isOpen = isLoose && hits.some((hit) => hit.node !== best.node)
  if (isOpen) return toOpenMatch([best, ...hits.slice(1)], site)
  const rivals = hits.filter((hit) => hit.end.api !== best.end.api && isTie([best, hit], query))
  const methods = hits.filter((hit) => hit.node === best.node && hit.end.api === best.end.api)
  const isGuess = query.method === undefined && methods.length > 1
  const confidence =
    hostFactor(site) *
    (site.isShared || isReserved(host) ? 0.8 : 1) *
    pathFactor(best, query) *
    methodFactor(best, { query, isGuess }) *
    (rivals.length > 0 ? 0.6 : 1) *
    (isLoose ? 0.5 : 1)
  const reason = [
    hostReason(site),
    site.isShared ? 'it is shared by many owners' : '',
    `${best.end.method.toUpperCase()} ${toTemplate(best)} matches`,
    isLoose ? 'a placeholder matches a literal segment' : '',
    query.method === undefined ? 'the method is unknown' : '',
    query.method === 'head' && best.end.method === 'get' ? 'HEAD counts as GET' : '',
    rivals.length > 0 ? `equal matches in other APIs: ${rivals.length}` : '',
  ]
  const others = hits.filter((hit) => hit !== best).slice(0, MAX_ALTERNATIVES)
  return {
    ...toCandidate(best, confidence),
    path: toEndpointPath(best),
    reason: toSentence(reason),
    alternatives: others.map((hit) =>
      toCandidate(
        hit,
        confidence * (rivals.includes(hit) ? 1 : hit.node === best.node ? 0.8 : 0.5),
      ),
    ),
  }
}

/**
 * Builds the match for a catalogued path with another method or query; undefined if there is none.
 */
function toNearMatch(
  found: Pick<Findings, 'near'>,
  context: { readonly site: Site; readonly query: PathQuery },
): Match | undefined {
  const [first] = found.near
  if (!first) return undefined
  const { site, query } = context
  const method = query.method?.toUpperCase()
  const isMethod = query.method === undefined || query.method === first.end.method
  const confidence = 0.65 * hostFactor(site)
  const what = isMethod ? 'only with another query' : `not with ${method}`
  return {
    ...toApiCandidate(first.end.api, confidence),
    reason: toSentence([hostReason(site), `${toTemplate(first)} is catalogued, but ${what}`]),
    alternatives: found.near
      .slice(0, MAX_ALTERNATIVES)
      .map((hit) => toCandidate(hit, confidence / 2)),
  }
}

/**
 * Builds the match for a known host: the APIs with the longest matching base path, else all on the
 * host.
 */
function toApiMatch(tier: readonly Site[], found: Findings | undefined): Match | undefined {
  const site = tier[0]
  const hasBase = found !== undefined && found.bases.length > 0
  const apis = mergeApis(hasBase ? found.bases : tier.map((one) => one.apis))
  const [first] = apis
  if (!site || !first) return undefined
  const known = hasBase ? (found.baseDepth > 0 ? 0.7 : 0.6) : found ? 0.4 : 0.5
  const confidence = known * hostFactor(site)
  const where = hasBase && found.baseDepth > 0 ? 'the base path' : 'the host'
  const unknown = found ? 'no endpoint matches the path' : 'the path is unknown'
  if (apis.length === 1) {
    const reason = toSentence([hostReason(site), `one API has ${where}`, unknown])
    return { ...toApiCandidate(first, confidence), reason, alternatives: [] }
  }
  const count = `${apis.length >= MAX_APIS ? `${MAX_APIS} or more` : apis.length} APIs`
  const isOneVendor = apis.every((api) => api.vendorName === first.vendorName)
  const share = Math.max(0.05, confidence / apis.length)
  const whose = isOneVendor ? ', all of one vendor' : ''
  const reason = toSentence([hostReason(site), `${count} share ${where}${whose}`, unknown])
  const start = isOneVendor ? 0 : 1
  return {
    ...(isOneVendor ? toVendorCandidate(first, confidence) : toApiCandidate(first, share)),
    reason,
    alternatives: apis
      .slice(start, start + MAX_ALTERNATIVES)
      .map((api) => toApiCandidate(api, share)),
  }
}

/**
 * Builds the match for placeholders that match several literals: only an API or vendor is known.
 */
function toOpenMatch(hits: readonly [Hit, ...Hit[]], site: Site): Match {
  const first = hits[0].end.api
  const isOneApi = hits.every((hit) => hit.end.api === first)
  const isOneVendor = hits.every((hit) => hit.end.api.vendorName === first.vendorName)
  const confidence = (isOneApi || isOneVendor ? 0.5 : 0.2) * hostFactor(site)
  return {
    ...(isOneVendor && !isOneApi ? toVendorCandidate : toApiCandidate)(first, confidence),
    reason: toSentence([hostReason(site), 'the placeholders match several endpoints']),
    alternatives: hits.slice(0, MAX_ALTERNATIVES).map((hit) => toCandidate(hit, confidence / 2)),
  }
}

function mergeApis(lists: readonly ApiList[]): readonly ApiEntry[] {
  const [only] = lists
  if (lists.length === 1 && only) return getSortedApis(only).slice(0, MAX_APIS)
  const apis = new Set(lists.flatMap((list) => getSortedApis(list).slice(0, MAX_APIS)))
  return [...apis].sort((a, b) => a.id - b.id).slice(0, MAX_APIS)
}
