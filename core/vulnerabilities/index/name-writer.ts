import { compareCodePoints } from '../../shared/text.ts'
import type { PartWriter } from './part-writer.ts'
import { NAMES_BYTES, packNames, type VendorProducts } from './product-names.ts'

/** Writes the products by vendor, and the vendors. */
export interface NameWriter {
  /** Adds a pair. Vendors must be in the order of `<`. */
  add(pair: { readonly vendor: string; readonly product: string }): void
  end(): Promise<WrittenNames>
}

/** Totals, and the first vendor of each part of the products. */
export interface WrittenNames {
  readonly vendors: number
  readonly products: number
  readonly nameParts: number
  readonly vendorBytes: number
  readonly firstVendors: readonly string[]
}

/** Writes through `writer`, as parts of the same index. */
export function createNameWriter(writer: PartWriter): NameWriter {
  const vendors: string[] = []
  const firstVendors: string[] = []
  let groups: VendorProducts[] = []
  let size = 0
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

  return {
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
      }
    },
  }
}

const encoder = new TextEncoder()
