import { createPause, runInSlices, type SlicedWork } from '../../shared/slices.ts'
import type { Load, VulnerabilityStore } from '../store.ts'
import { INDEX_COLUMNS, type IndexColumns, REJECTED, toColumnBytes } from './columns.ts'
import type { Draft } from './draft.ts'
import { createIndexColumns } from './draft-columns.ts'
import type { IndexManifest } from './manifest.ts'
import { type Documents, numberDocuments } from './numbering.ts'
import { createPartWriter } from './part-writer.ts'
import { type IndexedTerm, readTerms } from './read.ts'
import { sortNumbers } from './sorting.ts'
import { createTermMerger } from './term-merge.ts'
import { createTermWriter } from './term-writer.ts'
import { isWordTerm } from './terms.ts'

/** What a new version of the index is made of. */
export interface IndexSources {
  readonly store: VulnerabilityStore
  readonly load: Load
  /** The index so far; undefined for the first. */
  readonly old: { readonly manifest: IndexManifest; readonly documents: Documents } | undefined
  readonly draft: Draft
  /** By number in the draft: 1 for a record that is left out. */
  readonly draftDropped: Uint8Array
  /** Called now and then with the number of terms written; what it throws ends the work. */
  readonly onTurn: (terms: number) => void
}

/** An index that is written, but not published yet. */
export interface WrittenIndex {
  readonly manifest: IndexManifest
  readonly columns: IndexColumns
}

/**
 * Writes a new version of the index: that so far, without what was dropped, and the draft. Its id
 * is the load's `next`. Reads and writes part by part, so that memory depends on the draft and the
 * number of documents alone.
 */
export async function writeIndex(sources: IndexSources): Promise<WrittenIndex> {
  const { store, load, old, draft, draftDropped, onTurn } = sources
  const id = load.next
  const numbering = await runInSlices(
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
  const pause = createPause()
  const texts = Array.from({ length: draft.terms.count }, (_, term) => draft.terms.textOf(term))
  const order = await runInSlices(orderTexts(texts))
  await load.beat()
  let next = 0
  let written = 0

  function put(term: string, known: IndexedTerm | undefined): Promise<void> | undefined {
    const added = order[next]
    const isAdded = added !== undefined && texts[added] === term
    const bytes = isAdded ? draft.terms.read(added) : undefined
    if (isAdded) next += 1
    terms.add(term, merge({ old: known, draft: bytes, isWord: isWordTerm(term) }))
    written += 1
    return writer.flushWhenLarge() ?? takeTurn()
  }

  function takeTurn(): Promise<void> | undefined {
    const turn = pause()
    if (turn) onTurn(written)
    return turn
  }

  /** Puts the added terms that come before one of the index so far; all that are left without. */
  async function putAdded(before: string | undefined): Promise<void> {
    for (;;) {
      const text = texts[order[next] ?? -1]
      if (text === undefined || (before !== undefined && text >= before)) return
      const turn = put(text, undefined)
      if (turn) await turn
    }
  }

  if (old) {
    for await (const batch of readTerms(store, old.manifest)) {
      for (const known of batch) {
        const text = texts[order[next] ?? -1]
        if (text !== undefined && text < known.term) await putAdded(known.term)
        const turn = put(known.term, known)
        if (turn) await turn
      }
    }
  }
  await putAdded(undefined)
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

function* orderTexts(texts: readonly string[]): SlicedWork<Uint32Array> {
  const order = Uint32Array.from(texts.keys())
  yield* sortNumbers(order, (a, b) => ((texts[a] as string) < (texts[b] as string) ? -1 : 1))
  return order
}
