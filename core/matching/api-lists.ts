import type { PathNode } from './path-tree.ts'

/** An API as referenced by the ends and bases of path trees. */
export interface ApiEntry {
  readonly id: number
  readonly name: string
  readonly vendorName: string
  /** Nodes with ends and bases of the API, with duplicates; for removal. */
  readonly nodes: PathNode[]
  /** Keys of the sites that contain the API; for removal. */
  readonly sites: Set<string>
  /** Registrable domains of the API's literal servers; for removal. */
  readonly domains: Set<string>
  /** Number of added endpoints. */
  endpointCount: number
  /** Number of locations that its servers expand to. */
  locationCount: number
}

/** APIs that share a host or a base path. */
export interface ApiList {
  readonly byId: Map<number, ApiEntry>
  /** Sorted by ID; undefined if outdated. */
  ordered: readonly ApiEntry[] | undefined
}

/** Creates an empty list. */
export function createApiList(): ApiList {
  return { byId: new Map(), ordered: undefined }
}

/** Adds an API, unless the list contains it. */
export function addApi(list: ApiList, api: ApiEntry): void {
  if (list.byId.get(api.id) === api) return
  list.byId.set(api.id, api)
  list.ordered = undefined
}

/** Removes an API; returns the number of remaining APIs. */
export function removeApi(list: ApiList, api: ApiEntry): number {
  if (list.byId.delete(api.id)) list.ordered = undefined
  return list.byId.size
}

/** Returns the APIs sorted by ID. */
export function getSortedApis(list: ApiList): readonly ApiEntry[] {
  list.ordered ??= [...list.byId.values()].sort((a, b) => a.id - b.id)
  return list.ordered
}
