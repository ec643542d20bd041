import type { MaybePromise } from '../shared/maybe-promise.ts'
import type { DateRange, Page, PageRequest } from '../shared/pages.ts'
import type { AuthType } from './auth-types.ts'
import type { AgreementLink, Api, Endpoint, EndpointSummary, NewVendor, Vendor } from './records.ts'

/** The catalogue's repository: vendors, APIs and endpoints, shared by all accounts. */
export interface CatalogueStore {
  /** Counts up with every committed change of the catalogue; 0 for an empty one. */
  generation(): MaybePromise<number>

  /**
   * Names the current content in at most 40 letters, digits and hyphens: another name after every
   * change, also when a restored backup takes up an old generation and then changes otherwise.
   */
  revision(): MaybePromise<string>

  /**
   * All outbound endpoints of the generation that is current at the call, in order of id, page by
   * page (by key, never an open cursor). What is committed meanwhile does not appear.
   */
  listEndpoints(): AsyncIterable<readonly EndpointSummary[]>

  /** By short id or by numeric id in decimal; undefined when there is none. A hot read. */
  findEndpoint(id: string): MaybePromise<Endpoint | undefined>

  /** The same endpoint, of which no more is read than its parameters' description takes. */
  findEndpointParameters(id: string): MaybePromise<EndpointParameters | undefined>

  /** The raw JSON texts of the description's components that `pointers` name, where they exist. */
  findComponents(apiId: number, pointers: readonly string[]): Promise<ReadonlyMap<string, string>>

  /** All endpoints of one API in order of id. */
  listApiEndpoints(apiId: number): Promise<readonly Endpoint[]>

  /**
   * One page of an API's endpoints in order of id, inbound ones included unless asked otherwise.
   * `text` stands in path or description, whatever the case of its letters from a to z.
   */
  listEndpointPage(filter: EndpointFilter, request: PageRequest): Promise<Page<Endpoint>>

  /**
   * What all APIs are chosen by, in order of their folded names (by code point), then of id. The
   * same list while the catalogue stays as it is.
   */
  listFacts(): Promise<readonly ApiFacts[]>

  /** By encrypted id or by numeric id in decimal; undefined when there is none. */
  findApi(id: string): Promise<Api | undefined>

  /** The API that an endpoint (short or numeric id) belongs to. */
  findApiOfEndpoint(endpointId: string): Promise<Api | undefined>

  /** By name, by vendor's name or by both, folded (see `shared/text.ts`), in order of id. */
  findApisByName(names: {
    readonly apiName?: string | undefined
    readonly vendorName?: string | undefined
  }): Promise<readonly Api[]>

  /** In the order of `ids`; unknown ids are left out. */
  findApis(ids: readonly number[]): Promise<readonly Api[]>

  /** All APIs by name (code points of the folded name), then id. */
  listApis(filter: ApiFilter, request: PageRequest): Promise<Page<Api>>

  /** APIs added in the range, newest first, then by id, page by page from one generation. */
  listAddedApis(
    filter: DateRange & {
      readonly apiName?: string | undefined
      readonly vendorName?: string | undefined
      /** Those too whose agreements changed in the range, among the others by their day of arrival. */
      readonly withChangedAgreements?: boolean | undefined
    },
  ): AsyncIterable<readonly Api[]>

  /** Which APIs hold which of the terms; see `search/`. */
  findPostings(terms: readonly TermQuery[], filter: ApiFilter): Promise<readonly ApiPosting[]>

  /** For the given APIs only: which endpoints hold which of the terms. */
  findEndpointPostings(
    terms: readonly TermQuery[],
    apiIds: readonly number[],
  ): Promise<readonly EndpointPosting[]>

  /** In the order of `ids`; unknown ids and inbound endpoints are left out. */
  findEndpointSummaries(ids: readonly number[]): Promise<readonly EndpointSummary[]>

  /** Imported and entered agreements of an API in their order; see `AgreementStore`. */
  listAgreements(apiId: number): Promise<readonly AgreementLink[]>

  /** Agreements of several APIs, as `listAgreements` returns them; APIs without any are left out. */
  listAgreementsOf(
    apiIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly AgreementLink[]>>

  /** Agreements of a vendor in the order they were entered. */
  listVendorAgreements(vendorId: number): Promise<readonly AgreementLink[]>

  /** By name, folded; undefined when there is none. */
  findVendor(name: string): Promise<Vendor | undefined>

  /** In the order of `ids`; unknown ids are left out. */
  findVendors(ids: readonly number[]): Promise<readonly Vendor[]>

  /**
   * Every word of `q` (folded) must start a word of name or description, or be part of the
   * homepage's host; best first: whole name, start of name, rest by name; then id.
   */
  searchVendors(
    filter: DateRange & { readonly q?: string | undefined },
    request: PageRequest,
  ): Promise<Page<Vendor>>

  /** Undefined when a vendor of that folded name exists already. */
  saveVendor(vendor: NewVendor): Promise<Vendor | undefined>

  /** Removes an API with all that hangs on it; false when there is none. */
  removeApi(id: string): Promise<boolean>

  /** All catalogued outbound endpoints with what the matcher needs, page by page, from one generation. */
  listMatchTargets(): AsyncIterable<readonly MatchTarget[]>
}

/** What an endpoint takes (Specification 4.4). */
export type EndpointParameters = Pick<Endpoint, 'method' | 'url' | 'description' | 'parameters'>

/** Which endpoints of an API are meant; what is undefined does not narrow. */
export interface EndpointFilter {
  readonly apiId: number
  readonly text?: string | undefined
  /** Lower case. */
  readonly method?: string | undefined
  readonly isDeprecated?: boolean | undefined
  /** Only webhooks and callbacks, or none of them. */
  readonly isInbound?: boolean | undefined
}

/** By what an API is chosen among others. */
export interface ApiFacts {
  readonly id: number
  /** Folded. */
  readonly name: string
  readonly vendor: Pick<Vendor, 'id' | 'name'>
  readonly categoryId: number | undefined
  readonly authTypes: readonly AuthType[]
  /** SPDX ids of its licences, or their names where these are no known licence's. */
  readonly licenses: readonly string[]
  readonly isPublic: boolean
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** How many there are, without inbound ones. */
  readonly endpoints: number
  /** How many of them are deprecated. */
  readonly deprecated: number
}

/** Which APIs count. */
export interface ApiFilter extends DateRange {
  /** True: only public ones; false: only private ones. */
  readonly isPublic?: boolean | undefined
}

/** A term to look up in the search index: as it stands, or every term that starts with it. */
export interface TermQuery {
  readonly text: string
  readonly isPrefix: boolean
}

/** One API's weight for one looked-up term (the greatest of all terms that a prefix covers). */
export interface ApiPosting {
  /** Position in the queried terms. */
  readonly term: number
  readonly apiId: number
  readonly weight: number
  /** Folded name, for ties. */
  readonly name: string
}

/** The endpoints of one API that hold a looked-up term, packed (see `search/postings.ts`). */
export interface EndpointPosting {
  readonly term: number
  readonly apiId: number
  readonly endpoints: Uint8Array
}

/** What the matcher needs of an endpoint. */
export interface MatchTarget
  extends Pick<Endpoint, 'id' | 'shortId' | 'apiId' | 'method' | 'path' | 'servers'> {
  readonly apiName: string
  readonly vendorName: string
}
