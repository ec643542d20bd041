import { createYieldIfDue } from '../shared/time-slices.ts'

/** Maps sent rows one by one. */
export async function* mapRows<From, To>(
  rows: AsyncIterable<From>,
  map: (row: From) => To,
): AsyncIterable<To> {
  for await (const row of rows) yield map(row)
}

/** Maps the items of batches, yielding to the event loop. */
export async function* mapBatchItems<From, To>(
  batches: AsyncIterable<readonly From[]>,
  map: (item: From) => Promise<To>,
): AsyncIterable<readonly To[]> {
  const pause = createYieldIfDue()
  for await (const batch of batches) {
    const mapped: To[] = []
    for (const item of batch) mapped.push(await map(item))
    yield mapped
    // In-process storage and a fast reader would otherwise block the event loop.
    await pause()
  }
}
