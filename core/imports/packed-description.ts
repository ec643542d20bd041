import type { EndpointDescription } from '../catalogue/records.ts'
import type { SteppedWork } from '../shared/time-slices.ts'
import type { ParsedDescription } from './parse-description.ts'

/**
 * A description for messages between threads, which copy their content. Contains each shared part
 * once: large descriptions refer to each parameter about a hundred times.
 */
export interface PackedDescription extends Omit<ParsedDescription, 'endpoints'> {
  readonly endpoints: readonly PackedEndpoint[]
  /** Parameters, and lists of servers, security requirements and names. */
  readonly shared: readonly object[]
}

type SharedMember = 'parameters' | (typeof SHARED_LISTS)[number]

interface PackedEndpoint extends Omit<EndpointDescription, SharedMember> {
  /** Indexes in `shared`: those of `SHARED_LISTS`, then the parameters. */
  readonly positions: readonly number[]
}

const SHARED_LISTS = ['servers', 'security', 'authTypes', 'responseFields'] as const

/** Packs a description for sending to another thread. */
export function packDescription(description: ParsedDescription): PackedDescription {
  const positions = new Map<object, number>()
  const shared: object[] = []
  const toPosition = (part: object): number => {
    const known = positions.get(part)
    if (known !== undefined) return known
    positions.set(part, shared.length)
    return shared.push(part) - 1
  }
  const endpoints = description.endpoints.map((endpoint): PackedEndpoint => {
    const { parameters, servers, security, authTypes, responseFields, ...rest } = endpoint
    const parts = [servers, security, authTypes, responseFields, ...parameters]
    return { ...rest, positions: parts.map(toPosition) }
  })
  return { ...description, endpoints, shared }
}

/** Restores a description packed by `packDescription`. */
export function* unpackDescription(packed: PackedDescription): SteppedWork<ParsedDescription> {
  const { shared, endpoints, ...description } = packed
  // `packDescription` put values of this type at these positions.
  const getSharedParts = <Part>(positions: readonly number[]) =>
    positions.map((position) => shared[position] as Part)
  const unpacked: EndpointDescription[] = []
  for (const { positions, ...endpoint } of endpoints) {
    const [servers = [], security = [], authTypes = [], responseFields = []] = getSharedParts<
      never[]
    >(positions.slice(0, SHARED_LISTS.length))
    const parameters = getSharedParts<EndpointDescription['parameters'][number]>(
      positions.slice(SHARED_LISTS.length),
    )
    unpacked.push({ ...endpoint, servers, security, authTypes, responseFields, parameters })
    yield
  }
  return { ...description, endpoints: unpacked }
}
