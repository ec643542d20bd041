import type { ApiEntry } from './api-lists.ts'
import { compareHits, type PathQuery } from './hits.ts'
import { isReserved } from './hosts.ts'
import { type Location, parseLocation, parseParts } from './locations.ts'
import type { Match, MatchableEndpoint, MatchQuery } from './match.ts'
import { type Findings, searchPaths } from './path-search.ts'
import { addBase, addEnd, growPath, type PathNode, removeApiFrom } from './path-tree.ts'
import { HOLE } from './placeholders.ts'
import { toServerPlaces } from './servers.ts'
import { findTiers } from './site-search.ts'
import { createSiteTable, leaveSite, openSites, type Site } from './sites.ts'
import { parseTemplate } from './templates.ts'
import { toApiMatch, toEndpointMatch, toNearMatch } from './verdicts.ts'

/** Steps that one look-up may take, whatever the catalogue holds. */
const MAX_STEPS = 8192

/** Finds the catalogued endpoint that a URL means. */
export interface Matcher {
  /**
   * The best candidate, or undefined when no catalogued server has that host. Never throws; the
   * work is bounded whatever the query and the catalogue hold.
   */
  match(query: MatchQuery): Match | undefined
  /** Adds endpoints. Their API may have others already; the same endpoint must not be added twice. */
  addEndpoints(endpoints: readonly MatchableEndpoint[]): void
  /**
   * Puts the endpoints in the place of all that the API had, as after a re-import; none removes it.
   * Costs as much as the API's old and new endpoints, whatever else is there.
   */
  replaceApi(apiId: number, endpoints: readonly MatchableEndpoint[]): void
  /** Endpoints and hosts (with ports, patterns included) that are known. */
  size(): { readonly endpoints: number; readonly hosts: number }
}

/** Builds a matcher from the catalogue's pages (`CatalogueStore.listMatchTargets`), in any order. */
export async function buildMatcher(
  pages: AsyncIterable<readonly MatchableEndpoint[]>,
): Promise<Matcher> {
  const matcher = createMatcher()
  for await (const page of pages) matcher.addEndpoints(page)
  return matcher
}

/** A matcher that knows nothing yet. */
export function createMatcher(): Matcher {
  const sites = createSiteTable()
  const apis = new Map<number, ApiEntry>()
  let endpointCount = 0
  let lastBases: Bases | undefined

  function addEndpoint(endpoint: MatchableEndpoint): void {
    const template = parseTemplate(endpoint.path)
    if (!template) return
    const api = apis.get(endpoint.apiId) ?? createApi(endpoint)
    apis.set(api.id, api)
    lastBases = basesOf(api, endpoint)
    api.endpoints += 1
    endpointCount += 1
    const { segments, hasTrailingSlash, demand } = template
    const method = endpoint.method.toLowerCase()
    for (const { node, length } of lastBases.bases) {
      const isRoot = length + segments.length === 0
      addEnd(growPath(node, segments), {
        api,
        endpointId: endpoint.id,
        shortId: endpoint.shortId,
        method,
        baseLength: length,
        hasTrailingSlash: hasTrailingSlash || isRoot,
        demand,
      })
    }
  }

  /** Endpoints of one API come one after the other and mostly have the same servers. */
  function basesOf(api: ApiEntry, endpoint: MatchableEndpoint): Bases {
    const key = JSON.stringify(endpoint.servers)
    if (lastBases?.api === api && lastBases.key === key) return lastBases
    const opened = openSites(sites, { api, places: toServerPlaces(endpoint.servers) })
    const bases = opened.map(({ site, base }) => {
      const node = growPath(site.root, base)
      addBase(node, api)
      return { node, length: base.length }
    })
    return { api, key, bases }
  }

  function removeApi(apiId: number): void {
    const api = apis.get(apiId)
    if (!api) return
    for (const node of new Set(api.nodes)) removeApiFrom(node, api)
    for (const key of api.sites) leaveSite(sites, { key, api })
    apis.delete(apiId)
    endpointCount -= api.endpoints
    lastBases = undefined
  }

  function addEndpoints(endpoints: readonly MatchableEndpoint[]): void {
    for (const endpoint of endpoints) addEndpoint(endpoint)
  }

  return {
    match(query) {
      const location = 'url' in query ? parseLocation(query.url) : parseParts(query)
      if (!location) return undefined
      return findMatch(findTiers(sites, location), {
        location,
        method: query.method ? query.method.toLowerCase() : undefined,
      })
    },
    addEndpoints,
    replaceApi(apiId, endpoints) {
      removeApi(apiId)
      addEndpoints(endpoints)
    },
    size() {
      const hosts = [...sites.byKey.values()].flatMap((site) => site.hosts)
      const names = new Set(hosts.map(({ host, port }) => `${host}:${port}`))
      return { endpoints: endpointCount, hosts: names.size }
    },
  }
}

interface Bases {
  readonly api: ApiEntry
  readonly key: string
  readonly bases: readonly { readonly node: PathNode; readonly length: number }[]
}

interface Target {
  readonly location: Location
  readonly method: string | undefined
}

function createApi(endpoint: MatchableEndpoint): ApiEntry {
  return {
    id: endpoint.apiId,
    name: endpoint.apiName,
    vendorName: endpoint.vendorName,
    nodes: [],
    sites: new Set(),
    endpoints: 0,
  }
}

function findMatch(tiers: readonly (readonly Site[])[], target: Target): Match | undefined {
  const { path, query, fragment, host } = target.location
  const pathQuery = path && {
    segments: path.segments,
    hasTrailingSlash: path.hasTrailingSlash || path.segments.length === 0,
    method: target.method,
    query,
    fragment,
  }
  let fallback: Match | undefined
  let stepsLeft = MAX_STEPS
  for (const tier of tiers) {
    const first = tier[0]
    if (!first || stepsLeft <= 0) break
    if (!pathQuery) return isReserved(host) ? undefined : toApiMatch(tier, undefined)
    const found = searchTier(tier, { query: pathQuery, stepsLeft })
    stepsLeft -= found.steps
    const [best] = found.hits
    if (best) return toEndpointMatch({ ...found, best }, { site: first, query: pathQuery, host })
    if (isReserved(host)) continue
    fallback ??= toNearMatch(found, { site: first, query: pathQuery }) ?? toApiMatch(tier, found)
  }
  return fallback
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
