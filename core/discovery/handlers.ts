import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError } from '../errors.ts'
import type { Handlers } from '../http/operation.ts'
import type { ImportStore } from '../imports/store.ts'
import { fromBase64Url, toBase64Url } from '../shared/base64url.ts'
import { mapBatches } from '../shared/batches.ts'
import { hash53 } from '../shared/ids.ts'
import type { PageRequest } from '../shared/pages.ts'
import { toCatalogEntry } from './entries.ts'
import {
  countValues,
  createFilter,
  createInputError,
  parseFilterExpression,
  parseOrder,
} from './entry-filters.ts'
import { createEntryIndex, type IndexedEntry, readApis } from './entry-index.ts'
import type { discoveryOperations } from './operations.ts'
import {
  type ServiceAddress,
  toAddresses,
  toCatalogHead,
  toLlmsText,
  toServiceCatalog,
} from './service-documents.ts'

/** Creates the handlers of the documents and of the registry that other registries read. */
export function createDiscoveryHandlers(deps: {
  readonly catalogue: Pick<CatalogueStore, 'listFacts' | 'findApis' | 'findApi'>
  /** Ranks APIs by the words of a text. `choose` selects among all found. */
  readonly search: (request: {
    readonly q: string
    readonly request: PageRequest
    readonly choose?: (ids: readonly number[]) => ReadonlySet<number>
  }) => Promise<{
    readonly ids: readonly number[]
    readonly total: number
    /** 0 to 1. */
    readonly scores: ReadonlyMap<number, number>
  }>
  /** See `Catalogue.updateSearch`. */
  readonly updateSearch: () => Promise<void>
  readonly findSource: ImportStore['findSource']
  readonly service: ServiceAddress
}): Handlers<typeof discoveryOperations> {
  const { catalogue, search, updateSearch, service } = deps
  const readIndex = createEntryIndex(catalogue)

  return {
    getAiCatalog: (_, { origin }) => {
      const addresses = toAddresses(service, origin)
      return {
        status: 200,
        headers: {
          'content-type': 'application/ai-catalog+json',
          link: `<${addresses.root}/.well-known/ai-catalog.json>; rel="ai-catalog"`,
        },
        body: JSON.stringify(toServiceCatalog(addresses, service.version)),
      }
    },

    getLlmsText: (_, { origin }) => ({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: toLlmsText(toAddresses(service, origin)),
    }),

    listCatalogEntries: async (_, { origin }) => {
      const addresses = toAddresses(service, origin)
      return {
        head: toCatalogHead(addresses),
        rows: mapBatches(readApis(catalogue, await catalogue.listFacts()), (api) =>
          toCatalogEntry(api, addresses.base),
        ),
      }
    },

    getApiDescription: async ({ api_id: id }) => {
      const api = await catalogue.findApi(id)
      const source = api && (await deps.findSource(api.id))
      if (!source) throw createNotFoundError('Description of the API', id)
      return {
        status: 200,
        headers: { 'content-type': isJson(source.bytes) ? 'application/json' : 'application/yaml' },
        body: source.bytes,
      }
    },

    searchRegistry: async ({ body }, { origin }) => {
      const { query, pageSize: size, pageToken } = body
      const { page, nextToken } = readPageToken({ pageToken, in: 'body' }, [query, size])
      const addresses = toAddresses(service, origin)
      const filter = query.filter && {
        index: await readIndex(),
        isMatch: createFilter(query.filter),
      }
      void updateSearch()
      const found = await search({
        q: query.text,
        request: { size, page },
        ...(filter && { choose: (ids) => selectEntries(ids, filter) }),
      })
      const apis = await catalogue.findApis(found.ids)
      return {
        results: apis.map((api) => ({
          ...toCatalogEntry(api, addresses.base),
          score: Math.round(100 * Math.min(1, found.scores.get(api.id) ?? 0)),
          source: addresses.registry,
        })),
        ...(page * size < found.total ? { pageToken: nextToken } : {}),
      }
    },

    exploreRegistry: async ({ body }) => {
      const { text = '', filter = {} } = body.query ?? {}
      const index = await readIndex()
      const isMatch = createFilter(filter)
      let entries = [...index.values()].filter(isMatch)
      if (text.trim() !== '') {
        void updateSearch()
        await search({
          q: text,
          request: { size: 1, page: 1 },
          choose: (ids) => {
            const chosen = selectEntries(ids, { index, isMatch })
            entries = [...chosen].flatMap((id) => index.get(id) ?? [])
            return chosen
          },
        })
      }
      const facets = body.resultType.facets.map(
        (facet) => [facet.field, countValues(entries, facet)] as const,
      )
      return { resultType: 'facets', facets: Object.fromEntries(facets) }
    },

    listRegistryEntries: async (input, { origin }) => {
      const { filter = '', orderBy = '', pageSize: size, pageToken } = input
      const request = [filter, orderBy, size]
      const { page, nextToken } = readPageToken({ pageToken, in: 'query' }, request)
      const isMatch = parseFilterExpression(filter)
      const order = orderBy.trim() === '' ? undefined : parseOrder(orderBy)
      const { base } = toAddresses(service, origin)
      const found = [...(await readIndex())].filter(([, entry]) => isMatch(entry))
      if (order) found.sort(([, one], [, other]) => order(one, other))
      const shown = found.slice((page - 1) * size, page * size)
      const apis = await catalogue.findApis(shown.map(([id]) => id))
      return {
        items: apis.map((api) => toCatalogEntry(api, base)),
        total: found.length,
        ...(page * size < found.length ? { pageToken: nextToken } : {}),
      }
    },
  }
}

function selectEntries(
  ids: readonly number[],
  options: {
    readonly index: ReadonlyMap<number, IndexedEntry>
    readonly isMatch: (entry: IndexedEntry) => boolean
  },
): ReadonlySet<number> {
  const { index, isMatch } = options
  return new Set(
    ids.filter((id) => {
      const entry = index.get(id)
      return entry !== undefined && isMatch(entry)
    }),
  )
}

/**
 * Reads the token of a page: its number, with a hash of the request that the token belongs to.
 * Throws `invalid_input` for the token of another request.
 */
function readPageToken(
  {
    pageToken,
    in: location,
  }: { readonly pageToken: string | undefined; readonly in: 'query' | 'body' },
  request: unknown,
): { readonly page: number; readonly nextToken: string } {
  const hash = hash53(JSON.stringify(request)).toString(36)
  const [, number = '1', of = hash] =
    /^([1-9]\d{0,8})\.([\da-z]+)$/.exec(decodeToken(pageToken ?? '')) ?? []
  const page = Number(number)
  const nextToken = toBase64Url(new TextEncoder().encode(`${page + 1}.${hash}`))
  const isValid = !pageToken || (of === hash && page > 1)
  if (isValid) return { page, nextToken }
  throw createInputError('pageToken', {
    in: location,
    message: 'must be the token of the previous page, with the same request',
  })
}

function decodeToken(token: string): string {
  return new TextDecoder().decode(fromBase64Url(token))
}

/**
 * Whether a description is JSON in UTF-8: an opening brace, then a quote or a closing brace, after an
 * optional byte order mark. YAML has braces without quotes, and other encodings.
 */
function isJson(bytes: Uint8Array): boolean {
  return /^\s*\{\s*["}]/.test(new TextDecoder().decode(bytes.subarray(0, MAX_START)))
}

/** Number of bytes in which a description has its first member. */
const MAX_START = 1000
