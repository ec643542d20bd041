import type { Api } from '../catalogue/records.ts'
import type { Geolocation } from '../ports/geolocation.ts'
import { toMinute, toPlainTimestamp, toPreciseTimestamp, toTimestamp } from '../shared/dates.ts'
import type { ScansUsingApi } from './api-usages.ts'
import { toWireFields } from './endpoint-fields.ts'
import type { Lookups, Observation } from './lookups.ts'
import type {
  Approval,
  CapturedFlow,
  Decision,
  NetworkScan,
  ProjectScan,
  ScannedEndpoint,
  ScannedPackages,
} from './records.ts'
import { toPackageDocument } from './report/package-document.ts'
import type { RowDecision, StoredScan } from './store.ts'
import type { UsageCounts } from './usage-store.ts'

/** Returns the properties shared by scan records and mappings (Specification 2.6, 2.7). */
export function toNetworkHead(scan: NetworkScan) {
  return {
    network_name: scan.networkName,
    project_name: scan.projectName,
    repo_id: scan.repoId,
    instance_id: scan.instanceId,
    start_time: toPreciseTimestamp(scan.startedAt),
    end_time: scan.endedAt === undefined ? '' : toTimestamp(scan.endedAt),
    nic_ip: scan.nicIp,
    nic_name: scan.nicName,
    mac_address: scan.macAddress,
    scan_status: scan.status,
    scan_data_send_freq: scan.sendFrequency,
    review_status: scan.reviewStatus,
    is_approved: scan.isApproved,
    ...toWireDecision(scan),
  }
}

/** Converts a scan to a scan detail record (Specification 2.6). */
export function toScanDetail(scan: NetworkScan) {
  return { ...toNetworkHead(scan), organization: scan.organization }
}

/** Converts a flow to an entry of the mappings (Specification 2.7). */
export async function toMapping(
  flow: CapturedFlow,
  context: { readonly lookups: Lookups; readonly place: Geolocation | undefined },
) {
  const found = flow.match && (await context.lookups.find(flow.match))
  const authTypes = flow.match ? await context.lookups.authTypes(flow.match) : []
  return {
    captured_ip: flow.ip,
    direction: flow.direction,
    capture_datetime: toTimestamp(flow.capturedAt),
    endpoint_geolocation: toGeolocation(context.place),
    ...(!found && flow.vendorName ? { vendor_name: flow.vendorName } : {}),
    ...(found && {
      api_name: found.api.name,
      api_url: found.api.homepage || found.api.vendor.homepage,
      vendor_name: found.api.vendor.name,
      vendor_url: found.api.vendor.homepage,
      endpoint: found.endpoint
        ? `${found.endpoint.method} ${found.endpoint.url}`
        : `${flow.method || 'unknown'} ${toFlowUrl(flow)}`,
      endpoint_auth_type: authTypes.join(', '),
    }),
    ...(flow.port === undefined ? {} : { port: flow.port }),
    ...(flow.host === '' ? {} : { host: flow.host }),
    ...(flow.method === '' ? {} : { method: flow.method }),
    ...(flow.url === '' ? {} : { url: flow.url }),
    ...(found?.endpoint ? { endpoint_id: found.endpoint.shortId } : {}),
    ...(found && flow.match ? { match_confidence: flow.match.confidence } : {}),
    ...toWireRowDecision({
      approval: flow.approval ?? 'unreviewed',
      reason: flow.reason ?? '',
      decision: flow.decision ?? { by: '', at: undefined },
    }),
  }
}

/** Converts a scanned project with its endpoints (Specification 2.8). */
export function toScannedProject<Details>(project: ProjectScan, details: Details) {
  return {
    project_id: project.id,
    project_name: project.name,
    datetime_created: toMinute(project.createdAt),
    scan_details: details,
    'review status': project.reviewStatus,
    is_approved: project.isApproved ?? 'not_analyzed',
    analyzed_datetime: toPlainTimestamp(project.analyzedAt),
    ...toWireDecision(project),
  }
}

/** Converts a scanned endpoint (Specification 2.8). */
export async function toScannedEndpoint(endpoint: ScannedEndpoint, lookups: Lookups) {
  const { match } = endpoint
  const found = match && (await lookups.find(match))
  const seen = found && match ? await lookups.observe(match) : undefined
  const links = found ? await lookups.agreements(found.api.id) : []
  return {
    endpoint_url: endpoint.url,
    api_name: found?.api.name ?? '',
    api_version: found?.api.version || 'N/A',
    vendor_name: found?.api.vendor.name ?? endpoint.vendorName ?? '',
    endpoint_method: endpoint.method,
    response_metadata: toWireHeaders(seen),
    agreements: links.map(({ name, link }) => ({ name, link })),
    server_info: toServerInfo(seen),
    ...(found?.endpoint ? { endpoint_id: found.endpoint.shortId } : {}),
    ...(found && match ? { match_confidence: match.confidence } : {}),
    found_in: endpoint.foundIn.map(({ file, line, column }) => ({ file, line, column })),
    ...toWirePackages(endpoint),
    ...toWireFields(endpoint),
    ...toWireRowDecision(endpoint),
  }
}

/** Adds `package`, the first of `packages`. */
function toWirePackages({ packages }: ScannedEndpoint) {
  const [first] = packages
  return first === undefined ? {} : { package: first, packages: [...packages] }
}

/** Converts a package with CVEs of its version. */
export function toScannedPackage(used: ScannedPackages['vulnerable'][number]) {
  const { package: purl, is_lowest_version, num_cves, cves } = toPackageDocument(used)
  return {
    ...{ package: purl, is_lowest_version, num_cves, cves: cves.map((cve) => ({ ...cve })) },
    found_in: used.places.map(({ file, line, column }) => ({ file, line, column })),
  }
}

/** Converts the scans that use an API. */
export function toApiUsages(
  { name, version, vendor }: Api,
  { projects, networks, isPartial }: ScansUsingApi,
) {
  return {
    api_name: name,
    api_version: version || 'N/A',
    vendor_name: vendor.name,
    projects: projects.map(({ scan, counts }) => ({
      project_id: scan.id,
      project_name: scan.name,
      datetime_created: toMinute(scan.createdAt),
      ...toUsageCounts(counts),
    })),
    networks: networks.map(({ scan, counts }) => ({
      instance_id: scan.instanceId,
      network_name: scan.networkName,
      project_name: scan.projectName,
      start_time: toPreciseTimestamp(scan.startedAt),
      ...toUsageCounts(counts),
    })),
    is_partial: isPartial,
  }
}

function toUsageCounts({ usages, unreviewed, approved, rejected }: UsageCounts) {
  return {
    num_usages: usages,
    num_unreviewed: unreviewed,
    num_approved: approved,
    num_rejected: rejected,
  }
}

/** Returns the response to a review. */
export function toStoredReview(scan: StoredScan, decisions: readonly RowDecision[]) {
  return {
    review_status: scan.reviewStatus,
    is_approved: scan.isApproved,
    by: scan.by,
    at: toTimestamp(scan.at ?? 0),
    endpoints: decisions.map((decision) => ({
      endpoint_url: decision.subject,
      endpoint_method: decision.method,
      approval: decision.approval,
      reason: decision.reason,
      by: decision.by,
      at: toTimestamp(decision.at ?? 0),
    })),
  }
}

const UNAVAILABLE = 'Unavailable'
const UNKNOWN = 'unavailable'

function toFlowUrl({ url, host, ip, port }: CapturedFlow): string {
  return url || `${port === 80 ? 'http' : 'https'}://${host || ip}`
}

function toGeolocation(geolocation: Geolocation | undefined): string {
  const { city, country, region } = geolocation ?? {}
  return `${city || UNAVAILABLE} ${country || UNAVAILABLE} [${region || UNAVAILABLE}]`
}

function toServerInfo(observation: Observation | undefined) {
  const server = observation?.headers.find(([name]) => name.toLowerCase() === 'server')?.[1]
  const { city, country, region, isp, timezone } = observation?.geolocation ?? {}
  return {
    server: server || UNKNOWN,
    hostcity: city || UNKNOWN,
    hostcountry: country || UNKNOWN,
    hostregion: region || UNKNOWN,
    hostisp: isp || UNKNOWN,
    timezone: timezone || UNKNOWN,
  }
}

/** Header lines with the same name form one value (RFC 9110 5.3). */
function toWireHeaders(observation: Observation | undefined): Record<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of observation?.headers ?? []) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return Object.fromEntries(values)
}

function toWireDecision({ by, at }: Decision) {
  return at === undefined ? {} : { reviewed_by: by, reviewed_at: toTimestamp(at) }
}

function toWireRowDecision(row: {
  readonly approval: Approval
  readonly reason: string
  readonly decision: Decision
}) {
  return {
    approval: row.approval,
    ...(row.reason === '' ? {} : { reason: row.reason }),
    ...toWireDecision(row.decision),
  }
}
