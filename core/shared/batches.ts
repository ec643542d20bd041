/** Each batch with its items mapped, as it comes. */
export async function* mapBatches<From, To>(
  batches: AsyncIterable<readonly From[]>,
  map: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for await (const batch of batches) yield batch.map(map)
}

/** Items in their order, at most `size` at a time. */
export function* toSlices<Item>(items: readonly Item[], size: number): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
