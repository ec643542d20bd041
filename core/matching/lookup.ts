import { createQueryReader } from './demands.ts'
import { compareHits, getSegments, type PathQuery } from './hits.ts'
import { isReserved } from './hosts.ts'
import type { Location } from './locations.ts'
import type { Match } from './match.ts'
import { toApiMatch, toEndpointMatch, toNearMatch } from './match-results.ts'
import { type Findings, searchPaths } from './path-search.ts'
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
