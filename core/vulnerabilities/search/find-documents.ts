import type { PackageReference } from '../../shared/package-urls.ts'
import { createYieldIfDue, runInTimeSlices, type SteppedWork } from '../../shared/time-slices.ts'
import { ALIAS } from '../aliases.ts'
import { toCveId, toCveNumber } from '../index/columns.ts'
import { skipPositions, unpackDocuments } from '../index/postings.ts'
import { toAliasTerm, toPackageVersionPrefix } from '../index/terms.ts'
import type { StoredRecord, VulnerabilityStore } from '../store.ts'
import { unpackProducts, unpackShortVersion } from '../stored/products.ts'
import { fromStoredRecord } from '../stored-record.ts'
import { toPackageScheme } from '../version-schemes.ts'
import { createVersionTest } from '../versions.ts'
import { findVectorMatches, narrowByColumns, toFilterTerms } from './filters.ts'
import type { IndexReader, Postings } from './index-reader.ts'
import { parseWantedPackage, selectPackageProducts } from './package-filter.ts'
import { throwGenerationSwept } from './part-reader.ts'
import { type ProductFilter, selectProducts, toProductFilter } from './product-filter.ts'
import type { CveQuery } from './query.ts'
import type { SearchTerm } from './search-term.ts'
import type { Snapshot } from './snapshot.ts'
import { intersectAll, uniteAll } from './sorted-lists.ts'
import { findVendorNames } from './vendor-names.ts'

/** The data that a search reads. */
export interface SearchedIndex {
  readonly store: Pick<VulnerabilityStore, 'readParts' | 'readRecords'>
  readonly snapshot: Snapshot
  readonly index: IndexReader
}

/** A word of a phrase with its occurrences. */
interface PhraseWord {
  /** Index of the word within the phrase, from 0. */
  readonly offset: number
  /** Documents that contain it, ascending. */
  readonly documents: Uint32Array
  /** Packed, see `index/postings.ts`. */
  readonly positions: Uint8Array
}

/** Reads where a phrase may start, according to one of its words. */
interface PhraseCursor {
  /** Possible starts in a document, ascending; the array is reused. Documents must ascend. */
  read(document: number): readonly number[]
}

/**
 * Finds the documents that match a query, ascending: the newest is last. The result is shared and
 * must not be modified.
 */
export async function findDocuments(
  searched: SearchedIndex,
  query: CveQuery,
  term: SearchTerm,
): Promise<Uint32Array> {
  const { store, snapshot, index } = searched
  const { filters = {} } = query
  const { vendor, purl } = filters
  const wantedPackage = purl === undefined ? undefined : parseWantedPackage(purl)
  const vendors = vendor === undefined ? [] : await findVendorNames(store, index, vendor)
  const groups = [
    ...term.words.map((word) => [word]),
    ...toFilterTerms(filters, { vendors, wantedPackage }),
  ]
  const found = await index.findPostings(groups.flat())
  const rest = found.map(({ documents }) => documents)
  const lists = groups.map(({ length }) => uniteAll(rest.splice(0, length)))
  for (const id of term.ids) lists.push(Uint32Array.from(await findDocumentsById(index, id)))
  if (lists.some(({ length }) => length === 0)) return new Uint32Array(0)
  if (wantedPackage?.version !== undefined) {
    lists.push(await findPackageMatches(searched, wantedPackage, wantedPackage.version))
  }
  // The index does not contain undefined metrics (`E:X`).
  const metrics = filters.vector?.filter((metric) => !/:X$/i.test(metric)) ?? []
  if (metrics.length > 0) lists.push(await findVectorMatches(index, metrics))
  const narrowed = await narrowByColumns(intersectAll(lists), { snapshot, index, query })
  const postings = new Map(term.words.map((word, at) => [word, found[at]]))
  let documents = narrowed
  for (const phrase of term.phrases) {
    const words = await readPhraseWords(index, phrase, postings)
    documents = await runInTimeSlices(narrowToPhrase(documents, words))
  }
  const wanted = filters.version === undefined ? undefined : toProductFilter(filters)
  return wanted ? narrowToProducts(searched, documents, wanted) : documents
}

/** Returns the document of a CVE ID, or those of an alias, ascending; empty if there is none. */
export async function findDocumentsById(
  index: IndexReader,
  id: string,
): Promise<ArrayLike<number> & Iterable<number>> {
  const isAlias = id.match(ALIAS)?.[0] === id
  if (isAlias) return (await index.findPostings([toAliasTerm(id)]))[0]?.documents ?? []
  const number = toCveNumber(id)
  if (Number.isNaN(number) || toCveId(number) !== id) return []
  const document = (await index.column('cve')).indexOf(number)
  return document < 0 ? [] : [document]
}

/** Number of records whose products are read at once to compare versions. */
const PRODUCT_BATCH = 500

async function readPhraseWords(
  index: IndexReader,
  phrase: readonly string[],
  postings: ReadonlyMap<string, Postings | undefined>,
) {
  const words = []
  for (const [offset, word] of phrase.entries()) {
    const { documents, entry } = postings.get(word) ?? {}
    if (!documents || !entry) continue
    words.push({ offset, documents, positions: await index.readPositions(entry) })
  }
  return words
}

/** Returns the documents that have a matching product. */
function narrowToProducts(
  searched: SearchedIndex,
  documents: Uint32Array,
  filter: ProductFilter,
): Promise<Uint32Array> {
  return narrowByRecords(searched, documents, {
    columns: 'products',
    matches: ({ products }) => {
      const { listed, others } = unpackProducts(products)
      return selectProducts([...listed, ...others], filter).length > 0
    },
  })
}

/** Finds the documents that cover the version of a package, ascending. */
function findPackageMatches(
  searched: SearchedIndex,
  wanted: PackageReference,
  version: string,
): Promise<Uint32Array> {
  const { type, key } = wanted
  const { index } = searched
  return index.cacheDocuments(`package ${key}@${version}`, async () => {
    const covers = createVersionTest(version, toPackageScheme(type))
    const prefix = toPackageVersionPrefix(key)
    const found: Uint32Array[] = []
    let unclear: Uint32Array = new Uint32Array(0)
    for (const { term, documents, count } of await index.findByPrefix(prefix)) {
      if (term === prefix) unclear = unpackDocuments(documents, count)
      else if (covers(unpackShortVersion(term.slice(prefix.length)))) {
        found.push(unpackDocuments(documents, count))
      }
    }
    // The version of a longer term is only in the record.
    const confirmed = await narrowByRecords(searched, unclear, {
      columns: 'all',
      matches: (stored) => {
        const { reported = [] } = fromStoredRecord(stored)
        return selectPackageProducts(reported, wanted).length > 0
      },
    })
    return uniteAll([...found, confirmed])
  })
}

async function narrowByRecords(
  { store, index }: SearchedIndex,
  documents: Uint32Array,
  by: {
    readonly columns: 'products' | 'all'
    readonly matches: (stored: StoredRecord) => boolean
  },
): Promise<Uint32Array> {
  const rowIds = await index.column('rowId')
  const matching = new Uint32Array(documents.length)
  const pause = createYieldIfDue()
  let count = 0
  for (let start = 0; start < documents.length; start += PRODUCT_BATCH) {
    const batch = documents.subarray(start, start + PRODUCT_BATCH)
    const records = await store.readRecords(
      Array.from(batch, (document) => rowIds[document] as number),
      by.columns,
    )
    for (const [at, record] of records.entries()) {
      if (!record) throwGenerationSwept()
      matching[count] = batch[at] as number
      if (by.matches(record)) count += 1
    }
    const turn = pause()
    if (turn) await turn
  }
  return matching.subarray(0, count)
}

/**
 * Returns the documents in which the words follow each other. The documents must ascend and contain
 * all words.
 */
function* narrowToPhrase(
  documents: Uint32Array,
  words: readonly PhraseWord[],
): SteppedWork<Uint32Array> {
  const matching = new Uint32Array(documents.length)
  const rarestFirst = [...words].sort((a, b) => a.positions.length - b.positions.length)
  const [first, ...others] = rarestFirst.map(createPhraseCursor)
  let count = 0
  for (let index = 0; first && index < documents.length; index += 1) {
    const document = documents[index] as number
    if (isPhrase(document, first, others)) matching[count++] = document
    if (index % DOCUMENTS_PER_SLICE === 0) yield
  }
  return matching.subarray(0, count)
}

/** Number of documents per time slice. */
const DOCUMENTS_PER_SLICE = 1024

function isPhrase(document: number, first: PhraseCursor, others: readonly PhraseCursor[]): boolean {
  let starts = first.read(document)
  for (const cursor of others) {
    if (starts.length === 0) return false
    const places = cursor.read(document)
    starts = starts.filter((start) => places.includes(start))
  }
  return starts.length > 0
}

function createPhraseCursor({ offset, documents, positions: bytes }: PhraseWord): PhraseCursor {
  const starts: number[] = []
  let index = 0
  let at = 0
  return {
    read(document) {
      for (; index < documents.length && (documents[index] as number) < document; index += 1) {
        at = skipPositions(bytes, at)
      }
      starts.length = 0
      if (documents[index] !== document) return starts
      let position = 0
      for (let hasMore = true, next = at; hasMore && next < bytes.length; ) {
        let byte = bytes[next++] ?? 0
        let value = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[next++] ?? 0
          value |= (byte & 127) << shift
        }
        hasMore = (value & 1) === 1
        position += value >>> 1
        starts.push(position - offset)
      }
      return starts
    },
  }
}
