/** A memory-efficient map from numbers to 32-bit integers. */
export interface NumberMap {
  readonly size: number
  get(key: number): number | undefined
  set(key: number, value: number): void
}

/** `expected` is the approximate number of keys. No key may be NaN. */
export function createNumberMap(expected: number): NumberMap {
  let mask = 1023
  while (mask < expected * SLOTS_PER_KEY) mask = mask * 2 + 1
  let keys = new Float64Array(mask + 1).fill(Number.NaN)
  let values = new Int32Array(mask + 1)
  let size = 0

  function findSlot(key: number): number {
    let slot = hashNumber(key) & mask
    for (;;) {
      const found = keys[slot] as number
      if (found === key || Number.isNaN(found)) return slot
      slot = (slot + 1) & mask
    }
  }

  function rehashKeys(): void {
    const [oldKeys, oldValues] = [keys, values]
    mask = mask * 2 + 1
    keys = new Float64Array(mask + 1).fill(Number.NaN)
    values = new Int32Array(mask + 1)
    for (let slot = 0; slot < oldKeys.length; slot += 1) {
      const key = oldKeys[slot] as number
      if (Number.isNaN(key)) continue
      const to = findSlot(key)
      keys[to] = key
      values[to] = oldValues[slot] as number
    }
  }

  return {
    get size() {
      return size
    },
    get(key) {
      const slot = findSlot(key)
      return Number.isNaN(keys[slot] as number) ? undefined : values[slot]
    },
    set(key, value) {
      const slot = findSlot(key)
      values[slot] = value
      if (!Number.isNaN(keys[slot] as number)) return
      keys[slot] = key
      size += 1
      if (size * SLOTS_PER_KEY > mask) rehashKeys()
    },
  }
}

/** Slots per key. */
const SLOTS_PER_KEY = 1.3

function hashNumber(key: number): number {
  const mixed =
    Math.imul((key % 4294967296) | 0, 0x9e3779b1) ^ Math.imul(key / 4294967296, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
