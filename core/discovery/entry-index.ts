import type { Api } from '../catalogue/records.ts'
import type { ApiFacts, CatalogueStore } from '../catalogue/store.ts'
import { splitIntoBatches } from '../shared/batches.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import { findPublisher, getCategoryName, getEntryType, toIdentifier } from './entries.ts'

/** The properties of an API's entry that filters read. */
export interface IndexedEntry {
  /** Position in order of name. */
  readonly position: number
  readonly identifier: string
  readonly displayName: string
  readonly type: string
  readonly publisher: string
  readonly tags: readonly string[]
  readonly version: string
  readonly vendor: string
  readonly category: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** All entries by ID, in order of name. */
export type EntryIndex = ReadonlyMap<number, IndexedEntry>

/** Creates a reader of the index. It builds the index again when the catalogue has changed. */
export function createEntryIndex(
  store: Pick<CatalogueStore, 'listFacts' | 'findApis'>,
): () => Promise<EntryIndex> {
  let facts: readonly ApiFacts[] | undefined
  let index: Promise<EntryIndex> | undefined
  return async () => {
    const current = await store.listFacts()
    if (index === undefined || facts !== current) {
      facts = current
      const building = buildIndex(store, current)
      index = building
      building.catch(() => {
        if (index === building) index = undefined
      })
    }
    return index
  }
}

async function buildIndex(
  store: Pick<CatalogueStore, 'findApis'>,
  facts: readonly ApiFacts[],
): Promise<EntryIndex> {
  const index = new Map<number, IndexedEntry>()
  const yieldIfDue = createYieldIfDue()
  for await (const apis of readApis(store, facts)) {
    for (const api of apis) {
      index.set(api.id, toIndexedEntry(api, index.size))
      await yieldIfDue()
    }
  }
  return index
}

/** Reads APIs in batches, in the given order. */
export async function* readApis(
  store: Pick<CatalogueStore, 'findApis'>,
  facts: readonly Pick<ApiFacts, 'id'>[],
): AsyncIterable<readonly Api[]> {
  for (const batch of splitIntoBatches(facts, APIS_AT_ONCE)) {
    yield await store.findApis(batch.map(({ id }) => id))
  }
}

const APIS_AT_ONCE = 100

function toIndexedEntry(api: Api, position: number): IndexedEntry {
  const publisher = findPublisher(api)
  return {
    position,
    identifier: toIdentifier(api, publisher),
    displayName: api.name,
    type: getEntryType(api),
    publisher,
    tags: api.tags,
    version: api.version,
    vendor: api.vendor.name,
    category: getCategoryName(api),
    createdAt: api.createdAt,
    updatedAt: api.updatedAt,
  }
}
