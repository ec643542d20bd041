import { createYieldIfDue } from './time-slices.ts'

/**
 * Computes the SHA-256 of bytes, or of a text as UTF-8, in lower-case hex. Takes about 10 µs in
 * WebCrypto.
 */
export async function toSha256Hex(content: Uint8Array | string): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const digest = await crypto.subtle.digest('SHA-256', bytes as BufferSource)
  let hex = ''
  for (const byte of new Uint8Array(digest)) hex += (byte + 256).toString(16).slice(1)
  return hex
}

/** Incremental digest of content of any size that arrives in batches. */
export interface ContentDigest {
  add(rows: readonly unknown[]): Promise<void>
  /** Hex. */
  value(): string
}

/**
 * Starts a digest with the head. Each batch is chained to the previous digest. Yields to the event
 * loop when due.
 */
export async function startDigest(head: unknown): Promise<ContentDigest> {
  const pause = createYieldIfDue()
  let digest = await toSha256Hex(JSON.stringify(head))
  return {
    async add(rows) {
      const texts: string[] = []
      for (const row of rows) {
        // Same as in an array.
        texts.push(JSON.stringify(row) ?? 'null')
        const turn = pause()
        if (turn) await turn
      }
      digest = await toSha256Hex(`${digest}\n[${texts.join(',')}]`)
    },
    value: () => digest,
  }
}
