import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { EndpointSummary } from '../../../core/catalogue/records.ts'
import type { CatalogueStore, EndpointFilter, MatchTarget } from '../../../core/catalogue/store.ts'
import { chain, type MaybePromise } from '../../../core/shared/maybe-promise.ts'
import { inChunks } from './bulk.ts'
import {
  type EndpointRow,
  type ParametersRow,
  parseYielding,
  toEndpoint,
  toEndpointParameters,
  toServers,
} from './endpoint-rows.ts'
import type { Engine } from './engine.ts'
import { createUnexpectedError } from './errors.ts'
import { escapeLikePattern } from './filters.ts'
import { isVisibleIn, listGeneration, prepareGeneration, prepareRevision } from './generations.ts'
import { parseId } from './ids.ts'
import type { Tables } from './tables.ts'

/** Reads endpoints, individually and in long lists. */
export function createEndpointStore(
  engine: Engine,
): Pick<
  CatalogueStore,
  | 'generation'
  | 'revision'
  | 'listEndpoints'
  | 'findEndpoint'
  | 'findEndpointParameters'
  | 'findComponents'
  | 'listApiEndpoints'
  | 'listEndpointPage'
  | 'findEndpointSummaries'
  | 'listMatchTargets'
> {
  const { db } = engine
  const findEndpoint = prepareLookup<EndpointRow>(engine, selectEndpoints)
  const findParameters = prepareLookup<ParametersRow>(engine, selectParameters)

  return {
    generation: prepareGeneration(engine),
    revision: prepareRevision(engine),

    listEndpoints() {
      return listGeneration<EndpointSummary>(engine, {
        size: LIST_PAGE,
        async readPage(generation, last) {
          const rows = await db
            .selectFrom('endpoint')
            .select([...SUMMARY_COLUMNS])
            .where('id', '>', last?.id ?? 0)
            .where(isVisibleIn(generation, 'endpoint'))
            .where('is_inbound', '=', 0)
            .orderBy('id')
            .limit(LIST_PAGE)
            .execute()
          return rows.map(toEndpointSummary)
        },
      })
    },

    findEndpoint: (id) => chain(findEndpoint(id), ([row]) => row && parseYielding(row, toEndpoint)),

    findEndpointParameters: (id) =>
      chain(findParameters(id), ([row]) => row && parseYielding(row, toEndpointParameters)),

    async findComponents(apiId, pointers) {
      const found = new Map<string, string>()
      for (const piece of inChunks(pointers)) {
        const rows = await db
          .selectFrom('component')
          .select(['pointer', 'json'])
          .where('api_id', '=', apiId)
          .where('pointer', 'in', piece)
          .execute()
        for (const row of rows) found.set(row.pointer, row.json)
      }
      return found
    },

    async listApiEndpoints(apiId) {
      const rows = await selectEndpoints(db)
        .where('endpoint.api_id', '=', apiId)
        .orderBy('endpoint.id')
        .execute()
      return rows.map(toEndpoint)
    },

    async listEndpointPage(filter, { size, page }) {
      const matching = selectMatching(db, filter)
      const ids = await matching.select('endpoint.id').orderBy('endpoint.id').execute()
      const wanted = ids.slice((page - 1) * size, page * size).map(({ id }) => id)
      if (wanted.length === 0) return { items: [], total: ids.length }
      const rows = await selectEndpoints(db)
        .where('endpoint.id', 'in', wanted)
        .orderBy('endpoint.id')
        .execute()
      return { items: rows.map(toEndpoint), total: ids.length }
    },

    async findEndpointSummaries(ids) {
      const found = new Map<number, EndpointSummary>()
      for (const piece of inChunks(ids)) {
        const rows = await db
          .selectFrom('endpoint')
          .select([...SUMMARY_COLUMNS])
          .where('id', 'in', piece)
          .where('until', 'is', null)
          .where('is_inbound', '=', 0)
          .execute()
        for (const row of rows) found.set(row.id, toEndpointSummary(row))
      }
      return ids.flatMap((id) => found.get(id) ?? [])
    },

    listMatchTargets() {
      return listGeneration<MatchTarget>(engine, {
        size: LIST_PAGE,
        readPage: (generation, last) => readMatchTargets(db, { generation, last }),
      })
    },
  }
}

/** Rows per page of a long list. */
const LIST_PAGE = 1_000

const SUMMARY_COLUMNS = ['id', 'short_id', 'url', 'method', 'description', 'is_deprecated'] as const

const TARGET_COLUMNS = [
  'endpoint.id',
  'endpoint.short_id',
  'endpoint.api_id',
  'endpoint.method',
  'endpoint.path',
  'endpoint_detail.servers',
] as const

type SummaryRow = Pick<Tables['endpoint'], (typeof SUMMARY_COLUMNS)[number]>

interface TargetRow
  extends Pick<Tables['endpoint'], 'id' | 'short_id' | 'api_id' | 'method' | 'path'> {
  readonly servers: string
}

interface ApiNames {
  readonly apiName: string
  readonly vendorName: string
}

/** Prepares a lookup of endpoints by either of their IDs; invalid IDs yield no rows. */
function prepareLookup<Row>(
  engine: Engine,
  select: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, 'endpoint' | 'endpoint_detail', Row>,
): (id: string) => MaybePromise<readonly Row[]> {
  const findById = engine.prepare((db) => select(db).where('endpoint.id', '=', 0))
  const findByText = engine.prepare((db) => select(db).where('endpoint.short_id', '=', ''))
  return (id) => {
    const lookup = parseId(id)
    return lookup ? (lookup.by === 'number' ? findById : findByText)([lookup.value]) : []
  }
}

/** Selects the current endpoints of an API that pass the filter. */
function selectMatching(
  db: Kysely<Tables>,
  { apiId, text, method, isDeprecated, isInbound }: EndpointFilter,
) {
  const pattern = `%${escapeLikePattern((text ?? '').toLowerCase())}%`
  return db
    .selectFrom('endpoint')
    .where('endpoint.api_id', '=', apiId)
    .where('endpoint.until', 'is', null)
    .$if(method !== undefined, (query) => query.where('endpoint.method', '=', method ?? ''))
    .$if(isDeprecated !== undefined, (query) =>
      query.where('endpoint.is_deprecated', '=', Number(isDeprecated)),
    )
    .$if(isInbound !== undefined, (query) =>
      query.where('endpoint.is_inbound', '=', Number(isInbound)),
    )
    .$if(text !== undefined && text !== '', (query) =>
      query.where(
        sql<SqlBool>`(lower(endpoint.path) like ${pattern} escape '!'
          or lower(endpoint.description) like ${pattern} escape '!')`,
      ),
    )
}

function selectEndpoints(db: Kysely<Tables>) {
  return db
    .selectFrom('endpoint')
    .innerJoin('endpoint_detail', 'endpoint_detail.row_id', 'endpoint.row_id')
    .select([
      ...TARGET_COLUMNS,
      'endpoint.key',
      'endpoint.url',
      'endpoint.description',
      'endpoint.is_inbound',
      'endpoint_detail.detail',
    ])
    .where('endpoint.until', 'is', null)
}

function selectParameters(db: Kysely<Tables>) {
  return db
    .selectFrom('endpoint')
    .innerJoin('endpoint_detail', 'endpoint_detail.row_id', 'endpoint.row_id')
    .select(['endpoint.method', 'endpoint.url', 'endpoint.description', 'endpoint_detail.detail'])
    .where('endpoint.until', 'is', null)
}

function toEndpointSummary(row: SummaryRow): EndpointSummary {
  return {
    id: row.id,
    shortId: row.short_id,
    url: row.url,
    method: row.method,
    description: row.description,
    isDeprecated: row.is_deprecated === 1,
  }
}

function toMatchTarget(row: TargetRow, names: ApiNames | undefined): MatchTarget {
  if (!names) throw createUnexpectedError(new Error(`Endpoint ${row.id} has no API`))
  return {
    id: row.id,
    shortId: row.short_id,
    apiId: row.api_id,
    method: row.method,
    path: row.path,
    servers: toServers(row.servers),
    ...names,
  }
}

async function readMatchTargets(
  db: Kysely<Tables>,
  page: { readonly generation: number; readonly last: MatchTarget | undefined },
): Promise<readonly MatchTarget[]> {
  const { generation, last } = page
  const rows = await db
    .selectFrom('endpoint')
    .innerJoin('endpoint_detail', 'endpoint_detail.row_id', 'endpoint.row_id')
    .select([...TARGET_COLUMNS])
    .where('endpoint.id', '>', last?.id ?? 0)
    .where(isVisibleIn(generation, 'endpoint'))
    .where('endpoint.is_inbound', '=', 0)
    .orderBy('endpoint.id')
    .limit(LIST_PAGE)
    .execute()
  const apiIds = [...new Set(rows.map((row) => row.api_id))]
  const names = await readApiNames(db, { generation, apiIds })
  return rows.map((row) => toMatchTarget(row, names.get(row.api_id)))
}

async function readApiNames(
  db: Kysely<Tables>,
  apis: { readonly generation: number; readonly apiIds: readonly number[] },
): Promise<ReadonlyMap<number, ApiNames>> {
  const names = new Map<number, ApiNames>()
  for (const piece of inChunks(apis.apiIds)) {
    const rows = await db
      .selectFrom('api')
      .innerJoin('vendor', 'vendor.id', 'api.vendor_id')
      .select(['api.id', 'api.name', 'vendor.name as vendor_name'])
      .where('api.id', 'in', piece)
      .where(isVisibleIn(apis.generation, 'api'))
      .execute()
    for (const row of rows) names.set(row.id, { apiName: row.name, vendorName: row.vendor_name })
  }
  return names
}
