import { concatBytesCopy } from '../../shared/bytes.ts'
import { toProductLines } from '../affected.ts'
import { countParts } from '../index/columns.ts'
import { findLast } from '../index/dictionary.ts'
import { findProducts } from '../index/names.ts'
import { toNameWordTerm } from '../index/terms.ts'
import { foldCase } from '../index/words.ts'
import type { VulnerabilityReads } from '../service.ts'
import type { VulnerabilityStore } from '../store.ts'
import { toProducts } from '../stored.ts'
import { findById, findDocuments } from './documents.ts'
import { createExtender } from './extended.ts'
import { readHits } from './hits.ts'
import type { IndexReader } from './index-reader.ts'
import { lose, readParts, readSet } from './part-reader.ts'
import { countYears } from './ratings.ts'
import { createSnapshots, type Snapshot } from './snapshot.ts'
import { uniteAll } from './sorted.ts'
import { parseTerm } from './term.ts'
import { toProductFilter } from './wanted-products.ts'

/**
 * Creates the queries of the vulnerability database over a storage. They cache the columns of the
 * index in use (at most 50 bytes per record) and `cacheBytes` of postings, 16 MiB by default.
 */
export function createReads(options: {
  readonly store: Omit<VulnerabilityStore, 'beginLoad'>
  readonly cacheBytes?: number | undefined
}): VulnerabilityReads {
  const { store, cacheBytes = 16_777_216 } = options
  const takeSnapshot = createSnapshots(store, cacheBytes)

  /** Finds the current record of an id and its document. */
  async function findStored(id: string, what: 'products' | 'all') {
    const snapshot = await takeSnapshot()
    const { index } = snapshot
    const [document] = index ? await findById(index, id.toUpperCase()) : []
    if (!index || document === undefined) return undefined
    const rowIds = await index.column('rowId')
    const [stored = lose()] = await store.readRecords([rowIds[document] ?? 0], what)
    return { snapshot, document, stored }
  }

  return {
    async search(query) {
      const term = parseTerm(query.term)
      const snapshot = await takeSnapshot()
      const { index } = snapshot
      if (!index) {
        const years = query.countsYears ? { years: [] } : {}
        return { count: 0, processedTerm: term.processed, hits: noHits(), ...years }
      }
      const searched = { store, snapshot, index }
      const documents = await findDocuments(searched, query, term)
      const count = documents.length
      const { page, size } = query.page ?? { page: 1, size: count }
      const start = Math.min(count, (page - 1) * size)
      const end = Math.min(count, start + size)
      const named = start < end ? await findNamed(index, term.words) : NONE
      const isExtended = query.isExtended === true
      const filter = toProductFilter(query.filters ?? {})
      const range = { documents, start, end, words: term.words, named, filter, isExtended }
      const found = { count, processedTerm: term.processed, hits: readHits(searched, range) }
      if (!query.countsYears) return found
      const by = { ratings: await index.ratings(), years: await index.column('year') }
      return { ...found, years: countYears(documents, by) }
    },

    async findRecord(id) {
      const found = await findStored(id, 'all')
      return found && (await createExtender(found.snapshot))(found.stored, found.document)
    },

    async listProductsOfCve(id) {
      const found = await findStored(id, 'products')
      return found && toProductLines(toProducts(found.stored.products))
    },

    async listVendors() {
      const { index } = await takeSnapshot()
      if (!index) return '[]'
      const { id, vendorBytes } = index.manifest
      const parts = await readSet(store, { id, name: 'vendors' }, countParts(vendorBytes))
      return new TextDecoder().decode(concatBytesCopy(parts))
    },

    async listProducts(vendor) {
      const { index } = await takeSnapshot()
      if (!index) return []
      const wanted = foldCase(vendor)
      const number = findLast((await index.readDirectory()).firstVendors, wanted)
      if (number === undefined) return []
      const { id } = index.manifest
      const [part] = await readParts(store, { id, name: 'products' }, [number])
      return part ? findProducts(part, wanted) : []
    },

    async status() {
      const snapshot = await takeSnapshot()
      const sources = await store.listSources()
      return {
        ...toCounts(snapshot),
        sources: sources.map(({ name, loadedAt }) => ({ name, loadedAt })),
      }
    },
  }
}

const NONE = new Uint32Array(0)

/** Documents in which a word occurs in a vendor or product name. */
async function findNamed(index: IndexReader, words: readonly string[]): Promise<Uint32Array> {
  const found = await index.find(words.map(toNameWordTerm))
  return uniteAll(found.map(({ documents }) => documents))
}

function toCounts({ generation, manifest }: Snapshot) {
  const { index, kev, epss } = manifest
  return {
    generation,
    records: index?.documents ?? 0,
    rejected: index?.rejected ?? 0,
    vendors: index?.vendors ?? 0,
    products: index?.products ?? 0,
    exploited: kev?.count ?? 0,
    scored: epss?.count ?? 0,
  }
}

async function* noHits(): AsyncIterable<never> {}
