import type { ApiDescription, License } from '../../../core/catalogue/records.ts'
import type { ApiFacts } from '../../../core/catalogue/store.ts'
import { toSpdxId } from '../../../core/shared/spdx.ts'
import { compareCodePoints } from '../../../core/shared/text.ts'
import { inChunks } from './bulk.ts'
import type { Engine } from './engine.ts'
import { prepareGeneration } from './generations.ts'

/**
 * Reads the facets of all APIs and caches them for the current generation. For APIs with an
 * unchanged row, it only reads the numbers of endpoints again.
 */
export function createFactsReader(engine: Engine): () => Promise<readonly ApiFacts[]> {
  const readGeneration = prepareGeneration(engine)
  let rows: ReadonlyMap<number, CachedFacts> = new Map()
  let kept:
    | { readonly generation: number; readonly facts: Promise<readonly ApiFacts[]> }
    | undefined

  return async () => {
    const generation = await readGeneration()
    if (kept?.generation !== generation) {
      const reading = { generation, facts: read() }
      kept = reading
      reading.facts.catch(() => {
        if (kept === reading) kept = undefined
      })
    }
    return kept.facts
  }

  async function read(): Promise<readonly ApiFacts[]> {
    const present = await engine.db
      .selectFrom('api')
      .select('row_id')
      .where('until', 'is', null)
      .execute()
    const missing = present.map((row) => row.row_id).filter((rowId) => !rows.has(rowId))
    const found = new Map(await readFactRows(engine, missing))
    const next = new Map<number, CachedFacts>()
    for (const { row_id } of present) {
      const row = rows.get(row_id) ?? found.get(row_id)
      if (row) next.set(row_id, row)
    }
    rows = next
    const counts = await readEndpointCounts(engine)
    return [...next.values()]
      .map((row) => ({ ...row, ...(counts.get(row.id) ?? { endpoints: 0, deprecated: 0 }) }))
      .sort((one, other) => compareCodePoints(one.name, other.name) || one.id - other.id)
  }
}

type CachedFacts = Omit<ApiFacts, 'endpoints' | 'deprecated'>

async function readFactRows(
  { db }: Engine,
  rowIds: readonly number[],
): Promise<readonly (readonly [number, CachedFacts])[]> {
  const found: (readonly [number, CachedFacts])[] = []
  for (const piece of inChunks(rowIds)) {
    const rows = await db
      .selectFrom('api')
      .innerJoin('vendor', 'vendor.id', 'api.vendor_id')
      .select([
        'api.row_id',
        'api.id',
        'api.kind',
        'api.folded_name',
        'api.vendor_id',
        'vendor.name as vendor_name',
        'api.category_id',
        'api.is_public',
        'api.created_at',
        'api.detail',
      ])
      .where('api.row_id', 'in', piece)
      .execute()
    for (const row of rows) {
      // The cast is safe: `toApiValues` wrote it.
      const { authTypes, licenses } = JSON.parse(row.detail) as ApiDescription
      const facts: CachedFacts = {
        id: row.id,
        kind: row.kind,
        name: row.folded_name,
        vendor: { id: row.vendor_id, name: row.vendor_name },
        categoryId: row.category_id ?? undefined,
        authTypes,
        licenses: licenses.map(toLicenseName),
        isPublic: row.is_public === 1,
        createdAt: row.created_at,
      }
      found.push([row.row_id, facts])
    }
  }
  return found
}

/** An unnamed licence remains unnamed: pages show only its name. */
function toLicenseName({ name, url }: License): string {
  return (name.trim() !== '' && toSpdxId({ name, link: url })) || name
}

/** Groups in the order of the counting index: otherwise planners choose another one. */
async function readEndpointCounts({
  db,
}: Engine): Promise<ReadonlyMap<number, Pick<ApiFacts, 'endpoints' | 'deprecated'>>> {
  const rows = await db
    .selectFrom('endpoint')
    .select((select) => [
      'api_id',
      'is_inbound',
      'is_deprecated',
      select.fn.countAll<number>().as('endpoints'),
    ])
    .where('until', 'is', null)
    .groupBy(['api_id', 'is_inbound', 'is_deprecated'])
    .execute()
  const counts = new Map<number, Pick<ApiFacts, 'endpoints' | 'deprecated'>>()
  for (const { api_id, is_inbound, is_deprecated, endpoints } of rows) {
    if (is_inbound === 1) continue
    const before = counts.get(api_id) ?? { endpoints: 0, deprecated: 0 }
    counts.set(api_id, {
      endpoints: before.endpoints + Number(endpoints),
      deprecated: before.deprecated + (is_deprecated === 1 ? Number(endpoints) : 0),
    })
  }
  return counts
}
