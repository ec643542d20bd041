/** Pseudo endpoint ID for the API's own texts. */
export const API_ITSELF = 0

/** Maximum number of endpoints stored for one term of one API: those with the highest weight. */
export const MAX_ENDPOINTS = 4096

/**
 * Combines an endpoint (numeric ID below 2^40, or `API_ITSELF`) and the term's level in it (1 to
 * 255) in one number. Stronger endpoints sort first, then smaller IDs.
 */
export function toEndpointKey(id: number, level: number): number {
  return (MAX_LEVEL - level) * ID_RANGE + id
}

/** Returns the level encoded in an endpoint key. */
export function getKeyLevel(key: number): number {
  return MAX_LEVEL - Math.floor(key / ID_RANGE)
}

/**
 * Packs the keys of the endpoints that contain one term, each endpoint once, strongest first. For
 * each level, stores the level as a byte, then as varints the number of endpoints and the
 * differences of their ascending IDs. Sorts a `Float64Array` in place.
 */
export function packEndpoints(keys: readonly number[] | Float64Array): Uint8Array<ArrayBuffer> {
  const sorted = (keys instanceof Float64Array ? keys : Float64Array.from(keys)).sort()
  const count = Math.min(sorted.length, MAX_ENDPOINTS)
  let length = 0
  const pushVarint = (value: number) => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) packBuffer[length++] = (rest % 128) + 128
    packBuffer[length++] = rest
  }
  for (let start = 0; start < count; ) {
    const level = getKeyLevel(sorted[start] ?? 0)
    const limit = toEndpointKey(0, level - 1)
    let end = start + 1
    while (end < count && (sorted[end] ?? 0) < limit) end += 1
    packBuffer[length++] = level
    pushVarint(end - start)
    let last = toEndpointKey(0, level)
    for (let index = start; index < end; index += 1) {
      const key = sorted[index] ?? 0
      pushVarint(key - last)
      last = key
    }
    start = end
  }
  return packBuffer.slice(0, length)
}

/**
 * Calls `visit` for each packed endpoint, strongest first. Stops early if the bytes are damaged.
 */
export function visitEndpoints(
  bytes: Uint8Array,
  visit: (id: number, level: number) => void,
): void {
  let position = 0
  const read = () => {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = bytes[position] ?? 0
      position += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  while (position < bytes.length) {
    const level = bytes[position] ?? 0
    position += 1
    let id = 0
    for (let left = read(); left > 0 && position < bytes.length; left -= 1) {
      id += read()
      visit(id, level)
    }
  }
}

const MAX_LEVEL = 255
const ID_RANGE = 2 ** 40

/**
 * Reused for each term. Large enough for a level byte and a count per level, and six bytes per ID.
 */
const packBuffer = new Uint8Array(255 * 3 + MAX_ENDPOINTS * 6)
