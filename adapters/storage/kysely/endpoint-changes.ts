import type { Kysely } from 'kysely'
import { ServiceError } from '../../../core/errors.ts'
import type { ApiChange, ExistingApi, NewEndpoint } from '../../../core/imports/store.ts'
import { hash53 } from '../../../core/shared/ids.ts'
import { createYieldIfDue } from '../../../core/shared/time-slices.ts'
import { inChunks, insertRows } from './bulk.ts'
import {
  DETAIL_COLUMNS,
  ENDPOINT_COLUMNS,
  type EndpointVersion,
  toDetailValues,
  toEndpointValues,
} from './endpoint-rows.ts'
import type { EngineKind } from './engine.ts'
import { createUnexpectedError } from './errors.ts'
import type { CatalogueChange } from './generations.ts'
import type { Tables } from './tables.ts'

/** An import in progress. */
export interface ImportScope {
  readonly kind: EngineKind
  readonly tx: Kysely<Tables>
  readonly change: CatalogueChange
  readonly apiId: number
}

/**
 * Ends the versions of removed and changed endpoints, and writes those of changed and added ones.
 * Returns the IDs of all current endpoints of the API, by key.
 */
export async function changeEndpoints(
  scope: ImportScope,
  apiChange: { readonly existing: ExistingApi | undefined; readonly wanted: ApiChange },
): Promise<ReadonlyMap<string, number>> {
  const { existing, wanted } = apiChange
  const current = new Map((existing?.endpoints ?? []).map((endpoint) => [endpoint.id, endpoint]))
  await endEndpointVersions(scope, wanted.removed)
  for (const id of wanted.removed) current.delete(id)
  // Changed endpoints retain their short IDs, so these must still count as taken here.
  const shortIds = await chooseShortIds(scope.tx, wanted.added)
  await endEndpointVersions(
    scope,
    wanted.changed.map(({ id }) => id),
  )

  const versions: EndpointVersion[] = []
  const pause = createYieldIfDue()
  for (const endpoint of wanted.changed) {
    const former = current.get(endpoint.id)
    if (!former)
      throw createUnexpectedError(new Error(`Endpoint ${endpoint.id} does not belong to the API`))
    versions.push(
      createEndpointVersion(scope, { id: former.id, shortId: former.shortId, endpoint }),
    )
    current.delete(endpoint.id)
  }
  const idsByKey = new Map([...current.values()].map(({ key, id }) => [key, id]))
  for (const { id, endpoint } of versions) idsByKey.set(endpoint.description.key, id)
  for (const [index, endpoint] of wanted.added.entries()) {
    const shortId = shortIds[index] ?? ''
    const version = createEndpointVersion(scope, { id: undefined, shortId, endpoint })
    idsByKey.set(endpoint.description.key, version.id)
    versions.push(version)
    if (index % ITEMS_PER_STEP === 0) await pause()
  }
  await rejectDigestCollisions(idsByKey.keys())
  await insertEndpointVersions(scope, versions)
  return idsByKey
}

/**
 * Rejects keys with equal digests, which only occur deliberately: the index of an API's endpoints
 * has room for one of them.
 */
async function rejectDigestCollisions(keys: Iterable<string>): Promise<void> {
  const known = new Map<number, string>()
  const pause = createYieldIfDue()
  for (const key of keys) {
    const digest = hash53(key)
    const other = known.get(digest)
    if (other !== undefined) {
      throw new ServiceError(
        'conflict',
        `Cannot import the API: "${other}" and "${key}" have the same internal hash. Rename one of these endpoints`,
      )
    }
    known.set(digest, key)
    if (known.size % ITEMS_PER_STEP === 0) await pause()
  }
}

/** Items that are processed in less than a millisecond. */
const ITEMS_PER_STEP = 100

async function endEndpointVersions(scope: ImportScope, ids: readonly number[]): Promise<void> {
  for (const piece of inChunks(ids)) {
    await scope.tx
      .updateTable('endpoint')
      .set({ until: scope.change.next })
      .where('id', 'in', piece)
      .where('api_id', '=', scope.apiId)
      .where('until', 'is', null)
      .execute()
  }
}

function createEndpointVersion(
  scope: ImportScope,
  version: Pick<EndpointVersion, 'shortId' | 'endpoint'> & { readonly id: number | undefined },
): EndpointVersion {
  const { change, apiId } = scope
  const rowId = change.endpointId
  change.endpointId += 1
  return { ...version, rowId, id: version.id ?? rowId, since: change.next, apiId }
}

async function insertEndpointVersions(
  { kind, tx }: ImportScope,
  versions: readonly EndpointVersion[],
): Promise<void> {
  await insertRows(tx, {
    kind,
    table: 'endpoint',
    columns: ENDPOINT_COLUMNS,
    rows: mapEach(versions, toEndpointValues),
  })
  await insertRows(tx, {
    kind,
    table: 'endpoint_detail',
    columns: DETAIL_COLUMNS,
    rows: mapEach(versions, toDetailValues),
  })
}

/** Chooses the first free candidate for each endpoint, with one query per attempt. */
async function chooseShortIds(
  tx: Kysely<Tables>,
  added: readonly NewEndpoint[],
): Promise<readonly string[]> {
  const chosen: string[] = []
  const given = new Set<string>()
  let open = added.map((_, index) => index)
  const pause = createYieldIfDue()
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const candidates = open.map((index) => added[index]?.shortIds[attempt] ?? '')
    if (candidates.includes('')) {
      throw new ServiceError(
        'conflict',
        'Cannot import the API: all short IDs of an endpoint are taken',
      )
    }
    const taken = await findTakenShortIds(tx, candidates)
    const rest: number[] = []
    for (const [position, index] of open.entries()) {
      const candidate = candidates[position] ?? ''
      if (taken.has(candidate) || given.has(candidate)) {
        rest.push(index)
      } else {
        given.add(candidate)
        chosen[index] = candidate
      }
      if (position % ITEMS_PER_STEP === 0) await pause()
    }
    open = rest
  }
  return chosen
}

async function findTakenShortIds(
  tx: Kysely<Tables>,
  candidates: readonly string[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>()
  for (const piece of inChunks(candidates)) {
    const rows = await tx
      .selectFrom('endpoint')
      .select('short_id')
      .where('short_id', 'in', piece)
      .where('until', 'is', null)
      .execute()
    for (const row of rows) taken.add(row.short_id)
  }
  return taken
}

function* mapEach<From, To>(items: Iterable<From>, map: (item: From) => To): Iterable<To> {
  for (const item of items) yield map(item)
}
