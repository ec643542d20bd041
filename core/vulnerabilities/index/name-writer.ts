import { compareCodePoints } from '../../shared/text.ts'
import { toVendorKey } from '../names.ts'
import type { PartWriter } from './part-writer.ts'
import { NAMES_BYTES, packNames, type VendorProducts } from './product-names.ts'

/** Writes the products by vendor, the vendors, and aliases: vendors by a key that is not their name. */
export interface NameWriter {
  /** Adds a pair. Vendors must be in the order of `<`. */
  add(pair: { readonly vendor: string; readonly product: string }): void
  /** Adds a vendor to the aliases, such as one of rejected records only. Same order as `add`. */
  addVendor(vendor: string): void
  end(): Promise<WrittenNames>
}

/** Totals, and the first name of each part of the products and of the aliases. */
export interface WrittenNames {
  readonly vendors: number
  readonly products: number
  readonly nameParts: number
  readonly vendorBytes: number
  readonly firstVendors: readonly string[]
  readonly firstKeys: readonly string[]
}

/** Writes through `writer`, as parts of the same index. */
export function createNameWriter(writer: PartWriter): NameWriter {
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
