import { meetsDemand, type QueryReader, weighDemand } from './demands.ts'
import type { PathEnd, PathNode } from './path-tree.ts'
import type { PathShape } from './paths.ts'
import { HOLE, REST } from './placeholders.ts'

/** Query for the path tree of a host. */
export interface PathQuery extends PathShape {
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
  readonly query: QueryReader
}

/** An endpoint that matches a path. */
export interface Hit {
  readonly node: PathNode
  readonly end: PathEnd
}

/** Order of preference if the method is unknown. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/**
 * Whether method and required query match. A HEAD request matches a GET endpoint (RFC 9110 9.3.2).
 */
export function fitsEnd(end: PathEnd, query: PathQuery): boolean {
  const { method } = query
  const isMethod =
    method === undefined || method === end.method || (method === 'head' && end.method === 'get')
  return isMethod && (end.demand === undefined || meetsDemand(end.demand, query.query))
}

/** Compares hits of one lookup: most literal path first, then best end. */
export function compareHits(a: Hit, b: Hit, query: PathQuery): number {
  const byPath = a.node === b.node ? 0 : comparePaths(a.node, b.node)
  return byPath || compareEnds(a.end, b.end, query)
}

/** Compares the ends of one path; never 0 for different ends. */
export function compareEnds(a: PathEnd, b: PathEnd, query: PathQuery): number {
  return (
    compareFit(a, b, query) ||
    getMethodPosition(a) - getMethodPosition(b) ||
    a.api.id - b.api.id ||
    a.endpointId - b.endpointId
  )
}

/** Whether two hits differ only by the order of their IDs. */
export function isTie(hits: readonly [Hit, Hit], query: PathQuery): boolean {
  const [a, b] = hits
  return (
    a.end.method === b.end.method &&
    compareFit(a.end, b.end, query) === 0 &&
    (a.node === b.node || comparePaths(a.node, b.node) === 0)
  )
}

/** Segments from last to first, without the root. */
export function getSegments(node: PathNode): readonly string[] {
  const segments: string[] = []
  for (let at = node; at.parent; at = at.parent) segments.push(at.segment)
  return segments
}

function compareFit(a: PathEnd, b: PathEnd, query: PathQuery): number {
  return (
    weighDemand(b.demand, query.query) - weighDemand(a.demand, query.query) ||
    Number(b.method === query.method) - Number(a.method === query.method) ||
    Number(b.hasTrailingSlash === query.hasTrailingSlash) -
      Number(a.hasTrailingSlash === query.hasTrailingSlash) ||
    b.baseLength - a.baseLength
  )
}

function getMethodPosition(end: PathEnd): number {
  const place = METHODS.indexOf(end.method)
  return place < 0 ? METHODS.length : place
}

/**
 * Compares from left to right: literal, then partly literal (most characters first), parameter,
 * rest.
 */
function comparePaths(a: PathNode, b: PathNode): number {
  const [left, right] = [getSegments(a).toReversed(), getSegments(b).toReversed()]
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index] ?? REST, right[index] ?? REST]
    const byWeight = weighSegment(other) - weighSegment(one)
    if (byWeight !== 0) return byWeight
  }
  return 0
}

function weighSegment(segment: string): number {
  if (segment === REST) return -1
  if (segment === HOLE) return 0
  return segment.includes(HOLE) ? segment.replaceAll(HOLE, '').length : Number.MAX_SAFE_INTEGER
}
