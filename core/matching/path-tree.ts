import { type ApiEntry, type ApiList, addApi, createApiList, removeApi } from './api-lists.ts'
import type { QueryDemand } from './demands.ts'
import { toLiteralParts } from './templates.ts'

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

const NONE: readonly PathNode[] = []

/** Creates an empty tree. */
export function createRoot(): PathNode {
  return createNode(undefined, '')
}

/** Returns the child for a segment; undefined if there is none. */
export function childOf(node: PathNode, segment: string): PathNode | undefined {
  const { children } = node
  if (children === undefined) return undefined
  if (children instanceof Map) return children.get(segment)
  return children.segment === segment ? children : undefined
}

/** Returns all children, in no particular order. */
export function childrenOf(node: PathNode): Iterable<PathNode> {
  const { children } = node
  if (children === undefined) return NONE
  return children instanceof Map ? children.values() : [children]
}

/**
 * Returns the partly literal children: most literal characters first, then fewest holes, then by
 * text.
 */
export function partialsOf(node: PathNode): readonly PathNode[] {
  node.partials ??= findPartials(node)
  return node.partials
}

/** Returns the ends in order: longest base path, most demands, API, endpoint. */
export function endsOf(node: PathNode): readonly PathEnd[] {
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
