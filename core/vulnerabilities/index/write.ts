import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import type { Load, VulnerabilityStore } from '../store.ts'
import { INDEX_COLUMNS, type IndexColumns, REJECTED, toColumnBytes } from './columns.ts'
import type { Draft } from './draft.ts'
import { createIndexColumns } from './draft-columns.ts'
import type { IndexManifest } from './manifest.ts'
import { type Documents, numberDocuments } from './numbering.ts'
import { createPartWriter } from './part-writer.ts'
import { type IndexedTerm, readTerms } from './read.ts'
import { createRunCursor, type TermCursor, toRunSet } from './runs.ts'
import { createTermMerger } from './term-merge.ts'
import { orderTerms } from './term-order.ts'
import { createTermWriter } from './term-writer.ts'
import { isWordTerm } from './terms.ts'

/** Input of a new version of the index. */
export interface IndexSources {
  readonly store: VulnerabilityStore
  readonly load: Load
  /** The current index; undefined for the first. */
  readonly old: { readonly manifest: IndexManifest; readonly documents: Documents } | undefined
  readonly draft: Draft
  /** By number in the draft: 1 for a removed record. */
  readonly draftDropped: Uint8Array
  /** Called regularly with the number of terms written. An error that it throws ends the work. */
  readonly onTurn: (terms: number) => void
}

/** An index that is written, but not published yet. */
export interface WrittenIndex {
  readonly manifest: IndexManifest
  readonly columns: IndexColumns
}

/**
 * Writes a new version of the index: the current one, without dropped documents, and the draft. Its
 * id is the load's `next`. Reads and writes part by part, so that memory depends only on the draft
 * and the number of documents.
 */
export async function writeIndex(sources: IndexSources): Promise<WrittenIndex> {
  const { store, load, old, draft, draftDropped, onTurn } = sources
  const id = load.next
  const numbering = await runInTimeSlices(
    numberDocuments(old?.documents ?? NO_DOCUMENTS, {
      columns: draft.columns.values,
      count: draft.columns.count,
      dropped: draftDropped,
    }),
  )
  const { documents, columns } = numbering
  const writer = createPartWriter(load, id)
  const terms = createTermWriter(writer, columns.flags)
  const merge = createTermMerger(numbering)
  const pause = createYieldIfDue()
  const cursors = await openCursors(sources)
  const known = createKnownCursor(store, old?.manifest)
  for (const cursor of [known, ...cursors]) await cursor.advance()
  await load.beat()
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
    onTurn(written)
    await turn
  }
  const counts = await terms.end()
  await writer.flush()
  for (const name of INDEX_COLUMNS) await writer.writeSet(name, toColumnBytes(columns[name]))
  const rejected = columns.flags.reduce((sum, flags) => sum + (flags & REJECTED), 0)
  return { manifest: { id, documents, rejected, ...counts }, columns }
}

const NO_DOCUMENTS: Documents = {
  columns: createIndexColumns(0),
  count: 0,
  dropped: new Uint8Array(0),
}

/** Opens cursors over the runs of the draft and over its terms in memory. */
async function openCursors({ store, load, draft }: IndexSources): Promise<readonly TermCursor[]> {
  const cursors: TermCursor[] = []
  for (let run = 0; run < draft.runs; run += 1) {
    cursors.push(createRunCursor(store, toRunSet(load, run)))
  }
  const { terms } = draft
  const { order, texts } = await runInTimeSlices(orderTerms(terms))
  let place = -1
  cursors.push({
    get term() {
      return texts[order[place] ?? -1]
    },
    get postings() {
      return terms.read(order[place] ?? 0)
    },
    advance() {
      place += 1
    },
  })
  return cursors
}

/** Creates a cursor over the terms of an index. */
function createKnownCursor(store: VulnerabilityStore, index: IndexManifest | undefined) {
  const batches = index && readTerms(store, index)
  let batch: readonly IndexedTerm[] = []
  let place = 0

  async function readOn(): Promise<void> {
    const next = await batches?.next()
    batch = next?.value ?? []
    place = 0
  }

  return {
    get term() {
      return batch[place]?.term
    },
    get postings() {
      return batch[place]
    },
    advance(): Promise<void> | undefined {
      place += 1
      return place < batch.length ? undefined : readOn()
    },
  }
}
