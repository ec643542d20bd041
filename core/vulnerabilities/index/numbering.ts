import type { SteppedWork } from '../../shared/time-slices.ts'
import { INDEX_COLUMNS, type IndexColumns, toCveId } from './columns.ts'
import { createIndexColumns } from './draft-columns.ts'
import { sortNumbers } from './sorting.ts'

/** Documents before they are renumbered. */
export interface Documents {
  readonly columns: IndexColumns
  readonly count: number
  /** By document: 1 for a removed one. */
  readonly dropped: Uint8Array
}

/** The new numbers of documents. */
export interface Numbering {
  readonly documents: number
  readonly columns: IndexColumns
  /** By old number: the new one, or -1. */
  readonly fromOld: Int32Array
  readonly fromDraft: Int32Array
}

/**
 * Numbers the documents of an index (already in order) and those added to it, in order of
 * publication. Among those published at the same instant, the greater id (by code points) comes
 * first. Walking backwards thus returns the newest first, and ids in ascending order.
 */
export function* numberDocuments(old: Documents, draft: Documents): SteppedWork<Numbering> {
  const added = yield* orderAdded(draft)
  const fromOld = new Int32Array(old.count).fill(-1)
  const fromDraft = new Int32Array(draft.count).fill(-1)
  let documents = 0
  let next = 0
  for (let document = 0; document <= old.count; document += 1) {
    if (document % SLICE === 0) yield
    if (old.dropped[document] === 1) continue
    while (next < added.length) {
      const candidate = added[next] as number
      if (document < old.count && isBefore(old.columns, document, draft.columns, candidate)) break
      fromDraft[candidate] = documents
      documents += 1
      next += 1
    }
    if (document === old.count) break
    fromOld[document] = documents
    documents += 1
  }
  const columns = createIndexColumns(documents)
  yield* moveColumns({ from: old.columns, to: columns, numbers: fromOld })
  yield* moveColumns({ from: draft.columns, to: columns, numbers: fromDraft })
  return { documents, columns, fromOld, fromDraft }
}

const SLICE = 4096

function* orderAdded({ columns, count, dropped }: Documents): SteppedWork<Uint32Array> {
  const kept = new Uint32Array(count)
  let size = 0
  for (let document = 0; document < count; document += 1) {
    kept[size] = document
    if (dropped[document] !== 1) size += 1
  }
  const added = kept.subarray(0, size)
  yield* sortNumbers(added, (a, b) => comparePlaces(columns, a, columns, b))
  return added
}

function isBefore(left: IndexColumns, a: number, right: IndexColumns, b: number): boolean {
  return comparePlaces(left, a, right, b) < 0
}

function comparePlaces(left: IndexColumns, a: number, right: IndexColumns, b: number): number {
  const time = (left.publishedAt[a] as number) - (right.publishedAt[b] as number)
  if (time !== 0) return time
  const [one, other] = [toCveId(left.cve[a] as number), toCveId(right.cve[b] as number)]
  return one === other ? 0 : one > other ? -1 : 1
}

function* moveColumns(move: {
  readonly from: IndexColumns
  readonly to: IndexColumns
  readonly numbers: Int32Array
}): SteppedWork<void> {
  const { numbers } = move
  for (const name of INDEX_COLUMNS) {
    const [from, to] = [move.from[name], move.to[name]]
    for (let document = 0; document < numbers.length; document += 1) {
      const number = numbers[document] as number
      if (number >= 0) to[number] = from[document] as number
    }
    yield
  }
}
