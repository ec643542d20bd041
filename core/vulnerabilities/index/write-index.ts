import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import type { Load, VulnerabilityStore } from '../store.ts'
import { INDEX_COLUMNS, type IndexColumns, REJECTED, toColumnBytes } from './columns.ts'
import { createIndexColumns } from './columns-builder.ts'
import type { IndexBuilder } from './index-builder.ts'
import type { IndexManifest } from './manifest.ts'
import { type Documents, numberDocuments } from './number-documents.ts'
import { createPartWriter } from './part-writer.ts'
import { type IndexedTerm, readTerms } from './read-index.ts'
import { createRunCursor, type TermCursor, toRunSet } from './runs.ts'
import { sortTerms } from './sort-terms.ts'
import { createTermMerger } from './term-merger.ts'
import { createTermWriter } from './term-writer.ts'
import { isWordTerm } from './terms.ts'

/** Input of a new version of the index. */
export interface IndexSources {
  readonly store: VulnerabilityStore
  readonly load: Load
  /** The current index; undefined for the first. */
  readonly old: { readonly manifest: IndexManifest; readonly documents: Documents } | undefined
  readonly builder: IndexBuilder
  /** By number in the builder: 1 for a removed record. */
  readonly builderDropped: Uint8Array
  /** Called regularly with the number of terms written. An error that it throws ends the work. */
  readonly onProgress: (terms: number) => void
}

/** An index that is written, but not published yet. */
export interface WrittenIndex {
  readonly manifest: IndexManifest
  readonly columns: IndexColumns
}

/**
 * Writes a new version of the index, with the documents of the current version that were not
 * dropped and those of the builder. Its ID is the load's `nextId`. Reads and writes part by part, so
 * that memory depends only on the builder and the number of documents.
 */
export async function writeIndex(sources: IndexSources): Promise<WrittenIndex> {
  const { store, load, old, builder, builderDropped, onProgress } = sources
  const id = load.nextId
  const numbering = await runInTimeSlices(
    numberDocuments(old?.documents ?? NO_DOCUMENTS, {
      columns: builder.columns.values,
      count: builder.columns.count,
      dropped: builderDropped,
    }),
  )
  const { documents, columns } = numbering
  const writer = createPartWriter(load, id)
  const terms = createTermWriter(writer, columns.flags)
  const merge = createTermMerger(numbering)
  const pause = createYieldIfDue()
  const cursors = await openCursors(sources)
  const known = createIndexCursor(store, old?.manifest)
  for (const cursor of [known, ...cursors]) await cursor.advance()
  await load.renew()
  let written = 0
  for (;;) {
    let term = known.term
    for (const cursor of cursors) {
      if (cursor.term !== undefined && (term === undefined || cursor.term < term)) {
        term = cursor.term
      }
    }
    if (term === undefined) break
    const having = cursors.filter((cursor) => cursor.term === term)
    const isKnown = known.term === term
    const merged = merge({
      old: isKnown ? known.postings : undefined,
      drafts: having.map((cursor) => cursor.postings),
      isWord: isWordTerm(term),
    })
    terms.add(term, merged)
    written += 1
    const work = [
      isKnown ? known.advance() : undefined,
      ...having.map((cursor) => cursor.advance()),
      writer.flushWhenLarge(),
    ]
    for (const wait of work) if (wait) await wait
    const turn = pause()
    if (!turn) continue
    onProgress(written)
    await turn
  }
  const counts = await terms.end()
  await writer.flush()
  for (const name of INDEX_COLUMNS) await writer.writeSet(name, toColumnBytes(columns[name]))
  const rejected = columns.flags.reduce((sum, flags) => sum + (flags >= REJECTED ? 1 : 0), 0)
  return { manifest: { id, documents, rejected, ...counts }, columns }
}

const NO_DOCUMENTS: Documents = {
  columns: createIndexColumns(0),
  count: 0,
  dropped: new Uint8Array(0),
}

/** Opens cursors over the runs of the builder and over its terms in memory. */
async function openCursors({ store, load, builder }: IndexSources): Promise<readonly TermCursor[]> {
  const cursors: TermCursor[] = []
  for (let run = 0; run < builder.runs; run += 1) {
    cursors.push(createRunCursor(store, toRunSet(load, run)))
  }
  const { terms } = builder
  const { order, texts } = await runInTimeSlices(sortTerms(terms))
  let position = -1
  cursors.push({
    get term() {
      return texts[order[position] ?? -1]
    },
    get postings() {
      return terms.read(order[position] ?? 0)
    },
    advance() {
      position += 1
    },
  })
  return cursors
}

/** Creates a cursor over the terms of an index. */
function createIndexCursor(store: VulnerabilityStore, index: IndexManifest | undefined) {
  const batches = index && readTerms(store, index)
  let batch: readonly IndexedTerm[] = []
  let position = 0

  async function readNextBatch(): Promise<void> {
    const next = await batches?.next()
    batch = next?.value ?? []
    position = 0
  }

  return {
    get term() {
      return batch[position]?.term
    },
    get postings() {
      return batch[position]
    },
    advance(): Promise<void> | undefined {
      position += 1
      return position < batch.length ? undefined : readNextBatch()
    },
  }
}
