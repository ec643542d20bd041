import { hostOf } from '../code-scanner/noise/url-hosts.ts'
import type { MatchCandidate, MatchQuery } from '../matching/match.ts'
import { hash53 } from '../shared/ids.ts'
import type { HostVendors } from '../vendors/host-vendors.ts'
import type { EndpointFields } from './endpoint-fields.ts'
import type {
  CapturedFlow,
  CatalogueMatch,
  NetworkScan,
  ProjectScan,
  ScannedEndpoint,
} from './records.ts'
import type { NewScanRow, StoredRow, StoredScan } from './store.ts'

/** A scanned endpoint as a scanner sends it. */
export type NewEndpoint = EndpointFields &
  Pick<ScannedEndpoint, 'url' | 'method' | 'foundIn' | 'packages' | 'vendorName'>

/** A flow as a scanner sends it. */
export type NewFlow = Omit<CapturedFlow, 'position' | 'match' | 'approval' | 'reason' | 'decision'>

/** Properties of a network scan that are not queryable. */
export interface NetworkDetail {
  readonly organization: string
  readonly nicIp: string
  readonly nicName: string
  readonly macAddress: string
  readonly sendFrequency: string
}

export function toEndpointRow({ url, method, ...rest }: NewEndpoint): UnmatchedRow {
  const files = [...new Set(rest.foundIn.map(({ file }) => file))].sort()
  const notes = { at: 0, isOutgoing: false, address: '', files: hash53(files.join('\n')) }
  return { subject: url, method, detail: JSON.stringify(rest), notes }
}

export function toFlowRow({ method, ...rest }: NewFlow): UnmatchedRow {
  const isOutgoing = rest.direction === 'Outgoing'
  const notes = { at: rest.capturedAt, isOutgoing, address: rest.ip, files: 0 }
  const subject = rest.url || rest.host || rest.ip
  return { subject, method, detail: JSON.stringify(rest), notes }
}

/** Creates the match query for a scanned endpoint. */
export function toEndpointQuery({ subject, method }: UnmatchedRow): MatchQuery {
  return { url: subject, method }
}

/** Creates the match query for a flow: its URL, else its host or address. */
export function toFlowQuery({ method, detail }: UnmatchedRow): MatchQuery {
  const flow = parseFlowDetail(detail)
  if (flow.url !== '') return { url: flow.url, method }
  // Incoming flows name the client or an own host.
  if (flow.direction === 'Incoming') return { host: '', method }
  // The port of a DNS lookup is the port of the resolver.
  const port = flow.host !== '' && DNS_PORTS.has(flow.port) ? undefined : flow.port
  return { host: flow.host || flow.ip, port, method }
}

const DNS_PORTS: ReadonlySet<number | undefined> = new Set([53, 853, 5353])

/** Returns the catalogue match of a row; undefined if only the vendor is known. */
export function toCatalogueMatch(found: MatchCandidate | undefined): CatalogueMatch | undefined {
  if (found?.apiId === undefined) return undefined
  const { apiId, endpointId, confidence } = found
  return { apiId, endpointId, confidence }
}

export function toProjectScan(scan: StoredScan): ProjectScan {
  return {
    id: scan.id,
    number: scan.number,
    name: scan.projectName,
    createdAt: scan.startedAt,
    reviewStatus: scan.reviewStatus,
    isApproved: scan.isApproved,
    analyzedAt: scan.analyzedAt,
    endpoints: scan.rows,
    matched: scan.matched,
    by: scan.by,
    at: scan.at,
  }
}

export function toNetworkScan(scan: StoredScan): NetworkScan {
  // The cast is safe: `submitNetwork` wrote it.
  const detail = JSON.parse(scan.detail) as NetworkDetail
  return {
    instanceId: scan.id,
    repoId: scan.group,
    startedAt: scan.startedAt,
    endedAt: scan.endedAt,
    networkName: scan.networkName,
    projectName: scan.projectName,
    ...detail,
    status: scan.status,
    reviewStatus: scan.reviewStatus,
    isApproved: scan.isApproved,
    analyzedAt: scan.analyzedAt,
    flows: scan.rows,
    matched: scan.matched,
    by: scan.by,
    at: scan.at,
  }
}

export function toScannedEndpoint(row: StoredRow, vendors: HostVendors): ScannedEndpoint {
  // The cast is safe: `toEndpointRow` wrote it.
  const detail = JSON.parse(row.detail) as Omit<NewEndpoint, 'url' | 'method'>
  const { position, subject, method, match, owner, approval, reason, decision } = row
  const isMatched = match !== undefined
  return {
    ...detail,
    position,
    url: subject,
    method,
    packages: readStoredPackages(detail),
    vendorName: findRowVendor({ ...detail, url: subject, isMatched, owner }, vendors),
    match,
    approval,
    reason,
    decision,
  }
}

export function toCapturedFlow(row: StoredRow, vendors?: HostVendors): CapturedFlow {
  const { position, method, match, owner, approval, reason, decision } = row
  const flow = parseFlowDetail(row.detail)
  const { ip, port, host, direction, capturedAt, url } = flow
  const isMatched = match !== undefined
  const vendorName = vendors && findRowVendor({ ...flow, isMatched, owner }, vendors)
  return {
    position,
    ip,
    port,
    host,
    direction,
    capturedAt,
    method,
    url,
    ...(vendorName !== undefined && { vendorName }),
    match,
    approval,
    reason,
    decision,
  }
}

/** Packages of a stored row. Older rows have a single `package`, which may be empty. */
export function readStoredPackages(detail: {
  readonly packages?: readonly string[] | undefined
  readonly package?: string | undefined
}): readonly string[] {
  return detail.packages ?? (detail.package ? [detail.package] : [])
}

/**
 * Prefix of the owner key of a row that several catalogued APIs of one vendor match. The vendor
 * name follows. The space distinguishes it from API numbers in console URLs, which start with a
 * zero and digits.
 */
export const APIS_OWNER_PREFIX = '0 '

/**
 * Finds the vendor of a row: of the matching APIs, else of its host, else the scanner's. Undefined
 * for rows of a catalogued API, whose vendor is known, and for incoming flows.
 */
export function findRowVendor(
  row: {
    readonly isMatched: boolean
    readonly url?: string | undefined
    readonly host?: string | undefined
    readonly direction?: CapturedFlow['direction'] | undefined
    readonly vendorName?: string | undefined
    /** See `NewScanRow.owner`. */
    readonly owner?: string | undefined
  },
  vendors: HostVendors,
): string | undefined {
  if (row.isMatched || row.direction === 'Incoming') return undefined
  if (row.owner?.startsWith(APIS_OWNER_PREFIX)) return row.owner.slice(APIS_OWNER_PREFIX.length)
  const host = hostOf(row.url || row.host || '')
  return (host && vendors.findVendor(host)) ?? row.vendorName
}

/** Returns the captured address of a network scan's row, or empty. */
export function toCapturedIp({ detail }: Pick<NewScanRow, 'detail'>): string {
  return parseFlowDetail(detail).ip
}

/** A row before it is matched to the catalogue. */
export type UnmatchedRow = Omit<NewScanRow, 'match'>

function parseFlowDetail(detail: string): Omit<NewFlow, 'method'> {
  // The cast is safe: `toFlowRow` wrote it.
  return JSON.parse(detail) as Omit<NewFlow, 'method'>
}
