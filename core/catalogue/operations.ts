import * as v from 'valibot'
import { defineOperations } from '../http/operation.ts'
import {
  dayRangeParams,
  dayRangeRule,
  flag,
  oneOf,
  pageParams,
  query,
  required,
  text,
} from '../http/params.ts'
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
  query(text(20), 'Short id of the endpoint (7 characters), or its numeric id.'),
)

export const catalogueOperations = defineOperations({
  listEndpoints: {
    method: 'GET',
    paths: ['/endpoint_list'],
    section: '4.2',
    tag: 'catalogue',
    summary: 'List all endpoints',
    description:
      'All catalogued endpoints in order of their numeric id, streamed; without webhooks and callbacks, which nobody calls but their vendor.',
    scope: 'read',
    output: { kind: 'rows', row: endpointSummarySchema },
    cache: 'catalogue',
  },
  searchEndpoints: {
    method: 'GET',
    paths: ['/endpoint_search'],
    section: '4.3',
    tag: 'catalogue',
    summary: 'Search APIs by what they and their endpoints do',
    description:
      'Finds APIs by name, vendor, category, description, and by the paths, summaries, operation ids, tags, parameters and response fields of their endpoints. Words are stemmed and prefix-matched; not all need match; better matches come first. An empty `q` lists all by name. Facets narrow down what is found; `facets=true` counts what else can be chosen, each value as if nothing else of its facet were.',
    scope: 'read',
    params: {
      q: query(text(1000), 'Search text; may be empty.'),
      ...dayRangeParams,
      ...pageParams,
      api_type: query(
        oneOf(['all_apis', 'public_apis', 'private_apis']),
        'Which APIs: all, public or private ones.',
      ),
      category: query(
        { schema: categoryIdSchema, document: { type: 'string' } },
        'Name of a category, case and spacing aside.',
      ),
      vendor: query(
        text(500),
        'Name of a vendor, case and spacing aside, a domain of it, or its numeric id.',
      ),
      auth: query(oneOf(AUTH_TYPES), 'One of the kinds of authentication that the API takes.'),
      license: query(
        text(1000),
        'Name of a licence, case and spacing aside, or `none`: without a stated one.',
      ),
      deprecated: query(
        oneOf(['yes', 'no']),
        '`yes`: with deprecated endpoints; `no`: without any.',
      ),
      facets: query(
        flag(),
        'Tell what can be chosen of these, and how many APIs there are of each.',
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
      'The documented example, else one that was published of a recorded call, else one sampled from the documented response schema.',
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
      q: query(text(1000), 'Words of name, description or homepage; may be empty.'),
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
    summary: 'Enter a vendor',
    description: 'A description can be imported only for a vendor that exists.',
    scope: 'import',
    body: { kind: 'json', schema: newVendorSchema },
    output: { kind: 'json', schema: vendorSchema },
  },
  removeApi: {
    method: 'DELETE',
    paths: ['/apis'],
    tag: 'extension',
    summary: 'Remove an API with its endpoints',
    scope: 'admin',
    params: {
      api_id: required(query(text(40), '`encrypted_id` or numeric id of the API.')),
    },
    output: { kind: 'empty' },
  },
})
