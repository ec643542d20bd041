import type { Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type {
  ApiChange,
  ApiIdentity,
  ExistingApi,
  ImportStore,
} from '../../../core/imports/store.ts'
import { type ApiWithVendor, selectApis, toApi, toApiValues } from './api-rows.ts'
import { changeEndpoints } from './endpoint-changes.ts'
import type { Engine } from './engine.ts'
import { createUnexpectedError } from './errors.ts'
import { rejectLongName } from './filters.ts'
import { type CatalogueChange, finishChange, startChange } from './generations.ts'
import { replaceDependentData, replacePostings } from './import-parts.ts'
import { createImportReports } from './import-reports.ts'
import { toBytes } from './search.ts'
import { unpackSource } from './source-bytes.ts'
import type { Tables } from './tables.ts'

/** Writes imported descriptions to the catalogue, each in one transaction. */
export function createImportStore(engine: Engine, now: () => number): ImportStore {
  return {
    ...createImportReports(engine),
    ...createSearchUpdates(engine, now),

    async replaceApi(identity, decide) {
      rejectLongName('API', identity.name)
      rejectLongName('API', identity.majorVersion)
      return engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const existing = await findExisting(tx, identity)
        const wanted = decide(existing)
        if (existing && isEmptyChange(wanted)) {
          const { id: apiId, encryptedId } = existing.api
          await saveImportTime(tx, { apiId, importedAt: wanted.importedAt })
          return { apiId, encryptedId, generation: change.next - 1 }
        }
        const saved = await saveApi(tx, { change, existing, identity, wanted })
        const at = wanted.api?.now ?? now()
        const scope = { kind: engine.kind, tx, change, apiId: saved.apiId, at }
        const idsByKey = await changeEndpoints(scope, { existing, wanted })
        await replaceDependentData(scope, { wanted, idsByKey })
        await saveImportTime(tx, { apiId: saved.apiId, importedAt: wanted.importedAt })
        await finishChange(tx, change, now())
        return { ...saved, generation: change.next }
      })
    },

    async findImportedAt(apiId) {
      const row = await engine.db
        .selectFrom('api_import')
        .select('imported_at')
        .where('api_id', '=', apiId)
        .executeTakeFirst()
      return row?.imported_at
    },

    async findSource(apiId) {
      const row = await engine.db
        .selectFrom('api_source')
        .select(['bytes', 'media_type', 'digest'])
        .where('api_id', '=', apiId)
        .executeTakeFirst()
      if (!row) return undefined
      const bytes = await unpackSource(toBytes(row.bytes))
      return { bytes, mediaType: row.media_type, digest: row.digest }
    },
  }
}

async function findExisting(
  tx: Kysely<Tables>,
  identity: ApiIdentity,
): Promise<ExistingApi | undefined> {
  const row: ApiWithVendor | undefined = await selectApis(tx)
    .where('api.vendor_id', '=', identity.vendor.id)
    .where('api.folded_name', '=', identity.name)
    .where('api.kind', '=', identity.kind)
    .where((where) =>
      where.or([
        where('api.major_version', '=', identity.majorVersion),
        where('api.is_described', '=', 0),
      ]),
    )
    .where('api.until', 'is', null)
    .orderBy('api.is_described', 'desc')
    .executeTakeFirst()
  if (!row) return undefined
  const endpoints = await tx
    .selectFrom('endpoint')
    .select(['id', 'short_id as shortId', 'key', 'path', 'digest'])
    .where('api_id', '=', row.id)
    .where('until', 'is', null)
    .orderBy('id')
    .execute()
  return { api: toApi(row), endpoints }
}

/** Does not create a generation: clients cache nothing that depends on it. */
async function saveImportTime(
  tx: Kysely<Tables>,
  { apiId, importedAt }: { readonly apiId: number; readonly importedAt: number | undefined },
): Promise<void> {
  if (importedAt === undefined) return
  await tx
    .insertInto('api_import')
    .values({ api_id: apiId, imported_at: importedAt })
    .onConflict((conflict) => conflict.column('api_id').doUpdateSet({ imported_at: importedAt }))
    .execute()
}

function isEmptyChange(wanted: ApiChange): boolean {
  const { api, components, agreements, source, postings } = wanted
  const parts = [api, components, agreements, source, postings]
  const count = wanted.added.length + wanted.changed.length + wanted.removed.length
  return count === 0 && parts.every((part) => part === undefined)
}

async function saveApi(
  tx: Kysely<Tables>,
  apiChange: {
    readonly change: CatalogueChange
    readonly existing: ExistingApi | undefined
    readonly identity: ApiIdentity
    readonly wanted: ApiChange
  },
): Promise<{ readonly apiId: number; readonly encryptedId: string }> {
  const { change, existing, identity, wanted } = apiChange
  const former = existing?.api
  if (!wanted.api) {
    if (former) return { apiId: former.id, encryptedId: former.encryptedId }
    throw createUnexpectedError(new Error('The inserted API was not found'))
  }
  const vendor = await tx
    .selectFrom('vendor')
    .select('id')
    .where('id', '=', identity.vendor.id)
    .executeTakeFirst()
  if (!vendor) {
    throw new ServiceError('not_found', 'Cannot import the API: vendor not found')
  }
  await tx
    .updateTable('api')
    .set({ until: change.next })
    .where('id', '=', former?.id ?? 0)
    .where('until', 'is', null)
    .execute()
  const rowId = change.apiId
  change.apiId += 1
  const saved = await tx
    .insertInto('api')
    .values({
      row_id: rowId,
      id: former?.id ?? rowId,
      since: change.next,
      vendor_id: vendor.id,
      ...toApiValues(wanted.api),
      folded_name: identity.name,
      major_version: identity.majorVersion,
      is_claiming: Number(former?.isClaiming ?? false),
      can_claim: Number(former?.canClaim ?? false),
      is_agreements_restricted: Number(former?.isAgreementsRestricted ?? false),
      is_described: Number(wanted.api.isDescribed ?? true),
      created_at: former?.createdAt ?? wanted.api.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'encrypted_id'])
    .executeTakeFirst()
  if (!saved) {
    throw new ServiceError('conflict', 'Cannot import the API: its encrypted ID is already in use')
  }
  return { apiId: saved.id, encryptedId: saved.encrypted_id }
}

/** Rebuilds the search index of APIs that were indexed with earlier term rules. */
function createSearchUpdates(
  engine: Engine,
  now: () => number,
): Pick<ImportStore, 'listOutdatedSearch' | 'updateSearch'> {
  return {
    async listOutdatedSearch(version, limit) {
      const rows = await selectOutdated(engine.db, version).orderBy('api.id').limit(limit).execute()
      return rows.map(({ id }) => id)
    },

    updateSearch: ({ apiId, version, generation, postings }) =>
      engine.write(async (tx) => {
        const change = await startChange(engine, tx)
        const outdated = selectOutdated(tx, version)
        // A process of an earlier release may have imported it since.
        const unchanged = outdated.where('api.id', '=', apiId).where('api.since', '<=', generation)
        if (!(await unchanged.executeTakeFirst())) return
        await replacePostings({ kind: engine.kind, tx, apiId }, { postings, version })
        // Creates one generation for all of them: each makes caches and clients reload everything.
        // APIs are updated in order of ID, so the last one is found without reading the others.
        const last = outdated.orderBy('api.id', 'desc').limit(1)
        if (!(await last.executeTakeFirst())) await finishChange(tx, change, now())
      }),
  }
}

function selectOutdated(db: Kysely<Tables>, version: number) {
  return db
    .selectFrom('api')
    .leftJoin('search_version', 'search_version.api_id', 'api.id')
    .select('api.id')
    .where('api.until', 'is', null)
    .where(({ fn, val, eb }) =>
      eb(fn.coalesce('search_version.version', val(UNKNOWN_VERSION)), '<', version),
    )
}

const UNKNOWN_VERSION = 0
