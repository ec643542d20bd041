import type { Contract } from '../../core/contract.ts'
import type { Handlers } from '../../core/http/operation.ts'
import type { WireRequest } from './ways.ts'

/** The operations that are built. */
export type Built = keyof Handlers<Contract>

const LOAF = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Loaf', version: '1.0.0' },
  servers: [{ url: 'https://api.bakery.example' }],
  paths: { '/loaves': { get: { responses: { 200: { description: 'Loaves' } } } } },
})

/** Ids of what the seeded account has; see `fillGateway`. */
export const CREDENTIAL_ID = 'crd_1B5fRTIxemPFf3TOxM0h3C'
export const KEY_ID = 'key_1NSGhgY5AJf9V6GxLFZrzT'
export const RECORDING_ID = 'rec_6fNDiXLi1yNUsn3RXXARRA'

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
  getHealth: { target: '/healthz' },
  getReadiness: { target: '/readyz' },
  getMetrics: { target: '/metrics' },
  getOpenApiDocument: { target: '/api/openapi.json' },
  getReferencePage: { target: '/api/docs' },
  getApiCatalog: { target: '/.well-known/api-catalog' },
} as const satisfies Readonly<Record<Built, WireRequest>>

/** The request with more, or other, query parameters. */
export function withQuery(
  request: WireRequest,
  values: Readonly<Record<string, string>>,
): WireRequest {
  const [path = '', query = ''] = request.target.split('?')
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) params.set(name, value)
  return { ...request, target: `${path}?${params}` }
}
