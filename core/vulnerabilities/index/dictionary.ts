import { writeVarint } from './postings.ts'

// The terms in the order of `<` with their postings, in blocks of about BLOCK_BYTES, one part each.
// An entry starts with two varints: how many bytes of UTF-8 the term shares with the previous one,
// and how many follow. After those bytes there are three more varints: the number of documents,
// their size in bytes, and the size of the positions. The latter is 0 for terms that are not words.
// The entry ends with the documents. The positions of all terms are in another set, in the order of
// terms, cut into parts of POSITION_PART_BYTES.

/** Target size of a block; a term with larger postings has its own block. */
const BLOCK_BYTES = 16 * 1024

/** Size of each part of the positions except the last. */
export const POSITION_PART_BYTES = 32 * 1024

/** Locates the blocks. Readers of the index keep it in memory. */
export interface Directory {
  /** The first term of each block. */
  readonly firstTerms: readonly string[]
  /** Start of the positions of each block's first term. */
  readonly positionStarts: readonly number[]
  /** The first vendor of each part of the products. */
  readonly firstVendors: readonly string[]
  /** The first key of each part of the aliases. */
  readonly firstKeys: readonly string[]
}

/** A term of the dictionary. */
export interface TermEntry {
  readonly term: string
  /** Number of documents that contain it. */
  readonly count: number
  /** Packed, for `unpackDocuments`; shares the block's memory. */
  readonly documents: Uint8Array
  /** Start of its positions among those of all terms, and their size. */
  readonly positionStart: number
  readonly positionBytes: number
}

/** Serialises a directory. */
export function packDirectory(directory: Directory): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(directory))
}

/** Reverses `packDirectory`. */
export function unpackDirectory(bytes: Uint8Array): Directory {
  // The cast is safe: only `packDirectory` writes it.
  return JSON.parse(decoder.decode(bytes)) as Directory
}

/**
 * Returns the index of the last string that is not after `text`; undefined if all are. The strings
 * must ascend.
 */
export function findLastNotAfter(texts: readonly string[], text: string): number | undefined {
  let low = 0
  let high = texts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((texts[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low === 0 ? undefined : low - 1
}

/** Returns the numbers of the blocks that may contain terms with a prefix. */
export function findBlocks(firstTerms: readonly string[], prefix: string): readonly number[] {
  const numbers = firstTerms.length > 0 ? [findLastNotAfter(firstTerms, prefix) ?? 0] : []
  for (let next = (numbers[0] ?? 0) + 1; firstTerms[next]?.startsWith(prefix); next += 1) {
    numbers.push(next)
  }
  return numbers
}

/** Finds a term in the block that `findLastNotAfter` selects; undefined if it is missing. */
export function findEntry(
  block: Uint8Array,
  wanted: { readonly term: string; readonly positionStart: number },
): TermEntry | undefined {
  const { term } = wanted
  const target = encoder.encode(term)
  const cursor: BlockCursor = { block, at: 0 }
  let positionStart = wanted.positionStart
  /** Number of leading bytes that the previous entry shares with the target. */
  let matched = 0
  while (cursor.at < block.length) {
    const shared = readVarint(cursor)
    const added = readVarint(cursor)
    if (shared <= matched) matched = matchBytes(cursor, { target, from: shared, added })
    const isFound = matched === target.length && shared + added === matched
    cursor.at += added
    const entry = readPostings(cursor, { term, positionStart })
    if (isFound) return entry
    positionStart += entry.positionBytes
  }
  return undefined
}

/** Reads all entries of a block, in order. */
export function readBlock(block: Uint8Array, firstPositionStart: number): readonly TermEntry[] {
  const entries: TermEntry[] = []
  const cursor: BlockCursor = { block, at: 0 }
  let positionStart = firstPositionStart
  let bytes = new Uint8Array(256)
  while (cursor.at < block.length) {
    const shared = readVarint(cursor)
    const added = readVarint(cursor)
    if (shared + added > bytes.length) {
      const grown = new Uint8Array((shared + added) * 2)
      grown.set(bytes)
      bytes = grown
    }
    bytes.set(block.subarray(cursor.at, cursor.at + added), shared)
    cursor.at += added
    const term = decoder.decode(bytes.subarray(0, shared + added))
    const entry = readPostings(cursor, { term, positionStart })
    entries.push(entry)
    positionStart += entry.positionBytes
  }
  return entries
}

/** Returns the numbers of the parts that contain an entry's positions. */
export function toPositionParts(entry: TermEntry): readonly number[] {
  if (entry.positionBytes === 0) return []
  const first = Math.floor(entry.positionStart / POSITION_PART_BYTES)
  const last = Math.floor((entry.positionStart + entry.positionBytes - 1) / POSITION_PART_BYTES)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Joins an entry's positions, for `unpackPositions`, from those parts. */
export function joinPositions(entry: TermEntry, parts: readonly Uint8Array[]): Uint8Array {
  const start = entry.positionStart % POSITION_PART_BYTES
  const [only] = parts
  if (only && parts.length === 1) return only.subarray(start, start + entry.positionBytes)
  const joined = new Uint8Array(entry.positionBytes)
  let at = 0
  for (const [index, part] of parts.entries()) {
    const chunk = part.subarray(index === 0 ? start : 0).subarray(0, joined.length - at)
    joined.set(chunk, at)
    at += chunk.length
  }
  return joined
}

/** Collects terms, added in order, into blocks. A block is valid until the next term is added. */
export interface BlockWriter {
  /** Returns the previous block if this term starts a new one. */
  add(
    term: string,
    postings: {
      readonly count: number
      readonly documents: Uint8Array
      readonly positionBytes: number
    },
  ): Uint8Array<ArrayBuffer> | undefined
  /** The last block; undefined when it has no term. */
  end(): Uint8Array<ArrayBuffer> | undefined
  /**
   * First terms of all blocks so far, including the current one, and where the positions of each
   * start.
   */
  readonly firstTerms: readonly string[]
  readonly positionStarts: readonly number[]
  /** Size of the positions of all terms so far. */
  readonly positionBytes: number
}

/** Creates a writer with an empty block. */
export function createBlockWriter(): BlockWriter {
  const firstTerms: string[] = []
  const positionStarts: number[] = []
  let block = new Uint8Array(2 * BLOCK_BYTES)
  let spare = new Uint8Array(2 * BLOCK_BYTES)
  let length = 0
  let before = new Uint8Array(0)
  let positions = 0

  function end(): Uint8Array<ArrayBuffer> | undefined {
    if (length === 0) return undefined
    const ended = block.subarray(0, length)
    // The next block uses other memory.
    ;[block, spare] = [spare, block]
    length = 0
    return ended
  }

  return {
    firstTerms,
    positionStarts,
    get positionBytes() {
      return positions
    },
    end,
    add(term, { count, documents, positionBytes }) {
      const bytes = encoder.encode(term)
      const room = bytes.length + documents.length + 5 * 5
      const ended = length > 0 && length + room > BLOCK_BYTES ? end() : undefined
      if (length === 0) {
        firstTerms.push(term)
        positionStarts.push(positions)
        before = new Uint8Array(0)
        if (room > block.length) block = new Uint8Array(room)
      }
      const shared = countShared(before, bytes)
      length = writeVarint(block, length, shared)
      length = writeVarint(block, length, bytes.length - shared)
      block.set(bytes.subarray(shared), length)
      length += bytes.length - shared
      for (const number of [count, documents.length, positionBytes]) {
        length = writeVarint(block, length, number)
      }
      block.set(documents, length)
      length += documents.length
      positions += positionBytes
      before = bytes
      return ended
    },
  }
}

interface BlockCursor {
  readonly block: Uint8Array
  at: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function readPostings(
  cursor: BlockCursor,
  { term, positionStart }: { readonly term: string; readonly positionStart: number },
): TermEntry {
  const count = readVarint(cursor)
  const bytes = readVarint(cursor)
  const positionBytes = readVarint(cursor)
  const documents = cursor.block.subarray(cursor.at, cursor.at + bytes)
  cursor.at += bytes
  return { term, count, documents, positionStart, positionBytes }
}

function readVarint(cursor: BlockCursor): number {
  let byte = cursor.block[cursor.at++] ?? 0
  let value = byte & 127
  for (let shift = 7; byte > 127; shift += 7) {
    byte = cursor.block[cursor.at++] ?? 0
    value |= (byte & 127) << shift
  }
  // Not negative, so that reading corrupt bytes ends.
  return value >>> 0
}

function matchBytes(
  cursor: BlockCursor,
  { target, from, added }: { readonly target: Uint8Array; from: number; readonly added: number },
): number {
  let matched = 0
  while (matched < added && target[from + matched] === cursor.block[cursor.at + matched]) {
    matched += 1
  }
  return from + matched
}

function countShared(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  let count = 0
  while (count < length && a[count] === b[count]) count += 1
  return count
}
