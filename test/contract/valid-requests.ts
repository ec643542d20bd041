import type { Contract } from '../../core/contract.ts'
import type { Handlers } from '../../core/http/operation.ts'
import { TESTED } from '../helpers/rate-limit-seed.ts'
import type { WireRequest } from './ways.ts'

/** The operations that are built. */
export type Built = keyof Handlers<Contract>

const LOAF = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Loaf', version: '1.0.0' },
  servers: [{ url: 'https://api.bakery.example' }],
  paths: { '/loaves': { get: { responses: { 200: { description: 'Loaves' } } } } },
})

/** IDs in the seeded account; see `fillGateway`. */
export const CREDENTIAL_ID = 'crd_1B5fRTIxemPFf3TOxM0h3C'
export const KEY_ID = 'key_1NSGhgY5AJf9V6GxLFZrzT'
export const RECORDING_ID = 'rec_6fNDiXLi1yNUsn3RXXARRA'

/** IDs of the seeded account's scans; see `fillScans`. */
export const PROJECT_ID = 'prj_4EWnvaVAvMAbFsRHHHNiMw'
export const INSTANCE_ID = 'net_5n4JkMpYet8DEJtDU4IwTE'

const JSON_BODY = { 'content-type': 'application/json' }

/**
 * A request that succeeds on the seeded service for every built operation, with its required
 * parameters alone. An operation without one does not compile.
 */
export const VALID_REQUESTS = {
  callEndpoint: {
    method: 'POST',
    target: '/api/gateway?endpoint_id=EI7yswc',
    headers: JSON_BODY,
    body: '{"status":"paid","limit":3}',
  },
  putCredential: {
    method: 'PUT',
    target: '/api/gateway/credentials',
    headers: JSON_BODY,
    body: '{"api_id":1,"kind":"bearer","value":"x","origins":["https://a.example"]}',
  },
  listCredentials: { target: '/api/gateway/credentials' },
  removeCredential: {
    method: 'DELETE',
    target: `/api/gateway/credentials?credential_id=${CREDENTIAL_ID}`,
  },
  listCalls: { target: '/api/gateway/history' },
  putPolicy: {
    method: 'PUT',
    target: '/api/gateway/policies',
    headers: JSON_BODY,
    body: `{"key_id":"${KEY_ID}","methods":["post"]}`,
  },
  listPolicies: { target: '/api/gateway/policies' },
  removePolicy: { method: 'DELETE', target: `/api/gateway/policies?key_id=${KEY_ID}` },
  listRecordings: { target: '/api/gateway/recordings' },
  getRecording: { target: `/api/gateway/recording?recording_id=${RECORDING_ID}` },
  removeRecording: {
    method: 'DELETE',
    target: `/api/gateway/recording?recording_id=${RECORDING_ID}`,
  },
  publishRecording: {
    method: 'POST',
    target: '/api/gateway/recordings/publish',
    headers: JSON_BODY,
    body: `{"recording_id":"${RECORDING_ID}"}`,
  },
  unpublishRecording: {
    method: 'DELETE',
    target: '/api/gateway/recordings/publish?endpoint_id=qjTj4fG',
  },
  listNetworkScans: { target: '/api/networks/user_scans/' },
  submitNetworkScan: {
    method: 'POST',
    target: '/api/networks/user_scans/',
    headers: JSON_BODY,
    body: '{"repo_id":"own","network_name":"Lab","project_name":"Shop","start_time":"2026-03-14T07:00:00Z","scan_status":"complete","flows":[{"captured_ip":"192.0.2.1","direction":"Outgoing","capture_datetime":"2026-03-14T07:00:01Z"}]}',
  },
  removeNetworkScan: {
    method: 'DELETE',
    target: `/api/networks/user_scans/?instance_id=${INSTANCE_ID}`,
  },
  reviewNetworkScan: {
    method: 'PUT',
    target: '/api/networks/review',
    headers: JSON_BODY,
    body: `{"instance_id":"${INSTANCE_ID}","is_approved":"yes"}`,
  },
  getNetworkScanMappings: {
    target: `/api/networks/user_scan_mappings/?instance_id=${INSTANCE_ID}`,
  },
  listScannedProjects: { target: '/api/scanned/projects' },
  listScannedPackages: { target: `/api/scanned/packages?project_id=${PROJECT_ID}` },
  listApiUsages: { target: '/api/scanned/usages?api_id=1' },
  submitProjectScan: {
    method: 'POST',
    target: '/api/scanned/projects',
    headers: JSON_BODY,
    body: '{"project_name":"Shop","scan_details":[{"endpoint_url":"https://api.pigeon.example/v3/messages"}]}',
  },
  removeProjectScan: { method: 'DELETE', target: `/api/scanned/projects?project_id=${PROJECT_ID}` },
  reviewProjectScan: {
    method: 'PUT',
    target: '/api/scanned/review',
    headers: JSON_BODY,
    body: `{"project_id":"${PROJECT_ID}","review_status":"complete"}`,
  },
  getProjectBom: { target: `/api/scanned/sbom?project_id=${PROJECT_ID}` },
  getNetworkBom: { target: '/api/scanned/gateway_sbom?network_name=Office' },
  listEndpoints: { target: '/api/endpoint_list' },
  searchEndpoints: { target: '/api/endpoint_search' },
  getEndpointParameters: { target: '/api/endpoint_parameter?endpoint_id=9' },
  getEndpointExample: { target: '/api/data_example?endpoint_id=qjTj4fG' },
  listCategories: { target: '/api/categories' },
  searchVendors: { target: '/api/search/vendor' },
  createVendor: {
    method: 'POST',
    target: '/api/vendors',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"New"}',
  },
  removeApi: { method: 'DELETE', target: '/api/apis?api_id=1' },
  uploadDescription: {
    method: 'POST',
    target: '/api/benchmark/upload_swagger',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      vendor: 'Wayfare',
      category: 'News & Media',
    },
    body: LOAF,
  },
  getAgreementsById: { target: '/api/agreements/id?api_id=3' },
  getAgreementsByName: { target: '/api/agreements/name?vendor_name=Skycast' },
  replaceAgreements: {
    method: 'PUT',
    target: '/api/agreements',
    headers: JSON_BODY,
    body: '{"api_id":3,"agreements":[{"agreement_name":"Terms","agreement_link":"https://a.example/t"}]}',
  },
  listImports: { target: '/api/imports' },
  listAgreementChanges: { target: '/api/agreements/history?api_id=3' },
  listAddedApis: { target: '/api/search/time?start_date=2026-03-01&end_date=2026-03-31' },
  searchVulnerabilities: {
    method: 'POST',
    target: '/api/cvesearch/',
    headers: { 'content-type': 'application/json' },
    body: '{"search_term":"log4j"}',
  },
  listCveVendors: { target: '/api/cvesearch/vendors/' },
  listCveProducts: { target: '/api/cvesearch/vendor/products?vendor=apache' },
  listProductsOfCve: { target: '/api/cvesearch/cve/products?cve_id=CVE-2021-44228' },
  getCve: { target: '/api/cvesearch/cve?cve_id=CVE-2021-44228' },
  getVulnerabilityStatus: { target: '/api/cvesearch/status' },
  startRateLimitTest: {
    method: 'POST',
    target: '/api/benchmark/rate_limiting_test?endpoint_id=EI7yswc',
  },
  getRateLimitResult: { target: `/api/benchmark/rate_limiting_result?endpoint_id=${TESTED}` },
  getRateLimitPlot: { target: `/api/benchmark/rate_limiting_plot?endpoint_id=${TESTED}` },
  listRateLimitTests: { target: '/api/benchmark/runs' },
  stopRateLimitTest: { method: 'POST', target: '/api/benchmark/runs/stop?run=1' },
  getRateLimitConsent: { target: '/api/benchmark/consent?endpoint_id=EI7yswc' },
  getHealth: { target: '/healthz' },
  getReadiness: { target: '/readyz' },
  getMetrics: { target: '/metrics' },
  getOpenApiDocument: { target: '/api/openapi.json' },
  getReferencePage: { target: '/api/docs' },
  getApiCatalog: { target: '/.well-known/api-catalog' },
  getAiCatalog: { target: '/.well-known/ai-catalog.json' },
  getLlmsText: { target: '/llms.txt' },
  listCatalogEntries: { target: '/api/ai-catalog.json' },
  getApiDescription: { target: '/api/apis/description?api_id=1' },
  searchRegistry: {
    method: 'POST',
    target: '/api/ard/search',
    headers: JSON_BODY,
    body: '{"query":{"text":"weather"}}',
  },
  exploreRegistry: {
    method: 'POST',
    target: '/api/ard/explore',
    headers: JSON_BODY,
    body: '{"resultType":{"facets":[{"field":"type"}]}}',
  },
  listRegistryEntries: { target: '/api/ard/agents' },
} as const satisfies Readonly<Record<Built, WireRequest>>

/** Returns the request with additional or replaced query parameters. */
export function withQuery(
  request: WireRequest,
  values: Readonly<Record<string, string>>,
): WireRequest {
  const [path = '', query = ''] = request.target.split('?')
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) params.set(name, value)
  return { ...request, target: `${path}?${params}` }
}
