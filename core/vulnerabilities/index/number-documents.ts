import type { SteppedWork } from '../../shared/time-slices.ts'
import { INDEX_COLUMNS, type IndexColumns, toCveId } from './columns.ts'
import { createIndexColumns } from './columns-builder.ts'
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
  readonly fromAdded: Int32Array
}

/**
 * Numbers the documents of an index (already in order) and those added to it, in order of
 * publication. Among those published at the same instant, the greater ID (by code points) comes
 * first. Walking backwards thus returns the newest first, and IDs in ascending order.
 */
export function* numberDocuments(old: Documents, added: Documents): SteppedWork<Numbering> {
  const sorted = yield* sortAdded(added)
  const fromOld = new Int32Array(old.count).fill(-1)
  const fromDraft = new Int32Array(added.count).fill(-1)
  let documents = 0
  let next = 0
  for (let document = 0; document <= old.count; document += 1) {
    if (document % DOCUMENTS_PER_SLICE === 0) yield
    if (old.dropped[document] === 1) continue
    while (next < sorted.length) {
      const candidate = sorted[next] as number
      if (
        document < old.count &&
        isPublishedBefore(old.columns, document, added.columns, candidate)
      )
        break
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
  yield* moveColumns({ from: added.columns, to: columns, numbers: fromDraft })
  return { documents, columns, fromOld, fromAdded: fromDraft }
}

const DOCUMENTS_PER_SLICE = 4096

function* sortAdded({ columns, count, dropped }: Documents): SteppedWork<Uint32Array> {
  const remaining = new Uint32Array(count)
  let size = 0
  for (let document = 0; document < count; document += 1) {
    remaining[size] = document
    if (dropped[document] !== 1) size += 1
  }
  const added = remaining.subarray(0, size)
  yield* sortNumbers(added, (a, b) => comparePublication(columns, a, columns, b))
  return added
}

function isPublishedBefore(left: IndexColumns, a: number, right: IndexColumns, b: number): boolean {
  return comparePublication(left, a, right, b) < 0
}

function comparePublication(left: IndexColumns, a: number, right: IndexColumns, b: number): number {
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
