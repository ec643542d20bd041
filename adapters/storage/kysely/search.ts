import { type Expression, type SqlBool, sql } from 'kysely'
import type {
  ApiPosting,
  CatalogueStore,
  EndpointPosting,
  TermQuery,
} from '../../../core/catalogue/store.ts'
import { inPieces } from './bulk.ts'
import type { Engine } from './engine.ts'
import { afterPrefix, passes } from './filters.ts'

/**
 * The search index. A prefix gives several rows of `findEndpointPostings` for one API, one for each
 * term that it covers.
 */
export function createSearchStore(
  engine: Engine,
): Pick<CatalogueStore, 'findPostings' | 'findEndpointPostings'> {
  const { db } = engine
  return {
    async findPostings(terms, filter) {
      const found: ApiPosting[] = []
      for (const [term, query] of terms.entries()) {
        const weights = db
          .selectFrom('search_posting')
          .select((select) => ['api_id', select.fn.max('weight').as('weight')])
          .where(holds(query))
          .groupBy('api_id')
        const apis = db
          .selectFrom('api')
          .select(['api.id', 'api.folded_name'])
          .where((where) => passes(where, filter))
        const rows = await db
          .selectFrom(weights.as('posting'))
          .innerJoin(apis.as('passing'), 'passing.id', 'posting.api_id')
          .select(['posting.api_id', 'posting.weight', 'passing.folded_name'])
          .orderBy('posting.api_id')
          .execute()
        for (const row of rows) {
          const { api_id: apiId, weight, folded_name: name } = row
          found.push({ term, apiId, weight, name })
        }
      }
      return found
    },

    async findEndpointPostings(terms, apiIds) {
      const found: EndpointPosting[] = []
      for (const [term, query] of terms.entries()) {
        for (const piece of inPieces(apiIds)) {
          const rows = await db
            .selectFrom('search_posting')
            .select(['api_id', 'endpoints'])
            .where(holds(query))
            .where('api_id', 'in', piece)
            .orderBy('api_id')
            .orderBy('term')
            .execute()
          for (const row of rows) {
            found.push({ term, apiId: row.api_id, endpoints: toBytes(row.endpoints) })
          }
        }
      }
      return found
    },
  }
}

function holds(query: TermQuery): Expression<SqlBool> {
  const term = sql.ref('term')
  if (!query.isPrefix) return sql<SqlBool>`${term} = ${query.text}`
  const after = afterPrefix(query.text)
  if (after === undefined) return sql<SqlBool>`${term} >= ${query.text}`
  return sql<SqlBool>`(${term} >= ${query.text} and ${term} < ${after})`
}

/** Plain bytes: PostgreSQL's driver gives a subclass of its own. */
export function toBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
