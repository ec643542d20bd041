/** Lists of values by key. */
export class ListMap<Key, Value> {
  readonly #lists = new Map<Key, Value[]>()
  readonly #maxLength: number

  /** Lists take at most `maxLength` values, and ignore more. */
  constructor(maxLength = Number.POSITIVE_INFINITY) {
    this.#maxLength = maxLength
  }

  add(key: Key, value: Value): void {
    const list = this.#lists.get(key)
    if (!list) this.#lists.set(key, [value])
    else if (list.length < this.#maxLength) list.push(value)
  }

  /** The values of a key in order of their addition; empty for an unknown key. */
  get(key: Key): readonly Value[] {
    return this.#lists.get(key) ?? NONE
  }
}

const NONE: readonly never[] = []

/** The value of a key that the record itself has, rather than its prototype. */
export function ownEntry<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Whether any of sorted strings begins with a prefix. */
export function hasPrefix(sorted: readonly string[], prefix: string): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < prefix) low = middle + 1
    else high = middle
  }
  return sorted[low]?.startsWith(prefix) ?? false
}
