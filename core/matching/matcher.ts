import { createPause } from '../shared/slices.ts'
import type { ApiEntry } from './api-lists.ts'
import { parseLocation, parseParts } from './locations.ts'
import { findMatch } from './lookup.ts'
import type { Match, MatchableEndpoint, MatchQuery } from './match.ts'
import { addBase, addEnd, growPath, type PathNode, removeApiFrom } from './path-tree.ts'
import { claimPlaces, toServerPlaces } from './servers.ts'
import { findTiers } from './site-search.ts'
import { createSiteTable, leaveDomains, leaveSite, openSites } from './sites.ts'
import { parseTemplate } from './templates.ts'

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

/**
 * Builds a matcher from the catalogue's pages (`CatalogueStore.listMatchTargets`), in any order,
 * with turns for the event loop between them.
 */
export async function buildMatcher(
  pages: AsyncIterable<readonly MatchableEndpoint[]>,
): Promise<Matcher> {
  const matcher = createMatcher()
  const pause = createPause()
  for await (const page of pages) {
    matcher.addEndpoints(page)
    const turn = pause()
    if (turn) await turn
  }
  return matcher
}

/** A matcher that knows nothing yet. */
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
    const bases = basesOf(api, endpoint)
    api.endpoints += 1
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

  /** Endpoints of one API come one after the other and mostly have the same servers. */
  function basesOf(api: ApiEntry, endpoint: MatchableEndpoint): readonly Base[] {
    if (known?.api !== api || known.byServers.size >= MAX_SERVER_LISTS) {
      known = { api, byServers: new Map() }
    }
    const key = JSON.stringify(endpoint.servers)
    const found = known.byServers.get(key)
    if (found) return found
    const expanded = toServerPlaces(endpoint.servers, MAX_PLACES - api.places)
    api.places += expanded.length
    const places = claimPlaces(expanded, api.vendorName)
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
    endpointCount -= api.endpoints
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

/** Places of one API whose servers are expanded; later ones are left open. */
const MAX_PLACES = 4096

/** Server lists of one API that are remembered at a time. */
const MAX_SERVER_LISTS = 1000

/** Where the paths of an endpoint begin. */
interface Base {
  readonly node: PathNode
  readonly length: number
}

/** The bases of the API that endpoints were last added of, by its servers as JSON. */
interface KnownBases {
  readonly api: ApiEntry
  readonly byServers: Map<string, readonly Base[]>
}

function createApi(endpoint: MatchableEndpoint): ApiEntry {
  return {
    id: endpoint.apiId,
    name: endpoint.apiName,
    vendorName: endpoint.vendorName,
    nodes: [],
    sites: new Set(),
    domains: new Set(),
    endpoints: 0,
    places: 0,
  }
}
