/** Maps the items of each batch as it arrives. */
export async function* mapBatches<From, To>(
  batches: AsyncIterable<readonly From[]>,
  map: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for await (const batch of batches) yield batch.map(map)
}

/** Splits items into batches of at most `size`, in order. */
export function* splitIntoBatches<Item>(
  items: readonly Item[],
  size: number,
): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
