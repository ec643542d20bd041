import { defineOperations } from '../http/operation.ts'
import { form, formBody, header, integer, query, required, text } from '../http/params.ts'
import {
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
    'Makes a repeat answer the same; of another content, 409. The digest of the content when absent.',
  ),
}

const projectId = query(text(100), 'Id of one project.')
const instanceId = text(100)

/** Which projects are meant, in the operations on project scans. */
const projectParams = {
  project_id: projectId,
  name: query(text(), 'Name of the project; case, accents and spacing aside.'),
  vendor: query(text(), 'A vendor whose API the project uses; likewise.'),
  version: query(text(100), 'A version of an API that the project uses.'),
  num_projects: query(integer({ min: 1, max: 100, fallback: 5 }), 'Projects at the most.'),
}

export const scanOperations = defineOperations({
  listNetworkScans: {
    method: 'GET',
    paths: ['/networks/user_scans/'],
    section: '4.11',
    tag: 'scans',
    summary: 'List the details of network scans',
    description: 'Newest first, streamed. `end_time` is empty while a scan runs.',
    scope: 'read',
    output: { kind: 'rows', at: 'scan_details', row: scanDetailSchema },
  },
  submitNetworkScan: {
    method: 'POST',
    paths: ['/networks/user_scans/'],
    tag: 'extension',
    summary: 'Store what a network scanner captured',
    description:
      'As one JSON object, or as NDJSON (`application/x-ndjson`): first line the head, then one flow a line. Without `instance_id` a new scan, which needs `network_name`, `project_name`, `start_time` and `scan_status`; with it one more batch of that scan, of which a `batch` number is stored once. Nothing is seen before all of it is stored.',
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
    params: { instance_id: required(query(instanceId, 'Id of the scan.')) },
    output: { kind: 'empty' },
  },
  reviewNetworkScan: {
    method: 'PUT',
    paths: ['/networks/review'],
    tag: 'extension',
    summary: 'Review a network scan',
    description:
      'An `endpoint_url` is the URL of flows or, where that is not known, their host. What is absent of `review_status` and `is_approved` follows from the decisions, if there are any: `no` once one is refused, `yes` when all are approved.',
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
    summary: 'Show what a network scan captured, matched to the catalogue',
    description: 'In order of arrival, streamed.',
    scope: 'read',
    params: { instance_id: required(form(instanceId, 'Id of the scan.')) },
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
      'One object when `project_id` is given, else an array, newest first; streamed. `vendor` and `version` select projects that use an API of that vendor, of that version.',
    scope: 'read',
    params: projectParams,
    output: { kind: 'document', schema: scannedProjectsSchema },
  },
  submitProjectScan: {
    method: 'POST',
    paths: ['/scanned/projects'],
    tag: 'extension',
    summary: 'Store what a project scanner found',
    description:
      'As one JSON object, or as NDJSON (`application/x-ndjson`): first line the head, then one scanned endpoint a line. The server matches them to the catalogue; `vendor_name` is whose host or `package` it is, where that is known, and counts for what is not matched. Nothing is seen before all of it is stored. Decisions on the endpoints of the newest scan of the same project name hold for this one too.',
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
      'What is absent of `review_status` and `is_approved` follows from the decisions, if there are any: `no` once one is refused, `yes` when all are approved.',
    scope: 'review',
    body: { kind: 'json', schema: projectReviewSchema },
    output: { kind: 'json', schema: storedProjectReviewSchema },
  },
})
