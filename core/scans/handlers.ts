import type * as v from 'valibot'
import { createNotFoundError, ServiceError } from '../errors.ts'
import type { Context, Handlers } from '../http/operation.ts'
import { mapBatches } from '../shared/batches.ts'
import { toPlainTimestamp } from '../shared/dates.ts'
import { Rows } from '../shared/json-document.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import { readSentFields } from './endpoint-fields.ts'
import { createLookups, type LookupDeps, type Lookups } from './lookups.ts'
import type { scanOperations } from './operations.ts'
import { createScanNotFoundError } from './reads.ts'
import type { CapturedFlow, NewReview, ProjectScan } from './records.ts'
import type { Scans } from './service.ts'
import type { ScanName } from './store.ts'
import type { NewEndpoint, NewFlow } from './stored-rows.ts'
import {
  toApiUsages,
  toMapping,
  toNetworkHead,
  toScanDetail,
  toScannedEndpoint,
  toScannedPackage,
  toScannedProject,
  toStoredReview,
} from './to-wire.ts'
import type {
  newEndpointSchema,
  newFlowSchema,
  newNetworkSchema,
  projectReviewSchema,
} from './wire.ts'

/** Creates the handlers of the operations on scans (Specification 4.11, 4.12, 4.15). */
export function createScanHandlers(
  deps: LookupDeps & {
    readonly service: Scans
    /** URL or path of the console; undefined if there is none. */
    readonly consoleUrl?: string | undefined
  },
): Handlers<typeof scanOperations> {
  const { service, places, consoleUrl } = deps

  /** Returns the URL of a scan's console page, as a member of the response. */
  const toConsoleLink = (path: string) =>
    consoleUrl === undefined ? {} : { console_url: `${consoleUrl}/scans/${path}` }

  return {
    listNetworkScans: (_, { account }) => ({
      rows: mapBatches(service.listNetworks(account), toScanDetail),
    }),

    submitNetworkScan: async ({ head, rows, ...params }, { account }) => {
      const stored = await service.submitNetwork(account, {
        ...toSubmissionHead(head),
        idempotencyKey: params['idempotency-key'],
        flows: mapRows(rows, toNewFlow),
      })
      return {
        instance_id: stored.scanId,
        repo_id: stored.group,
        flows: stored.rows,
        matched: stored.matched,
        ...toConsoleLink(`networks/${stored.scanId}`),
      }
    },

    removeNetworkScan: async (input, { account }) => {
      await service.remove(account, { kind: 'network', id: input.instance_id })
      return undefined
    },

    reviewNetworkScan: async ({ body }, context) => {
      const scan = { kind: 'network' as const, id: body.instance_id }
      return { instance_id: scan.id, ...(await reviewScan(service, { scan, body, context })) }
    },

    getNetworkScanMappings: async (input, { account }) => {
      const scan = await service.getNetwork(account, input.instance_id)
      const lookups = createLookups(deps, account)
      const flows = service.listFlows(account, { instanceId: scan.instanceId, order: 'scan' })
      const map = (flow: CapturedFlow) => toMapping(flow, { lookups, place: places?.(flow.ip) })
      return {
        scan_mappings: {
          ...toNetworkHead(scan),
          analyzed_datetime: toPlainTimestamp(scan.analyzedAt),
          mappings: new Rows(mapMatchedRows(flows, { lookups, map })),
        },
      }
    },

    listScannedProjects: async (input, { account }) => {
      const projects = await service.findProjects(account, {
        projectId: input.project_id || undefined,
        name: input.name || undefined,
        vendor: input.vendor || undefined,
        version: input.version || undefined,
        limit: input.num_projects,
      })
      // Shared by the whole response, because its projects often use the same APIs.
      const lookups = createLookups(deps, account)
      const toProject = (project: ProjectScan) => {
        const { id: projectId, number } = project
        const endpoints = service.listEndpoints(account, { projectId, number, order: 'scan' })
        const details = mapMatchedRows(endpoints, { lookups, map: toScannedEndpoint })
        return toScannedProject(project, new Rows(details))
      }
      if (!input.project_id) return projects.map(toProject)
      const [project] = projects
      if (project) return toProject(project)
      throw createScanNotFoundError({ kind: 'project', id: input.project_id })
    },

    submitProjectScan: async ({ head, rows, ...params }, { account }) => {
      const stored = await service.submitProject(account, {
        projectName: head.project_name,
        createdAt: head.datetime_created ?? undefined,
        idempotencyKey: params['idempotency-key'],
        endpoints: mapRows(rows, toNewEndpoint),
      })
      return {
        project_id: stored.scanId,
        endpoints: stored.rows,
        matched: stored.matched,
        ...toConsoleLink(`projects/${stored.scanId}`),
      }
    },

    listScannedPackages: async ({ project_id }, { account }) => {
      const { checked, vulnerable } = await service.findScannedPackages(account, project_id)
      return { project_id, num_packages: checked, packages: vulnerable.map(toScannedPackage) }
    },

    listApiUsages: async ({ api_id }, { account }) => {
      const api = await deps.catalogue.findApi(api_id)
      if (!api) throw createNotFoundError('API')
      return toApiUsages(api, await service.findScansUsingApi(account, api.id))
    },

    removeProjectScan: async (input, { account }) => {
      await service.remove(account, { kind: 'project', id: input.project_id })
      return undefined
    },

    reviewProjectScan: async ({ body }, context) => {
      const scan = { kind: 'project' as const, id: body.project_id }
      return { project_id: scan.id, ...(await reviewScan(service, { scan, body, context })) }
    },
  }
}

function toSubmissionHead(head: v.InferOutput<typeof newNetworkSchema>) {
  return {
    instanceId: head.instance_id ?? undefined,
    batch: head.batch ?? undefined,
    repoId: head.repo_id ?? undefined,
    networkName: head.network_name ?? undefined,
    projectName: head.project_name ?? undefined,
    startedAt: head.start_time ?? undefined,
    endedAt: head.end_time ?? undefined,
    status: head.scan_status ?? undefined,
    organization: head.organization ?? '',
    nicIp: head.nic_ip ?? '',
    nicName: head.nic_name ?? '',
    macAddress: head.mac_address ?? '',
    sendFrequency: head.scan_data_send_freq ?? '00:00:00',
  }
}

type SentEndpoint = v.InferOutput<typeof newEndpointSchema>

function toNewEndpoint(sent: SentEndpoint): NewEndpoint {
  return {
    url: sent.endpoint_url,
    method: sent.endpoint_method ?? '',
    foundIn: (sent.found_in ?? []).map(({ file, line, column }) => ({
      file,
      line: line ?? undefined,
      column: column ?? undefined,
    })),
    packages: toUniquePackages(sent),
    ...readSentFields(sent),
    vendorName: sent.vendor_name || undefined,
  }
}

/** Returns the unique packages of a sent endpoint; `package` comes first. */
function toUniquePackages({ package: first, packages }: SentEndpoint): readonly string[] {
  return [...new Set([first ?? '', ...(packages ?? [])])].filter((name) => name !== '')
}

function toNewFlow(sent: v.InferOutput<typeof newFlowSchema>): NewFlow {
  return {
    ip: sent.captured_ip,
    port: sent.port ?? undefined,
    host: sent.host ?? '',
    direction: sent.direction,
    capturedAt: sent.capture_datetime,
    method: sent.method ?? '',
    url: sent.url ?? '',
  }
}

type SentReview = Omit<v.InferOutput<typeof projectReviewSchema>, 'project_id'>

/** Stores a review and returns its members of the response. */
async function reviewScan(
  service: Pick<Scans, 'review'>,
  sent: { readonly scan: ScanName; readonly body: SentReview; readonly context: Context },
) {
  const { account, keyId, userName: person } = sent.context
  const review = toNewReview(sent.body)
  const stored = await service.review(account, { scan: sent.scan, review, keyId, person })
  return toStoredReview(stored.scan, stored.decisions)
}

function toNewReview(body: SentReview): Omit<NewReview, 'by' | 'at'> {
  const rows = (body.endpoints ?? []).map((sent) => ({
    subject: sent.endpoint_url,
    method: sent.endpoint_method ?? undefined,
    approval: sent.approval,
    reason: sent.reason ?? '',
  }))
  const review = {
    reviewStatus: body.review_status ?? undefined,
    isApproved: body.is_approved ?? undefined,
    rows,
  }
  if (review.reviewStatus || review.isApproved || rows.length > 0) return review
  const message = 'is required: pass review_status, is_approved or endpoints'
  throw new ServiceError('invalid_input', `review_status ${message}`, {
    issues: [{ in: 'body', name: 'review_status', message }],
  })
}

/** Maps sent rows one by one. */
async function* mapRows<From, To>(
  rows: AsyncIterable<From>,
  map: (row: From) => To,
): AsyncIterable<To> {
  for await (const row of rows) yield map(row)
}

/** Maps rows after loading the catalogue entries of their batch; yields to the event loop. */
async function* mapMatchedRows<Row extends Pick<CapturedFlow, 'match'>, To>(
  batches: AsyncIterable<readonly Row[]>,
  {
    lookups,
    map,
  }: { readonly lookups: Lookups; readonly map: (row: Row, lookups: Lookups) => Promise<To> },
): AsyncIterable<readonly To[]> {
  const pause = createYieldIfDue()
  for await (const batch of batches) {
    await lookups.prepare(batch.flatMap(({ match }) => match ?? []))
    const mapped: To[] = []
    for (const row of batch) mapped.push(await map(row, lookups))
    yield mapped
    // In-process storage and a fast reader would otherwise block the event loop.
    await pause()
  }
}
