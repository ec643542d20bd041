import type {
  ApiFilter,
  ApiPosting,
  CatalogueStore,
  EndpointPosting,
  TermQuery,
} from '../../../core/catalogue/store.ts'
import { toInstantRange } from '../../../core/shared/dates.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { getPrefixUpperBound } from './filters.ts'
import { prepareGeneration } from './generations.ts'

/** One API's weight for a term. */
interface Posting {
  readonly weight: number
  readonly api: PostedApi
}

/** The data by which search results are filtered and sorted. */
interface PostedApi {
  readonly id: number
  readonly name: string
  readonly isPublic: boolean
  readonly createdAt: number
}

interface PostingRow {
  readonly api_id: number
  readonly weight: number
}

interface PostingCache {
  readonly generation: number
  readonly terms: Map<string, readonly Posting[]>
  readonly apis: Map<number, PostedApi>
  count: number
}

/**
 * Reads the search index. For a prefix, `findEndpointPostings` returns one row per API and matching
 * term.
 */
export function createSearchStore(
  engine: Engine,
): Pick<CatalogueStore, 'findPostings' | 'findEndpointPostings'> {
  const { db } = engine
  const readPostings = createPostingReader(engine)

  async function findExact(
    texts: readonly string[],
    apiIds: readonly number[],
  ): Promise<readonly PackedRow[]> {
    return db
      .selectFrom('search_posting')
      .select(['term', 'api_id', 'endpoints'])
      .where('term', 'in', texts)
      .where('api_id', 'in', apiIds)
      .orderBy('api_id')
      .execute()
  }

  async function findByPrefix(
    text: string,
    apiIds: readonly number[],
  ): Promise<readonly PackedRow[]> {
    return db
      .selectFrom('search_posting')
      .select(['term', 'api_id', 'endpoints'])
      .where('term', '>=', text)
      .where('term', '<', getPrefixUpperBound(text))
      .where('api_id', 'in', apiIds)
      .orderBy('api_id')
      .orderBy('term')
      .execute()
  }

  return {
    async findPostings(terms, filter) {
      const passes = createFilter(filter)
      const found: ApiPosting[] = []
      for (const [term, postings] of (await readPostings(terms)).entries()) {
        for (const { weight, api } of postings) {
          if (passes(api)) found.push({ term, apiId: api.id, weight, name: api.name })
        }
      }
      return found
    },

    async findEndpointPostings(terms, apiIds) {
      const found = new Map<TermQuery, EndpointPosting[]>(terms.map((query) => [query, []]))
      const add = (query: TermQuery, row: PackedRow) => {
        const { api_id: apiId, endpoints } = row
        found.get(query)?.push({ term: terms.indexOf(query), apiId, endpoints: toBytes(endpoints) })
      }
      const exact = terms.filter(({ isPrefix }) => !isPrefix)
      const texts = [...new Set(exact.map(({ text }) => text))]
      for (const piece of texts.length > 0 ? inChunks(apiIds) : []) {
        for (const row of await findExact(texts, piece)) {
          for (const query of exact) if (query.text === row.term) add(query, row)
        }
      }
      const pause = createYieldIfDue()
      for (const query of terms.filter(({ isPrefix }) => isPrefix)) {
        await pause()
        for (const piece of inChunks(apiIds)) {
          for (const row of await findByPrefix(query.text, piece)) add(query, row)
        }
      }
      return [...found.values()].flat()
    },
  }
}

/** Converts to plain bytes: PostgreSQL's driver returns a subclass. */
export function toBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

interface PackedRow {
  readonly term: string
  readonly api_id: number
  readonly endpoints: Uint8Array
}

function createFilter(filter: ApiFilter): (api: PostedApi) => boolean {
  const { from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } =
    toInstantRange(filter)
  const { isPublic } = filter
  return (api) =>
    api.createdAt >= from &&
    api.createdAt < before &&
    (isPublic === undefined || api.isPublic === isPublic)
}

/**
 * Reads the APIs that contain a term, in order of ID, and caches the results of one generation.
 * Common words occur in most APIs, and reading those takes longer than the rest of a search. Caches
 * at most `MAX_POSTINGS` postings, of the most recently used terms.
 */
function createPostingReader(
  engine: Engine,
): (queries: readonly TermQuery[]) => Promise<readonly (readonly Posting[])[]> {
  const readGeneration = prepareGeneration(engine)
  const readExact = engine.prepare<PostingRow>((db) =>
    db
      .selectFrom('search_posting')
      .select(['api_id', 'weight'])
      .where('term', '=', '')
      .orderBy('api_id'),
  )
  const readPrefix = engine.prepare<PostingRow>((db) =>
    db
      .selectFrom('search_posting')
      .select((select) => ['api_id', select.fn.max('weight').as('weight')])
      .where('term', '>=', '')
      .where('term', '<', '')
      .groupBy('api_id')
      .orderBy('api_id'),
  )
  let cache = createPostingCache(-1)

  return async (queries) => {
    const generation = await readGeneration()
    if (generation !== cache.generation) cache = createPostingCache(generation)
    const current = cache
    const found: (readonly Posting[])[] = []
    const pause = createYieldIfDue()
    for (const query of queries) {
      found.push(await findPostings(current, query))
      await pause()
    }
    return found
  }

  async function findPostings(
    current: PostingCache,
    { text, isPrefix }: TermQuery,
  ): Promise<readonly Posting[]> {
    const key = `${isPrefix ? 'prefix' : 'exact'} ${text}`
    const known = current.terms.get(key)
    if (known) {
      current.terms.delete(key)
      current.terms.set(key, known)
      return known
    }
    const rows = await (isPrefix
      ? readPrefix([text, getPrefixUpperBound(text)])
      : readExact([text]))
    await loadApis(engine, { apis: current.apis, rows })
    const postings: Posting[] = []
    for (const { api_id, weight } of rows) {
      const api = current.apis.get(api_id)
      // Absent if the API was removed between the two reads.
      if (api) postings.push({ weight, api })
    }
    // A concurrent search may have cached the same term: it must not be counted twice.
    if (!current.terms.has(key)) addToCache(current, { key, postings })
    return postings
  }
}

/** About 10 MB. */
const MAX_POSTINGS = 300_000

function createPostingCache(generation: number): PostingCache {
  return { generation, terms: new Map(), apis: new Map(), count: 0 }
}

function addToCache(
  kept: PostingCache,
  entry: { readonly key: string; readonly postings: readonly Posting[] },
) {
  kept.terms.set(entry.key, entry.postings)
  kept.count += entry.postings.length + 1
  for (const [key, postings] of kept.terms) {
    if (kept.count <= MAX_POSTINGS) return
    kept.terms.delete(key)
    kept.count -= postings.length + 1
  }
}

async function loadApis(
  engine: Engine,
  cache: { readonly apis: Map<number, PostedApi>; readonly rows: readonly PostingRow[] },
): Promise<void> {
  const { apis } = cache
  const missing = cache.rows.filter(({ api_id }) => !apis.has(api_id)).map(({ api_id }) => api_id)
  for (const piece of inChunks(missing)) {
    const rows = await engine.db
      .selectFrom('api')
      .select(['id', 'folded_name', 'is_public', 'created_at'])
      .where('id', 'in', piece)
      .where('until', 'is', null)
      .execute()
    for (const { id, folded_name: name, is_public, created_at: createdAt } of rows) {
      apis.set(id, { id, name, isPublic: is_public === 1, createdAt })
    }
  }
}
