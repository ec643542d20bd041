/** An endpoint that holds a term, and how strongly. */
export interface WeightedEndpoint {
  /** Numeric id, or `API_ITSELF`. */
  readonly id: number
  /** 1 to 255. */
  readonly level: number
}

/** Stands for the API's own texts in place of an endpoint. */
export const API_ITSELF = 0

/** So many endpoints are kept for one term of one API: the strongest. */
export const MAX_ENDPOINTS = 4096

/**
 * Packs the endpoints that hold a term, strongest first: for each level its number, how many
 * endpoints follow, and the differences of their rising ids, all but the level as varints.
 */
export function packEndpoints(endpoints: readonly WeightedEndpoint[]): Uint8Array<ArrayBuffer> {
  const sorted = endpoints.toSorted((a, b) => b.level - a.level || a.id - b.id)
  const kept = sorted.slice(0, MAX_ENDPOINTS)
  const bytes: number[] = []
  for (let start = 0; start < kept.length; ) {
    const level = kept[start]?.level ?? 0
    let end = start
    while (kept[end]?.level === level) end += 1
    bytes.push(level)
    pushVarint(bytes, end - start)
    let last = 0
    for (const { id } of kept.slice(start, end)) {
      pushVarint(bytes, id - last)
      last = id
    }
    start = end
  }
  return Uint8Array.from(bytes)
}

/** Calls `visit` for each packed endpoint, strongest first. Damaged bytes end the walk early. */
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

function pushVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}
