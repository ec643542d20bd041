import type { SlicedWork } from '../../shared/slices.ts'
import { skipPositions } from '../index/postings.ts'

/** A word of a phrase with where it occurs. */
export interface PhraseWord {
  /** Of the word within the phrase, from 0. */
  readonly offset: number
  /** That hold it, ascending. */
  readonly documents: Uint32Array
  /** Packed, see `index/postings.ts`. */
  readonly positions: Uint8Array
}

/** Those of ascending documents, all of which hold all words, in which they follow each other. */
export function* narrowToPhrase(
  documents: Uint32Array,
  words: readonly PhraseWord[],
): SlicedWork<Uint32Array> {
  const [rarest, ...others] = [...words].sort((a, b) => a.positions.length - b.positions.length)
  if (!rarest) return documents
  let places = yield* listPlaces(documents, rarest)
  for (const word of others) places = yield* keepPlaces(places, word)
  const found = new Uint32Array(new Set(places.documents))
  return found
}

/** Where a phrase may begin: pairs of document and position, ascending. */
interface Places {
  readonly documents: readonly number[]
  readonly starts: readonly number[]
}

/** So many documents between two chances to pause. */
const SLICE_DOCUMENTS = 4096

function* listPlaces(documents: Uint32Array, word: PhraseWord): SlicedWork<Places> {
  const places = { documents: [] as number[], starts: [] as number[] }
  const cursor = createCursor(word)
  for (let index = 0; index < documents.length; index += 1) {
    const document = documents[index] as number
    for (const position of cursor.read(document)) {
      places.documents.push(document)
      places.starts.push(position - word.offset)
    }
    if (index % SLICE_DOCUMENTS === 0) yield
  }
  return places
}

function* keepPlaces(places: Places, word: PhraseWord): SlicedWork<Places> {
  const kept = { documents: [] as number[], starts: [] as number[] }
  const cursor = createCursor(word)
  let current = -1
  let positions: readonly number[] = []
  for (const [index, document] of places.documents.entries()) {
    if (document !== current) positions = cursor.read(document)
    current = document
    const start = places.starts[index] as number
    if (positions.includes(start + word.offset)) {
      kept.documents.push(document)
      kept.starts.push(start)
    }
    if (index % SLICE_DOCUMENTS === 0) yield
  }
  return kept
}

/** Reads the positions of ascending documents; the array that `read` gives is used again. */
function createCursor({ documents, positions: bytes }: PhraseWord): {
  read(document: number): readonly number[]
} {
  const positions: number[] = []
  let index = 0
  let at = 0
  return {
    read(document) {
      for (; index < documents.length && (documents[index] as number) < document; index += 1) {
        at = skipPositions(bytes, at)
      }
      positions.length = 0
      if (documents[index] !== document) return positions
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
        positions.push(position)
      }
      return positions
    },
  }
}
