import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import {
  dayRangeParams,
  dayRangeRule,
  flag,
  integer,
  oneOf,
  pageParams,
  query,
  required,
  text,
} from '../http/params.ts'
import { API_KINDS } from './api-kinds.ts'
import { AUTH_TYPES } from './auth-types.ts'
import {
  categoryIdSchema,
  endpointExampleSchema,
  endpointParametersSchema,
  endpointSearchSchema,
  endpointSummarySchema,
  newVendorSchema,
  vendorSchema,
  vendorSearchSchema,
} from './wire.ts'

const endpointId = required(
  query(text(20), 'Short ID of the endpoint (7 characters), or its numeric ID.'),
)

export const catalogueOperations = defineOperations({
  listEndpoints: {
    method: 'GET',
    paths: ['/endpoint_list'],
    section: '4.2',
    tag: 'catalogue',
    summary: 'List all endpoints',
    description:
      'All catalogued endpoints in order of numeric ID, streamed. Webhooks and callbacks are excluded, because only the vendor calls them.',
    scope: 'read',
    output: { kind: 'rows', row: endpointSummarySchema },
    cache: 'catalogue',
  },
  searchEndpoints: {
    method: 'GET',
    paths: ['/endpoint_search'],
    section: '4.3',
    tag: 'catalogue',
    summary: 'Search APIs and their endpoints',
    description:
      'Finds APIs by name, vendor, category, description, and by the paths, summaries, operation IDs, tags, parameters and response fields of their endpoints. Words are stemmed and matched as prefixes. Not all words have to match; better matches come first. An empty `q` lists all APIs by name. Facet parameters filter the results. `facets=true` adds the values of each facet with their numbers of APIs, counted as if that facet had no filter.',
    scope: 'read',
    params: {
      q: query(text(1000), 'Search text; may be empty.'),
      ...dayRangeParams,
      ...pageParams,
      api_type: query(
        oneOf(['all_apis', 'public_apis', 'private_apis']),
        'Search all, public or private APIs.',
      ),
      category: query(
        { schema: categoryIdSchema, document: { type: 'string' } },
        'Name of a category, ignoring case and spacing.',
      ),
      vendor: query(
        text(500),
        'Name of a vendor (ignoring case and spacing), one of its domains, or its numeric ID.',
      ),
      auth: query(oneOf(AUTH_TYPES), 'Type of authentication that the API accepts.'),
      license: query(
        text(1000),
        'Name of a licence, ignoring case and spacing, or `none` for APIs without a stated licence.',
      ),
      deprecated: query(
        oneOf(['yes', 'no']),
        '`yes`: only APIs with deprecated endpoints; `no`: only APIs without any.',
      ),
      kind: query(oneOf(API_KINDS), 'HTTP APIs, MCP servers or A2A agents.'),
      facets: query(flag(), 'Return the facet values with the number of APIs for each.'),
      num_endpoints: query(
        integer({ min: 1, max: 20, fallback: 3 }),
        'Maximum number of matched endpoints of each API.',
      ),
    },
    rules: [dayRangeRule],
    output: { kind: 'json', schema: endpointSearchSchema },
    cache: 'catalogue',
  },
  getEndpointParameters: {
    method: 'GET',
    paths: ['/endpoint_parameter'],
    section: '4.4',
    tag: 'catalogue',
    summary: 'Describe the parameters of an endpoint',
    scope: 'read',
    params: { endpoint_id: endpointId },
    output: { kind: 'json', schema: endpointParametersSchema },
    cache: 'catalogue',
  },
  getEndpointExample: {
    method: 'GET',
    paths: ['/data_example'],
    section: '4.5',
    tag: 'catalogue',
    summary: 'Show an example response of an endpoint',
    description:
      'Returns the documented example, or else one published from a recorded call, or else one sampled from the documented response schema.',
    scope: 'read',
    params: { endpoint_id: endpointId },
    output: { kind: 'json', schema: endpointExampleSchema },
    cache: 'catalogue',
  },
  listCategories: {
    method: 'GET',
    paths: ['/categories'],
    section: '4.18',
    tag: 'catalogue',
    summary: 'List the categories',
    scope: 'read',
    output: { kind: 'json', schema: v.array(v.string()) },
    cache: 'constant',
  },
  searchVendors: {
    method: 'GET',
    paths: ['/search/vendor', '/vendor/search'],
    section: '4.22',
    tag: 'catalogue',
    summary: 'Search vendors',
    scope: 'read',
    params: {
      q: query(text(1000), 'Words from the name, description or homepage; may be empty.'),
      ...dayRangeParams,
      ...pageParams,
    },
    rules: [dayRangeRule],
    output: { kind: 'json', schema: vendorSearchSchema },
    cache: 'catalogue',
  },
  createVendor: {
    method: 'POST',
    paths: ['/vendors'],
    tag: 'extension',
    summary: 'Create a vendor',
    description: 'Descriptions can be imported only for existing vendors.',
    scope: 'import',
    body: { kind: 'json', schema: newVendorSchema },
    output: { kind: 'json', schema: vendorSchema },
  },
  removeApi: {
    method: 'DELETE',
    paths: ['/apis'],
    tag: 'extension',
    summary: 'Remove an API and its endpoints',
    scope: 'admin',
    params: {
      api_id: required(query(text(40), '`encrypted_id` or numeric ID of the API.')),
    },
    output: { kind: 'empty' },
  },
})
