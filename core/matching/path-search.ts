import type { ApiList } from './api-lists.ts'
import { compareEnds, fitsEnd, type Hit, type PathQuery } from './hits.ts'
import { childOf, childrenOf, endsOf, type PathNode, partialsOf } from './path-tree.ts'
import { HOLE, REST } from './placeholders.ts'
import { fitsLiteralParts, toLiteralParts } from './templates.ts'

/** Maximum number of endpoints per search. */
export const MAX_HITS = 6

/** Maximum number of further steps after the first hit. */
const MAX_MORE_STEPS = 64

/** Maximum number of endpoints checked for one path; real paths have a few hundred at most. */
const MAX_ENDS = 4096

/** With more children, a placeholder is not matched to literals: it could be any of them. */
const MAX_LOOSE_CHILDREN = 64

/** Results of a search in one tree. */
export interface Findings {
  /** Path, method and query match; best first. */
  readonly hits: Hit[]
  /** The path matches, but not method or query. */
  readonly near: Hit[]
  /** APIs with the longest base path that is a prefix of the path. */
  bases: readonly ApiList[]
  /** Number of segments of that base path; -1 if there is none. */
  baseDepth: number
  /** Number of steps taken. */
  steps: number
}

/**
 * Searches a tree in order of literalness: literal, partly literal, parameter, rest, from left to
 * right. Stops after `MAX_HITS` endpoints or `maxSteps` steps.
 */
export function searchPaths(
  root: PathNode,
  options: { readonly query: PathQuery; readonly maxSteps: number; readonly isLoose: boolean },
): Findings {
  const findings: Findings = { hits: [], near: [], bases: [], baseDepth: -1, steps: 0 }
  const { query, isLoose, maxSteps } = options
  walk({ node: root, depth: 0 }, { query, isLoose, findings, limit: maxSteps })
  return findings
}

interface Search {
  readonly query: PathQuery
  readonly isLoose: boolean
  readonly findings: Findings
  limit: number
}

function walk(at: { readonly node: PathNode; readonly depth: number }, search: Search): void {
  const { node, depth } = at
  const { query, findings } = search
  findings.steps += 1
  if (findings.steps > search.limit) return
  if (node.bases) noteBase(findings, { list: node.bases, depth })
  const segment = query.segments[depth]
  if (segment === undefined) {
    if (node.ends) visitEnds(node, search)
    return
  }
  if (node.children === undefined) return
  const next = depth + 1
  const exact = childOf(node, segment)
  if (exact) walk({ node: exact, depth: next }, search)
  for (const partial of partialsOf(node)) {
    findings.steps += 1
    if (findings.steps > search.limit) return
    if (partial === exact || !fitsLiteralParts(segment, partial.parts ?? [])) continue
    walk({ node: partial, depth: next }, search)
  }
  const parameter = segment === HOLE ? undefined : childOf(node, HOLE)
  if (parameter) walk({ node: parameter, depth: next }, search)
  if (search.isLoose && segment.includes(HOLE)) walkLoosely({ node, depth }, search)
  const rest = childOf(node, REST)
  if (rest?.ends) visitEnds(rest, search)
}

/** Matches a placeholder to literal segments. */
function walkLoosely(at: { readonly node: PathNode; readonly depth: number }, search: Search) {
  const { children } = at.node
  if (children instanceof Map && children.size > MAX_LOOSE_CHILDREN) return
  const segment = search.query.segments[at.depth] ?? ''
  const parts = toLiteralParts(segment)
  const literals = [...childrenOf(at.node)].filter(
    (child) => !child.segment.includes(HOLE) && child.segment !== REST,
  )
  literals.sort((a, b) => (a.segment < b.segment ? -1 : 1))
  for (const child of literals) {
    if (parts && !fitsLiteralParts(child.segment, parts)) continue
    walk({ node: child, depth: at.depth + 1 }, search)
  }
}

function noteBase(findings: Findings, base: { readonly list: ApiList; readonly depth: number }) {
  if (base.depth < findings.baseDepth) return
  if (base.depth > findings.baseDepth) findings.bases = [base.list]
  else if (!findings.bases.includes(base.list)) findings.bases = [...findings.bases, base.list]
  findings.baseDepth = base.depth
}

function visitEnds(node: PathNode, search: Search): void {
  const { query, findings } = search
  const all = endsOf(node)
  const ends = all.length > MAX_ENDS ? all.slice(0, MAX_ENDS) : all
  findings.steps += ends.length >> 3
  const fitting = ends.filter((end) => fitsEnd(end, query))
  if (fitting.length === 0) {
    const room = Math.max(0, MAX_HITS - findings.near.length)
    for (const end of ends.slice(0, room)) findings.near.push({ node, end })
    return
  }
  if (fitting.length > 1) fitting.sort((a, b) => compareEnds(a, b, query))
  for (const end of fitting.slice(0, MAX_HITS)) findings.hits.push({ node, end })
  const isFull = findings.hits.length >= MAX_HITS
  search.limit = isFull ? 0 : Math.min(search.limit, findings.steps + MAX_MORE_STEPS)
}
