import * as v from 'valibot'
import { type Finding, FOUND_VIA } from '../code-scanner/model/finding.ts'
import { isPlausibleTime } from '../shared/dates.ts'
import { redactUrlSecrets } from '../shared/url-secrets.ts'
import { isWebAddress } from '../shared/urls.ts'
import { toScanSubmission } from './report/submission.ts'

/** A scan in the input format of an operation; its head and rows are not validated yet. */
export interface SubmittableScan {
  readonly kind: 'project' | 'network'
  readonly head: Readonly<Record<string, unknown>>
  readonly rows: readonly unknown[]
}

/**
 * Converts the output of `scan project --json` or `scan network --json` into a submittable scan.
 * Returns undefined for any other document.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { fromPrintedScan } from 'api-discovery/scans'
 *
 * const scan = await fromPrintedScan(JSON.parse(await readFile('scan.json', 'utf8')))
 * if (scan) console.log(scan.kind, scan.rows.length)
 * ```
 */
export async function fromPrintedScan(
  document: Readonly<Record<string, unknown>>,
): Promise<SubmittableScan | undefined> {
  const project = v.safeParse(projectSchema, document)
  if (project.success) return fromPrintedProject(project.output)
  const network = v.safeParse(networkSchema, document)
  return network.success ? fromPrintedNetwork(network.output) : undefined
}

const optionalText = v.optional(v.string())

const projectSchema = v.object({
  project_name: optionalText,
  findings: v.array(
    v.object({
      file: v.string(),
      line: v.number(),
      column: v.number(),
      url: v.string(),
      endpoint_url: optionalText,
      // Absent if the host is unresolved: such a call is no endpoint.
      host: optionalText,
      method: optionalText,
      via: v.fallback(v.picklist(FOUND_VIA), 'call'),
      confidence: v.number(),
      vendor_name: optionalText,
      package: optionalText,
    }),
  ),
})

async function fromPrintedProject({
  project_name,
  findings,
}: v.InferOutput<typeof projectSchema>): Promise<SubmittableScan> {
  const found = findings.flatMap((finding): readonly Finding[] => {
    const { host, endpoint_url, vendor_name, ...rest } = finding
    if (host === undefined) return []
    return [
      {
        ...rest,
        host,
        domain: host,
        method: rest.method,
        package: rest.package,
        endpointUrl: endpoint_url ?? rest.url,
        endpointId: undefined,
        apiId: undefined,
        apiName: undefined,
        vendorName: vendor_name,
      },
    ]
  })
  const { head, rows } = await toScanSubmission(project_name ?? '', found)
  return { kind: 'project', head: project_name === undefined ? {} : head, rows }
}

const networkSchema = v.object({
  network_name: optionalText,
  project_name: optionalText,
  organization: optionalText,
  nic_ip: optionalText,
  nic_name: optionalText,
  mac_address: optionalText,
  // Printed documents always have it, unlike submissions.
  damaged: v.array(v.unknown()),
  flows: v.array(
    v.object({
      captured_ip: optionalText,
      port: v.optional(v.number()),
      host: optionalText,
      direction: v.picklist(['Outgoing', 'Incoming']),
      capture_datetime: v.string(),
      method: optionalText,
      url: optionalText,
    }),
  ),
})

function fromPrintedNetwork({
  flows,
  damaged: _,
  ...names
}: v.InferOutput<typeof networkSchema>): SubmittableScan {
  const times = flows.map(({ capture_datetime }) => capture_datetime).sort()
  const rows = flows.map(({ captured_ip = '', url, ...flow }) => ({
    ...flow,
    captured_ip,
    ...(url !== undefined && isWebAddress(url) ? { url: redactUrlSecrets(url) } : {}),
  }))
  // Flows of a device without a set clock are ignored for the start of the scan.
  const first = times.find((each) => isPlausibleTime(Date.parse(each))) ?? times[0]
  const span = { start_time: first, end_time: times.at(-1), scan_status: 'complete' }
  return { kind: 'network', head: { ...names, ...(times.length > 0 ? span : {}) }, rows }
}
