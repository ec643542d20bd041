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
import { createPostingReader, type PostedApi } from './posting-cache.ts'

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
