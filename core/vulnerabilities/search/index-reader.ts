import { concatBytesCopy } from '../../shared/bytes.ts'
import { chain, type MaybePromise } from '../../shared/maybe-promise.ts'
import {
  type ColumnName,
  type Columns,
  countColumnParts,
  countParts,
  fromColumnParts,
  type IndexColumns,
  NO_RECORD,
} from '../index/columns.ts'
import {
  type Directory,
  findBlocks,
  findEntry,
  findLastNotAfter,
  joinPositions,
  readBlock,
  type TermEntry,
  toPositionParts,
  unpackDirectory,
} from '../index/dictionary.ts'
import type { IndexManifest } from '../index/manifest.ts'
import { unpackDocuments } from '../index/postings.ts'
import type { CveAuthority } from '../records.ts'
import type { YearCompleteness } from '../service.ts'
import type { VulnerabilityStore } from '../store.ts'
import { readParts, readSet } from './part-reader.ts'
import { countCompleteness, type DocumentSeverities, rateDocuments } from './severities.ts'

/** The documents that contain a term. */
export interface Postings {
  /** Ascending. Shared: must not be modified. */
  readonly documents: Uint32Array
  /** Location of its positions; undefined for a term without documents. */
  readonly entry: TermEntry | undefined
}

/** One version of the index; caches its reads. */
export interface IndexReader {
  readonly manifest: IndexManifest
  column<Name extends keyof IndexColumns>(name: Name): MaybePromise<Columns[Name]>
  /** In the order of the terms; empty for an unknown term. */
  findPostings(terms: readonly string[]): MaybePromise<readonly Postings[]>
  /** Finds the terms that start with a prefix; not cached. */
  findByPrefix(prefix: string): MaybePromise<readonly TermEntry[]>
  /** Caches the documents that `find` returns. No term may equal the key. */
  cacheDocuments(key: string, find: () => Promise<Uint32Array>): Promise<Uint32Array>
  /** Packed positions of a term's documents, for `unpackPositions`. */
  readPositions(entry: TermEntry): MaybePromise<Uint8Array>
  readDirectory(): MaybePromise<Directory>
  /** Two bytes per document, computed once. */
  ratings(): MaybePromise<DocumentSeverities>
  /** Computed once. */
  completeness(): Promise<readonly YearCompleteness[]>
  /**
   * Time of the newest change of a record by authority, in milliseconds since the epoch; negative
   * without records. Computed once.
   */
  newestChanges(): Promise<Readonly<Record<CveAuthority, number>>>
}

/** A cache bounded in bytes, which evicts the least recently used values. */
interface ByteCache<T> {
  /** The cached or pending value of a key; undefined if it must be read. */
  get(key: string): MaybePromise<T> | undefined
  /** Caches a value. Concurrent readers share a pending one. */
  set(key: string, value: MaybePromise<T>): MaybePromise<T>
}

/** Creates a reader of one version of the index with a cache of `cacheBytes` for postings. */
export function createIndexReader(
  store: Pick<VulnerabilityStore, 'readParts'>,
  manifest: IndexManifest,
  cacheBytes: number,
): IndexReader {
  const { id } = manifest
  const columns = createColumnReader(store, id, manifest.documents)
  const postingsCache = createByteCache<Postings>(cacheBytes, ({ documents, entry }) => {
    return documents.byteLength + (entry?.term.length ?? 0)
  })
  const positionsCache = createByteCache<Uint8Array>(cacheBytes / 4, (bytes) => bytes.byteLength)
  let directory: MaybePromise<Directory> | undefined
  let ratings: DocumentSeverities | undefined
  let completeness: readonly YearCompleteness[] | undefined
  let newestChanges: Readonly<Record<CveAuthority, number>> | undefined

  function readDirectory(): MaybePromise<Directory> {
    directory ??= chain(
      readSet(store, { id, name: 'directory' }, countParts(manifest.directoryBytes)),
      (parts) => {
        directory = unpackDirectory(concatBytesCopy(parts))
        return directory
      },
    )
    if (directory instanceof Promise) directory.catch(() => (directory = undefined))
    return directory
  }

  function findInBlocks(
    terms: readonly string[],
    where: Directory,
  ): MaybePromise<readonly Postings[]> {
    const blocks = terms.map((term) => findLastNotAfter(where.firstTerms, term) ?? 0)
    const numbers = [...new Set(blocks)].filter((number) => number < manifest.blocks)
    return chain(readParts(store, { id, name: 'terms' }, numbers), (parts) =>
      terms.map((term, index) => {
        const number = blocks[index] ?? 0
        const block = parts[numbers.indexOf(number)]
        const positionStart = where.positionStarts[number] ?? 0
        const entry = block && findEntry(block, { term, positionStart })
        if (!entry) return { documents: NO_DOCUMENTS, entry: undefined }
        const documents = unpackDocuments(entry.documents, entry.count)
        // Omits the block's memory, which would stay referenced.
        return { documents, entry: { ...entry, documents: NO_BYTES } }
      }),
    )
  }

  const readRatings = (): MaybePromise<DocumentSeverities> =>
    ratings ??
    chain(chainAll([columns('score4'), columns('score3'), columns('score2')]), (scores) => {
      const [score4 = NO_BYTES, score3 = NO_BYTES, score2 = NO_BYTES] = scores
      ratings ??= rateDocuments({ score4, score3, score2 })
      return ratings
    })

  return {
    manifest,
    column: columns,
    readDirectory,
    ratings: readRatings,
    async completeness() {
      const [years, flags] = [await columns('year'), await columns('flags')]
      completeness ??= countCompleteness({ ratings: await readRatings(), years, flags })
      return completeness
    },
    async newestChanges() {
      if (newestChanges) return newestChanges
      // Read once, so not cached.
      const read = createColumnReader(store, id, manifest.documents)
      newestChanges = {
        nvd: findMaximum(await read('nvdModifiedAt')),
        cve: findMaximum(await read('cveModifiedAt')),
      }
      return newestChanges
    },
    findPostings(terms) {
      const known = terms.map((term) => postingsCache.get(term))
      const missing = [...new Set(terms.filter((_, index) => known[index] === undefined))]
      if (missing.length === 0) return chainAll(known.map((each) => each ?? NO_POSTINGS))
      const read = chain(readDirectory(), (where) => findInBlocks(missing, where))
      const added = new Map(
        missing.map((term, index) => [
          term,
          postingsCache.set(
            term,
            chain(read, (found) => found[index] ?? NO_POSTINGS),
          ),
        ]),
      )
      return chainAll(terms.map((term, index) => known[index] ?? added.get(term) ?? NO_POSTINGS))
    },
    findByPrefix(prefix) {
      return chain(readDirectory(), ({ firstTerms }) =>
        chain(readParts(store, { id, name: 'terms' }, findBlocks(firstTerms, prefix)), (blocks) =>
          blocks
            .flatMap((block) => readBlock(block, 0))
            .filter(({ term }) => term.startsWith(prefix)),
        ),
      )
    },
    async cacheDocuments(key, find) {
      const known = postingsCache.get(key)
      if (known) return (await known).documents
      // Copied: the result may be part of a larger array.
      const documents = (await find()).slice()
      postingsCache.set(key, { documents, entry: undefined })
      return documents
    },
    readPositions(entry) {
      const known = positionsCache.get(entry.term)
      if (known) return known
      const parts = readParts(store, { id, name: 'positions' }, toPositionParts(entry))
      const positions = chain(parts, (read) => new Uint8Array(joinPositions(entry, read)))
      return positionsCache.set(entry.term, positions)
    },
  }
}

/** Creates a function that reads columns of one set ID by name, each once. */
export function createColumnReader(
  store: Pick<VulnerabilityStore, 'readParts'>,
  id: number,
  length: number,
): <Name extends ColumnName>(name: Name) => MaybePromise<Columns[Name]> {
  const columns = new Map<ColumnName, MaybePromise<Columns[ColumnName]>>()
  return <Name extends ColumnName>(name: Name) => {
    // The name determines the type of the column.
    const known = columns.get(name) as MaybePromise<Columns[Name]> | undefined
    if (known) return known
    const read = chain(readSet(store, { id, name }, countColumnParts(name, length)), (parts) => {
      const column = fromColumnParts(name, parts)
      columns.set(name, column)
      return column
    })
    if (read instanceof Promise) {
      columns.set(name, read)
      read.catch(() => columns.delete(name))
    }
    return read
  }
}

/** Awaits all values; synchronous unless one of them is a promise. */
export function chainAll<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some((value) => value instanceof Promise)
    ? Promise.all(values)
    : (values as readonly T[])
}

function findMaximum(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), NO_RECORD)
}

const NO_DOCUMENTS = new Uint32Array(0)
const NO_BYTES = new Uint8Array(0)
const NO_POSTINGS: Postings = { documents: NO_DOCUMENTS, entry: undefined }

/** Creates an empty cache; `measure` returns the size of a value in bytes. */
export function createByteCache<T>(maxBytes: number, measure: (value: T) => number): ByteCache<T> {
  const reading = new Map<string, Promise<T>>()
  const values = new Map<string, { readonly value: T; readonly bytes: number }>()
  let total = 0

  function addValue(key: string, value: T): T {
    const bytes = measure(value) + ENTRY_BYTES
    if (values.has(key) || bytes > maxBytes) return value
    values.set(key, { value, bytes })
    total += bytes
    for (const [oldest, { bytes: freed }] of values) {
      if (total <= maxBytes) break
      values.delete(oldest)
      total -= freed
    }
    return value
  }

  return {
    get(key) {
      const known = values.get(key)
      if (!known) return reading.get(key)
      values.delete(key)
      values.set(key, known)
      return known.value
    },
    set(key, value) {
      if (!(value instanceof Promise)) return addValue(key, value)
      reading.set(key, value)
      const forget = () => {
        if (reading.get(key) === value) reading.delete(key)
      }
      value.then(forget, forget)
      return chain(value, (read) => addValue(key, read))
    },
  }
}

/** Approximate size of a key and its entry in the maps. */
const ENTRY_BYTES = 200
