import type { Kysely } from 'kysely'
import type { AgreementLink, Api } from '../../../core/catalogue/records.ts'
import type { CatalogueStore } from '../../../core/catalogue/store.ts'
import { foldName } from '../../../core/shared/text.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { listAgreementRows, listAgreementRowsOf } from './agreement-rows.ts'
import { type ApiWithVendor, selectApis, toApi } from './api-rows.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { isWithinDays, passesApiFilter } from './filters.ts'
import { finishChange, isVisibleIn, listGeneration, startChange } from './generations.ts'
import { parseId } from './ids.ts'
import type { Tables } from './tables.ts'

/** Stores APIs and their agreements, and removes them. */
export function createApiStore(
  engine: Engine,
  now: () => number,
): Pick<
  CatalogueStore,
  | 'findApi'
  | 'findApiOfEndpoint'
  | 'findApisByName'
  | 'findApis'
  | 'listApis'
  | 'listAddedApis'
  | 'listAgreements'
  | 'listAgreementsOf'
  | 'removeApi'
> {
  const { db } = engine
  const findById = engine.prepare<ApiWithVendor>((kysely) =>
    selectApis(kysely).where('api.id', '=', 0).where('api.until', 'is', null),
  )
  const findByText = engine.prepare<ApiWithVendor>((kysely) =>
    selectApis(kysely).where('api.encrypted_id', '=', '').where('api.until', 'is', null),
  )

  async function findApi(id: string) {
    const lookup = parseId(id)
    if (!lookup) return undefined
    const [row] = await (lookup.by === 'number' ? findById : findByText)([lookup.value])
    return row && toApi(row)
  }

  return {
    findApi,

    async findApiOfEndpoint(endpointId) {
      const lookup = parseId(endpointId)
      if (!lookup) return undefined
      const row = await selectApis(db)
        .innerJoin('endpoint', 'endpoint.api_id', 'api.id')
        .where('endpoint.until', 'is', null)
        .where('api.until', 'is', null)
        .where(lookup.by === 'number' ? 'endpoint.id' : 'endpoint.short_id', '=', lookup.value)
        .executeTakeFirst()
      return row && toApi(row)
    },

    async findApisByName({ apiName, vendorName }) {
      if (apiName === undefined && vendorName === undefined) return []
      const rows = await selectApis(db)
        .where('api.until', 'is', null)
        .where((where) => where.and(toNameColumns({ apiName, vendorName })))
        .orderBy('api.id')
        .execute()
      return rows.map(toApi)
    },

    async findApis(ids) {
      const found = new Map<number, ApiWithVendor>()
      for (const piece of inChunks(ids)) {
        const rows = await selectApis(db)
          .where('api.id', 'in', piece)
          .where('api.until', 'is', null)
          .execute()
        for (const row of rows) found.set(row.id, row)
      }
      return ids.flatMap((id) => {
        const row = found.get(id)
        return row ? [toApi(row)] : []
      })
    },

    async listApis(filter, { size, page }) {
      const count = db
        .selectFrom('api')
        .select((select) => select.fn.countAll<number>().as('total'))
        .where((where) => passesApiFilter(where, filter))
      const rows = await selectApis(db)
        .select(count.as('total'))
        .where((where) => passesApiFilter(where, filter))
        .orderBy('api.folded_name')
        .orderBy('api.id')
        .limit(size)
        .offset((page - 1) * size)
        .execute()
      const total = rows[0]?.total ?? (await count.executeTakeFirst())?.total ?? 0
      return { items: rows.map(toApi), total: Number(total) }
    },

    listAddedApis(filter) {
      return listGeneration<Api>(engine, {
        size: LIST_PAGE,
        readPage: (generation, last) => readAddedApis(db, { filter, generation, last }),
      })
    },

    async listAgreements(apiId) {
      return (await listAgreementRows(db, apiId)).map(toAgreementLink)
    },

    async listAgreementsOf(apiIds) {
      const links = new Map<number, readonly AgreementLink[]>()
      for (const [apiId, rows] of await listAgreementRowsOf(db, apiIds)) {
        links.set(apiId, rows.map(toAgreementLink))
      }
      return links
    },

    removeApi: (id) => removeApi(engine, { id, now }),
  }
}

/** Rows per page of a long list: an API is much larger than an entry of the endpoint list. */
const LIST_PAGE = 200

/** Tables whose rows are removed with their API, besides endpoints and postings. */
const API_TABLES = [
  'component',
  'agreement',
  'agreement_text',
  'agreement_change',
  'api_source',
  'search_version',
  'api_import',
  'gateway_credential',
  'gateway_recording',
  'published_answer',
] as const

type AddedApiFilter = Parameters<CatalogueStore['listAddedApis']>[0]

/** Reads a page of the APIs that were added, and if requested of those with changed agreements. */
async function readAddedApis(
  db: Kysely<Tables>,
  page: {
    readonly filter: AddedApiFilter
    readonly generation: number
    readonly last: Api | undefined
  },
): Promise<readonly Api[]> {
  const { filter, generation, last } = page
  const rows = await selectApis(db)
    .where(isVisibleIn(generation, 'api'))
    .where((where) => {
      const isAdded = where.and(isWithinDays(where, filter, 'api.created_at'))
      if (filter.withChangedAgreements !== true) return isAdded
      const changed = where
        .selectFrom('agreement_change')
        .select('agreement_change.api_id')
        .where((inner) => inner.and(isWithinDays(inner, filter, 'agreement_change.changed_at')))
      return where.or([isAdded, where('api.id', 'in', changed)])
    })
    .where((where) => where.and(toNameColumns(filter)))
    .where((where) =>
      last === undefined
        ? where.and([])
        : where.or([
            where('api.created_at', '<', last.createdAt),
            where('api.created_at', '=', last.createdAt).and('api.id', '>', last.id),
          ]),
    )
    .orderBy('api.created_at', 'desc')
    .orderBy('api.id')
    .limit(LIST_PAGE)
    .execute()
  return rows.map(toApi)
}

function toNameColumns({ apiName, vendorName }: Pick<AddedApiFilter, 'apiName' | 'vendorName'>) {
  return {
    ...(apiName === undefined ? {} : { 'api.folded_name': foldName(apiName) }),
    ...(vendorName === undefined ? {} : { 'vendor.folded_name': foldName(vendorName) }),
  }
}

/** Ends an API and its endpoints and removes their other rows; false if the API is unknown. */
async function removeApi(
  engine: Engine,
  { id, now }: { readonly id: string; readonly now: () => number },
): Promise<boolean> {
  const lookup = parseId(id)
  if (!lookup) return false
  return engine.write(async (tx) => {
    const change = await startChange(engine, tx)
    const ended = await tx
      .updateTable('api')
      .set({ until: change.next })
      .where(lookup.by === 'number' ? 'id' : 'encrypted_id', '=', lookup.value)
      .where('until', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!ended) return false
    await endEndpoints(tx, { apiId: ended.id, until: change.next })
    await removePostings(tx, ended.id)
    for (const table of API_TABLES) {
      await tx.deleteFrom(table).where('api_id', '=', ended.id).execute()
    }
    await finishChange(tx, change, now())
    return true
  })
}

/** Works in batches and yields to the event loop: an API may have 30,000 endpoints. */
async function endEndpoints(
  tx: Kysely<Tables>,
  { apiId, until }: { readonly apiId: number; readonly until: number },
): Promise<void> {
  const pause = createYieldIfDue()
  const rows = await tx
    .selectFrom('endpoint')
    .select('row_id')
    .where('api_id', '=', apiId)
    .where('until', 'is', null)
    .execute()
  for (const piece of inChunks(rows)) {
    const rowIds = piece.map(({ row_id }) => row_id)
    await tx.updateTable('endpoint').set({ until }).where('row_id', 'in', rowIds).execute()
    await pause()
  }
}

async function removePostings(tx: Kysely<Tables>, apiId: number): Promise<void> {
  const pause = createYieldIfDue()
  const rows = await tx
    .selectFrom('search_posting')
    .select('term')
    .where('api_id', '=', apiId)
    .execute()
  for (const piece of inChunks(rows)) {
    const terms = piece.map(({ term }) => term)
    await tx
      .deleteFrom('search_posting')
      .where('api_id', '=', apiId)
      .where('term', 'in', terms)
      .execute()
    await pause()
  }
}

function toAgreementLink({ name, link, kind }: AgreementLink): AgreementLink {
  return { name, link, kind }
}
