import { toSha256Hex } from '../shared/digests.ts'

/** Rows in the order of their arrival, as many at a time as go into one short transaction. */
export async function* inBatches<Row>(
  rows: AsyncIterable<Row>,
  size: number,
): AsyncIterable<readonly Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Names the content of an upload, whatever its form and the size of its chunks. */
export interface ContentDigest {
  add(rows: readonly unknown[]): Promise<void>
  /** Hex. */
  value(): string
}

/** Starts a digest with the head: each batch is chained to those before it. */
export async function startDigest(head: unknown): Promise<ContentDigest> {
  let digest = await toSha256Hex(JSON.stringify(head))
  return {
    async add(rows) {
      digest = await toSha256Hex(`${digest}\n${JSON.stringify(rows)}`)
    },
    value: () => digest,
  }
}
