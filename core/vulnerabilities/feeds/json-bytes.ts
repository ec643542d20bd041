/** Parses JSON; undefined, which no JSON value is, if it is invalid. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(TEXT.decode(bytes))
  } catch {
    return undefined
  }
}

/** Parses the elements of a JSON array, without its brackets; undefined if they are invalid. */
export function parseJsonList(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    // The brackets make it an array.
    return JSON.parse(`[${TEXT.decode(bytes)}]`) as readonly unknown[]
  } catch {
    return undefined
  }
}

/** Returns the start of a JSON object up to its first colon; undefined if that is far or missing. */
export function findOpening(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== OPEN_BRACE) return undefined
  const colon = bytes.subarray(0, MAX_OPENING_BYTES).indexOf(COLON)
  return colon < 0 ? undefined : bytes.slice(0, colon + 1)
}

/** Finds `wanted` in `bytes`, except at position 0. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array): number | undefined {
  const first = wanted[0] ?? 0
  for (let at = bytes.indexOf(first, 1); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (hasBytesAt(bytes, at, wanted)) return at
  }
  return undefined
}

/** Returns the last position of `wanted` in `bytes`; -1 if there is none. */
export function findLastBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  const first = wanted[0] ?? 0
  let at = bytes.lastIndexOf(first)
  while (at >= 0 && !hasBytesAt(bytes, at, wanted)) {
    at = at === 0 ? -1 : bytes.lastIndexOf(first, at - 1)
  }
  return at
}

/** True if `bytes` contain `wanted` at a position. */
export function hasBytesAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte)
}

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const COLON = 58
const OPEN_BRACE = 123
const MAX_OPENING_BYTES = 64
