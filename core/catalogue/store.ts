import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { DateRange, Page, PageRequest } from '../shared/pages.ts'
import type { ApiKind } from './api-kinds.ts'
import type { AuthType } from './auth-types.ts'
import type { AgreementLink, Api, Endpoint, EndpointSummary, NewVendor, Vendor } from './records.ts'

/** The catalogue's repository: vendors, APIs and endpoints, shared by all accounts. */
export interface CatalogueStore {
  /** Increases with every committed change of the catalogue; 0 for an empty one. */
  generation(): MaybePromise<number>

  /**
   * Identifies the current content by at most 40 letters, digits and hyphens. The value changes
   * with every change, even if a restored backup reuses a generation number for other content.
   */
  revision(): MaybePromise<string>

  /**
   * All outbound endpoints, in order of ID, in pages read by key (never through an open cursor).
   * Reads the generation that is current at the call: later commits do not appear.
   */
  listEndpoints(): AsyncIterable<readonly EndpointSummary[]>

  /** By short ID or by decimal numeric ID; undefined if not found. On the hot path. */
  findEndpoint(id: string): MaybePromise<Endpoint | undefined>

  /** Like `findEndpoint`, but reads only the fields that the parameter response needs. */
  findEndpointParameters(id: string): MaybePromise<EndpointParameters | undefined>

  /**
   * Raw JSON texts of the description's components at these `pointers`; missing ones are omitted.
   */
  findComponents(apiId: number, pointers: readonly string[]): Promise<ReadonlyMap<string, string>>

  /** All endpoints of one API in order of ID. */
  listApiEndpoints(apiId: number): Promise<readonly Endpoint[]>

  /**
   * One page of an API's endpoints in order of ID, inbound ones included unless the filter excludes
   * them. `text` is a substring of path or description, with ASCII letters compared
   * case-insensitively.
   */
  listEndpointPage(filter: EndpointFilter, request: PageRequest): Promise<Page<Endpoint>>

  /**
   * The facts of all APIs that facets filter by, in order of folded name (by code point), then ID.
   * Returns the same array until the catalogue changes.
   */
  listFacts(): Promise<readonly ApiFacts[]>

  /** By encrypted ID or by decimal numeric ID; undefined if not found. */
  findApi(id: string): Promise<Api | undefined>

  /** The API of an endpoint, by the endpoint's short or numeric ID. */
  findApiOfEndpoint(endpointId: string): Promise<Api | undefined>

  /** By API name, vendor name or both, folded (see `shared/text.ts`), in order of ID. */
  findApisByName(names: {
    readonly apiName?: string | undefined
    readonly vendorName?: string | undefined
  }): Promise<readonly Api[]>

  /** In the order of `ids`; unknown IDs are omitted. */
  findApis(ids: readonly number[]): Promise<readonly Api[]>

  /** All APIs by name (code points of the folded name), then ID. */
  listApis(filter: ApiFilter, request: PageRequest): Promise<Page<Api>>

  /** APIs added in the range, newest first, then by ID, in pages from one generation. */
  listAddedApis(
    filter: DateRange & {
      readonly apiName?: string | undefined
      readonly vendorName?: string | undefined
      /**
       * Also include APIs whose agreements changed in the range, sorted by their own creation day.
       */
      readonly withChangedAgreements?: boolean | undefined
    },
  ): AsyncIterable<readonly Api[]>

  /** The APIs that contain each term; see `search/`. */
  findPostings(terms: readonly TermQuery[], filter: ApiFilter): Promise<readonly ApiPosting[]>

  /** For each term, the endpoints of `apiIds` that contain it. */
  findEndpointPostings(
    terms: readonly TermQuery[],
    apiIds: readonly number[],
  ): Promise<readonly EndpointPosting[]>

  /** In the order of `ids`; unknown IDs and inbound endpoints are omitted. */
  findEndpointSummaries(ids: readonly number[]): Promise<readonly EndpointSummary[]>

  /** Imported and entered agreements of an API in their order; see `AgreementStore`. */
  listAgreements(apiId: number): Promise<readonly AgreementLink[]>

  /** Agreements of several APIs, as `listAgreements` returns them; APIs without any are omitted. */
  listAgreementsOf(
    apiIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly AgreementLink[]>>

  /** Agreements of a vendor in the order they were entered. */
  listVendorAgreements(vendorId: number): Promise<readonly AgreementLink[]>

  /** By folded name; undefined if not found. */
  findVendor(name: string): Promise<Vendor | undefined>

  /** In the order of `ids`; unknown IDs are omitted. */
  findVendors(ids: readonly number[]): Promise<readonly Vendor[]>

  /**
   * Finds vendors for which every folded word of `q` starts a word of name or description, or is
   * part of the homepage's host. Sorted by exact name, then prefix of the name, then the rest by
   * name; then ID.
   */
  searchVendors(
    filter: DateRange & { readonly q?: string | undefined },
    request: PageRequest,
  ): Promise<Page<Vendor>>

  /** Undefined if a vendor with this folded name already exists. */
  saveVendor(vendor: NewVendor): Promise<Vendor | undefined>

  /** Removes an API with all dependent data; false if not found. */
  removeApi(id: string): Promise<boolean>

  /**
   * All outbound endpoints with the fields that the matcher needs, in pages from one generation.
   */
  listMatchTargets(): AsyncIterable<readonly MatchTarget[]>
}

/** The parameters of an endpoint (Specification 4.4). */
export type EndpointParameters = Pick<Endpoint, 'method' | 'url' | 'description' | 'parameters'>

/** Selects endpoints of an API; undefined fields do not filter. */
export interface EndpointFilter {
  readonly apiId: number
  readonly text?: string | undefined
  /** Lower case. */
  readonly method?: string | undefined
  readonly isDeprecated?: boolean | undefined
  /** True: only webhooks and callbacks; false: none of them. */
  readonly isInbound?: boolean | undefined
}

/** The properties of an API that facets filter by. */
export interface ApiFacts {
  readonly id: number
  readonly kind: ApiKind
  /** Folded. */
  readonly name: string
  readonly vendor: Pick<Vendor, 'id' | 'name'>
  readonly categoryId: number | undefined
  readonly authTypes: readonly AuthType[]
  /** SPDX IDs of its licences; the name of a licence without SPDX ID. */
  readonly licenses: readonly string[]
  readonly isPublic: boolean
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Number of outbound endpoints. */
  readonly endpoints: number
  /** Number of deprecated outbound endpoints. */
  readonly deprecated: number
}

/** Selects APIs. */
export interface ApiFilter extends DateRange {
  /** True: only public APIs; false: only private ones. */
  readonly isPublic?: boolean | undefined
}

/** A term to look up in the search index: exactly, or as a prefix of other terms. */
export interface TermQuery {
  readonly text: string
  readonly isPrefix: boolean
}

/** One API's weight for one looked-up term; for a prefix, the greatest weight of its terms. */
export interface ApiPosting {
  /** Position in the queried terms. */
  readonly term: number
  readonly apiId: number
  readonly weight: number
  /** Folded name, to break ties. */
  readonly name: string
}

/** The endpoints of one API that contain a looked-up term, packed (see `search/packing.ts`). */
export interface EndpointPosting {
  readonly term: number
  readonly apiId: number
  readonly endpoints: Uint8Array
}

/** The fields of an endpoint that the matcher needs. */
export interface MatchTarget
  extends Pick<Endpoint, 'id' | 'shortId' | 'apiId' | 'method' | 'path' | 'servers'> {
  readonly apiName: string
  readonly vendorName: string
}
