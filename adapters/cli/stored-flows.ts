import type { CallOutput, Contract } from '../../core/index.ts'
import { printTable } from './fitted-table.ts'
import type { Io } from './io.ts'

/** A stored flow as the service tells it. */
export type StoredFlow = CallOutput<
  Contract['getNetworkScanMappings']
>['scan_mappings']['mappings'][number]

interface Group {
  readonly first: StoredFlow
  flows: number
  firstAt: string
  lastAt: string
  readonly addresses: Set<string>
}

/**
 * Prints flows one line for each method, URL (host, else address) and approval, the most flows
 * first, with what a review can name.
 */
export function printStoredFlows(io: Io, flows: readonly StoredFlow[]): void {
  const groups = new Map<string, Group>()
  for (const flow of flows) {
    const { captured_ip: address, capture_datetime: at } = flow
    const key = JSON.stringify([flow.method, toSubject(flow), flow.direction, flow.approval])
    const group = groups.get(key) ?? {
      first: flow,
      flows: 0,
      firstAt: at,
      lastAt: at,
      addresses: new Set(),
    }
    groups.set(key, group)
    group.flows += 1
    if (at < group.firstAt) group.firstAt = at
    if (at > group.lastAt) group.lastAt = at
    if (address !== '') group.addresses.add(address)
  }
  printTable(io, {
    headings: [
      'METHOD',
      'URL OR HOST',
      'API',
      'VENDOR',
      'FLOWS',
      'ADDRESSES',
      'DIRECTION',
      'FIRST',
      'LAST',
      'APPROVAL',
    ],
    rows: [...groups.values()].sort((a, b) => b.flows - a.flows).map(toRow),
    // From the least telling.
    dropped: [7, 5],
  })
}

function toRow({ first, flows, firstAt, lastAt, addresses }: Group): readonly string[] {
  const [address = '-'] = addresses
  return [
    first.method ?? '-',
    toSubject(first),
    first.api_name ?? '-',
    first.vendor_name ?? '-',
    String(flows),
    addresses.size > 1 ? `${address} (+${addresses.size - 1})` : address,
    first.direction,
    toMinute(firstAt),
    toMinute(lastAt),
    first.approval,
  ]
}

/** As a review names it. */
function toSubject({ url, host, captured_ip: address }: StoredFlow): string {
  return url ?? host ?? address
}

/** Of a timestamp of the service. */
function toMinute(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}
