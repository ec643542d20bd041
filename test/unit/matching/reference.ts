import type { MatchableEndpoint } from '../../../core/matching/match.ts'

/** A catalogued endpoint of a property test. */
export interface SampleEndpoint {
  readonly apiId: number
  readonly host: string
  /** Segments of the server's path, `{p}` for a free variable. */
  readonly base: readonly string[]
  readonly path: readonly string[]
  readonly hasSlash: boolean
  readonly method: string
}

/** A request with its segments decoded. */
export type SampleRequest = Pick<SampleEndpoint, 'host' | 'method' | 'hasSlash'> & {
  readonly segments: readonly string[]
}

/** Converts a sample to the form of the catalogue; IDs start at 1. */
export function toMatchable(sample: SampleEndpoint, index: number): MatchableEndpoint {
  const base = sample.base.map((part) => `/${part}`).join('')
  const path = sample.path.map((part) => `/${part}`).join('')
  return {
    id: index + 1,
    shortId: `short${index + 1}`,
    apiId: sample.apiId,
    apiName: `API ${sample.apiId}`,
    vendorName: 'Acme',
    method: sample.method,
    path: sample.hasSlash || path === '' ? `${path}/` : path,
    servers: [{ url: `https://${sample.host}${base}`, name: '', variables: [] }],
  }
}

/** Returns the ID that a linear search by the documented rules finds. */
export function expectedEndpoint(
  all: readonly SampleEndpoint[],
  request: SampleRequest,
): number | undefined {
  const fitting = all
    .map((endpoint, index) => ({ endpoint, id: index + 1 }))
    .filter(({ endpoint }) => fits(endpoint, request))
  fitting.sort((a, b) => compareEndpoints(a, b, request))
  return fitting[0]?.id
}

interface Numbered {
  readonly endpoint: SampleEndpoint
  readonly id: number
}

function fits(endpoint: SampleEndpoint, request: SampleRequest): boolean {
  const segments = [...endpoint.base, ...endpoint.path]
  const isMethod =
    endpoint.method === request.method || (request.method === 'head' && endpoint.method === 'get')
  return (
    isMethod &&
    endpoint.host === request.host &&
    segments.length === request.segments.length &&
    segments.every((part, index) => fitsText(splitPart(part), request.segments[index] ?? ''))
  )
}

/** Matches literal pieces and gaps (undefined) of at least one character by trying all splits. */
function fitsText(pieces: readonly (string | undefined)[], text: string): boolean {
  const [piece, ...rest] = pieces
  if (pieces.length === 0) return text === ''
  if (piece !== undefined) return text.startsWith(piece) && fitsText(rest, text.slice(piece.length))
  return Array.from({ length: text.length }, (_, index) => index + 1).some((end) =>
    fitsText(rest, text.slice(end)),
  )
}

function splitPart(part: string): readonly (string | undefined)[] {
  const pieces = part.replaceAll('{p}{q}', '{p}').split(/(\{\w\})/)
  return pieces.filter((piece) => piece !== '').map((piece) => (isGap(piece) ? undefined : piece))
}

function isGap(piece: string): boolean {
  return /^\{\w\}$/.test(piece)
}

/** Rank (2 literal, 1 partly literal, 0 parameter), literal characters, negated gaps, text. */
function weigh(part: string): readonly [number, number, number, string] {
  const pieces = splitPart(part)
  const literal = pieces.join('').length
  const gaps = pieces.filter((piece) => piece === undefined).length
  return [gaps === 0 ? 2 : literal > 0 ? 1 : 0, gaps === 0 ? 0 : literal, -gaps, part]
}

function compareEndpoints(a: Numbered, b: Numbered, request: SampleRequest): number {
  const [left, right] = [shapeOf(a.endpoint), shapeOf(b.endpoint)]
  for (const [index, part] of left.entries()) {
    const [one, other] = [weigh(part), weigh(right[index] ?? '')]
    const bySegment = other[0] - one[0] || other[1] - one[1] || other[2] - one[2]
    if (bySegment !== 0) return bySegment
  }
  const slash = (sample: SampleEndpoint) =>
    Number((sample.hasSlash || sample.path.length === 0) === request.hasSlash)
  return (
    Number(b.endpoint.method === request.method) - Number(a.endpoint.method === request.method) ||
    slash(b.endpoint) - slash(a.endpoint) ||
    b.endpoint.base.length - a.endpoint.base.length ||
    a.endpoint.apiId - b.endpoint.apiId ||
    a.id - b.id
  )
}

function shapeOf(endpoint: SampleEndpoint): readonly string[] {
  return [...endpoint.base, ...endpoint.path]
}
