import { concatBytesCopy } from '../../shared/bytes.ts'
import type { Numbering } from './number-documents.ts'
import { skipPositions, unpackDocuments } from './postings.ts'

/** The merged postings of a term. Its arrays are valid until the next merge. */
export interface MergedPostings {
  /** Ascending, in the new numbering. */
  readonly documents: Uint32Array
  /** Packed; empty for terms that are not words. */
  readonly positions: Uint8Array
}

/** Packed postings of a term in the current index. */
export interface PackedPostings {
  readonly count: number
  readonly documents: Uint8Array
  readonly positions: Uint8Array
}

/**
 * Creates a function that merges the postings of a term and renumbers their documents. `old`
 * contains the postings of the current index, `drafts` those of added records, as
 * `TermsBuilder.read` returns them.
 */
export function createTermMerger(
  numbering: Numbering,
): (term: {
  readonly old: PackedPostings | undefined
  readonly drafts: readonly Uint8Array[]
  readonly isWord: boolean
}) => MergedPostings {
  const { documents: total, fromOld, fromAdded } = numbering
  const old = createPostingRun(fromOld.length)
  const draft = createPostingRun(fromAdded.length)
  const spare = createPostingRun(fromAdded.length)
  /**
   * For each document, the index of its posting in a run, plus one. All values are 0 between two
   * terms.
   */
  const slots = new Uint32Array(total)
  const documents = new Uint32Array(total)
  let positions = new Uint8Array(1 << 16)

  return (term) => {
    readIndexPostings(old, { postings: term.old, numbers: fromOld, isWord: term.isWord })
    readAddedPostings(draft, { pieces: term.drafts, numbers: fromAdded, isWord: term.isWord })
    if (!draft.isAscending) sortPostingRun(draft, { spare, slots })
    const bytes = old.bytes.length + draft.bytes.length
    if (bytes > positions.length) positions = new Uint8Array(bytes * 2)
    let length = 0
    let count = 0
    let left = 0
    let right = 0
    while (left < old.count || right < draft.count) {
      const isOld =
        right === draft.count ||
        (left < old.count && (old.numbers[left] as number) < (draft.numbers[right] as number))
      const run = isOld ? old : draft
      const at = isOld ? left++ : right++
      documents[count++] = run.numbers[at] as number
      if (!term.isWord) continue
      const end = run.ends[at] as number
      for (let from = run.starts[at] as number; from < end; from += 1) {
        positions[length++] = run.bytes[from] as number
      }
    }
    return { documents: documents.subarray(0, count), positions: positions.subarray(0, length) }
  }
}

/** New numbers of documents, and where the positions of each are in `bytes`. */
interface PostingRun {
  count: number
  isAscending: boolean
  bytes: Uint8Array
  numbers: Uint32Array
  starts: Uint32Array
  ends: Uint32Array
}

const NO_BYTES = new Uint8Array(0)

function createPostingRun(size: number): PostingRun {
  return {
    count: 0,
    isAscending: true,
    bytes: NO_BYTES,
    numbers: new Uint32Array(size),
    starts: new Uint32Array(size),
    ends: new Uint32Array(size),
  }
}

function readIndexPostings(
  run: PostingRun,
  from: {
    readonly postings: PackedPostings | undefined
    readonly numbers: Int32Array
    readonly isWord: boolean
  },
): void {
  run.count = 0
  run.bytes = from.postings?.positions ?? NO_BYTES
  if (!from.postings) return
  const documents = unpackDocuments(from.postings.documents, from.postings.count)
  let count = 0
  let at = 0
  for (let index = 0; index < documents.length; index += 1) {
    const start = at
    if (from.isWord) at = skipPositions(run.bytes, at)
    const number = from.numbers[documents[index] as number] as number
    if (number < 0) continue
    run.numbers[count] = number
    run.starts[count] = start
    run.ends[count] = at
    count += 1
  }
  run.count = count
}

function readAddedPostings(
  run: PostingRun,
  from: {
    readonly pieces: readonly Uint8Array[]
    readonly numbers: Int32Array
    readonly isWord: boolean
  },
): void {
  const { pieces, numbers, isWord } = from
  const [only = NO_BYTES] = pieces
  const bytes = pieces.length > 1 ? concatBytesCopy(pieces) : only
  run.bytes = bytes
  run.isAscending = true
  let count = 0
  let before = -1
  let at = 0
  let end = 0
  for (const piece of pieces) {
    end += piece.length
    let document = -1
    while (at < end) {
      let byte = bytes[at++] as number
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] as number
        value |= (byte & 127) << shift
      }
      document += value
      const start = at
      if (isWord) at = skipPositions(bytes, at)
      const number = numbers[document] as number
      if (number < 0) continue
      if (number < before) run.isAscending = false
      before = number
      run.numbers[count] = number
      run.starts[count] = start
      run.ends[count] = at
      count += 1
    }
  }
  run.count = count
}

/**
 * If a run contains a smaller share of all documents, it is sorted by keys; otherwise by marking.
 */
const MARKED_SHARE = 1 / 64

function sortPostingRun(
  run: PostingRun,
  memory: { readonly spare: PostingRun; readonly slots: Uint32Array },
): void {
  const { count, numbers, starts, ends } = run
  const { spare, slots } = memory
  run.numbers = spare.numbers
  run.starts = spare.starts
  run.ends = spare.ends
  let position = 0
  const take = (index: number) => {
    run.numbers[position] = numbers[index] as number
    run.starts[position] = starts[index] as number
    run.ends[position] = ends[index] as number
    position += 1
  }
  if (count > slots.length * MARKED_SHARE) {
    for (let index = 0; index < count; index += 1) slots[numbers[index] as number] = index + 1
    for (let document = 0; position < count; document += 1) {
      const slot = slots[document] as number
      if (slot === 0) continue
      slots[document] = 0
      take(slot - 1)
    }
  } else {
    // Combines number and index: the number is below 2 ** 29, the index below 2 ** 24.
    const keys = new Float64Array(count)
    for (let index = 0; index < count; index += 1) {
      keys[index] = (numbers[index] as number) * INDEX_RANGE + index
    }
    keys.sort()
    for (let index = 0; index < count; index += 1) take((keys[index] as number) % INDEX_RANGE)
  }
  spare.numbers = numbers
  spare.starts = starts
  spare.ends = ends
}

const INDEX_RANGE = 2 ** 24
