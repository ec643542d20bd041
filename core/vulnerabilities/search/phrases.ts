import type { SteppedWork } from '../../shared/time-slices.ts'
import { skipPositions } from '../index/postings.ts'

/** A word of a phrase with its occurrences. */
export interface PhraseWord {
  /** Index of the word within the phrase, from 0. */
  readonly offset: number
  /** Documents that contain it, ascending. */
  readonly documents: Uint32Array
  /** Packed, see `index/postings.ts`. */
  readonly positions: Uint8Array
}

/**
 * Returns the documents in which the words follow each other. The documents must ascend and contain
 * all words.
 */
export function* narrowToPhrase(
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

/** Reads where a phrase may start, according to one of its words. */
interface PhraseCursor {
  /** Possible starts in a document, ascending; the array is reused. Documents must ascend. */
  read(document: number): readonly number[]
}

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
