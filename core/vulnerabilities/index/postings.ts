// The documents of a term, ascending, have the smaller of two forms: differences as varints, or a
// bitmap. The length distinguishes them: varints take at least one byte per document, a bitmap
// takes less.
//
// The positions of a word are differences as varints, for each document in order. The first
// difference is from 0. A difference is doubled, plus one if another position of the document
// follows. Positions count the words of a record's fields, with a gap of at least one between two
// fields. Adjacent words of a field therefore have consecutive positions.

/** Packs ascending, distinct document numbers. */
export function packDocuments(documents: Uint32Array): Uint8Array<ArrayBuffer> {
  const count = documents.length
  const last = documents[count - 1] ?? 0
  if ((last >>> 3) + 1 < count) return packBitmap(documents)
  const bytes = new Uint8Array(measureDifferences(documents))
  let at = 0
  let before = 0
  for (let index = 0; index < count; index += 1) {
    const document = documents[index] as number
    at = writeVarint(bytes, at, document - before)
    before = document
  }
  return bytes
}

/**
 * Reverses `packDocuments` for `count` documents. Corrupt bytes result in wrong documents, never in
 * an error.
 */
export function unpackDocuments(bytes: Uint8Array, count: number): Uint32Array<ArrayBuffer> {
  const documents = new Uint32Array(count)
  if (bytes.length < count) return unpackBitmap(bytes, documents)
  let at = 0
  let document = 0
  for (let index = 0; index < count; index += 1) {
    let byte = bytes[at++] ?? 0
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0
      value |= (byte & 127) << shift
    }
    document += value
    documents[index] = document
  }
  return documents
}

/** The positions of a word in each of its documents. */
export interface Positions {
  /** Start of each document's positions in `values`, and the end of the last. */
  readonly starts: Uint32Array
  /** Ascending within a document. */
  readonly values: Uint32Array
}

/** Unpacks the positions of a word in `count` documents. */
export function unpackPositions(bytes: Uint8Array, count: number): Positions {
  const starts = new Uint32Array(count + 1)
  const values = new Uint32Array(bytes.length)
  let at = 0
  let found = 0
  for (let index = 0; index < count; index += 1) {
    let position = 0
    for (let hasMore = true; hasMore && at < bytes.length; ) {
      let byte = bytes[at++] ?? 0
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        value |= (byte & 127) << shift
      }
      hasMore = (value & 1) === 1
      position += value >>> 1
      values[found] = position
      found += 1
    }
    starts[index + 1] = found
  }
  return { starts, values: values.subarray(0, found) }
}

/** Skips the positions of one document, which start at `at`; returns where the next ones start. */
export function skipPositions(bytes: Uint8Array, at: number): number {
  let next = at
  for (let hasMore = true; hasMore && next < bytes.length; ) {
    hasMore = ((bytes[next] as number) & 1) === 1
    while ((bytes[next++] ?? 0) > 127);
  }
  return next
}

/** Writes a non-negative integer below 2^31 at a position; returns the position after it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value
  let next = at
  while (rest > 127) {
    bytes[next++] = (rest & 127) | 128
    rest >>>= 7
  }
  bytes[next++] = rest
  return next
}

/** Returns the number of bytes that `writeVarint` writes. */
export function measureVarint(value: number): number {
  if (value < 128) return 1
  if (value < 16_384) return 2
  if (value < 2_097_152) return 3
  return value < 268_435_456 ? 4 : 5
}

function measureDifferences(documents: Uint32Array): number {
  let bytes = 0
  let before = 0
  for (let index = 0; index < documents.length; index += 1) {
    const document = documents[index] as number
    bytes += measureVarint(document - before)
    before = document
  }
  return bytes
}

function packBitmap(documents: Uint32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(((documents[documents.length - 1] ?? 0) >>> 3) + 1)
  for (let index = 0; index < documents.length; index += 1) {
    const document = documents[index] as number
    bytes[document >>> 3] = (bytes[document >>> 3] as number) | (1 << (document & 7))
  }
  return bytes
}

function unpackBitmap(
  bytes: Uint8Array,
  documents: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  let found = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const first = at << 3
    for (let bits = bytes[at] as number; bits !== 0; bits &= bits - 1) {
      documents[found++] = first + (31 - Math.clz32(bits & -bits))
    }
  }
  return documents
}
