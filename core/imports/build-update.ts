import { getCategory } from '../catalogue/categories.ts'
import type {
  Api,
  ApiDescription,
  EndpointDescription,
  Parameter,
  SearchPosting,
  Vendor,
} from '../catalogue/records.ts'
import { TERMS_VERSION } from '../catalogue/search/postings.ts'
import { hash53, toOpaqueId, toShortId } from '../shared/ids.ts'
import type { MaybePromise } from '../shared/maybe-promise.ts'
import { foldName } from '../shared/text.ts'
import { runSynchronously, type SteppedWork } from '../shared/time-slices.ts'
import type { ExtractedDescription } from './extract/extract-description.ts'
import { isAbsolute } from './extract/servers.ts'
import type {
  ApiChange,
  ApiRow,
  ApiSource,
  ExistingApi,
  ExistingEndpoint,
  NewEndpoint,
} from './store.ts'

/** The import request's data besides the description. */
export interface ChangeOptions {
  readonly vendor: Vendor
  /** Requested category; undefined retains the API's present one. */
  readonly categoryId: number | undefined
  /** Category of a new API if none was requested. */
  readonly defaultCategoryId: number | undefined
  readonly isPublic: boolean
  /**
   * Requested countries; undefined retains those of the API, or uses its vendor's for a new one.
   */
  readonly countries: readonly string[] | undefined
  readonly source: ApiSource
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Builds the API's entries of the search index; see `catalogue/search/`. */
  readonly toPostings: (input: {
    readonly vendorName: string
    readonly categoryName: string
    readonly api: ApiDescription
    readonly endpoints: readonly {
      readonly id: number
      readonly description: EndpointDescription
    }[]
  }) => MaybePromise<readonly SearchPosting[]>
}

/** Number of endpoints by change (contract 4.6). */
export interface ChangeCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** A computed change for `ImportStore.replaceApi`. */
export interface ApiUpdate {
  /** Depends only on the stored API; may be called again if the transaction is retried. */
  readonly change: (existing: ExistingApi | undefined) => ApiChange
  /** Counts of the last call of `change`; all zero before. */
  readonly counts: () => ChangeCounts
}

/** Number of short IDs to try for an endpoint, in case others have taken the first ones. */
const SHORT_ID_ATTEMPTS = 8

/**
 * Compares a description with the stored API. Endpoints match by key or exact path. A matching
 * endpoint is unchanged if all its data is equal. Importing the same description with the same
 * options changes nothing.
 */
export function buildUpdateSync(
  extracted: ExtractedDescription,
  options: ChangeOptions,
): ApiUpdate {
  return runSynchronously(buildUpdate(extracted, options))
}

/** Builds the same as `buildUpdateSync`, but in time slices: it digests thousands of endpoints. */
export function* buildUpdate(
  extracted: ExtractedDescription,
  options: ChangeOptions,
): SteppedWork<ApiUpdate> {
  const { api, endpoints } = extracted
  const { vendor, source } = options
  const kind = api.kind === 'http' ? [] : [api.kind]
  const identity = joinIdentity([vendor.name, api.name, api.majorVersion, ...kind])
  const digestOf = createEndpointDigest()
  const rows: NewEndpoint[] = []
  for (const description of endpoints) {
    const name = `${identity}|${description.key}`
    const digest = digestOf(description)
    const shortIds = Array.from({ length: SHORT_ID_ATTEMPTS }, (_, at) => toShortId(name, at))
    rows.push({ description, digest, shortIds })
    yield
  }
  let summary: ChangeCounts = { added: 0, changed: 0, removed: 0, unchanged: 0 }

  const change = (existing: ExistingApi | undefined): ApiChange => {
    const known = pairEndpoints(endpoints, existing?.endpoints ?? [])
    const added: NewEndpoint[] = []
    const changed: (NewEndpoint & { readonly id: number })[] = []
    const gone = new Set(existing?.endpoints.map(({ id }) => id))
    for (const row of rows) {
      const former = known.get(row.description)
      if (former) gone.delete(former.id)
      if (!former) added.push(row)
      else if (former.digest !== row.digest) changed.push({ ...row, id: former.id })
    }
    const removed = [...gone]
    const unchanged = rows.length - added.length - changed.length
    summary = { added: added.length, changed: changed.length, removed: removed.length, unchanged }

    const row = buildApiRow(existing?.api)
    const isSameApi =
      existing !== undefined && serialiseApiRow(existing.api) === serialiseApiRow(row)
    const isSameSource = existing?.api.sourceDigest === source.digest
    const isSame = isSameApi && added.length + changed.length + removed.length === 0
    return {
      api: isSame && isSameSource ? undefined : row,
      added,
      changed,
      removed,
      components: isSame && isSameSource ? undefined : extracted.components,
      agreements: isSame && isSameSource ? undefined : extracted.agreements,
      source: isSameSource ? undefined : source,
      postings: isSame ? undefined : (idsByKey) => buildIndex(idsByKey, row.categoryId),
      termsVersion: isSame ? undefined : TERMS_VERSION,
      importedAt: options.now,
    }
  }
  return { change, counts: () => summary }

  function buildApiRow(existing: Api | undefined): ApiRow {
    const { isPublic, now } = options
    const countries = options.countries ?? existing?.countries ?? vendor.countries
    return {
      ...api,
      encryptedId: existing?.encryptedId ?? toOpaqueId('api', identity),
      categoryId: options.categoryId ?? existing?.categoryId ?? options.defaultCategoryId,
      isPublic,
      isImplemented:
        api.kind === 'http' &&
        endpoints.some(({ url, isInbound }) => !isInbound && isAbsolute(url)),
      countries,
      sourceDigest: source.digest,
      now,
    }
  }

  function buildIndex(
    idsByKey: ReadonlyMap<string, number>,
    categoryId: number | undefined,
  ): MaybePromise<readonly SearchPosting[]> {
    const indexed = endpoints.flatMap((description) => {
      const id = idsByKey.get(description.key)
      return id === undefined ? [] : [{ id, description }]
    })
    const categoryName = getCategory(categoryId)?.name ?? ''
    return options.toPostings({ vendorName: vendor.name, categoryName, api, endpoints: indexed })
  }
}

/** Joins folded texts without collisions between different lists. */
function joinIdentity(texts: readonly string[]): string {
  // A folded text contains no line break.
  return texts.map((text) => foldName(text).replaceAll('|', '\n')).join('|')
}

/**
 * Matches each described endpoint to a stored one (contract 4.6). If templates differ only in
 * parameter names, equal paths are matched first, then the others in order. A callback matches by
 * its operation, name and expression.
 */
function pairEndpoints(
  described: readonly EndpointDescription[],
  stored: readonly ExistingEndpoint[],
): ReadonlyMap<EndpointDescription, ExistingEndpoint> {
  const pairs = new Map<EndpointDescription, ExistingEndpoint>()
  if (stored.length === 0) return pairs
  const byKey = new Map(stored.map((endpoint) => [endpoint.key, endpoint]))
  const groups = new Map<string, Map<string, ExistingEndpoint>>()
  for (const endpoint of stored) {
    const template = eraseParameterNames(endpoint.key)
    const group = groups.get(template) ?? new Map<string, ExistingEndpoint>()
    groups.set(template, group.set(endpoint.path, endpoint))
  }
  const pair = (description: EndpointDescription, path: string | undefined) => {
    const group = groups.get(eraseParameterNames(description.key))
    const former = path === undefined ? undefined : group?.get(path)
    if (!former) return
    group?.delete(former.path)
    pairs.set(description, former)
  }
  const outbound = described.filter(({ isInbound }) => !isInbound)
  for (const description of outbound) pair(description, description.path)
  for (const description of outbound) {
    if (pairs.has(description)) continue
    const [path] = groups.get(eraseParameterNames(description.key))?.keys() ?? []
    pair(description, path)
  }
  // Callbacks are listed after their operation. Their keys start with its key, which may have
  // changed.
  let owner: EndpointDescription | undefined
  for (const description of described) {
    if (!description.isInbound) owner = description
    else {
      const key = findStoredKey(description.key, owner, owner && pairs.get(owner))
      const former = key === undefined ? undefined : byKey.get(key)
      if (former) pairs.set(description, former)
    }
  }
  return pairs
}

/** Returns the stored key of a webhook or callback; undefined for a callback of a new operation. */
function findStoredKey(
  key: string,
  owner: EndpointDescription | undefined,
  formerOwner: ExistingEndpoint | undefined,
): string | undefined {
  const start = `callback ${owner?.key} `
  if (!key.startsWith(start)) return key
  return formerOwner && `callback ${formerOwner.key} ${key.slice(start.length)}`
}

function eraseParameterNames(key: string): string {
  return key.replace(/\{[^{}]*\}/g, '{}')
}

/** Digests endpoints; a parameter that many endpoints share is serialised once. */
function createEndpointDigest(): (endpoint: EndpointDescription) => number {
  const known = new Map<Parameter, number>()
  const digestOf = (parameter: Parameter): number => {
    const digest = known.get(parameter) ?? hash53(JSON.stringify(parameter))
    known.set(parameter, digest)
    return digest
  }
  return (endpoint) =>
    hash53(JSON.stringify({ ...endpoint, parameters: endpoint.parameters.map(digestOf) }))
}

/**
 * Serialises the content of an API's row in a fixed member order, without IDs, timestamps and
 * digest.
 */
function serialiseApiRow(row: ApiRow | Api): string {
  const {
    kind,
    name,
    version,
    majorVersion,
    description,
    homepage,
    authTypes,
    licenses,
    servers,
    tags,
    contact,
    image,
    categoryId,
    isPublic,
    isImplemented,
    countries,
  } = row
  return JSON.stringify([
    [kind, name, version, majorVersion, description, homepage, authTypes],
    licenses.map((license) => [license.name, license.url]),
    servers.map((server) => [
      server.url,
      server.name,
      server.variables.map((variable) => [variable.name, variable.default, variable.values]),
    ]),
    [tags, contact.name, contact.url, contact.email, image],
    [categoryId, isPublic, isImplemented, countries],
  ])
}
