import type { PathNode } from './path-tree.ts'

/** An API as the ends and bases of the trees point to it. */
export interface ApiEntry {
  readonly id: number
  readonly name: string
  readonly vendorName: string
  /** Nodes that hold the API's ends and bases, some several times; for removal. */
  readonly nodes: PathNode[]
  /** Keys of the sites that the API stands in; for removal. */
  readonly sites: Set<string>
  /** Registrable domains of its literal servers; for removal. */
  readonly domains: Set<string>
  /** Endpoints that were added. */
  endpoints: number
  /** Places that its servers were expanded to. */
  places: number
}

/** APIs that share a host or a base path. */
export interface ApiList {
  readonly byId: Map<number, ApiEntry>
  /** In order of id; undefined when out of date. */
  ordered: readonly ApiEntry[] | undefined
}

/** An empty list. */
export function createApiList(): ApiList {
  return { byId: new Map(), ordered: undefined }
}

/** Adds an API; once is enough. */
export function addApi(list: ApiList, api: ApiEntry): void {
  if (list.byId.get(api.id) === api) return
  list.byId.set(api.id, api)
  list.ordered = undefined
}

/** Takes an API out; gives the number that are left. */
export function removeApi(list: ApiList, api: ApiEntry): number {
  if (list.byId.delete(api.id)) list.ordered = undefined
  return list.byId.size
}

/** The APIs in order of id. */
export function apisOf(list: ApiList): readonly ApiEntry[] {
  list.ordered ??= [...list.byId.values()].sort((a, b) => a.id - b.id)
  return list.ordered
}
