import { isAddress } from './hosts.ts'
import { ANY_PORT, type Location } from './locations.ts'
import { HOLE } from './placeholders.ts'
import {
  getPatterns,
  getSites,
  type HostPattern,
  isOpenTo,
  type Site,
  type SiteTable,
  toHostKey,
} from './sites.ts'
import { fitsLiteralParts } from './templates.ts'

/** Maximum number of host patterns per lookup. */
const MAX_PATTERNS = 1024

/** Maximum number of tiers per lookup. */
const MAX_TIERS = 64

/** Finds the sites of a location in tiers: literal hosts, values of variables, patterns. */
export function findTiers(table: SiteTable, location: Location): readonly (readonly Site[])[] {
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
