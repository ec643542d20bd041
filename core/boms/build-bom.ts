import type { CatalogueStore } from '../catalogue/store.ts'
import { toEndpointUrl } from '../matching/endpoint-url.ts'
import type { CapturedFlow, NetworkScan, ProjectScan, ScannedEndpoint } from '../scans/records.ts'
import type { ScanReads } from '../scans/store.ts'
import type { Account } from '../shared/account.ts'
import { createYieldIfDue, runInTimeSlices } from '../shared/time-slices.ts'
import { parseUrlHost } from '../shared/urls.ts'
import { AI_SERVICES } from '../vendors/ai-services.ts'
import { joinAi } from './ai.ts'
import { type ApiDetails, readApiDetails } from './api-details.ts'
import { groupRows, type RowGroup, type RowKey } from './group-rows.ts'
import { findRegistrableDomain } from './hosts.ts'
import { joinUsages } from './join-usages.ts'
import { type Bom, type BomService, NO_DECISION } from './model.ts'

/** An endpoint of a project; stored ones lack the types and models of AI services. */
export type ProjectRow = ScannedEndpoint & Pick<BomService, 'kinds' | 'models'>

/** Data sources for BOMs. */
export interface BomSources {
  readonly scans: Pick<ScanReads, 'listEndpoints' | 'listFlows'>
  readonly catalogue: Pick<
    CatalogueStore,
    'findApis' | 'listAgreementsOf' | 'listVendorAgreements' | 'findEndpointSummaries'
  >
}

/**
 * Builds the BOM of a scanned project (Specification 2.9). Services are read lazily.
 *
 * @example
 * ```ts
 * import { buildProjectBom } from 'api-discovery/boms'
 *
 * const [project] = await app.scans.findProjects(account, { limit: 1 })
 * const sources = { scans: app.scans, catalogue: storage.catalogue }
 * const bom = project && buildProjectBom(sources, { account, project })
 * ```
 */
export function buildProjectBom(
  sources: BomSources,
  { account, project }: { readonly account: Account; readonly project: ProjectScan },
): Bom {
  const rows = sources.scans.listEndpoints(account, {
    projectId: project.id,
    number: project.number,
    order: 'api',
  })
  return {
    subject: {
      kind: 'project',
      id: project.id,
      projectName: project.name,
      networkName: '',
      createdAt: project.createdAt,
    },
    scans: [
      {
        analyzedAt: project.analyzedAt,
        instance: undefined,
        services: readProjectServices(sources.catalogue, rows),
      },
    ],
  }
}

/**
 * Builds the BOM of the scans of one repository, newest first (Specification 2.10).
 *
 * @example
 * ```ts
 * import { buildNetworkBom } from 'api-discovery/boms'
 *
 * const newest = { repositories: 1, instances: 10 }
 * const [instances = []] = await app.scans.findNetworks(account, newest)
 * const sources = { scans: app.scans, catalogue: storage.catalogue }
 * const bom = buildNetworkBom(sources, { account, instances })
 * ```
 */
export function buildNetworkBom(
  sources: BomSources,
  request: { readonly account: Account; readonly instances: readonly NetworkScan[] },
): Bom {
  const [newest] = request.instances
  return {
    subject: {
      kind: 'network',
      id: newest?.repoId ?? '',
      projectName: newest?.projectName ?? '',
      networkName: newest?.networkName ?? '',
      createdAt: Math.min(...request.instances.map(({ startedAt }) => startedAt)),
    },
    scans: request.instances.map((scan) => ({
      analyzedAt: scan.analyzedAt,
      instance: { ...scan, id: scan.instanceId, decision: { by: scan.by, at: scan.at } },
      services: readNetworkServices(
        sources.catalogue,
        sources.scans.listFlows(request.account, { instanceId: scan.instanceId, order: 'api' }),
      ),
    })),
  }
}

/**
 * Reads the services of scanned endpoints. Rows must be sorted by API, with unmatched rows last.
 */
export async function* readProjectServices(
  catalogue: BomSources['catalogue'],
  rows: AsyncIterable<readonly ProjectRow[]>,
): AsyncIterable<readonly BomService[]> {
  const key: RowKey<ProjectRow> = {
    apiId: ({ match }) => match?.apiId,
    host: ({ url }) => parseUrlHost(url),
  }
  const pause = createYieldIfDue()
  for await (const { groups, details } of addApiDetails(catalogue, groupRows(rows, key), key)) {
    const services: BomService[] = []
    for (const group of groups) {
      const service = addDetectedVendor(describeService(group, details), group.rows)
      const endpoints = await runInTimeSlices(joinUsages(group.rows), pause)
      services.push({ ...service, ...describeAi(group.rows), endpoints, captures: [] })
    }
    yield services
  }
}

async function* readNetworkServices(
  catalogue: BomSources['catalogue'],
  flows: AsyncIterable<readonly CapturedFlow[]>,
): AsyncIterable<readonly BomService[]> {
  const key: RowKey<CapturedFlow> = {
    apiId: ({ match }) => match?.apiId,
    host: ({ host, ip }) => host || ip,
  }
  const pause = createYieldIfDue()
  for await (const { groups, details } of addApiDetails(catalogue, groupRows(flows, key), key)) {
    const urls = await readEndpointUrls(catalogue, groups)
    const services: BomService[] = []
    for (const group of groups) {
      const service = addDetectedVendor(describeService(group, details), group.rows)
      const base = (group.apiId === undefined ? undefined : details.get(group.apiId)?.base) ?? ''
      const usages = group.rows.map((flow) => ({
        url:
          toFlowUrl(flow, urls.get(flow.match?.endpointId ?? 0)) ||
          (service.isMatched ? toOrigin(flow) || base : ''),
        method: flow.method,
        approval: flow.approval ?? 'unreviewed',
        reason: flow.reason ?? '',
        decision: flow.decision ?? NO_DECISION,
        foundIn: [],
        packages: [],
        confidence: flow.match?.confidence,
      }))
      const visible = usages.filter(({ url }) => url !== '')
      services.push({
        ...service,
        endpoints: await runInTimeSlices(joinUsages(visible), pause),
        captures: group.rows.map(({ ip, port, direction, capturedAt }) => ({
          ip,
          port,
          direction,
          at: capturedAt,
        })),
      })
    }
    yield services
  }
}

/**
 * Adds the details of each group's API. If the API is no longer in the catalogue, groups its rows
 * by host.
 */
async function* addApiDetails<Row>(
  catalogue: BomSources['catalogue'],
  batches: AsyncIterable<readonly RowGroup<Row>[]>,
  key: RowKey<Row>,
): AsyncIterable<{
  readonly groups: readonly RowGroup<Row>[]
  readonly details: ReadonlyMap<number, ApiDetails>
}> {
  for await (const batch of batches) {
    const ids = batch.flatMap(({ apiId }) => (apiId === undefined ? [] : [apiId]))
    const details = await readApiDetails(catalogue, ids)
    const groups: RowGroup<Row>[] = []
    for (const group of batch) {
      if (group.apiId === undefined || details.has(group.apiId)) groups.push(group)
      else groups.push(...groupByHost(group.rows, key))
    }
    yield { groups, details }
  }
}

function groupByHost<Row>(rows: readonly Row[], key: RowKey<Row>): readonly RowGroup<Row>[] {
  const hosts = new Map<string, Row[]>()
  for (const row of rows) {
    const host = key.host(row)
    const known = hosts.get(host)
    if (known) known.push(row)
    else hosts.set(host, [row])
  }
  return [...hosts].map(([host, ofHost]) => ({ apiId: undefined, host, rows: ofHost }))
}

function describeService(
  group: RowGroup<unknown>,
  details: ReadonlyMap<number, ApiDetails>,
): Omit<BomService, 'endpoints' | 'captures'> {
  const found = group.apiId === undefined ? undefined : details.get(group.apiId)
  if (!found) return describeHost(group.host)
  const { base: _, ...service } = found
  return service
}

/** Sets the provider of an uncatalogued host to the vendor that the scanner detected, if any. */
function addDetectedVendor<Service extends Pick<BomService, 'isMatched' | 'provider'>>(
  service: Service,
  rows: readonly Pick<ScannedEndpoint, 'vendorName'>[],
): Service {
  const name = service.isMatched ? undefined : rows.find((row) => row.vendorName)?.vendorName
  return name ? { ...service, provider: { name, urls: [] } } : service
}

/** Describes an AI service by the scanner's findings, else by the hosts of its rows. */
function describeAi(rows: readonly ProjectRow[]): Pick<BomService, 'kinds' | 'models'> {
  const kinds = rows.flatMap(
    (row) => row.kinds ?? AI_SERVICES.findKind(parseUrlHost(row.url)) ?? [],
  )
  return joinAi([{ kinds, models: rows.flatMap(({ models = [] }) => models) }])
}

/** Creates a service for a host without further data. */
export function describeHost(host: string): Omit<BomService, 'endpoints' | 'captures'> {
  const domain = findRegistrableDomain(host)
  return {
    ref: `host:${host}`,
    name: host === '' ? 'unknown' : host,
    isMatched: false,
    provider: { name: domain === '' ? 'unknown' : domain, urls: [] },
    group: domain,
    version: '',
    description: '',
    isAuthenticated: undefined,
    references: [],
    licenses: [],
  }
}

/**
 * Returns the URL template of a flow's endpoint, with the host from the traffic. If the URL was not
 * visible, returns the catalogued one or an empty string.
 */
function toFlowUrl({ url }: CapturedFlow, catalogued: string | undefined): string {
  if (url === '') return catalogued ?? ''
  const [, path] = /^[a-z]+:\/\/[^/]*(\/.*)$/.exec(toEndpointUrl(catalogued ?? '')) ?? []
  return toEndpointUrl(url, { path })
}

/** Returns the origin of a flow without a visible URL; empty without a host name. */
function toOrigin({ host, port }: CapturedFlow): string {
  if (host === '') return ''
  return `${port === 80 ? 'http' : 'https'}://${host.toLowerCase()}`
}

/** Returns the URLs of the catalogued endpoints that flows match. */
async function readEndpointUrls(
  catalogue: BomSources['catalogue'],
  groups: readonly RowGroup<CapturedFlow>[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set<number>()
  for (const { rows } of groups) {
    for (const { match } of rows) if (match?.endpointId !== undefined) ids.add(match.endpointId)
  }
  if (ids.size === 0) return new Map()
  const summaries = await catalogue.findEndpointSummaries([...ids])
  return new Map(summaries.map(({ id, url }) => [id, url]))
}
