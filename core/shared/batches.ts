/** Each batch with its items mapped, as it comes. */
export async function* mapBatches<From, To>(
  batches: AsyncIterable<readonly From[]>,
  map: (item: From) => To,
): AsyncIterable<readonly To[]> {
  for await (const batch of batches) yield batch.map(map)
}
