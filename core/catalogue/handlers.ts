import { createNotFoundError, ServiceError } from '../errors.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { Handlers } from '../http/operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { FullStorage } from '../ports/storage.ts'
import { sampleParameters, sampleResponse } from '../schemas/samples.ts'
import { mapBatches } from '../shared/batches.ts'
import { toOpaqueId } from '../shared/ids.ts'
import { chain } from '../shared/maybe-promise.ts'
import { toPageEnvelope } from '../shared/pages.ts'
import { foldName } from '../shared/text.ts'
import { isVendorName, KNOWN_VENDORS } from '../vendors/known-vendors.ts'
import { isSharedHost } from '../vendors/shared-hosts.ts'
import { CATEGORIES } from './categories.ts'
import type { ChosenFacets } from './facets.ts'
import { findApis } from './find-apis.ts'
import type { CurrentHostVendors } from './host-vendors-cache.ts'
import type { catalogueOperations } from './operations.ts'
import type { AgreementLink, Api, Endpoint, Vendor } from './records.ts'
import type { ApiFilter, CatalogueStore } from './store.ts'
import {
  toApiWire,
  toEndpointParametersWire,
  toEndpointSummaryWire,
  toFacetWire,
  toVendorPageWire,
  toVendorWire,
} from './wire.ts'

/** Creates the handlers of the catalogue's operations (Specification 4.2 to 4.5, 4.18, 4.22). */
export function createCatalogueHandlers(deps: {
  /** `storage.gateway` reads example responses that were published from recorded calls. */
  readonly storage: Pick<FullStorage, 'catalogue'> & {
    readonly gateway: Pick<FullStorage['gateway'], 'findPublishedResponse'>
  }
  readonly clock: Clock
  readonly hostVendors: CurrentHostVendors
  /** See `Catalogue.updateSearch`. */
  readonly updateSearch: () => Promise<void>
}): Handlers<typeof catalogueOperations> {
  const { clock, hostVendors, updateSearch } = deps
  const { catalogue: store, gateway: publishedResponses } = deps.storage

  return {
    listEndpoints: () => ({ rows: mapBatches(store.listEndpoints(), toEndpointSummaryWire) }),

    searchEndpoints: async (input) => {
      if (input.q) void updateSearch()
      const filter: ApiFilter = {
        startDate: input.start_date,
        endDate: input.end_date,
        isPublic: parseApiType(input.api_type),
      }
      const page = { size: input.size, page: input.page }
      const chosen = await resolveChosenFacets({ store, hostVendors }, input)
      const maxEndpoints = input.num_endpoints
      const found = await findApis(store, { q: input.q ?? '', filter, chosen, page, maxEndpoints })
      const agreements = await listVendorAgreements(store, found.apis)
      return {
        ...toPageEnvelope(found.total, page),
        endpoints: found.apis.map((api) =>
          toApiWire(api, {
            vendorAgreements: agreements.get(api.vendor.id) ?? [],
            matched: found.matched.get(api.id) ?? [],
          }),
        ),
        ...(input.facets ? { facets: found.facets.map(toFacetWire) } : {}),
      }
    },

    getEndpointParameters: ({ endpoint_id: id }) =>
      chain(store.findEndpointParameters(id), (endpoint) => {
        if (endpoint) return toEndpointParametersWire(endpoint)
        throw createEndpointNotFoundError(id)
      }),

    getEndpointExample: async ({ endpoint_id: id }) => {
      const endpoint = await store.findEndpoint(id)
      if (endpoint) return buildExample(endpoint, { store, answers: publishedResponses })
      throw createEndpointNotFoundError(id)
    },

    listCategories: () => [...CATEGORIES],

    searchVendors: async (input) => {
      const request = { size: input.size, page: input.page }
      const filter = { q: input.q, startDate: input.start_date, endDate: input.end_date }
      return toVendorPageWire(await store.searchVendors(filter, request), request)
    },

    createVendor: async ({ body }) => {
      rejectForeignHomepage(body)
      const vendor = await store.saveVendor({
        encryptedId: toOpaqueId('vendor', foldName(body.name)),
        name: body.name,
        homepage: body.homepage,
        description: body.description,
        isPublic: body.is_public,
        image: '',
        countries: body.countries.map((code) => code.toUpperCase()),
        createdAt: clock(),
      })
      if (vendor) return toVendorWire(vendor)
      throw new ServiceError('conflict', `Cannot create the vendor: "${body.name}" already exists`)
    },

    removeApi: async (input) => {
      if (await store.removeApi(input.api_id)) return undefined
      throw createNotFoundError('API', input.api_id)
    },
  }
}

function createEndpointNotFoundError(id: string): ServiceError {
  return createNotFoundError('Endpoint', id)
}

/**
 * Returns the requested facet filters; undefined if the request contains neither filters nor
 * `facets`.
 */
async function resolveChosenFacets(
  { store, hostVendors }: VendorSources,
  input: Omit<ChosenFacets, 'category'> & {
    readonly category: number | undefined
    readonly facets: boolean
  },
): Promise<ChosenFacets | undefined> {
  const { category, vendor, auth, license, deprecated, kind } = input
  const isAsked = [category, vendor, auth, license, deprecated, kind].some(Boolean) || input.facets
  if (!isAsked) return undefined
  const named = vendor ? await findVendor({ store, hostVendors }, vendor) : undefined
  return {
    category: category === undefined ? undefined : String(category),
    vendor: named ? String(named.id) : vendor,
    auth,
    license,
    deprecated,
    kind,
  }
}

/**
 * Rejects a homepage on a host of another known vendor: it would assign that host to the wrong
 * vendor.
 */
function rejectForeignHomepage(vendor: { readonly name: string; readonly homepage: string }): void {
  if (!URL.canParse(vendor.homepage)) return
  const host = new URL(vendor.homepage).hostname
  const known = KNOWN_VENDORS.findByHost(host)
  if (!known || known.by === 'tenant' || isSharedHost(host)) return
  if (isVendorName(vendor.name, { vendor: known.name, host })) return
  throw new ServiceError(
    'conflict',
    `Cannot create the vendor "${vendor.name}": ${host} belongs to ${known.name}`,
  )
}

/** Sources for vendor lookups. */
interface VendorSources {
  readonly store: CatalogueStore
  readonly hostVendors: CurrentHostVendors
}

/** Finds a vendor by its name, else by one of its domains. */
async function findVendor(
  { store, hostVendors }: VendorSources,
  name: string,
): Promise<Vendor | undefined> {
  const named = await store.findVendor(name)
  if (named || !/^[^\s/]+\.[^\s/]+$/.test(name.trim())) return named
  const owner = (await hostVendors()).findVendor(name.trim().toLowerCase())
  return owner === undefined ? undefined : await store.findVendor(owner)
}

async function listVendorAgreements(
  store: CatalogueStore,
  apis: readonly Api[],
): Promise<ReadonlyMap<number, readonly AgreementLink[]>> {
  const ids = [...new Set(apis.map(({ vendor }) => vendor.id))]
  const lists = await Promise.all(ids.map((id) => store.listVendorAgreements(id)))
  return new Map(ids.map((id, index) => [id, lists[index] ?? []]))
}

function parseApiType(apiType: string | undefined): boolean | undefined {
  if (apiType === 'public_apis') return true
  return apiType === 'private_apis' ? false : undefined
}

/**
 * Returns the example response and example input of an endpoint (Specification 2.4). The response
 * is the documented one, else one published from a recorded call, else one sampled from the schema.
 */
async function buildExample(
  endpoint: Endpoint,
  deps: {
    readonly store: Pick<CatalogueStore, 'findComponents'>
    readonly answers: Pick<GatewayStore, 'findPublishedResponse'>
  },
) {
  const { id, apiId, shortId, response, parameters } = endpoint
  const isDocumented = response?.example !== undefined
  const published = isDocumented ? undefined : await deps.answers.findPublishedResponse(id)
  return {
    output_response:
      published?.body ??
      (await sampleResponse({
        response,
        findComponents: (pointers) => deps.store.findComponents(apiId, pointers),
      })),
    endpoint_id: shortId,
    input_parameters: { ...(await sampleParameters(parameters)) },
  }
}
