import { compareCodePoints } from '../../shared/text.ts'
import { toVendorKey } from '../names.ts'
import { type IndexColumns, REJECTED } from './columns.ts'
import { createBlockWriter, POSITION_PART_BYTES, packDirectory } from './dictionary.ts'
import type { IndexManifest } from './manifest.ts'
import type { PartWriter } from './part-writer.ts'
import { packDocuments } from './postings.ts'
import { NAMES_BYTES, packNames, type VendorProducts } from './product-names.ts'
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

/** Writes the products by vendor, the vendors, and aliases: vendors by a key that is not their name. */
interface NameWriter {
  /** Adds a pair. Vendors must be in the order of `<`. */
  add(pair: { readonly vendor: string; readonly product: string }): void
  /** Adds a vendor to the aliases, such as one of rejected records only. Same order as `add`. */
  addVendor(vendor: string): void
  end(): Promise<WrittenNames>
}

/** Totals, and the first name of each part of the products and of the aliases. */
interface WrittenNames {
  readonly vendors: number
  readonly products: number
  readonly nameParts: number
  readonly vendorBytes: number
  readonly firstVendors: readonly string[]
  readonly firstKeys: readonly string[]
}

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

/** Writes through `writer`, as parts of the same index. */
function createNameWriter(writer: PartWriter): NameWriter {
  const vendors: string[] = []
  const firstVendors: string[] = []
  let groups: VendorProducts[] = []
  let size = 0
  const byKey = new Map<string, string[]>()
  let lastVendor: string | undefined
  let current: { readonly vendor: string; readonly products: string[] } | undefined
  let products = 0

  function endVendor(): void {
    if (!current) return
    const { vendor, products: names } = current
    vendors.push(vendor)
    groups.push([vendor, names.sort(compareCodePoints)])
    current = undefined
    if (size >= NAMES_BYTES) endPart()
  }

  function endPart(): void {
    const [first] = groups
    if (!first) return
    writer.add('products', firstVendors.length, packNames(groups))
    firstVendors.push(first[0])
    groups = []
    size = 0
  }

  function writeAliases(): readonly string[] {
    const firstKeys: string[] = []
    let part: VendorProducts[] = []
    let bytes = 0
    const aliases = [...byKey].filter(([key, [first, other]]) => first !== key || other)
    for (const [key, names] of aliases.sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (bytes >= NAMES_BYTES) {
        writer.add('aliases', firstKeys.length - 1, packNames(part))
        part = []
      }
      if (part.length === 0) {
        firstKeys.push(key)
        bytes = 0
      }
      part.push([key, names])
      bytes += key.length + names.reduce((sum, name) => sum + name.length + 3, 0)
    }
    if (part.length > 0) writer.add('aliases', firstKeys.length - 1, packNames(part))
    return firstKeys
  }

  return {
    addVendor(vendor) {
      if (vendor === lastVendor) return
      lastVendor = vendor
      const key = toVendorKey(vendor)
      const known = byKey.get(key)
      if (known) known.push(vendor)
      else byKey.set(key, [vendor])
    },
    add({ vendor, product }) {
      if (current?.vendor !== vendor) {
        endVendor()
        current = { vendor, products: [] }
        size += vendor.length
      }
      current.products.push(product)
      size += product.length + 3
      products += 1
    },
    async end() {
      endVendor()
      endPart()
      const bytes = encoder.encode(JSON.stringify(vendors.sort(compareCodePoints)))
      await writer.writeSet('vendors', bytes)
      return {
        vendors: vendors.length,
        products,
        nameParts: firstVendors.length,
        vendorBytes: bytes.length,
        firstVendors,
        firstKeys: writeAliases(),
      }
    },
  }
}

const encoder = new TextEncoder()
