// The products by vendor: parts of JSON, each an array of groups in the order of `<` of vendors.

/** A vendor's products, by code point, each once. */
export type VendorProducts = readonly [vendor: string, products: readonly string[]]

/** Aim of a part; a vendor's products are in one part. */
export const NAMES_BYTES = 32 * 1024

/** A part of the products. */
export function packNames(groups: readonly VendorProducts[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(groups))
}

/** The groups of `packNames`. */
export function unpackNames(bytes: Uint8Array): readonly VendorProducts[] {
  // Only `packNames` wrote it.
  return JSON.parse(decoder.decode(bytes)) as readonly VendorProducts[]
}

/** The products of a vendor in a part of `packNames`, without reading the others; none without it. */
export function findProducts(bytes: Uint8Array, vendor: string): readonly string[] {
  // The end of another name may look like the start of its group.
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
    // Behind the comma, or the bracket that closes the list.
    end = name.lastIndex + 1
  }
  // Only `packNames` wrote it.
  return end === start ? [] : (JSON.parse(text.slice(start - 1, end)) as string[])
}

/** Compares texts by code points, as UTF-8 does and `<` does not. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Halves of characters beyond the first plane rank after all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
