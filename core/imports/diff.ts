import type {
  Api,
  ApiDescription,
  EndpointDescription,
  Parameter,
  SearchPosting,
  Vendor,
} from '../catalogue/records.ts'
import type { Eventual } from '../shared/eventual.ts'
import { hash53, toOpaqueId, toShortId } from '../shared/ids.ts'
import { runAtOnce, type SlicedWork } from '../shared/slices.ts'
import { foldName } from '../shared/text.ts'
import type { ExtractedDescription } from './extract/extract.ts'
import { isAbsolute } from './extract/servers.ts'
import type { ApiChange, ApiRow, ApiSource, ExistingApi, NewEndpoint } from './store.ts'

/** What an import knows besides the description. */
export interface ChangeOptions {
  readonly vendor: Vendor
  /** Undefined keeps the category that the API has. */
  readonly categoryId: number | undefined
  /** Of that category, for the search; empty for none. */
  readonly categoryName: string
  readonly isPublic: boolean
  readonly countries: readonly string[]
  readonly source: ApiSource
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The API's part of the search index; see `catalogue/search/`. */
  readonly toPostings: (input: {
    readonly vendorName: string
    readonly categoryName: string
    readonly api: ApiDescription
    readonly endpoints: readonly {
      readonly id: number
      readonly description: EndpointDescription
    }[]
  }) => Eventual<readonly SearchPosting[]>
}

/** How many endpoints an import wrote (contract 4.6). */
export interface ChangeCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** A decision for `ImportStore.replaceApi`. */
export interface Decision {
  /** Pure in what is stored; may be called again when a transaction is tried again. */
  readonly change: (existing: ExistingApi | undefined) => ApiChange
  /** Of the last call of `change`; all zero before. */
  readonly summary: () => ChangeCounts
}

/** How many short ids are offered for an endpoint, in case others hold the first ones. */
const SHORT_ID_ATTEMPTS = 8

/**
 * Compares a description with what the catalogue holds of the API. Endpoints are the same when
 * their keys are, and unchanged when everything about them is; the same description again under
 * the same options changes nothing at all.
 */
export function decideChange(extracted: ExtractedDescription, options: ChangeOptions): Decision {
  return runAtOnce(buildDecision(extracted, options))
}

/** What `decideChange` does, to be done in slices: thousands of endpoints are digested. */
export function* buildDecision(
  extracted: ExtractedDescription,
  options: ChangeOptions,
): SlicedWork<Decision> {
  const { api, endpoints } = extracted
  const { vendor, source } = options
  const identity = `${foldName(vendor.name)}|${foldName(api.name)}|${api.majorVersion}`
  const digestOf = createDigest()
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
    const stored = new Map(existing?.endpoints.map((endpoint) => [endpoint.key, endpoint]))
    const added: NewEndpoint[] = []
    const changed: (NewEndpoint & { readonly id: number })[] = []
    for (const row of rows) {
      const known = stored.get(row.description.key)
      stored.delete(row.description.key)
      if (!known) added.push(row)
      else if (known.digest !== row.digest) changed.push({ ...row, id: known.id })
    }
    const removed = [...stored.values()].map((endpoint) => endpoint.id)
    const unchanged = rows.length - added.length - changed.length
    summary = { added: added.length, changed: changed.length, removed: removed.length, unchanged }

    const row = toRow(existing?.api)
    const isSameApi = existing !== undefined && toText(existing.api) === toText(row)
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
      postings: isSame ? undefined : toIndex,
    }
  }
  return { change, summary: () => summary }

  function toRow(existing: Api | undefined): ApiRow {
    const { isPublic, countries, now } = options
    return {
      ...api,
      encryptedId: existing?.encryptedId ?? toOpaqueId('api', identity),
      categoryId: options.categoryId ?? existing?.categoryId,
      isPublic,
      isImplemented: endpoints.some(({ url, isInbound }) => !isInbound && isAbsolute(url)),
      countries,
      sourceDigest: source.digest,
      now,
    }
  }

  function toIndex(idsByKey: ReadonlyMap<string, number>): Eventual<readonly SearchPosting[]> {
    const indexed = endpoints.flatMap((description) => {
      const id = idsByKey.get(description.key)
      return id === undefined ? [] : [{ id, description }]
    })
    const { categoryName, toPostings } = options
    return toPostings({ vendorName: vendor.name, categoryName, api, endpoints: indexed })
  }
}

/** Digests of endpoints; parameters that many endpoints share are written out once. */
function createDigest(): (endpoint: EndpointDescription) => number {
  const known = new Map<Parameter, number>()
  const digestOf = (parameter: Parameter): number => {
    const digest = known.get(parameter) ?? hash53(JSON.stringify(parameter))
    known.set(parameter, digest)
    return digest
  }
  return (endpoint) =>
    hash53(JSON.stringify({ ...endpoint, parameters: endpoint.parameters.map(digestOf) }))
}

/** What an API's row says, whatever the order of its members; without ids, times and digest. */
function toText(row: ApiRow | Api): string {
  const {
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
    [name, version, majorVersion, description, homepage, authTypes],
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
