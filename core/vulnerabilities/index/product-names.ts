// Products by vendor: parts of JSON, each an array of groups in the order of `<` of vendors.

/** The distinct products of a vendor, sorted by code point. */
export type VendorProducts = readonly [vendor: string, products: readonly string[]]

/** Target size of a part. All products of a vendor are in one part. */
export const NAMES_BYTES = 32 * 1024

/** Serialises a part of the products. */
export function packNames(groups: readonly VendorProducts[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(groups))
}

/** Reverses `packNames`. */
export function unpackNames(bytes: Uint8Array): readonly VendorProducts[] {
  // The cast is safe: only `packNames` writes it.
  return JSON.parse(decoder.decode(bytes)) as readonly VendorProducts[]
}

/** Finds the products of a vendor in a part without parsing the others; empty if it is missing. */
export function findProducts(bytes: Uint8Array, vendor: string): readonly string[] {
  // The end of another name may look like the start of this group.
  if (/^[,\]]/.test(vendor)) {
    return unpackNames(bytes).find(([each]) => each === vendor)?.[1] ?? []
  }
  const text = decoder.decode(bytes)
  const opening = `[${JSON.stringify(vendor)},[`
  const group = text.indexOf(opening)
  if (group < 0) return []
  const start = group + opening.length
  const name = /"[^"\\]*(?:\\.[^"\\]*)*"/y
  let end = start
  while (text[end] === '"') {
    name.lastIndex = end
    name.test(text)
    // After the comma, or after the bracket that closes the list.
    end = name.lastIndex + 1
  }
  // The cast is safe: only `packNames` writes it.
  return end === start ? [] : (JSON.parse(text.slice(start - 1, end)) as string[])
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
