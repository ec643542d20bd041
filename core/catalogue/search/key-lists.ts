/**
 * Growing lists of numbers, one for each term, stored in a few large blocks. Separate arrays would
 * be copied as they grow, and leave garbage of several times their size.
 */
export interface KeyLists {
  add(term: number, key: number): void
  /**
   * The keys of a term, unordered, empty if none were added. The next `read` overwrites the result.
   */
  read(term: number): Float64Array
}

export function createKeyLists(): KeyLists {
  const blocks: KeyBlock[] = []
  /** By term: number of keys, and position after the last one. */
  const counts: number[] = []
  const lasts: number[] = []
  let length = 0
  let scratch = new Float64Array(1024)

  return {
    add(term, key) {
      const position = length % BLOCK_KEYS
      if (position === 0) blocks.push(createKeyBlock())
      const block = blocks.at(-1)
      if (!block) return
      while (counts.length <= term) {
        counts.push(0)
        lasts.push(0)
      }
      block.keys[position] = key
      block.befores[position] = lasts[term] ?? 0
      length += 1
      counts[term] = (counts[term] ?? 0) + 1
      lasts[term] = length
    },
    read(term) {
      const count = counts[term] ?? 0
      if (count > scratch.length) scratch = new Float64Array(2 * count)
      const keys = scratch.subarray(0, count)
      let last = lasts[term] ?? 0
      for (let at = 0; last > 0; at += 1) {
        const block = blocks[Math.floor((last - 1) / BLOCK_KEYS)]
        const place = (last - 1) % BLOCK_KEYS
        keys[at] = block?.keys[place] ?? 0
        last = block?.befores[place] ?? 0
      }
      return keys
    },
  }
}

interface KeyBlock {
  readonly keys: Float64Array
  /** Position after the preceding key of the same term; 0 for the first. */
  readonly befores: Int32Array
}

const BLOCK_KEYS = 32 * 1024

function createKeyBlock(): KeyBlock {
  return { keys: new Float64Array(BLOCK_KEYS), befores: new Int32Array(BLOCK_KEYS) }
}
