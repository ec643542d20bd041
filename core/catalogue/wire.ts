import * as v from 'valibot'
import { printable } from '../shared/line-schema.ts'
import { boundedList } from '../shared/list-schema.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import { toPageEnvelope } from '../shared/pages.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { API_KINDS } from './api-kinds.ts'
import { findCategory, getCategory } from './categories.ts'
import { FACETS, type Facet } from './facets.ts'
import type { AgreementLink, Api, EndpointSummary, Parameter, Vendor } from './records.ts'
import type { EndpointParameters } from './store.ts'

/** Endpoint list item (Specification 2.1) with the short ID. */
export const endpointSummarySchema = v.object({
  id: v.pipe(v.number(), v.integer()),
  endpoint: v.string(),
  method: v.string(),
  description: v.string(),
  endpoint_id: v.string(),
})

const linkSchema = v.object({ name: v.string(), url: v.string() })

const pageEntries = {
  num_results: v.pipe(v.number(), v.integer()),
  num_pages: v.pipe(v.number(), v.integer()),
  current_page: v.pipe(v.number(), v.integer()),
  page_size: v.pipe(v.number(), v.integer()),
}

/** A catalogued API in search responses (Specification 2.2). */
const apiSchema = v.object({
  vendor: v.object({
    id: v.pipe(v.number(), v.integer()),
    name: v.string(),
    image_vendor_name: v.string(),
    encrypted_id: v.string(),
  }),
  category: v.object({
    id: v.pipe(v.number(), v.integer()),
    name: v.string(),
    image: v.string(),
    encrypted_id: v.string(),
  }),
  vendor_licenses: v.array(linkSchema),
  api_licenses: v.array(linkSchema),
  auth_types: v.array(v.string()),
  is_public_api: v.boolean(),
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  version: v.string(),
  homepage: v.string(),
  is_implemented: v.boolean(),
  is_claiming: v.boolean(),
  can_claim: v.boolean(),
  countries: v.array(v.string()),
  country_names: v.array(v.string()),
  encrypted_id: v.string(),
  kind: v.optional(
    v.pipe(v.picklist(API_KINDS), v.description('Only for MCP servers and A2A agents.')),
  ),
  num_agreements_restricted: v.boolean(),
  description: v.string(),
  matched_endpoints: v.array(endpointSummarySchema),
})

const facetSchema = v.object({
  name: v.picklist(FACETS),
  num_values: v.pipe(v.number(), v.integer()),
  values: v.pipe(
    v.array(
      v.object({
        value: v.pipe(v.string(), v.description('Value for the parameter of the same name.')),
        label: v.string(),
        count: v.pipe(v.number(), v.integer()),
        is_chosen: v.boolean(),
      }),
    ),
    v.description('The most frequent values, at most 100, and the chosen value.'),
  ),
})

/** `facets` is present only if requested. */
export const endpointSearchSchema = v.object({
  ...pageEntries,
  endpoints: v.array(apiSchema),
  facets: v.optional(v.array(facetSchema)),
})

/** Converts a category name to its ID; undefined if absent or empty. */
export const categoryIdSchema = v.pipe(
  v.optional(v.string(), ''),
  v.check(
    (name) => name === '' || findCategory(name) !== undefined,
    'must be the name of a category, as the operation listCategories lists them (on the command line: call listCategories)',
  ),
  v.transform((name) => findCategory(name)?.id),
)

/** Specification 2.3, with type and allowed values. */
export const endpointParametersSchema = v.object({
  parameter: v.array(
    v.object({
      parameter_name: v.string(),
      parameter_placement: v.string(),
      is_required: v.boolean(),
      parameter_default_value: v.string(),
      parameter_example_value: v.string(),
      parameter_description: v.string(),
      parameter_type: v.string(),
      parameter_enum: v.array(v.string()),
    }),
  ),
  description: v.string(),
  endpoint_name: v.string(),
  method: v.string(),
})

/** Specification 2.4. */
export const endpointExampleSchema = v.object({
  output_response: v.string(),
  endpoint_id: v.string(),
  input_parameters: v.record(v.string(), v.string()),
})

/** Specification 2.13. */
export const vendorSchema = v.object({
  encrypted_id: v.string(),
  name: v.string(),
  homepage: v.string(),
  description: v.string(),
  is_public: v.boolean(),
})

export const vendorSearchSchema = v.object({ ...pageEntries, vendors: v.array(vendorSchema) })

const httpUrl = v.pipe(
  v.string(),
  v.maxLength(2000, 'must be at most 2000 characters long'),
  v.check((value) => value === '' || isHttpUrl(value), 'must be an http or https URL'),
)

/**
 * Matches control characters except tab and line breaks, and lone surrogates, which not every
 * storage accepts.
 */
const UNPRINTABLE_IN_LINES = /[^\P{Cc}\t\n\r]|\p{Cs}/u

/** Request body of `POST /vendors`. */
export const newVendorSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(200, 'must be at most 200 characters long'),
    printable,
  ),
  homepage: v.optional(httpUrl, ''),
  description: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(10_000, 'must be at most 10000 characters long'),
      v.check((value) => !UNPRINTABLE_IN_LINES.test(value), 'must not contain control characters'),
    ),
    '',
  ),
  is_public: v.optional(v.boolean(), true),
  countries: v.optional(
    boundedList(
      v.pipe(v.string(), v.regex(/^[A-Za-z]{2}$/, 'must be two letters (ISO 3166-1 alpha-2)')),
      300,
    ),
    [],
  ),
})

export function toEndpointSummaryWire(endpoint: EndpointSummary) {
  return {
    id: endpoint.id,
    endpoint: endpoint.url,
    method: endpoint.method,
    description: endpoint.description,
    endpoint_id: endpoint.shortId,
  }
}

export function toApiWire(
  api: Api,
  more: {
    readonly vendorAgreements: readonly AgreementLink[]
    readonly matched: readonly EndpointSummary[]
  },
) {
  const category = getCategory(api.categoryId)
  return {
    vendor: {
      id: api.vendor.id,
      name: api.vendor.name,
      image_vendor_name: api.vendor.image,
      encrypted_id: api.vendor.encryptedId,
    },
    category: {
      id: category?.id ?? 0,
      name: category?.name ?? '',
      image: category?.image ?? '',
      encrypted_id: category?.encryptedId ?? '',
    },
    vendor_licenses: more.vendorAgreements.map(({ name, link }) => ({ name, url: link })),
    api_licenses: api.licenses.map(({ name, url }) => ({ name, url })),
    auth_types: [...api.authTypes],
    is_public_api: api.isPublic,
    id: api.id,
    name: api.name,
    version: api.version,
    homepage: api.homepage || api.vendor.homepage,
    is_implemented: api.isImplemented,
    is_claiming: api.isClaiming,
    can_claim: api.canClaim,
    countries: [...api.countries],
    country_names: api.countries.map(toCountryName),
    encrypted_id: api.encryptedId,
    ...(api.kind === 'http' ? {} : { kind: api.kind }),
    num_agreements_restricted: api.isAgreementsRestricted,
    description: api.description,
    matched_endpoints: more.matched.map(toEndpointSummaryWire),
  }
}

export function toFacetWire({ name, values }: Facet) {
  const isNamed = name === 'category' || name === 'vendor'
  return {
    name,
    num_values: values.length,
    values: values
      .filter(({ isChosen }, index) => isChosen || index < MAX_VALUES)
      .map(({ value, label, count, isChosen }) => ({
        value: isNamed ? label : value,
        label,
        count,
        is_chosen: isChosen,
      })),
  }
}

export function toEndpointParametersWire(endpoint: EndpointParameters) {
  return {
    parameter: endpoint.parameters.map(toParameterWire),
    description: endpoint.description,
    endpoint_name: endpoint.url,
    method: endpoint.method,
  }
}

export function toVendorWire(vendor: Vendor) {
  return {
    encrypted_id: vendor.encryptedId,
    name: vendor.name,
    homepage: vendor.homepage,
    description: vendor.description,
    is_public: vendor.isPublic,
  }
}

export function toVendorPageWire(page: Page<Vendor>, request: PageRequest) {
  return { ...toPageEnvelope(page.total, request), vendors: page.items.map(toVendorWire) }
}

function toParameterWire(parameter: Parameter) {
  return {
    parameter_name: parameter.name,
    parameter_placement: parameter.placement,
    is_required: parameter.isRequired,
    parameter_default_value: parameter.defaultValue ?? '',
    parameter_example_value: parameter.exampleValue ?? '',
    parameter_description: parameter.description,
    parameter_type: parameter.type,
    parameter_enum: [...parameter.enum],
  }
}

/** Maximum number of values per facet in a response. */
const MAX_VALUES = 100
const REGION_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })

function toCountryName(code: string): string {
  return REGION_NAMES.of(code) ?? code
}
