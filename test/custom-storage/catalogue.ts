import type {
  AgreementLink,
  Api,
  Endpoint,
  SearchPosting,
  Vendor,
} from '../../core/catalogue/index.ts'
import {
  type ApiFacts,
  type ApiFilter,
  type CatalogueStore,
  compareCodePoints,
  type Storage,
  toSpdxId,
} from '../../core/storage.ts'
import { clean, fold, isWithinDays, rejectLongName, toPage, toPages } from './texts.ts'

/** An API with all data that its description provides. */
export interface CataloguedApi {
  readonly api: Api
  readonly foldedName: string
  /** In order of ID. */
  readonly endpoints: readonly Endpoint[]
  readonly digests: ReadonlyMap<number, number>
  readonly components: ReadonlyMap<string, string>
  readonly agreements: readonly AgreementLink[]
  /** Times at which the agreements changed. */
  readonly changedAt: readonly number[]
  readonly postings: readonly SearchPosting[]
}

/** One generation of the catalogue. A change makes a new one, so that long reads see one only. */
export interface Generation {
  readonly number: number
  readonly vendors: readonly Vendor[]
  /** In order of ID. */
  readonly apis: readonly CataloguedApi[]
  readonly lastEndpointId: number
}

/** The current generation, and the queue of its changes. */
export interface CatalogueState {
  current: Generation
  /** Runs a change after all earlier ones. */
  change<Result>(work: () => Result | Promise<Result>): Promise<Result>
}

export function createCatalogueState(): CatalogueState {
  let last: Promise<unknown> = Promise.resolve()
  return {
    current: { number: 0, vendors: [], apis: [], lastEndpointId: 0 },
    change(work) {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
  }
}

/** Creates the catalogue's store; `createImports` fills the catalogue. */
export function createCatalogue(state: CatalogueState): Storage['catalogue'] {
  const listApis = () => state.current.apis.map(({ api }) => api)
  const listAllEndpoints = () => state.current.apis.flatMap(({ endpoints }) => endpoints)
  const listOutbound = () =>
    listAllEndpoints()
      .filter(({ isInbound }) => !isInbound)
      .sort((one, other) => one.id - other.id)
  return {
    ...createSearch(state),
    ...createVendors(state),
    generation: () => state.current.number,
    revision: () => `memory-${state.current.number}`,
    listEndpoints: () =>
      toPages(
        listOutbound().map(({ id, shortId, url, method, description, isDeprecated }) => {
          return { id, shortId, url, method, description, isDeprecated }
        }),
      ),
    findEndpoint: (id) =>
      listAllEndpoints().find((endpoint) => endpoint.shortId === id || String(endpoint.id) === id),
    async findComponents(apiId, pointers) {
      const components = find(apiId)?.components
      const wanted = new Set(pointers.map(clean))
      return new Map([...(components ?? [])].filter(([pointer]) => wanted.has(pointer)))
    },
    async listEndpointPage({ apiId, text = '', method, isDeprecated, isInbound }, request) {
      const part = lowerAscii(text)
      const found = find(apiId)?.endpoints.filter(
        (endpoint) =>
          (method ?? endpoint.method) === endpoint.method &&
          (isDeprecated ?? endpoint.isDeprecated) === endpoint.isDeprecated &&
          (isInbound ?? endpoint.isInbound) === endpoint.isInbound &&
          [endpoint.path, endpoint.description].some((each) => lowerAscii(each).includes(part)),
      )
      return toPage(found ?? [], request)
    },
    listMatchTargets: () => {
      const apis = new Map(listApis().map((api) => [api.id, api]))
      return toPages(
        listOutbound().map(({ id, shortId, apiId, method, path, servers }) => {
          const api = apis.get(apiId)
          const names = { apiName: api?.name ?? '', vendorName: api?.vendor.name ?? '' }
          return { id, shortId, apiId, method, path, servers, ...names }
        }),
      )
    },
    findApi: async (id) =>
      listApis().find((api) => api.encryptedId === id || String(api.id) === id),
    async findApisByName({ apiName, vendorName }) {
      if (apiName === undefined && vendorName === undefined) return []
      return state.current.apis.filter(isNamed({ apiName, vendorName })).map(({ api }) => api)
    },
    async listApis(filter, request) {
      const found = state.current.apis
        .filter(({ api }) => passes(api, filter))
        .sort(
          (one, other) =>
            compareCodePoints(one.foldedName, other.foldedName) || one.api.id - other.api.id,
        )
      return toPage(
        found.map(({ api }) => api),
        request,
      )
    },
    listAddedApis: (filter) =>
      toPages(
        state.current.apis
          .filter(isNamed(filter))
          .filter(
            ({ api, changedAt }) =>
              isWithinDays(api.createdAt, filter) ||
              (filter.withChangedAgreements && changedAt.some((at) => isWithinDays(at, filter))),
          )
          .map(({ api }) => api)
          .sort((one, other) => other.createdAt - one.createdAt || one.id - other.id),
      ),
    async listAgreementsOf(apiIds) {
      const found = state.current.apis.filter(
        ({ api, agreements }) => apiIds.includes(api.id) && agreements.length > 0,
      )
      return new Map(found.map(({ api, agreements }) => [api.id, agreements]))
    },
  }

  function find(apiId: number): CataloguedApi | undefined {
    return state.current.apis.find(({ api }) => api.id === apiId)
  }
}

function isNamed(names: Parameters<CatalogueStore['findApisByName']>[0]) {
  const apiName = names.apiName === undefined ? undefined : fold(names.apiName)
  const vendorName = names.vendorName === undefined ? undefined : fold(names.vendorName)
  return ({ api, foldedName }: CataloguedApi) =>
    (apiName ?? foldedName) === foldedName &&
    (vendorName === undefined || fold(api.vendor.name) === vendorName)
}

function passes(api: Pick<Api, 'createdAt' | 'isPublic'>, filter: ApiFilter): boolean {
  return isWithinDays(api.createdAt, filter) && (filter.isPublic ?? api.isPublic) === api.isPublic
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function createSearch(
  state: CatalogueState,
): Pick<CatalogueStore, 'findPostings' | 'findEndpointPostings' | 'listFacts'> {
  let facts: { readonly of: Generation; readonly list: readonly ApiFacts[] } | undefined
  return {
    async findPostings(terms, filter) {
      const apis = state.current.apis.filter(({ api }) => passes(api, filter))
      return terms.flatMap((query, term) =>
        apis.flatMap(({ api, foldedName: name, postings }) => {
          const weights = postings.filter(matches(query)).map(({ weight }) => weight)
          return weights.length === 0
            ? []
            : [{ term, apiId: api.id, weight: Math.max(...weights), name }]
        }),
      )
    },
    async findEndpointPostings(terms, apiIds) {
      const apis = state.current.apis.filter(({ api }) => apiIds.includes(api.id))
      return terms.flatMap((query, term) =>
        apis.flatMap(({ api, postings }) =>
          postings
            .filter(matches(query))
            .map(({ endpoints }) => ({ term, apiId: api.id, endpoints })),
        ),
      )
    },
    async listFacts() {
      const { current } = state
      if (facts?.of !== current)
        facts = { of: current, list: current.apis.map(toFacts).sort(byName) }
      return facts.list
    },
  }
}

function matches({ text, isPrefix }: { readonly text: string; readonly isPrefix: boolean }) {
  const wanted = clean(text)
  return ({ term }: SearchPosting) => (isPrefix ? term.startsWith(wanted) : term === wanted)
}

function byName(one: ApiFacts, other: ApiFacts): number {
  return compareCodePoints(one.name, other.name) || one.id - other.id
}

function toFacts({ api, foldedName, endpoints }: CataloguedApi): ApiFacts {
  const { id, kind, vendor, categoryId, authTypes, licenses, isPublic, createdAt } = api
  const outbound = endpoints.filter(({ isInbound }) => !isInbound)
  return {
    id,
    kind,
    name: foldedName,
    vendor: { id: vendor.id, name: vendor.name },
    categoryId,
    authTypes,
    licenses: licenses.map(
      ({ name, url }) => (name.trim() !== '' && toSpdxId({ name, link: url })) || name,
    ),
    isPublic,
    createdAt,
    endpoints: outbound.length,
    deprecated: outbound.filter(({ isDeprecated }) => isDeprecated).length,
  }
}

function createVendors(
  state: CatalogueState,
): Pick<CatalogueStore, 'findVendor' | 'searchVendors' | 'saveVendor'> {
  const find = (name: string) =>
    state.current.vendors.find((vendor) => fold(vendor.name) === fold(name))
  return {
    findVendor: async (name) => find(name),
    async searchVendors({ q = '', ...days }, request) {
      const text = fold(q.slice(0, 256))
      const words = toWords(text).split(' ').filter(Boolean).slice(0, 16)
      const found = state.current.vendors
        .map((vendor) => ({ vendor, name: fold(vendor.name) }))
        .filter(({ vendor, name }) => {
          const all = toWords(`${vendor.name} ${vendor.description}`)
          const host = URL.canParse(vendor.homepage) ? new URL(vendor.homepage).hostname : ''
          const hasWord = (word: string) => all.includes(` ${word}`) || host.includes(word)
          const isFound = words.length > 0 && words.every(hasWord)
          return isWithinDays(vendor.createdAt, days) && (name.startsWith(text) || isFound)
        })
        .sort(
          (one, other) =>
            toRank(one.name, text) - toRank(other.name, text) ||
            compareCodePoints(one.name, other.name) ||
            one.vendor.id - other.vendor.id,
        )
      return toPage(
        found.map(({ vendor }) => vendor),
        request,
      )
    },
    async saveVendor(vendor) {
      rejectLongName(fold(vendor.name))
      return state.change(() => {
        if (find(vendor.name)) return undefined
        const { current } = state
        const saved: Vendor = { ...clean(vendor), id: (current.vendors.at(-1)?.id ?? 0) + 1 }
        const vendors = [...current.vendors, saved]
        state.current = { ...current, vendors, number: current.number + 1 }
        return saved
      })
    },
  }
}

/** Returns the folded words of a text, each after a space. */
function toWords(text: string): string {
  return ` ${fold(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()}`
}

function toRank(name: string, text: string): number {
  if (text === '' || name === text) return 0
  return name.startsWith(text) ? 1 : 2
}
