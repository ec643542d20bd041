import { ServiceError } from '../errors.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import { toSpdxId } from '../shared/spdx.ts'
import type { FullStorage, Storage } from './storage.ts'

/** The repositories of a storage. */
type Stores = Omit<FullStorage, 'ping' | 'checkWrite' | 'close'>

type PartialStores = { readonly [Feature in keyof Stores]?: Partial<Stores[Feature]> }

/**
 * Completes a storage. An absent method is derived from others, finds nothing, or rejects with
 * `not_implemented`. Calls `onAbsent` with the name of each called method that is not derived.
 */
export function completeStorage(
  storage: Storage,
  onAbsent: (method: string) => void = () => undefined,
): FullStorage {
  const partial: PartialStores = storage
  const complete = <Feature extends keyof Stores>(feature: Feature): Stores[Feature] =>
    completeStore(partial[feature] ?? {}, (method) => {
      const derived: Partial<Stores[Feature]> = createDerived(storage, full)[feature] ?? {}
      const empty: Partial<Stores[Feature]> = createEmpty(storage)[feature] ?? {}
      const name = `${feature}.${String(method)}`
      return (
        derived[method] ??
        ((...parameters: unknown[]) => {
          onAbsent(name)
          const found = empty[method]
          if (typeof found === 'function') return found(...parameters)
          const error = new ServiceError(
            'not_implemented',
            `The storage does not implement ${name}`,
          )
          return Promise.reject(error)
        })
      )
    })
  const full: FullStorage = {
    catalogue: complete('catalogue'),
    agreements: complete('agreements'),
    imports: complete('imports'),
    accounts: complete('accounts'),
    users: complete('users'),
    vulnerabilities: complete('vulnerabilities'),
    gateway: complete('gateway'),
    scans: complete('scans'),
    jobs: complete('jobs'),
    rateLimits: complete('rateLimits'),
    ping: () => storage.ping(),
    checkWrite: () => (storage.checkWrite ? storage.checkWrite() : storage.ping()),
    close: () => storage.close(),
  }
  return full
}

/**
 * Returns a store whose methods are those of `store`, bound to it, else those of `resolve`. Looks up
 * each method at its first use, and stores it in the returned object: later calls are as fast as
 * without this function. The methods may be inherited, as those of a class are.
 */
function completeStore<Store extends object>(
  store: Partial<Store>,
  resolve: (method: keyof Store) => unknown,
): Store {
  const resolver = new Proxy(
    {},
    {
      get(_, name, completed: object) {
        if (typeof name === 'symbol' || NO_METHODS.has(name)) return undefined
        const method = store[name as keyof Store]
        const value = typeof method === 'function' ? method.bind(store) : resolve(name as never)
        Object.defineProperty(completed, name, { value, enumerable: true })
        return value
      },
    },
  )
  return Object.create(resolver) as Store
}

/** Names that the language looks up in any object. */
const NO_METHODS = new Set(['then', 'toJSON', ...Object.getOwnPropertyNames(Object.prototype)])

async function listAllPages<T>(readPage: (request: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await readPage({ size: 100, page })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

/** Returns `methods` if the method that writes what they read is absent. */
function unless<Methods>(writer: unknown, methods: Methods): Methods | undefined {
  return writer === undefined ? methods : undefined
}

/** Methods whose results follow from other methods; a storage implements them for speed. */
function createDerived(
  { agreements }: Storage,
  { catalogue, vulnerabilities }: FullStorage,
): PartialStores {
  return {
    catalogue: {
      async findEndpointParameters(id) {
        const endpoint = await catalogue.findEndpoint(id)
        if (!endpoint) return undefined
        const { method, url, description, parameters } = endpoint
        return { method, url, description, parameters }
      },
      async findEndpointSummaries(ids) {
        const found = await Promise.all(ids.map((id) => catalogue.findEndpoint(String(id))))
        return found.flatMap((endpoint) => {
          if (endpoint?.isInbound !== false) return []
          const { id, shortId, url, method, description, isDeprecated } = endpoint
          return { id, shortId, url, method, description, isDeprecated }
        })
      },
      listApiEndpoints: (apiId) =>
        listAllPages((request) => catalogue.listEndpointPage({ apiId }, request)),
      async findApis(ids) {
        const found = await Promise.all(ids.map((id) => catalogue.findApi(String(id))))
        return found.filter((api) => api !== undefined)
      },
      async findApiOfEndpoint(endpointId) {
        const endpoint = await catalogue.findEndpoint(endpointId)
        return endpoint && catalogue.findApi(String(endpoint.apiId))
      },
      listAgreements: async (id) => (await catalogue.listAgreementsOf([id])).get(id) ?? [],
      async findVendors(ids) {
        if (ids.length === 0) return []
        const all = await listAllPages((request) => catalogue.searchVendors({}, request))
        const byId = new Map(all.map((vendor) => [vendor.id, vendor]))
        return ids.flatMap((id) => byId.get(id) ?? [])
      },
    },
    agreements: {
      ...unless(agreements?.replaceEntered, {
        async listAgreements(apiId: number) {
          const api = await catalogue.findApi(String(apiId))
          return (await catalogue.listAgreements(apiId)).map((agreement) => ({
            ...agreement,
            spdxId: agreement.kind === 'InterfaceLicense' ? toSpdxId(agreement) : '',
            source: 'imported' as const,
            enteredBy: undefined,
            firstSeenAt: api?.createdAt ?? 0,
            changedAt: api?.updatedAt ?? 0,
            text: undefined,
          }))
        },
      }),
    },
    vulnerabilities: {
      generation: async () => (await vulnerabilities.readManifest())?.generation ?? 0,
    },
  }
}

const find = async () => undefined
const list = async () => []
const listPage = async () => ({ items: [], total: 0 })
const findMany = async () => new Map<never, never>()
const sweep = async () => 0

/**
 * Methods that do nothing and find nothing. A read of rules is among them only if the method that
 * writes them is absent too: an API key must not lose its policy, for example. The times of imports,
 * flows of scans and totals for metrics are always empty.
 */
function createEmpty({ accounts, agreements, gateway, imports }: Storage): PartialStores {
  return {
    catalogue: { listVendorAgreements: list },
    agreements: {
      ...unless(agreements?.replaceEntered, { listTexts: findMany, findChanges: findMany }),
    },
    imports: {
      findImportedAt: find,
      ...unless(imports.updateSearch, { listOutdatedSearch: list }),
      ...unless(imports.addReport, { findLatestTime: find }),
    },
    accounts: {
      ...unless(accounts?.saveKey, { listKeys: list }),
      ...unless(accounts?.addRefusals, {
        addRefusals: find,
        listRefusals: listPage,
        sweepRefusals: sweep,
      }),
    },
    gateway: {
      ...unless(gateway?.savePolicy, { findPolicy: () => undefined, listPolicies: list }),
      ...unless(gateway?.saveCredential, {
        findCredentials: () => [],
        listCredentials: list,
        listSealedCredentials: list,
      }),
      ...unless(gateway?.saveCalls, {
        saveCalls: find,
        sweepCalls: sweep,
        countResponses: findMany,
      }),
      ...unless(gateway?.saveRecording, { listRecordings: listPage }),
      ...unless(gateway?.publishResponse, {
        findPublishedResponse: find,
        findPublishedHeaders: findMany,
      }),
    },
    // Undefined for `confirmMatching`: the rows must be matched again.
    scans: { findFlow: find, confirmMatching: find, totals: list, sweep },
    jobs: { countJobs: list, sweepJobs: sweep },
  }
}
