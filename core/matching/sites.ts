import { isVendorName } from '../vendors/known-vendors.ts'
import { findOwnDomain } from '../vendors/shared-hosts.ts'
import {
  type ApiEntry,
  type ApiList,
  addApi,
  createApiList,
  getSortedApis,
  removeApi,
} from './api-lists.ts'
import { literalSuffix } from './hosts.ts'
import { createRoot, type PathNode } from './path-tree.ts'
import { HOLE } from './placeholders.ts'
import type { ClaimedLocation, HostRank } from './servers.ts'

/**
 * Maximum number of hosts with separate copies of an API's paths; above it, the hosts share one
 * tree.
 */
const MAX_COPIES = 4

/** All paths of one host, or of hosts that some APIs share. */
export interface Site {
  readonly key: string
  readonly rank: HostRank
  readonly isClosed: boolean
  /** The host has many owners: only exact endpoints of an API match. */
  readonly isShared: boolean
  /** Hosts of the site, for the host tables. */
  readonly hosts: readonly HostName[]
  readonly root: PathNode
  readonly apis: ApiList
}

/** A host with its port. */
export interface HostName {
  readonly host: string
  readonly port: string
}

/** All hosts of a catalogue, with their sites. */
export interface SiteTable {
  readonly byKey: Map<string, Site>
  /** Sites by host and port. */
  readonly byHost: Map<string, Bucket<Site>>
  /** Hosts with holes, by the literal labels after the last hole. */
  readonly bySuffix: Map<string, Bucket<HostPattern>>
  /** APIs with literal servers, by the registrable domain of the servers. */
  readonly byDomain: Map<string, Map<number, ApiEntry>>
}

/** Items of one key; sorted when read. */
interface Bucket<T> {
  items: T[]
  isOrdered: boolean
}

/** A host with holes. */
export interface HostPattern {
  /** Labels from last to first. */
  readonly labels: readonly string[]
  readonly port: string
  readonly site: Site
}

/** Creates an empty table. */
export function createSiteTable(): SiteTable {
  return { byKey: new Map(), byHost: new Map(), bySuffix: new Map(), byDomain: new Map() }
}

/** Returns the key of a host and port. */
export function toHostKey(name: HostName): string {
  return name.port === '' ? name.host : `${name.host}:${name.port}`
}

/** Opens the sites of an API's server locations, each with its base path. */
export function openSites(
  table: SiteTable,
  owner: { readonly api: ApiEntry; readonly places: readonly ClaimedLocation[] },
): readonly { readonly site: Site; readonly base: readonly string[] }[] {
  const groups = new Map<string, ClaimedLocation[]>()
  for (const place of owner.places) {
    if (place.rank === 0 && !place.isShared) addOwner(table, { host: place.host, api: owner.api })
    const key = JSON.stringify([place.rank, place.isClosed, place.isShared, place.base])
    const group = groups.get(key)
    if (group) group.push(place)
    else groups.set(key, [place])
  }
  return [...groups.values()].flatMap((group) => {
    const shares = group.length > MAX_COPIES ? [group] : group.map((place) => [place])
    return shares.flatMap((share) => {
      const first = share[0]
      if (!first) return []
      const site = openSite(table, { first, hosts: share })
      addApi(site.apis, owner.api)
      owner.api.sites.add(site.key)
      return [{ site, base: first.base }]
    })
  })
}

/** Removes an API from a site, and the site if no API is left. */
export function leaveSite(
  table: SiteTable,
  removal: { readonly key: string; readonly api: ApiEntry },
) {
  const site = table.byKey.get(removal.key)
  if (!site || removeApi(site.apis, removal.api) > 0) return
  table.byKey.delete(site.key)
  for (const name of site.hosts) {
    if (name.host.includes(HOLE)) {
      const isOther = (pattern: HostPattern) => pattern.site !== site
      removeFromBucket(table.bySuffix, { key: literalSuffix(name.host), isOther })
    } else {
      removeFromBucket(table.byHost, { key: toHostKey(name), isOther: (other) => other !== site })
    }
  }
}

/** Removes an API from the owners of domains. */
export function leaveDomains(table: SiteTable, api: ApiEntry): void {
  for (const domain of api.domains) {
    const owners = table.byDomain.get(domain)
    owners?.delete(api.id)
    if (owners?.size === 0) table.byDomain.delete(domain)
  }
}

/**
 * Whether a site with a template may match a host. False if only other vendors have literal servers
 * in the host's domain.
 */
export function isOpenTo(table: SiteTable, fit: { readonly site: Site; readonly host: string }) {
  const { site, host } = fit
  const owners = table.byDomain.get(findOwnDomain(host) ?? '')
  if (!owners) return true
  return getSortedApis(site.apis).some(
    (api) =>
      owners.has(api.id) ||
      [...owners.values()].some(({ vendorName: vendor }) =>
        isVendorName(api.vendorName, { vendor, host }),
      ),
  )
}

/** Sites of a host key (see `toHostKey`), most literal first, then by key. */
export function getSites(table: SiteTable, hostKey: string): readonly Site[] {
  return sortBucket(table.byHost.get(hostKey), compareSites)
}

/** Patterns with a suffix, most literal first. */
export function getPatterns(table: SiteTable, suffix: string): readonly HostPattern[] {
  return sortBucket(table.bySuffix.get(suffix), comparePatterns)
}

function addOwner(
  table: SiteTable,
  { host, api }: { readonly host: string; readonly api: ApiEntry },
): void {
  const domain = findOwnDomain(host)
  if (domain === undefined || api.domains.has(domain)) return
  const owners = table.byDomain.get(domain) ?? new Map<number, ApiEntry>()
  table.byDomain.set(domain, owners.set(api.id, api))
  api.domains.add(domain)
}

function openSite(
  table: SiteTable,
  wanted: { readonly first: ClaimedLocation; readonly hosts: readonly ClaimedLocation[] },
): Site {
  const { rank, isClosed, isShared } = wanted.first
  const keys = wanted.hosts.map(toHostKey).sort()
  const key = `${rank}${isClosed ? 'c' : 'o'} ${keys.join(' ')}`
  const known = table.byKey.get(key)
  if (known) return known
  const hosts = wanted.hosts.map(({ host, port }) => ({ host, port }))
  const site = { key, rank, isClosed, isShared, hosts, root: createRoot(), apis: createApiList() }
  table.byKey.set(key, site)
  for (const name of hosts) linkHost(table, { name, site })
  return site
}

function linkHost(table: SiteTable, link: { readonly name: HostName; readonly site: Site }): void {
  const { name, site } = link
  if (name.host.includes(HOLE)) {
    const labels = name.host.split('.').reverse()
    const item = { labels, port: name.port, site }
    addToBucket(table.bySuffix, { key: literalSuffix(name.host), item })
  } else {
    addToBucket(table.byHost, { key: toHostKey(name), item: site })
  }
}

function addToBucket<T>(
  map: Map<string, Bucket<T>>,
  entry: { readonly key: string; readonly item: T },
): void {
  const bucket = map.get(entry.key)
  if (bucket) {
    bucket.items.push(entry.item)
    bucket.isOrdered = false
  } else {
    map.set(entry.key, { items: [entry.item], isOrdered: true })
  }
}

function removeFromBucket<T>(
  map: Map<string, Bucket<T>>,
  entry: { readonly key: string; readonly isOther: (item: T) => boolean },
): void {
  const bucket = map.get(entry.key)
  if (!bucket) return
  bucket.items = bucket.items.filter(entry.isOther)
  if (bucket.items.length === 0) map.delete(entry.key)
}

function sortBucket<T>(
  bucket: Bucket<T> | undefined,
  compare: (a: T, b: T) => number,
): readonly T[] {
  if (!bucket) return []
  if (!bucket.isOrdered) bucket.items.sort(compare)
  bucket.isOrdered = true
  return bucket.items
}

function compareSites(a: Site, b: Site): number {
  return a.rank - b.rank || (a.key < b.key ? -1 : 1)
}

/**
 * Orders patterns: more labels first, then more literal characters, open before closed, then by
 * key.
 */
function comparePatterns(a: HostPattern, b: HostPattern): number {
  return (
    b.labels.length - a.labels.length ||
    countLiteral(b.labels) - countLiteral(a.labels) ||
    Number(a.site.isClosed) - Number(b.site.isClosed) ||
    compareSites(a.site, b.site)
  )
}

function countLiteral(labels: readonly string[]): number {
  return labels.reduce((sum, label) => sum + label.replaceAll(HOLE, '').length, 0)
}
