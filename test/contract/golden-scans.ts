import { ENDPOINTS, FLOWS, NETWORK_HEAD, PROJECT_HEAD } from '../helpers/scan-seed.ts'
import type { GoldenCase } from './golden-cases.ts'
import { INSTANCE_ID, PROJECT_ID } from './valid-requests.ts'

const JSON_BODY = { 'content-type': 'application/json' }
const LINES = { 'content-type': 'application/x-ndjson' }
const scans = '/api/networks/user_scans/'
const mappings = '/api/networks/user_scan_mappings/'
const projects = '/api/scanned/projects'

const listed: readonly GoldenCase[] = [
  { operation: 'listNetworkScans', name: 'all, newest first', target: scans },
  { operation: 'listNetworkScans', name: 'none in an empty service', target: scans, isEmpty: true },
  {
    operation: 'getNetworkScanMappings',
    name: 'by the query',
    target: `${mappings}?instance_id=${INSTANCE_ID}`,
  },
  {
    operation: 'getNetworkScanMappings',
    name: 'by a form that is posted',
    method: 'POST',
    target: mappings,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `instance_id=${INSTANCE_ID}`,
  },
  {
    operation: 'getNetworkScanMappings',
    name: 'of an unknown scan',
    target: `${mappings}?instance_id=net_x`,
  },
  ...(
    [
      ['the newest without parameters', ''],
      ['one object by its id', `?project_id=${PROJECT_ID}`],
      ['of an unknown id', '?project_id=prj_x'],
      ['by name, folded', '?name=%20STOREFRONT'],
      ['by a vendor that it uses, and its version', '?vendor=skycast&version=2.1.0'],
      ['none by a version that it does not use', '?vendor=skycast&version=9'],
      ['none by a vendor that it does not use', '?vendor=Pigeon&num_projects=1'],
    ] as const
  ).map(
    ([name, query]): GoldenCase => ({
      operation: 'listScannedProjects',
      name,
      target: `${projects}${query}`,
    }),
  ),
  {
    operation: 'listScannedProjects',
    name: 'none in an empty service',
    target: projects,
    isEmpty: true,
  },
]

const packages: readonly GoldenCase[] = [
  {
    operation: 'listScannedPackages',
    name: 'of a project',
    target: `/api/scanned/packages?project_id=${PROJECT_ID}`,
  },
  {
    operation: 'listScannedPackages',
    name: 'of an unknown id',
    target: '/api/scanned/packages?project_id=prj_x',
  },
]

const usages = [
  ['of an API in a project', '1'],
  ['of an API in a project and a network', '3'],
  ['of an API in no scan', '2'],
  ['of an unknown API', '999'],
].map(
  ([name = '', id]): GoldenCase => ({
    operation: 'listApiUsages',
    name,
    target: `/api/scanned/usages?api_id=${id}`,
  }),
)

const project = { ...PROJECT_HEAD, scan_details: ENDPOINTS }

const sent: readonly GoldenCase[] = [
  post('submitProjectScan', 'what was sent before', project),
  post('submitProjectScan', 'another day, whose decisions stay', {
    ...project,
    datetime_created: '2026-03-14T07:59:59Z',
  }),
  {
    ...post('submitProjectScan', 'line by line, as what was sent before', project),
    headers: LINES,
    body: toLines(PROJECT_HEAD, ENDPOINTS),
  },
  {
    ...post('submitProjectScan', 'under a key', { project_name: 'Keyed' }),
    headers: { ...JSON_BODY, 'idempotency-key': 'one' },
  },
  {
    ...post('submitProjectScan', 'under the same key', { project_name: 'Other' }),
    headers: { ...JSON_BODY, 'idempotency-key': 'one' },
  },
  { operation: 'listScannedProjects', name: 'what was sent since', target: projects },
  post('submitNetworkScan', 'what was sent before', { ...NETWORK_HEAD, flows: FLOWS }),
  post('submitNetworkScan', 'one more batch', {
    instance_id: INSTANCE_ID,
    batch: 3,
    scan_status: 'complete',
    end_time: '2026-03-13T10:00:00+00:00',
    flows: FLOWS.slice(2),
  }),
  post('submitNetworkScan', 'a batch with the number of another', {
    instance_id: INSTANCE_ID,
    batch: 3,
    flows: FLOWS,
  }),
  {
    ...post('submitNetworkScan', 'another scan of the network, line by line', {}),
    headers: LINES,
    body: toLines({ ...NETWORK_HEAD, start_time: '2026-03-14T07:00:00Z' }, FLOWS),
  },
  post('submitNetworkScan', 'to an unknown scan', { instance_id: 'net_x', flows: FLOWS }),
]

const reviews: readonly GoldenCase[] = [
  toReviewCase('scanned', 'endpoints', {
    project_id: PROJECT_ID,
    endpoints: [
      { endpoint_url: 'https://unknown.example/v1', approval: 'no', reason: '<script>' },
      {
        endpoint_url: 'https://api.ledgerly.example/v1/unheard-of',
        endpoint_method: 'GET',
        approval: 'yes',
      },
    ],
  }),
  toReviewCase('scanned', 'the status alone', {
    project_id: PROJECT_ID,
    review_status: 'not_started',
  }),
  toReviewCase('scanned', 'of an unknown project', { project_id: 'prj_x', is_approved: 'yes' }),
  toReviewCase('networks', 'a host and the whole', {
    instance_id: INSTANCE_ID,
    is_approved: 'no',
    endpoints: [{ endpoint_url: 'eu.api.skycast.example', approval: 'no', reason: 'Not ours.' }],
  }),
  toReviewCase('networks', 'of an unknown scan', { instance_id: 'net_x', is_approved: 'yes' }),
  {
    operation: 'getNetworkScanMappings',
    name: 'with another batch and a review',
    target: `${mappings}?instance_id=${INSTANCE_ID}`,
  },
]

const removals: readonly GoldenCase[] = [
  remove('removeProjectScan', `${projects}?project_id=${PROJECT_ID}`, 'by id'),
  remove('removeProjectScan', `${projects}?project_id=${PROJECT_ID}`, 'again'),
  remove('removeNetworkScan', `${scans}?instance_id=${INSTANCE_ID}`, 'by id'),
  remove('removeNetworkScan', `${scans}?instance_id=${INSTANCE_ID}`, 'again'),
  { operation: 'listNetworkScans', name: 'what is left', target: scans },
]

/** The scans' cases: reads, then writes, then removals. */
export const scanCases: readonly GoldenCase[] = [
  ...listed,
  ...packages,
  ...usages,
  ...sent,
  ...reviews,
  ...removals,
]

function post(
  operation: 'submitProjectScan' | 'submitNetworkScan',
  name: string,
  body: object,
): GoldenCase {
  return {
    operation,
    name,
    method: 'POST',
    target: operation === 'submitProjectScan' ? projects : scans,
    headers: JSON_BODY,
    body: JSON.stringify(body),
  }
}

function toReviewCase(what: 'scanned' | 'networks', name: string, body: object): GoldenCase {
  return {
    operation: what === 'scanned' ? 'reviewProjectScan' : 'reviewNetworkScan',
    name,
    method: 'PUT',
    target: `/api/${what}/review`,
    headers: JSON_BODY,
    body: JSON.stringify(body),
  }
}

function remove(operation: GoldenCase['operation'], target: string, name: string): GoldenCase {
  return { operation, name, method: 'DELETE', target }
}

function toLines(head: object, rows: readonly object[]): string {
  return [head, ...rows].map((each) => `${JSON.stringify(each)}\n`).join('')
}
