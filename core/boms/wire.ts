import * as v from 'valibot'
import { mapBatches, splitIntoBatches } from '../shared/batches.ts'
import { toMinute, toPlainTimestamp, toPreciseTimestamp, toTimestamp } from '../shared/dates.ts'
import { Rows, type WithRows } from '../shared/json-document.ts'
import { findStrictestApproval } from './join-usages.ts'
import type { Bom, BomEndpoint, BomInstance, BomScan, BomService } from './model.ts'

const referenceSchema = v.object({
  type: v.picklist(['url', 'license', 'documentation']),
  url: v.string(),
})
const licenseSchema = v.object({ name: v.string(), url: v.string() })
const BOM_FORMAT = 'CycloneDX'
const SPEC_VERSION = '1.5'

/**
 * A service of Specification 2.9, which requires a name and a provider. A host without a catalogued
 * API is named by itself; its provider is the vendor that the scanner detected, else its
 * registrable domain.
 */
const projectServiceSchema = v.object({
  name: v.string(),
  provider: v.object({ name: v.string(), url: v.optional(v.array(v.string())) }),
  endpoints: v.array(v.string()),
  properties: v.array(v.object({ name: v.string(), value: v.string() })),
  externalReferences: v.optional(v.array(referenceSchema)),
  licenses: v.optional(v.array(licenseSchema)),
  description: v.optional(v.string()),
  version: v.optional(v.string()),
  authenticated: v.optional(v.boolean()),
})

/** BOM of a project (Specification 2.9). */
export const projectBomSchema = v.object({
  project_id: v.string(),
  project_name: v.string(),
  datetime_created: v.string(),
  scan_details: v.object({
    bomFormat: v.literal(BOM_FORMAT),
    specVersion: v.literal(SPEC_VERSION),
    metadata: v.object({ timestamp: v.string() }),
    services: v.array(projectServiceSchema),
  }),
})

const capturedIpSchema = v.object({
  ip: v.string(),
  direction: v.picklist(['Outgoing', 'Incoming']),
  timestamp: v.string(),
})

/** A service of Specification 2.10. An unmatched one has only the name `unknown` and addresses. */
const networkServiceSchema = v.union([
  v.strictObject({ name: v.literal('unknown'), capturedIPs: v.array(capturedIpSchema) }),
  v.object({
    name: v.string(),
    capturedIPs: v.array(capturedIpSchema),
    provider: v.object({ name: v.string(), url: v.array(v.string()) }),
    externalReferences: v.array(referenceSchema),
    licenses: v.array(licenseSchema),
    description: v.array(v.string()),
    version: v.string(),
    authenticated: v.optional(v.boolean()),
    endpoints: v.array(v.string()),
  }),
])

/** BOM of network scans (Specification 2.10). */
export const networkBomSchema = v.object({
  repo_id: v.string(),
  project_name: v.string(),
  network_name: v.string(),
  datetime_created: v.string(),
  instances: v.array(
    v.object({
      instance_id: v.string(),
      nic_ip: v.string(),
      nic_name: v.string(),
      datetime_analyzed: v.string(),
      review_status: v.string(),
      scan_details: v.object({
        bomFormat: v.literal(BOM_FORMAT),
        specVersion: v.literal(SPEC_VERSION),
        projectName: v.string(),
        networkName: v.string(),
        nicIP: v.string(),
        macAddress: v.string(),
        startTime: v.string(),
        endTime: v.string(),
        metadata: v.object({ timestamp: v.string() }),
        services: v.array(networkServiceSchema),
      }),
    }),
  ),
})

/**
 * Converts a BOM to the specification's format for `writeDocument`, with one service in memory at a
 * time.
 */
export function toSpecificationShape(bom: Bom) {
  return bom.subject.kind === 'project' ? toProjectWire(bom) : toNetworkWire(bom)
}

function toProjectWire({ subject, scans }: Bom) {
  const [scan] = scans
  return {
    project_id: subject.id,
    project_name: subject.projectName,
    datetime_created: formatOrEmpty(subject.createdAt, toMinute),
    scan_details: {
      bomFormat: BOM_FORMAT,
      specVersion: SPEC_VERSION,
      metadata: {
        timestamp: formatOrEmpty(scan?.analyzedAt ?? subject.createdAt, toPlainTimestamp),
      },
      services: scan ? new Rows(mapBatches(scan.services, toProjectService)) : [],
    },
  }
}

function toNetworkWire({ subject, scans }: Bom) {
  return {
    repo_id: subject.id,
    project_name: subject.projectName,
    network_name: subject.networkName,
    datetime_created: formatOrEmpty(subject.createdAt, toTimestamp),
    instances: scans.flatMap((scan) =>
      scan.instance ? [toInstanceWire(subject, { ...scan, instance: scan.instance })] : [],
    ),
  }
}

function toInstanceWire(
  subject: Bom['subject'],
  scan: BomScan & { readonly instance: BomInstance },
) {
  const { instance, analyzedAt } = scan
  return {
    instance_id: instance.id,
    nic_ip: instance.nicIp,
    nic_name: instance.nicName,
    datetime_analyzed: formatOrEmpty(analyzedAt, toTimestamp),
    review_status: instance.reviewStatus,
    scan_details: {
      bomFormat: BOM_FORMAT,
      specVersion: SPEC_VERSION,
      projectName: subject.projectName,
      networkName: subject.networkName,
      nicIP: instance.nicIp,
      macAddress: instance.macAddress,
      startTime: formatOrEmpty(instance.startedAt, toPreciseTimestamp),
      endTime: formatOrEmpty(instance.endedAt, toTimestamp),
      metadata: { timestamp: formatOrEmpty(analyzedAt, toPlainTimestamp) },
      services: new Rows(mapBatches(scan.services, toNetworkService)),
    },
  }
}

/** Formats a time; empty if undefined. */
function formatOrEmpty(ms: number | undefined, write: (ms: number) => string): string {
  return ms === undefined ? '' : write(ms)
}

function toProjectService(
  service: BomService,
): WithRows<v.InferInput<typeof projectServiceSchema>> {
  const byUrl = new Map<string, BomEndpoint[]>()
  for (const endpoint of service.endpoints) {
    const known = byUrl.get(endpoint.url)
    if (known) known.push(endpoint)
    else byUrl.set(endpoint.url, [endpoint])
  }
  const { provider, references, licenses, description, version, isAuthenticated } = service
  return {
    name: service.name,
    provider: {
      name: provider.name,
      ...(provider.urls.length > 0 ? { url: [...provider.urls] } : {}),
    },
    endpoints: toChunkedItems([...byUrl.keys()]),
    properties: toChunkedItems(
      [...byUrl].flatMap(([url, endpoints]) => [
        { name: `${url} approval status`, value: findStrictestApproval(endpoints) },
        ...listFiles(endpoints).map((file) => ({ name: `${url} found in file`, value: file })),
      ]),
    ),
    ...(references.length > 0 ? { externalReferences: [...references] } : {}),
    ...(licenses.length > 0 ? { licenses: [...licenses] } : {}),
    ...(description === '' ? {} : { description }),
    ...(version === '' ? {} : { version }),
    ...(isAuthenticated === undefined ? {} : { authenticated: isAuthenticated }),
  }
}

function listFiles(endpoints: readonly BomEndpoint[]): readonly string[] {
  return [...new Set(endpoints.flatMap(({ foundIn }) => foundIn.map(({ file }) => file)))]
}

function toNetworkService(
  service: BomService,
): WithRows<v.InferInput<typeof networkServiceSchema>> {
  const capturedIPs = toChunkedItems(
    service.captures.map(({ ip, direction, at }) => ({
      ip,
      direction,
      timestamp: toTimestamp(at),
    })),
  )
  if (!service.isMatched) return { name: 'unknown', capturedIPs }
  return {
    name: service.name,
    capturedIPs,
    provider: { name: service.provider.name, url: [...service.provider.urls] },
    externalReferences: [...service.references],
    licenses: [...service.licenses],
    description: service.description === '' ? [] : [service.description],
    version: service.version,
    ...(service.isAuthenticated === undefined ? {} : { authenticated: service.isAuthenticated }),
    endpoints: toChunkedItems([...new Set(service.endpoints.map(({ url }) => url))]),
  }
}

const ITEMS_PER_CHUNK = 1000

/** Converts long lists to chunks that are written separately. */
function toChunkedItems<Item>(items: Item[]): Item[] | Rows<Item> {
  if (items.length <= ITEMS_PER_CHUNK) return items
  return new Rows(
    (async function* () {
      yield* splitIntoBatches(items, ITEMS_PER_CHUNK)
    })(),
  )
}
