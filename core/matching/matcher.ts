import { createYieldIfDue } from '../shared/time-slices.ts'
import type { ApiEntry } from './api-lists.ts'
import { isAddress } from './hosts.ts'
import { ANY_PORT, type Location, parseLocation, parseParts } from './locations.ts'
import { findMatch } from './lookup.ts'
import type { Match, MatchableEndpoint, MatchQuery } from './match.ts'
import { addBase, addEnd, growPath, type PathNode, removeApiFrom } from './path-tree.ts'
import { HOLE } from './placeholders.ts'
import { claimServerLocations, expandServers } from './servers.ts'
import {
  createSiteTable,
  getPatterns,
  getSites,
  type HostPattern,
  isOpenTo,
  leaveDomains,
  leaveSite,
  openSites,
  type Site,
  type SiteTable,
  toHostKey,
} from './sites.ts'
import { fitsLiteralParts, parseTemplate } from './templates.ts'

/** Finds the catalogued endpoint of a URL. */
export interface Matcher {
  /**
   * Returns the best candidate, or undefined if no catalogued server has the host. Never throws.
   * The work is bounded, regardless of the query and the catalogue.
   */
  match(query: MatchQuery): Match | undefined
  /** Adds endpoints to new or existing APIs. The same endpoint must not be added twice. */
  addEndpoints(endpoints: readonly MatchableEndpoint[]): void
  /**
   * Replaces all endpoints of an API, for example after a re-import; an empty list removes it. The
   * cost depends only on the API's old and new endpoints.
   */
  replaceApi(apiId: number, endpoints: readonly MatchableEndpoint[]): void
  /** Number of known endpoints, and of hosts including ports and patterns. */
  size(): { readonly endpoints: number; readonly hosts: number }
}

/**
 * Builds a matcher from pages of the catalogue (`CatalogueStore.listMatchTargets`) in any order.
 * Yields to the event loop between pages.
 *
 * @example
 * ```ts
 * import { buildMatcher } from 'api-discovery/catalogue'
 *
 * const matcher = await buildMatcher(storage.catalogue.listMatchTargets())
 * const match = matcher.match({ method: 'get', url: 'https://eu.api.skycast.example/v2/forecast' })
 * console.log(match?.apiName)
 * ```
 */
export async function buildMatcher(
  pages: AsyncIterable<readonly MatchableEndpoint[]>,
): Promise<Matcher> {
  const matcher = createMatcher()
  const pause = createYieldIfDue()
  for await (const page of pages) {
    matcher.addEndpoints(page)
    const turn = pause()
    if (turn) await turn
  }
  return matcher
}

/** Creates an empty matcher. */
export function createMatcher(): Matcher {
  const sites = createSiteTable()
  const apis = new Map<number, ApiEntry>()
  let endpointCount = 0
  let known: KnownBases | undefined

  function addEndpoint(endpoint: MatchableEndpoint): void {
    const template = parseTemplate(endpoint.path)
    if (!template) return
    const api = apis.get(endpoint.apiId) ?? createApi(endpoint)
    apis.set(api.id, api)
    const bases = getBases(api, endpoint)
    api.endpointCount += 1
    endpointCount += 1
    const { segments, hasTrailingSlash, demand } = template
    const method = endpoint.method.toLowerCase()
    for (const { node, length } of bases) {
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

  /** Caches the bases by server list: consecutive endpoints usually share their API and servers. */
  function getBases(api: ApiEntry, endpoint: MatchableEndpoint): readonly PathBase[] {
    if (known?.api !== api || known.byServers.size >= MAX_SERVER_LISTS) {
      known = { api, byServers: new Map() }
    }
    const key = JSON.stringify(endpoint.servers)
    const found = known.byServers.get(key)
    if (found) return found
    const expanded = expandServers(endpoint.servers, MAX_LOCATIONS - api.locationCount)
    api.locationCount += expanded.length
    const places = claimServerLocations(expanded, api.vendorName)
    const bases = openSites(sites, { api, places }).map(({ site, base }) => {
      const node = growPath(site.root, base)
      addBase(node, api)
      return { node, length: base.length }
    })
    known.byServers.set(key, bases)
    return bases
  }

  function removeApi(apiId: number): void {
    const api = apis.get(apiId)
    if (!api) return
    for (const node of new Set(api.nodes)) removeApiFrom(node, api)
    for (const key of api.sites) leaveSite(sites, { key, api })
    leaveDomains(sites, api)
    apis.delete(apiId)
    endpointCount -= api.endpointCount
    known = undefined
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

/**
 * Maximum number of locations that the servers of one API expand to; later variables remain holes.
 */
const MAX_LOCATIONS = 4096

/** Maximum number of cached server lists of one API. */
const MAX_SERVER_LISTS = 1000

/** Root of an endpoint's paths. */
interface PathBase {
  readonly node: PathNode
  readonly length: number
}

/** Bases of the API of the last added endpoint, by its servers as JSON. */
interface KnownBases {
  readonly api: ApiEntry
  readonly byServers: Map<string, readonly PathBase[]>
}

function createApi(endpoint: MatchableEndpoint): ApiEntry {
  return {
    id: endpoint.apiId,
    name: endpoint.apiName,
    vendorName: endpoint.vendorName,
    nodes: [],
    sites: new Set(),
    domains: new Set(),
    endpointCount: 0,
    locationCount: 0,
  }
}

/** Maximum number of host patterns per lookup. */
const MAX_PATTERNS = 1024

/** Maximum number of tiers per lookup. */
const MAX_TIERS = 64

/** Finds the sites of a location in tiers: literal hosts, values of variables, patterns. */
function findTiers(table: SiteTable, location: Location): readonly (readonly Site[])[] {
  const tiers: (readonly Site[])[] = []
  const { host } = location
  if (!host.includes(HOLE)) {
    const port = location.port === ANY_PORT ? '' : location.port
    addByRank(tiers, getSites(table, toHostKey({ host, port })))
    addByRank(tiers, getSites(table, toHostKey({ host, port: ANY_PORT })))
  }
  if (table.bySuffix.size > 0 && !isAddress(host)) addPatterns(tiers, { table, location })
  return tiers
}

function addByRank(tiers: (readonly Site[])[], sites: readonly Site[]): void {
  for (const rank of [0, 1, 2]) {
    const tier = sites.length === 1 ? sites : sites.filter((site) => site.rank === rank)
    if (tier.length > 0 && tier[0]?.rank === rank) tiers.push(tier)
  }
}

function addPatterns(
  tiers: (readonly Site[])[],
  search: { readonly table: SiteTable; readonly location: Location },
): void {
  const { table, location } = search
  let labels: readonly string[] | undefined
  let budget = MAX_PATTERNS
  for (let dot = location.host.indexOf('.'); dot >= 0; dot = location.host.indexOf('.', dot + 1)) {
    const patterns = getPatterns(table, location.host.slice(dot + 1))
    if (patterns.length === 0) continue
    labels ??= location.host.split('.').reverse()
    for (const pattern of patterns) {
      budget -= 1
      if (budget < 0 || tiers.length >= MAX_TIERS) return
      const isPort = pattern.port === ANY_PORT || pattern.port === location.port
      const { site } = pattern
      const isFit = isPort && fitsPattern(labels, pattern)
      if (isFit && isOpenTo(table, { site, host: location.host })) tiers.push([site])
    }
  }
}

/**
 * Matches a host with a pattern. A hole as first label matches one or more labels, any other hole
 * exactly one.
 */
function fitsPattern(labels: readonly string[], pattern: HostPattern): boolean {
  const wanted = pattern.labels
  const isLong = labels.length > wanted.length && wanted[wanted.length - 1] === HOLE
  if (labels.length !== wanted.length && !isLong) return false
  return wanted.every((label, index) => {
    const text = labels[index] ?? ''
    if (!label.includes(HOLE)) return label === text
    if (pattern.site.isClosed) return text.includes(HOLE)
    return label === HOLE ? text !== '' : fitsLiteralParts(text, label.split(HOLE))
  })
}
