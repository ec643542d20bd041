import type { ApiKeyRecord } from '../../../core/accounts/store.ts'
import type {
  EndpointDescription,
  NewVendor,
  SearchPosting,
  Vendor,
} from '../../../core/catalogue/records.ts'
import type {
  ApiChange,
  ApiIdentity,
  ApiRow,
  NewEndpoint,
  ReplacedApi,
} from '../../../core/imports/store.ts'
import type { FullStorage } from '../../../core/ports/storage.ts'
import { hash53, toOpaqueId, toShortId } from '../../../core/shared/ids.ts'
import { foldName } from '../../../core/shared/text.ts'
import type { OpenedStorage } from '../storage.ts'

/** Creates a vendor that differs by number in every identifying field. */
export function sampleVendor(number: number): NewVendor {
  return {
    encryptedId: toOpaqueId('vendor', `vendor ${number}`),
    name: `Vendor ${number}`,
    homepage: `https://vendor${number}.example/`,
    description: `Sells the things of vendor ${number}`,
    isPublic: true,
    image: '',
    countries: ['DE'],
    createdAt: 1_000 + number,
  }
}

/** Creates an API row that differs by number in every identifying field. */
export function sampleApiRow(number: number): ApiRow {
  return {
    encryptedId: toOpaqueId('api', `api ${number}`),
    kind: 'http',
    name: `API ${number}`,
    version: '1.0.0',
    majorVersion: '1',
    description: `Does the things of API ${number}`,
    homepage: `https://api${number}.example/`,
    authTypes: ['header'],
    licenses: [{ name: 'MIT', url: 'https://license.example/mit' }],
    servers: [{ url: `https://api${number}.example/v1`, name: '', variables: [] }],
    tags: ['things'],
    contact: { name: '', url: '', email: '' },
    image: '',
    categoryId: 3,
    isPublic: true,
    isImplemented: true,
    countries: ['DE', 'FR'],
    sourceDigest: '',
    now: 1_700_000_000_000 + number,
  }
}

/** Creates an endpoint of an API. `detailBytes` sets the size of its parameters. */
export function sampleEndpoint(of: {
  readonly api: number
  readonly endpoint: number
  readonly detailBytes?: number
  readonly description?: string
}): NewEndpoint {
  const { api, endpoint, detailBytes = 300, description = `Does thing ${endpoint}` } = of
  const path = `/things/${endpoint}/{id}`
  const key = `get /things/${endpoint}/{}`
  const parameter = {
    name: 'id',
    placement: 'path',
    isRequired: true,
    type: 'string',
    format: '',
    description: `Which thing ${'x'.repeat(Math.max(0, detailBytes - 300))}`,
    defaultValue: undefined,
    exampleValue: 'a1',
    enum: [],
    style: undefined,
    explode: undefined,
    collectionFormat: undefined,
    allowReserved: false,
    isDeprecated: false,
    contentType: undefined,
  } as const
  const text: EndpointDescription = {
    method: 'get',
    path,
    key,
    url: `https://api${api}.example/v1${path}`,
    servers: [{ url: `https://api${api}.example/v1`, name: '', variables: [] }],
    summary: `Thing ${endpoint}`,
    description,
    operationId: `getThing${endpoint}`,
    tags: ['things'],
    parameters: [parameter],
    body: undefined,
    response: { status: '200', mediaType: 'application/json', example: undefined, schema: '{}' },
    responseFields: ['name'],
    security: [],
    authTypes: ['none'],
    isDeprecated: false,
    isInbound: false,
    declaredStatuses: ['200'],
  }
  const identity = `vendor|api ${api}|1|${key}`
  return {
    description: text,
    digest: hash53(JSON.stringify(text)),
    shortIds: [0, 1, 2, 3].map((attempt) => toShortId(identity, attempt)),
  }
}

/** Creates the changes of an API's first import. */
export function sampleChange(of: {
  readonly api: number
  readonly endpoints: number
  readonly detailBytes?: number
  readonly terms?: number
}): ApiChange {
  const { api, endpoints, detailBytes = 300, terms = 10 } = of
  return {
    api: sampleApiRow(api),
    added: Array.from({ length: endpoints }, (_, endpoint) =>
      sampleEndpoint({ api, endpoint, detailBytes }),
    ),
    changed: [],
    removed: [],
    components: new Map([['/components/schemas/Thing', '{"type":"object"}']]),
    agreements: [{ name: 'MIT', link: 'https://license.example/mit', kind: 'InterfaceLicense' }],
    source: {
      bytes: new TextEncoder().encode(`source of ${api}`),
      mediaType: 'application/json',
      digest: `d${api}`,
    },
    postings: () =>
      Array.from({ length: terms }, (_, term) => ({
        term: `term${(term * 7919) % 1_000_003}`,
        weight: 1 + (term % 10),
        endpoints: new Uint8Array(20 + (term % 50)),
      })),
  }
}

/** A change without effect. */
export const NO_CHANGE: ApiChange = {
  api: undefined,
  added: [],
  changed: [],
  removed: [],
  components: undefined,
  agreements: undefined,
  source: undefined,
  postings: undefined,
}

/** Creates a key that differs by number in every identifying field. */
export function sampleKey(number: number): ApiKeyRecord {
  return {
    id: `key${number}`,
    name: `Key ${number}`,
    hint: `ad_…${number}`,
    hash: hash53(`key ${number}`).toString(16).padStart(64, '0'),
    sealed: `sealed ${number}`,
    scopes: ['read', 'call'],
    createdAt: 2_000 + number,
    expiresAt: undefined,
    revokedAt: undefined,
    lastUsedAt: undefined,
  }
}

/** Saves a sample vendor. */
export async function saveSampleVendor(storage: FullStorage, number: number): Promise<Vendor> {
  const vendor = await storage.catalogue.saveVendor(sampleVendor(number))
  if (!vendor) throw new Error(`There is a vendor ${number} already`)
  return vendor
}

/** Imports a sample API for the first time; `change` overrides parts of the written data. */
export async function importSampleApi(
  storage: FullStorage,
  of: {
    readonly vendor: Vendor
    readonly api: number
    readonly endpoints: number
    readonly name?: string
    readonly row?: Partial<ApiRow>
    readonly postings?: readonly SearchPosting[]
  },
): Promise<ReplacedApi> {
  const { vendor, api, endpoints, name = `API ${api}`, row, postings } = of
  const change = sampleChange({ api, endpoints })
  const identity = { ...identityOf({ vendor, name }), kind: row?.kind ?? 'http' }
  return storage.imports.replaceApi(identity, () => ({
    ...change,
    api: { ...sampleApiRow(api), name, ...row },
    ...(postings ? { postings: () => postings } : {}),
  }))
}

/** The identity of a sample API. */
export function identityOf(of: { readonly vendor: Vendor; readonly name: string }): ApiIdentity {
  return { kind: 'http', vendor: of.vendor, name: foldName(of.name), majorVersion: '1' }
}

/** Collects the items of all pages. */
export async function collectPages<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

/** Reads the whole content of a storage that `has` methods can read, for comparison. */
export async function takeSnapshot({
  storage,
  has = () => true,
}: Pick<OpenedStorage, 'storage'> & Partial<OpenedStorage>) {
  const { catalogue, imports, accounts } = storage
  const { items } = await catalogue.listApis({}, { size: 100, page: 1 })
  const hasSources = has('imports', 'findSource')
  return {
    generation: await catalogue.generation(),
    apis: items,
    endpoints: await collectPages(catalogue.listEndpoints()),
    details: await Promise.all(items.map(({ id }) => catalogue.listApiEndpoints(id))),
    agreements: await Promise.all(items.map(({ id }) => catalogue.listAgreements(id))),
    sources: hasSources && (await Promise.all(items.map(({ id }) => imports.findSource(id)))),
    postings: await catalogue.findPostings([{ text: 'term', isPrefix: true }], {}),
    accounts: has('accounts', 'listAccounts') && (await accounts.listAccounts()),
    keys: has('accounts', 'listKeys') && (await accounts.listKeys(undefined)),
  }
}
