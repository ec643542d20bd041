import { defineOperations } from '../http/operation.ts'
import { form, formBody, header, integer, query, required, text } from '../http/params.ts'
import { scannedPackagesSchema } from './records.ts'
import {
  apiUsagesSchema,
  networkReviewSchema,
  newEndpointSchema,
  newFlowSchema,
  newNetworkSchema,
  newProjectSchema,
  projectReviewSchema,
  scanDetailSchema,
  scanMappingsSchema,
  scannedProjectsSchema,
  storedNetworkReviewSchema,
  storedNetworkSchema,
  storedProjectReviewSchema,
  storedProjectSchema,
} from './wire.ts'

const uploadParams = {
  'idempotency-key': header(
    text(200),
    'Identifies repeated requests, which return the stored result, or 409 if their content differs. Default: a digest of the content.',
  ),
}

const projectId = query(text(100), 'ID of one project.')
const instanceId = text(100)

/** Parameters that select projects in operations on project scans. */
const projectParams = {
  project_id: projectId,
  name: query(text(), 'Project name; case, accents and spacing are ignored.'),
  vendor: query(
    text(),
    'Vendor of an API that the project uses; case, accents and spacing are ignored.',
  ),
  version: query(text(100), 'Version of an API that the project uses.'),
  num_projects: query(integer({ min: 1, max: 100, fallback: 5 }), 'Maximum number of projects.'),
}

export const scanOperations = defineOperations({
  listNetworkScans: {
    method: 'GET',
    paths: ['/networks/user_scans/'],
    section: '4.11',
    tag: 'scans',
    summary: 'List network scans',
    description: 'Newest first, streamed. `end_time` is empty while a scan runs.',
    scope: 'read',
    output: { kind: 'rows', at: 'scan_details', row: scanDetailSchema },
  },
  submitNetworkScan: {
    method: 'POST',
    paths: ['/networks/user_scans/'],
    tag: 'extension',
    summary: 'Store a network scan',
    description:
      'Send one JSON object, or NDJSON (`application/x-ndjson`) with the head in the first line and one flow in each further line. Without `instance_id`, creates a scan and requires `network_name`, `project_name`, `start_time` and `scan_status`. With `instance_id`, adds a batch to that scan; each `batch` number is stored once. Nothing is visible until the whole request is stored.',
    scope: 'ingest',
    params: uploadParams,
    body: { kind: 'ndjson', head: newNetworkSchema, row: newFlowSchema, at: 'flows' },
    output: { kind: 'json', schema: storedNetworkSchema },
  },
  removeNetworkScan: {
    method: 'DELETE',
    paths: ['/networks/user_scans/'],
    tag: 'extension',
    summary: 'Remove a network scan',
    scope: 'ingest',
    params: { instance_id: required(query(instanceId, 'ID of the scan.')) },
    output: { kind: 'empty' },
  },
  reviewNetworkScan: {
    method: 'PUT',
    paths: ['/networks/review'],
    tag: 'extension',
    summary: 'Review a network scan',
    description:
      '`endpoint_url` is the URL of a flow, or a host, which selects all flows of that host. If the review contains endpoints, omitted `review_status` and `is_approved` are derived from all decisions: `no` if any endpoint is rejected, `yes` if all are approved. The value `yes` means approved, `no` means rejected.',
    scope: 'review',
    body: { kind: 'json', schema: networkReviewSchema },
    output: { kind: 'json', schema: storedNetworkReviewSchema },
  },
  getNetworkScanMappings: {
    method: 'GET',
    alsoPost: true,
    paths: ['/networks/user_scan_mappings/'],
    section: '4.12',
    tag: 'scans',
    summary: 'Show the captured flows of a network scan and their catalogue matches',
    description: 'In order of arrival, streamed.',
    scope: 'read',
    params: { instance_id: required(form(instanceId, 'ID of the scan.')) },
    body: formBody,
    output: { kind: 'document', schema: scanMappingsSchema },
  },
  listScannedProjects: {
    method: 'GET',
    paths: ['/scanned/projects'],
    section: '4.15',
    tag: 'scans',
    summary: 'List scanned projects and the API usage found in them',
    description:
      'Returns one object if `project_id` is set, else an array, newest first; streamed. `vendor` and `version` select projects that use an API of that vendor and version.',
    scope: 'read',
    params: projectParams,
    output: { kind: 'document', schema: scannedProjectsSchema },
  },
  listScannedPackages: {
    method: 'GET',
    paths: ['/scanned/packages'],
    tag: 'extension',
    summary: 'List the packages of a scanned project whose versions have CVEs',
    description:
      'A CVE is listed if a reporter names the package and a range that covers its version. `is_lowest_version` marks the lowest version that the manifest permits; the installed one may be newer. `num_packages` is the number of packages with a version.',
    scope: 'read',
    params: { project_id: required(projectId) },
    output: { kind: 'json', schema: scannedPackagesSchema },
  },
  listApiUsages: {
    method: 'GET',
    paths: ['/scanned/usages'],
    tag: 'extension',
    summary: 'List the projects and networks that use an API',
    description:
      'Counts usages in the newest scan of each project and network, newest first, as the scan was last matched to the catalogue. Lists at most 200 of each; `is_partial`: more exist.',
    scope: 'read',
    params: { api_id: required(query(text(40), '`encrypted_id` or numeric ID of the API.')) },
    output: { kind: 'json', schema: apiUsagesSchema },
  },
  submitProjectScan: {
    method: 'POST',
    paths: ['/scanned/projects'],
    tag: 'extension',
    summary: 'Store a project scan',
    description:
      'Send one JSON object, or NDJSON (`application/x-ndjson`) with the head in the first line and one scanned endpoint in each further line. The server matches the endpoints to the catalogue. `vendor_name` is the known vendor of the host or `package`; it applies to endpoints without a match. Nothing is visible until the whole request is stored. Endpoint decisions of the newest scan with the same project name apply to the new scan too.',
    scope: 'ingest',
    params: uploadParams,
    body: { kind: 'ndjson', head: newProjectSchema, row: newEndpointSchema, at: 'scan_details' },
    output: { kind: 'json', schema: storedProjectSchema },
  },
  removeProjectScan: {
    method: 'DELETE',
    paths: ['/scanned/projects'],
    tag: 'extension',
    summary: 'Remove a scanned project',
    scope: 'ingest',
    params: { project_id: required(projectId) },
    output: { kind: 'empty' },
  },
  reviewProjectScan: {
    method: 'PUT',
    paths: ['/scanned/review'],
    tag: 'extension',
    summary: 'Review a scanned project',
    description:
      'If the review contains endpoints, omitted `review_status` and `is_approved` are derived from all decisions: `no` if any endpoint is rejected, `yes` if all are approved. The value `yes` means approved, `no` means rejected.',
    scope: 'review',
    body: { kind: 'json', schema: projectReviewSchema },
    output: { kind: 'json', schema: storedProjectReviewSchema },
  },
})
