import { type Budget, createByteBuffer } from './byte-buffer.ts'

/** Reads one direction of a TCP connection, in the order sent. */
export interface StreamReader {
  /**
   * Reads the available bytes and returns the number of consumed bytes. The rest is passed again,
   * followed by more. If the number exceeds the available bytes, the bytes that follow are skipped.
   * Returns -1 to stop reading.
   */
  read(bytes: Uint8Array, span: Span): number
  /** Called at a gap or at the end of the stream: the buffered bytes will not be completed. */
  cut(bytes: Uint8Array, span: Span): void
}

/** A range of bytes. */
export interface Span {
  readonly at: number
  readonly end: number
}

/** A segment of one direction. */
export interface StreamSegment extends Span {
  readonly bytes: Uint8Array
  readonly sequence: number
}

/** One direction of a TCP connection. */
export interface TcpStream {
  /** Sets the number of the next byte, from a SYN. */
  begin(sequence: number): void
  add(segment: StreamSegment): void
  /** Passes the buffered bytes to the reader and releases them. */
  close(): void
  isOver(): boolean
}

interface EarlySegment {
  readonly sequence: number
  readonly bytes: Uint8Array
}

const MAX_EARLY = 32
const MAX_EARLY_BYTES = 1 << 16
const MAX_BUFFERED_BYTES = 1 << 16

/**
 * Orders the segments of one direction. Drops repeated bytes. Buffers up to 32 early segments while
 * bytes are missing, then skips the gap.
 */
export function createTcpStream(reader: StreamReader, budget: Budget): TcpStream {
  const buffer = createByteBuffer(budget)
  let early: EarlySegment[] = []
  let earlyBytes = 0
  let next: number | undefined
  let skip = 0
  let isOver = false

  const dropEarly = () => {
    budget.used -= earlyBytes
    early = []
    earlyBytes = 0
  }
  const finish = () => {
    isOver = true
    buffer.clear()
    dropEarly()
  }
  const readBytes = (bytes: Uint8Array, { at, end }: Span) => {
    const skipped = Math.min(skip, end - at)
    skip -= skipped
    let from = at + skipped
    if (from === end) return
    if (buffer.length() > 0) {
      if (!buffer.append(bytes, { at: from, end })) return finish()
      const used = reader.read(buffer.bytes(), { at: 0, end: buffer.length() })
      if (used === -1) return finish()
      skip = Math.max(0, used - buffer.length())
      buffer.consume(used)
    } else {
      const used = reader.read(bytes, { at: from, end })
      if (used === -1) return finish()
      skip = Math.max(0, used - (end - from))
      from += used
      if (from < end && !buffer.append(bytes, { at: from, end })) return finish()
    }
    if (buffer.length() > MAX_BUFFERED_BYTES) {
      reader.cut(buffer.bytes(), { at: 0, end: buffer.length() })
      buffer.clear()
    }
  }
  const bufferEarly = ({ bytes, at, end, sequence }: StreamSegment) => {
    if (budget.used + end - at > budget.limit) return
    early.push({ sequence, bytes: bytes.slice(at, end) })
    earlyBytes += end - at
    budget.used += end - at
  }
  /** Reads early segments that are now contiguous. */
  const readEarly = () => {
    for (let tries = early.length; tries > 0 && !isOver; tries -= 1) {
      const index = early.findIndex(({ sequence }) => sequenceDistance(sequence, next ?? 0) <= 0)
      const [found] = index === -1 ? [] : early.splice(index, 1)
      if (found === undefined) return
      earlyBytes -= found.bytes.length
      budget.used -= found.bytes.length
      advance({ ...found, at: 0, end: found.bytes.length })
    }
  }
  const advance = ({ bytes, at, end, sequence }: StreamSegment) => {
    const known = -sequenceDistance(sequence, next ?? sequence)
    if (known >= end - at) return
    next = (sequence + end - at) >>> 0
    readBytes(bytes, { at: at + known, end })
  }
  const skipGap = () => {
    if (buffer.length() > 0) reader.cut(buffer.bytes(), { at: 0, end: buffer.length() })
    buffer.clear()
    let nearest: number | undefined
    for (const { sequence } of early) {
      if (nearest === undefined || sequenceDistance(sequence, nearest) < 0) nearest = sequence
    }
    const gap = sequenceDistance(nearest ?? 0, next ?? 0)
    skip = Math.max(0, skip - gap)
    next = nearest
    readEarly()
  }

  return {
    begin(sequence) {
      next ??= sequence
    },
    add(segment) {
      if (isOver) return
      next ??= segment.sequence
      const ahead = sequenceDistance(segment.sequence, next)
      if (ahead > 0) {
        bufferEarly(segment)
        if (early.length > MAX_EARLY || earlyBytes > MAX_EARLY_BYTES) skipGap()
        return
      }
      advance(segment)
      if (early.length > 0) readEarly()
    },
    close() {
      for (let gaps = 0; early.length > 0 && !isOver && gaps <= MAX_EARLY; gaps += 1) skipGap()
      if (!isOver && buffer.length() > 0)
        reader.cut(buffer.bytes(), { at: 0, end: buffer.length() })
      finish()
    },
    isOver: () => isOver,
  }
}

/** Returns the signed distance between sequence numbers, modulo 2^32. */
function sequenceDistance(a: number, b: number): number {
  return (a - b) | 0
}
