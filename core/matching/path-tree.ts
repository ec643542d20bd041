import { type ApiEntry, type ApiList, addApi, createApiList, removeApi } from './api-lists.ts'
import type { QueryDemand } from './demands.ts'
import { compareEnds, fitsEnd, type Hit, type PathQuery } from './hits.ts'
import { HOLE, REST } from './placeholders.ts'
import { fitsLiteralParts, toLiteralParts } from './templates.ts'

/** An endpoint at the node of its full path. */
export interface PathEnd {
  readonly api: ApiEntry
  readonly endpointId: number
  readonly shortId: string
  /** Lower case. */
  readonly method: string
  /** Number of segments of the server's base path. */
  readonly baseLength: number
  readonly hasTrailingSlash: boolean
  readonly demand: QueryDemand | undefined
}

/** One segment of the paths below a host. */
export interface PathNode {
  readonly parent: PathNode | undefined
  /** Literal text, `HOLE`, `REST`, or text with holes. */
  readonly segment: string
  /** Literal parts of a partly literal segment. */
  readonly parts: readonly string[] | undefined
  /** A single child, or several by segment: most nodes have one. */
  children: PathNode | Map<string, PathNode> | undefined
  /** Partly literal children, most literal first; undefined if outdated. */
  partials: readonly PathNode[] | undefined
  /** Endpoints that end at this node. */
  ends: PathEnd[] | undefined
  /** False if `ends` must be sorted before it is read. */
  isOrdered: boolean
  /** APIs whose base path ends at this node. */
  bases: ApiList | undefined
}

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

interface Search {
  readonly query: PathQuery
  readonly isLoose: boolean
  readonly findings: Findings
  limit: number
}

const NONE: readonly PathNode[] = []

/** Creates an empty tree. */
export function createRoot(): PathNode {
  return createNode(undefined, '')
}

/** Returns the child for a segment; undefined if there is none. */
function childOf(node: PathNode, segment: string): PathNode | undefined {
  const { children } = node
  if (children === undefined) return undefined
  if (children instanceof Map) return children.get(segment)
  return children.segment === segment ? children : undefined
}

/** Returns all children, in no particular order. */
function childrenOf(node: PathNode): Iterable<PathNode> {
  const { children } = node
  if (children === undefined) return NONE
  return children instanceof Map ? children.values() : [children]
}

/**
 * Returns the partly literal children: most literal characters first, then fewest holes, then by
 * text.
 */
function partialsOf(node: PathNode): readonly PathNode[] {
  node.partials ??= findPartials(node)
  return node.partials
}

/** Returns the ends in order: longest base path, most demands, API, endpoint. */
function endsOf(node: PathNode): readonly PathEnd[] {
  if (!node.ends) return []
  if (!node.isOrdered) node.ends.sort(compareEndsByBase)
  node.isOrdered = true
  return node.ends
}

/** Returns the node of a path; creates missing nodes. */
export function growPath(root: PathNode, segments: readonly string[]): PathNode {
  let node = root
  for (const segment of segments) node = childOf(node, segment) ?? addChild(node, segment)
  return node
}

/** Adds an end to a node. */
export function addEnd(node: PathNode, end: PathEnd): void {
  // A one-element literal: `push` to an empty array would reserve more memory.
  if (node.ends) node.ends.push(end)
  else node.ends = [end]
  node.isOrdered = node.ends.length === 1
  end.api.nodes.push(node)
}

/** Marks a node as the base path of an API. */
export function addBase(node: PathNode, api: ApiEntry): void {
  node.bases ??= createApiList()
  addApi(node.bases, api)
  api.nodes.push(node)
}

/** Removes an API from a node and prunes nodes that become empty. */
export function removeApiFrom(start: PathNode, api: ApiEntry): void {
  start.ends = keepOthers(start.ends, (end) => end.api !== api)
  if (start.bases && removeApi(start.bases, api) === 0) start.bases = undefined
  let node: PathNode | undefined = start
  while (node?.parent && !node.ends && !node.bases && !node.children) {
    removeChild(node.parent, node)
    node = node.parent
  }
}

function createNode(parent: PathNode | undefined, segment: string): PathNode {
  return {
    parent,
    segment,
    parts: toLiteralParts(segment),
    children: undefined,
    partials: NONE,
    ends: undefined,
    isOrdered: true,
    bases: undefined,
  }
}

function addChild(node: PathNode, segment: string): PathNode {
  const child = createNode(node, segment)
  if (node.children === undefined) {
    node.children = child
  } else if (node.children instanceof Map) {
    node.children.set(segment, child)
  } else {
    node.children = new Map([
      [node.children.segment, node.children],
      [segment, child],
    ])
  }
  if (child.parts) node.partials = undefined
  return child
}

function removeChild(node: PathNode, child: PathNode): void {
  if (node.children instanceof Map) {
    node.children.delete(child.segment)
    if (node.children.size === 1) node.children = [...node.children.values()][0]
  } else {
    node.children = undefined
  }
  if (child.parts) node.partials = undefined
}

function findPartials(node: PathNode): readonly PathNode[] {
  return [...childrenOf(node)].filter((child) => child.parts).sort(comparePartials)
}

function comparePartials(a: PathNode, b: PathNode): number {
  const [aHoles, bHoles] = [a.parts?.length ?? 0, b.parts?.length ?? 0]
  const byLiteral = b.segment.length - bHoles - (a.segment.length - aHoles)
  return byLiteral || aHoles - bHoles || (a.segment < b.segment ? -1 : 1)
}

function compareEndsByBase(a: PathEnd, b: PathEnd): number {
  return (
    b.baseLength - a.baseLength ||
    (b.demand?.pairs.length ?? 0) - (a.demand?.pairs.length ?? 0) ||
    a.api.id - b.api.id ||
    a.endpointId - b.endpointId
  )
}

function keepOthers<T>(items: T[] | undefined, isOther: (item: T) => boolean): T[] | undefined {
  const others = items?.filter(isOther)
  return others && others.length > 0 ? others : undefined
}

/** Maximum number of endpoints per search. */
export const MAX_HITS = 6

/** Maximum number of further steps after the first hit. */
const MAX_MORE_STEPS = 64

/** Maximum number of endpoints checked for one path; real paths have a few hundred at most. */
const MAX_ENDS = 4096

/** With more children, a placeholder is not matched to literals: it could be any of them. */
const MAX_LOOSE_CHILDREN = 64

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
