import type { MatchedFlow } from './scan-network.ts'

/** Flows of one API, or of one host without an API, for display. */
export interface FlowGroup {
  /** Undefined for hosts without a single catalogued API. */
  readonly apiName: string | undefined
  readonly vendorName: string | undefined
  /**
   * Catalogued APIs of the vendor that share the host, from the first flow; omitted if there are
   * none.
   */
  readonly candidates?: readonly string[]
  /**
   * Name or address in the first flow. Empty for incoming requests without a named host; `(others)`
   * for the group of the rest after 50,000 groups.
   */
  readonly host: string
  readonly flows: number
  /** Number of distinct addresses; counts at most 10,000. */
  readonly addresses: number
  /** First address, or empty. */
  readonly address: string
  readonly directions: readonly ('Outgoing' | 'Incoming')[]
  /** Milliseconds since the epoch. */
  readonly firstAt: number
  readonly lastAt: number
  /** Requests by method and path, most frequent first; at most 1,000 distinct ones. */
  readonly requests: readonly { readonly text: string; readonly count: number }[]
  /** Number of distinct catalogued endpoints. */
  readonly endpoints: number
}

/** Counts the usage of APIs and hosts in a network, flow by flow. */
export interface NetworkReport {
  add(flow: MatchedFlow): void
  readonly flows: number
  /** Groups of APIs, with most flows first. */
  apis(): readonly FlowGroup[]
  hosts(): readonly FlowGroup[]
}

const MAX_GROUPS = 50_000
const MAX_ADDRESSES = 10_000
const MAX_REQUESTS = 1000
const MAX_DISTINCT = 100_000
const OTHERS = '(others)'

interface OpenGroup {
  readonly first: MatchedFlow
  readonly host: string
  flows: number
  firstAt: number
  lastAt: number
  readonly addresses: Set<string>
  readonly directions: Set<'Outgoing' | 'Incoming'>
  readonly requests: Map<string, number>
  readonly endpoints: Set<string>
}

/**
 * Creates an empty report with bounded memory: `maxTold` limits the distinct addresses and requests
 * of all groups (100,000 by default).
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { createNetworkReport, readCapture, scanNetwork } from 'api-discovery/scans'
 *
 * const report = createNetworkReport()
 * const flows = readCapture(createReadStream('office.pcap'))
 * for await (const flow of scanNetwork({ flows, catalogue })) report.add(flow)
 * for (const group of report.apis()) console.log(group.apiName, group.flows)
 * ```
 */
export function createNetworkReport({
  maxTold = MAX_DISTINCT,
}: {
  readonly maxTold?: number
} = {}): NetworkReport {
  const groups = new Map<string, OpenGroup>()
  let flows = 0
  let distinctCount = 0

  function openGroup(flow: MatchedFlow): OpenGroup {
    const { apiId, host, ip, direction } = flow
    const name = host ?? (direction === 'Incoming' ? '' : ip)
    const key =
      apiId === undefined
        ? `${direction} ${flow.candidates ? 'one of ' : ''}${name}`
        : `api ${apiId}`
    const isFull = groups.size >= MAX_GROUPS && !groups.has(key)
    const known = groups.get(isFull ? OTHERS : key)
    if (known) return known
    const group: OpenGroup = {
      first: isFull
        ? { ...flow, apiId: undefined, apiName: undefined, candidates: undefined }
        : flow,
      host: isFull ? OTHERS : name,
      flows: 0,
      firstAt: flow.capturedAt,
      lastAt: flow.capturedAt,
      addresses: new Set(),
      directions: new Set(),
      requests: new Map(),
      endpoints: new Set(),
    }
    groups.set(isFull ? OTHERS : key, group)
    return group
  }

  function listGroups(isOfApi: boolean): readonly FlowGroup[] {
    const chosen = [...groups.values()].filter(
      ({ first }) => (first.apiId !== undefined) === isOfApi,
    )
    return chosen
      .map(toFlowGroup)
      .sort((a, b) => b.flows - a.flows || compareStrings(a.host, b.host))
  }

  return {
    get flows() {
      return flows
    },
    add(flow) {
      flows += 1
      const group = openGroup(flow)
      group.flows += 1
      group.firstAt = Math.min(group.firstAt, flow.capturedAt)
      group.lastAt = Math.max(group.lastAt, flow.capturedAt)
      group.directions.add(flow.direction)
      // The address of a DNS lookup is the resolver.
      const isOther = flow.ip !== '' && flow.protocol !== 'dns'
      const hasRoom = group.addresses.size < MAX_ADDRESSES && distinctCount < maxTold
      if (isOther && hasRoom && !group.addresses.has(flow.ip)) {
        group.addresses.add(flow.ip)
        distinctCount += 1
      }
      if (flow.endpointId !== undefined) group.endpoints.add(flow.endpointId)
      if (flow.url === undefined) return
      const text = toRequestText(flow)
      const count = group.requests.get(text)
      if (count === undefined) {
        if (group.requests.size >= MAX_REQUESTS || distinctCount >= maxTold) return
        distinctCount += 1
      }
      group.requests.set(text, (count ?? 0) + 1)
    },
    apis: () => listGroups(true),
    hosts: () => listGroups(false),
  }
}

function toFlowGroup(group: OpenGroup): FlowGroup {
  const { first, host, flows, firstAt, lastAt, addresses, directions, requests, endpoints } = group
  return {
    apiName: first.apiName,
    vendorName: first.vendorName,
    ...(first.candidates && { candidates: first.candidates }),
    host,
    flows,
    addresses: addresses.size,
    address: addresses.values().next().value ?? '',
    directions: [...directions].sort().reverse(),
    firstAt,
    lastAt,
    requests: [...requests]
      .map(([text, count]) => ({ text, count }))
      .sort((a, b) => b.count - a.count || compareStrings(a.text, b.text)),
    endpoints: endpoints.size,
  }
}

/** Formats `GET /v1/users`, without scheme and host. */
function toRequestText({ method, url = '' }: MatchedFlow): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/'
  return method === undefined ? path : `${method.toUpperCase()} ${path}`
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
