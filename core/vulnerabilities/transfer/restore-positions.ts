import { memoizeByText } from '../../shared/memoize.ts'
import { POSITION_PART_BYTES, readBlock, type TermEntry } from '../index/dictionary.ts'
import { createFieldWriter, type FieldWriter } from '../index/field-writer.ts'
import { writeVarint } from '../index/postings.ts'
import { createTermTable, type TermTable } from '../index/term-table.ts'
import { toProductTerm, toVendorTerm } from '../index/terms.ts'
import { splitWords } from '../index/words.ts'
import type { StoredRecord } from '../store.ts'
import { unpackProductNames } from '../stored/products.ts'
import { createBrokenError } from './archive.ts'
import type { Frame } from './frames.ts'

/**
 * Restores the set `positions`. Archives do not contain it, because they would be a quarter larger.
 * All words of a record are in its line and its products. Methods throw a `ServiceError` with code
 * `invalid_body` if the records do not match the terms.
 */
export interface PositionRestorer {
  /** Adds a part of the set `terms`. */
  addTerms(block: Uint8Array): void
  /** Adds a record after all terms. Document numbers must ascend. */
  addRecord(document: number, record: IndexedColumns): void
  /** Returns the frames of the set. */
  end(): Iterable<Frame>
}

/** Creates a restorer without terms. */
export function createPositionRestorer(): PositionRestorer {
  const words = createTermTable()
  /** By number of the word: the end of its positions among those of all words. */
  const ends: number[] = []
  const vendors = createNameReader(toVendorTerm, words)
  const names = createNameReader(toProductTerm, words)
  let open: { readonly positions: PositionWriter; readonly fields: FieldWriter } | undefined

  function openWriters() {
    const positions = createPositionWriter(ends)
    return { positions, fields: createFieldWriter({ ...words, addAt: positions.addAt }) }
  }

  return {
    addTerms(block) {
      for (const { term, positionBytes } of readTerms(block)) {
        if (positionBytes === 0) continue
        const isNew = words.numberOf(term) === ends.length
        ends.push((ends.at(-1) ?? 0) + positionBytes)
        if (!isNew) throw createBrokenError('its words are mixed up')
      }
    },
    addRecord(document, record) {
      open ??= openWriters()
      const { fields } = open
      const { id, text, products } = readFields(record)
      fields.begin(document)
      fields.addText(id)
      fields.addText(text)
      for (const { vendor, product } of products) {
        for (const name of [vendors(vendor), names(product)]) {
          if (name.use.document === document) continue
          name.use.document = document
          fields.addWords(name.words)
        }
      }
    },
    end: () => splitIntoFrames((open ?? openWriters()).positions.end()),
  }
}

/** The columns that contain all words with positions. */
type IndexedColumns = Pick<StoredRecord, 'line' | 'products'>

interface PositionWriter {
  addAt(word: number, document: number, position: number): void
  end(): Uint8Array
}

/** Packs positions as in `postings.ts`, each at the place that `ends` reserves for the word. */
function createPositionWriter(ends: readonly number[]): PositionWriter {
  const bytes = new Uint8Array(requireSize(ends.at(-1) ?? 0))
  const next = Uint32Array.from(ends, (_, word) => ends[word - 1] ?? 0)
  const documents = new Int32Array(ends.length).fill(-1)
  const positions = new Int32Array(ends.length)
  /** Written once it is known whether another position of the document follows. */
  const pending = new Int32Array(ends.length)

  function write(word: number, hasMore: 0 | 1): void {
    next[word] = writeVarint(bytes, next[word] as number, (pending[word] as number) * 2 + hasMore)
  }

  return {
    addAt(word, document, position) {
      if (word >= ends.length || (next[word] as number) >= (ends[word] as number)) {
        throw createMismatchError()
      }
      if (documents[word] === document) {
        write(word, 1)
        pending[word] = position - (positions[word] as number)
      } else {
        if ((documents[word] as number) >= 0) write(word, 0)
        pending[word] = position
        documents[word] = document
      }
      positions[word] = position
    },
    end() {
      for (const [word, end] of ends.entries()) {
        write(word, 0)
        if (next[word] !== end) throw createMismatchError()
      }
      return bytes
    },
  }
}

/** The positions of 350,000 records take about 50 MB. */
const MAX_BYTES = 1 << 30
const PARTS_PER_FRAME = 16

function readFields({ line, products }: IndexedColumns): {
  readonly id: string
  readonly text: string
  readonly products: ReturnType<typeof unpackProductNames>
} {
  try {
    const { cve_id: id, cve_description: text }: Record<string, unknown> = JSON.parse(line)
    if (typeof id === 'string' && typeof text === 'string') {
      return { id, text, products: unpackProductNames(products) }
    }
  } catch {
    // Refused below, as are texts of other types.
  }
  throw createBrokenError('a record is corrupt')
}

interface Name {
  readonly words: readonly number[]
  /** Document that last used a name with the same term: a record has each term once. */
  readonly use: { document: number }
}

/** Creates a function that reads the words of names, and caches them. */
function createNameReader(
  toTerm: (name: string) => string,
  words: TermTable,
): (name: string) => Name {
  const uses = new Map<string, Name['use']>()
  return memoizeByText((name) => {
    const term = toTerm(name)
    const use = uses.get(term) ?? { document: -1 }
    uses.set(term, use)
    return { words: splitWords(name).map((word) => words.numberOf(word)), use }
  })
}

function readTerms(block: Uint8Array): readonly TermEntry[] {
  try {
    return readBlock(block, 0)
  } catch {
    throw createBrokenError('its words are corrupt')
  }
}

function requireSize(size: number): number {
  if (size > MAX_BYTES) throw createBrokenError('its words have too many positions')
  return size
}

function* splitIntoFrames(bytes: Uint8Array): Generator<Frame> {
  const frameBytes = PARTS_PER_FRAME * POSITION_PART_BYTES
  for (let at = 0; at < bytes.length; at += frameBytes) {
    const body = bytes.subarray(at, at + frameBytes)
    const sizes: number[] = []
    for (let from = 0; from < body.length; from += POSITION_PART_BYTES) {
      sizes.push(Math.min(POSITION_PART_BYTES, body.length - from))
    }
    yield { head: { type: 'set', set: 'positions', first: at / POSITION_PART_BYTES, sizes }, body }
  }
}

function createMismatchError() {
  return createBrokenError('its records do not match its words')
}
