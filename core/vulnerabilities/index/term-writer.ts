import { type IndexColumns, REJECTED } from './columns.ts'
import { createBlockWriter, POSITION_PART_BYTES, packDirectory } from './dictionary.ts'
import type { IndexManifest } from './manifest.ts'
import { createNameWriter } from './name-writer.ts'
import type { PartWriter } from './part-writer.ts'
import { packDocuments } from './postings.ts'
import type { MergedPostings } from './term-merger.ts'
import { fromPairTerm } from './terms.ts'

/** Writes terms with their postings, and the names in the terms for pairs of vendor and product. */
export interface TermWriter {
  /** Adds a term. Terms must be in the order of `<`; one without documents is skipped. */
  add(term: string, postings: MergedPostings): void
  end(): Promise<WrittenTerms>
}

/** Totals of the terms and names, for the manifest. */
export type WrittenTerms = Pick<
  IndexManifest,
  | 'blocks'
  | 'directoryBytes'
  | 'nameParts'
  | 'positionBytes'
  | 'products'
  | 'vendorBytes'
  | 'vendors'
>

/** `flags` is the column of the documents. */
export function createTermWriter(writer: PartWriter, flags: IndexColumns['flags']): TermWriter {
  const blocks = createBlockWriter()
  const names = createNameWriter(writer)
  let block = 0
  let part = 0
  const buffer = new Uint8Array(POSITION_PART_BYTES)
  let filled = 0

  function addBlock(bytes: Uint8Array | undefined): void {
    if (!bytes) return
    writer.add('terms', block, bytes)
    block += 1
  }

  function addPositions(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const chunk = bytes.subarray(at, at + POSITION_PART_BYTES - filled)
      buffer.set(chunk, filled)
      filled += chunk.length
      at += chunk.length
      if (filled === POSITION_PART_BYTES) endPositions()
    }
  }

  function endPositions(): void {
    if (filled === 0) return
    writer.add('positions', part, buffer.subarray(0, filled))
    part += 1
    filled = 0
  }

  return {
    add(term, { documents, positions }) {
      if (documents.length === 0) return
      const postings = { count: documents.length, documents: packDocuments(documents) }
      addBlock(blocks.add(term, { ...postings, positionBytes: positions.length }))
      addPositions(positions)
      const pair = fromPairTerm(term)
      if (!pair) return
      names.addVendor(pair.vendor)
      if (documents.some((document) => (flags[document] as number) < REJECTED)) names.add(pair)
    },
    async end() {
      addBlock(blocks.end())
      endPositions()
      const { firstVendors, firstKeys, ...written } = await names.end()
      const { firstTerms, positionStarts, positionBytes } = blocks
      const directory = packDirectory({ firstTerms, positionStarts, firstVendors, firstKeys })
      await writer.writeSet('directory', directory)
      return { ...written, blocks: block, directoryBytes: directory.length, positionBytes }
    },
  }
}
