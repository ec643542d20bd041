import { concatBytesCopy } from '../../shared/bytes.ts'
import { compareCodePoints } from '../../shared/text.ts'
import { toProductLines } from '../affected-products.ts'
import { isCveId } from '../feeds/cve-id.ts'
import { countParts, EPSS_STEPS, toCveNumber } from '../index/columns.ts'
import { findLastNotAfter } from '../index/dictionary.ts'
import { findProducts } from '../index/product-names.ts'
import { toNameWordTerm } from '../index/terms.ts'
import type { CveAuthority, EpssScore } from '../records.ts'
import type { VulnerabilityReads } from '../service.ts'
import type { SourceState, VulnerabilityStore } from '../store.ts'
import { unpackProducts } from '../stored/products.ts'
import { fromStoredRecord } from '../stored-record.ts'
import { createExtender } from './extender.ts'
import { findDocuments, findDocumentsById } from './find-documents.ts'
import { createColumnReader, type IndexReader } from './index-reader.ts'
import { parseWantedPackage } from './package-filter.ts'
import { readParts, readSet, throwGenerationSwept } from './part-reader.ts'
import { toProductFilter } from './product-filter.ts'
import { readHits } from './read-hits.ts'
import type { CveRatings } from './results.ts'
import { parseTerm } from './search-term.ts'
import { countYears } from './severities.ts'
import { createSnapshots, type Snapshot } from './snapshot.ts'
import { uniteAll } from './sorted-lists.ts'
import { findVendorNames } from './vendor-names.ts'

/**
 * Creates the queries of the vulnerability database over a storage. They cache the columns of the
 * index in use (at most 50 bytes per record) and `cacheBytes` of postings, 16 MiB by default.
 */
export function createVulnerabilityReads(options: {
  readonly store: Omit<VulnerabilityStore, 'beginLoad'>
  readonly cacheBytes?: number | undefined
}): VulnerabilityReads {
  const { store, cacheBytes = 16_777_216 } = options
  const takeSnapshot = createSnapshots(store, cacheBytes)

  /** Finds the current record of an ID and its document: the newest one of an alias. */
  async function findStoredRecord(id: string, columns: 'products' | 'all') {
    const snapshot = await takeSnapshot()
    const { index } = snapshot
    const document = index && Array.from(await findDocumentsById(index, id.toUpperCase())).at(-1)
    if (!index || document === undefined) return undefined
    const rowIds = await index.column('rowId')
    const [stored = throwGenerationSwept()] = await store.readRecords(
      [rowIds[document] ?? 0],
      columns,
    )
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
      const named = start < end ? await findDocumentsByName(index, term.words) : NO_DOCUMENTS
      const isExtended = query.isExtended === true
      const filter = toProductFilter(query.filters ?? {})
      const purl = query.filters?.purl
      const wantedPackage = purl === undefined ? undefined : parseWantedPackage(purl)
      const terms = { words: term.words, named, filter, wantedPackage }
      const range = { documents, start, end, isExtended, ...terms }
      const found = { count, processedTerm: term.processed, hits: readHits(searched, range) }
      if (!query.countsYears) return found
      const by = { ratings: await index.ratings(), years: await index.column('year') }
      return { ...found, years: countYears(documents, by) }
    },

    async findRecord(id) {
      const found = await findStoredRecord(id, 'all')
      if (!found) return undefined
      const extend = await createExtender(found.snapshot)
      return extend(fromStoredRecord(found.stored), found.document)
    },

    async findRatings(id) {
      return findRatings(store, await takeSnapshot(), id.toUpperCase())
    },

    async listProductsOfCve(id) {
      const found = await findStoredRecord(id, 'products')
      return found && toProductLines(unpackProducts(found.stored.products).listed)
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
      const { firstVendors } = await index.readDirectory()
      const products = new Set<string>()
      for (const name of await findVendorNames(store, index, vendor)) {
        const number = findLastNotAfter(firstVendors, name)
        if (number === undefined) continue
        const set = { id: index.manifest.id, name: 'products' }
        const [part] = await readParts(store, set, [number])
        for (const product of part ? findProducts(part, name) : []) products.add(product)
      }
      return [...products].sort(compareCodePoints)
    },

    async status() {
      const snapshot = await takeSnapshot()
      const sources = await store.listSources()
      const newest = await snapshot.index?.newestChanges()
      return {
        ...toStatusCounts(snapshot),
        completeness: (await snapshot.index?.completeness()) ?? [],
        sources: sources.map((state) => {
          const { name, loadedAt } = state
          return { name, loadedAt, dataAt: findDataDate(state, newest) }
        }),
      }
    },
  }
}

const NO_DOCUMENTS = new Uint32Array(0)

/** Documents in which a word occurs in a vendor or product name. */
async function findDocumentsByName(
  index: IndexReader,
  words: readonly string[],
): Promise<Uint32Array> {
  const found = await index.findPostings(words.map(toNameWordTerm))
  return uniteAll(found.map(({ documents }) => documents))
}

function toStatusCounts({ generation, manifest }: Snapshot) {
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

/** Finds the EPSS and KEV data of a CVE ID in the loaded lists. Not cached. */
async function findRatings(
  store: Pick<VulnerabilityStore, 'readParts'>,
  snapshot: Snapshot,
  id: string,
): Promise<CveRatings> {
  const epss = await findScore(store, snapshot, id)
  const exploited = (await snapshot.readExploited())?.get(id)
  return { ...(epss && { epss }), ...(exploited && { exploited }) }
}

async function findScore(
  store: Pick<VulnerabilityStore, 'readParts'>,
  { manifest: { epss } }: Snapshot,
  id: string,
): Promise<EpssScore | undefined> {
  if (!epss || !isCveId(id)) return undefined
  const readColumn = createColumnReader(store, epss.id, epss.count)
  const row = (await readColumn('epssCve')).indexOf(toCveNumber(id))
  const score = (await readColumn('epssScore'))[row]
  const percentile = (await readColumn('epssRank'))[row]
  if (score === undefined || percentile === undefined) return undefined
  return { id, score: score / EPSS_STEPS, percentile: percentile / EPSS_STEPS }
}

/**
 * Returns the date of a source's data, in milliseconds since the epoch; undefined if unknown. For
 * records, it is the newest change of a record of the source's authority.
 */
function findDataDate(
  { name, checkpoint, loadedAt }: SourceState,
  newest: Readonly<Record<CveAuthority, number>> | undefined,
): number | undefined {
  if (loadedAt === undefined) return undefined
  if (name === 'kev') return readCheckpointTime(checkpoint, 'releasedAt')
  if (name === 'epss') return readCheckpointTime(checkpoint, 'scoredAt')
  if (!newest) return undefined
  const time = AUTHORITIES.has(name)
    ? newest[AUTHORITIES.get(name) ?? 'nvd']
    : Math.max(newest.nvd, newest.cve)
  return time < 0 ? undefined : time
}

/** Authorities by source; the others may load records of any. */
const AUTHORITIES: ReadonlyMap<string, CveAuthority> = new Map([
  ['nvd', 'nvd'],
  ['nvd-files', 'nvd'],
  ['cve', 'cve'],
  ['cve-files', 'cve'],
])

/** Reads a time of a checkpoint of `syncKev` or `syncEpss`; undefined if it has none. */
function readCheckpointTime(checkpoint: string, name: string): number | undefined {
  try {
    const value: unknown = Object(JSON.parse(checkpoint))[name]
    return typeof value === 'number' ? value : undefined
  } catch {
    // A host may store other checkpoints.
    return undefined
  }
}
