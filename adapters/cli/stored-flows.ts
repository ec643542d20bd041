import type { CallOutput, Contract } from '../../core/contract.ts'
import { APPROVAL_LABELS } from './approval-labels.ts'
import { printFittedTable } from './fitted-table.ts'
import type { Io } from './io.ts'

/** A stored flow as returned by the service. */
export type StoredFlow = CallOutput<
  Contract['getNetworkScanMappings']
>['scan_mappings']['mappings'][number]

interface StoredFlowGroup {
  readonly first: StoredFlow
  flows: number
  firstAt: string
  lastAt: string
  readonly addresses: Set<string>
}

/**
 * Prints flows grouped by method, URL (else host, else address), direction and approval. Groups
 * with the most flows come first. The URL column has the values that `scans review` accepts.
 */
export function printStoredFlows(io: Io, flows: readonly StoredFlow[]): void {
  const groups = new Map<string, StoredFlowGroup>()
  for (const flow of flows) {
    const { captured_ip: address, capture_datetime: at } = flow
    const key = JSON.stringify([
      flow.method,
      findReviewSubject(flow),
      flow.direction,
      flow.approval,
    ])
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
  printFittedTable(io, {
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
    rows: [...groups.values()].sort((a, b) => b.flows - a.flows).map(formatFlowGroupRow),
    // The least important first.
    dropped: [7, 5],
  })
}

function formatFlowGroupRow({
  first,
  flows,
  firstAt,
  lastAt,
  addresses,
}: StoredFlowGroup): readonly string[] {
  const [address = '-'] = addresses
  return [
    first.method ?? '-',
    findReviewSubject(first),
    first.api_name ?? '-',
    first.vendor_name ?? '-',
    String(flows),
    addresses.size > 1 ? `${address} (+${addresses.size - 1})` : address,
    first.direction,
    truncateToMinute(firstAt),
    truncateToMinute(lastAt),
    APPROVAL_LABELS[first.approval],
  ]
}

/** Returns the URL, host or address that `scans review` accepts. */
function findReviewSubject({ url, host, captured_ip: address }: StoredFlow): string {
  return url ?? host ?? address
}

/** Formats a timestamp of the service to the minute. */
function truncateToMinute(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}
