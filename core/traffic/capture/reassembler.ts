/** A fragment of an IP datagram. */
export interface Fragment {
  /** Identifies the datagram by addresses, protocol and identification. */
  readonly key: string
  readonly bytes: Uint8Array
  readonly at: number
  readonly end: number
  /** Position of the fragment in the datagram. */
  readonly offset: number
  readonly hasMore: boolean
}

interface Datagram {
  readonly fragments: { readonly offset: number; readonly bytes: Uint8Array }[]
  /** Known once the last fragment has arrived. */
  length: number | undefined
  /** Total size of all fragments. */
  bufferedBytes: number
}

/** Reassembles fragmented datagrams. */
export interface Reassembler {
  /** Returns the datagram's payload once it is complete. */
  add(fragment: Fragment): Uint8Array | undefined
}

const MAX_DATAGRAMS = 256
const MAX_FRAGMENTS = 64
const MAX_BYTES = 1 << 16
/** Includes overlaps. */
const MAX_BUFFERED_BYTES = 2 * MAX_BYTES

/**
 * Buffers at most 256 datagrams with 64 fragments and 128 KiB each, and evicts the oldest. In
 * overlaps, the fragment with the lower offset wins.
 */
export function createReassembler(): Reassembler {
  const datagrams = new Map<string, Datagram>()
  return {
    add({ key, bytes, at, end, offset, hasMore }) {
      if (offset + end - at > MAX_BYTES) return undefined
      const datagram = datagrams.get(key) ?? { fragments: [], length: undefined, bufferedBytes: 0 }
      if (!datagrams.has(key)) {
        const [oldest] = datagrams.size < MAX_DATAGRAMS ? [] : datagrams.keys()
        if (oldest !== undefined) datagrams.delete(oldest)
        datagrams.set(key, datagram)
      }
      datagram.fragments.push({ offset, bytes: bytes.slice(at, end) })
      datagram.bufferedBytes += end - at
      if (!hasMore) datagram.length = offset + end - at
      const whole = joinFragments(datagram)
      const isFull =
        datagram.fragments.length >= MAX_FRAGMENTS || datagram.bufferedBytes > MAX_BUFFERED_BYTES
      if (whole !== undefined || isFull) datagrams.delete(key)
      return whole
    },
  }
}

function joinFragments({ fragments, length }: Datagram): Uint8Array | undefined {
  if (length === undefined) return undefined
  const whole = new Uint8Array(length)
  let filled = 0
  for (const { offset, bytes } of fragments.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > filled) return undefined
    const fresh = bytes.subarray(filled - offset, Math.max(filled - offset, length - offset))
    whole.set(fresh, filled)
    filled += fresh.length
  }
  return filled >= length ? whole : undefined
}
