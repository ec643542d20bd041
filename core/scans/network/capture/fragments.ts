/** A piece of a datagram that was sent in several packets. */
export interface Fragment {
  /** Of the datagram: addresses, protocol and identification. */
  readonly key: string
  readonly bytes: Uint8Array
  readonly at: number
  readonly end: number
  /** Where the piece belongs in the datagram. */
  readonly offset: number
  readonly hasMore: boolean
}

interface Datagram {
  readonly pieces: { readonly offset: number; readonly bytes: Uint8Array }[]
  /** Known once the last piece is there. */
  length: number | undefined
  /** Of all pieces. */
  held: number
}

/** Puts datagrams together again, a bounded number at a time. */
export interface Reassembler {
  /** The datagram's payload once it is whole. */
  add(fragment: Fragment): Uint8Array | undefined
}

const MAX_DATAGRAMS = 256
const MAX_PIECES = 64
const MAX_BYTES = 1 << 16
/** With what is there twice. */
const MAX_HELD = 2 * MAX_BYTES

/**
 * Holds at most 256 datagrams of 64 pieces and 128 KiB; the oldest gives way. Of overlaps the first
 * counts.
 */
export function createReassembler(): Reassembler {
  const datagrams = new Map<string, Datagram>()
  return {
    add({ key, bytes, at, end, offset, hasMore }) {
      if (offset + end - at > MAX_BYTES) return undefined
      const datagram = datagrams.get(key) ?? { pieces: [], length: undefined, held: 0 }
      if (!datagrams.has(key)) {
        const [oldest] = datagrams.size < MAX_DATAGRAMS ? [] : datagrams.keys()
        if (oldest !== undefined) datagrams.delete(oldest)
        datagrams.set(key, datagram)
      }
      datagram.pieces.push({ offset, bytes: bytes.slice(at, end) })
      datagram.held += end - at
      if (!hasMore) datagram.length = offset + end - at
      const whole = join(datagram)
      const isFull = datagram.pieces.length >= MAX_PIECES || datagram.held > MAX_HELD
      if (whole !== undefined || isFull) datagrams.delete(key)
      return whole
    },
  }
}

function join({ pieces, length }: Datagram): Uint8Array | undefined {
  if (length === undefined) return undefined
  const whole = new Uint8Array(length)
  let filled = 0
  for (const { offset, bytes } of pieces.toSorted((a, b) => a.offset - b.offset)) {
    if (offset > filled) return undefined
    const fresh = bytes.subarray(filled - offset, Math.max(filled - offset, length - offset))
    whole.set(fresh, filled)
    filled += fresh.length
  }
  return filled >= length ? whole : undefined
}
