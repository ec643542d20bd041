import { type Budget, createHeldBytes } from './held-bytes.ts'

/** What reads one direction of a TCP connection, in the order it was sent. */
export interface StreamReader {
  /**
   * Reads what is there and tells how many bytes of it are done with; the rest is given again with
   * more behind it. More than there are: those are passed over when they come. -1: no more is
   * wanted at all.
   */
  read(bytes: Uint8Array, span: Span): number
  /** Bytes are missing here, or the stream is over: what is held will not be completed. */
  cut(bytes: Uint8Array, span: Span): void
}

/** Part of some bytes. */
export interface Span {
  readonly at: number
  readonly end: number
}

/** A segment of the direction. */
export interface StreamSegment extends Span {
  readonly bytes: Uint8Array
  readonly sequence: number
}

/** One direction of a TCP connection. */
export interface TcpStream {
  /** The number of the next byte, as a SYN says it. */
  begin(sequence: number): void
  add(segment: StreamSegment): void
  /** Gives what is held to the reader, and lets it go. */
  close(): void
  isOver(): boolean
}

interface Early {
  readonly sequence: number
  readonly bytes: Uint8Array
}

const MAX_EARLY = 32
const MAX_EARLY_BYTES = 1 << 16
const MAX_HELD = 1 << 16

/**
 * Puts a direction's segments in order: repeated bytes are dropped, early ones wait for those that
 * are missing, up to 32 segments; then the gap is passed over.
 */
export function createTcpStream(reader: StreamReader, budget: Budget): TcpStream {
  const held = createHeldBytes(budget)
  let early: Early[] = []
  let earlyBytes = 0
  let next: number | undefined
  let skip = 0
  let isOver = false

  const drop = () => {
    budget.used -= earlyBytes
    early = []
    earlyBytes = 0
  }
  const finish = () => {
    isOver = true
    held.clear()
    drop()
  }
  const take = (bytes: Uint8Array, { at, end }: Span) => {
    const skipped = Math.min(skip, end - at)
    skip -= skipped
    let from = at + skipped
    if (from === end) return
    if (held.length() > 0) {
      if (!held.append(bytes, { at: from, end })) return finish()
      const used = reader.read(held.bytes(), { at: 0, end: held.length() })
      if (used === -1) return finish()
      skip = Math.max(0, used - held.length())
      held.take(used)
    } else {
      const used = reader.read(bytes, { at: from, end })
      if (used === -1) return finish()
      skip = Math.max(0, used - (end - from))
      from += used
      if (from < end && !held.append(bytes, { at: from, end })) return finish()
    }
    if (held.length() > MAX_HELD) {
      reader.cut(held.bytes(), { at: 0, end: held.length() })
      held.clear()
    }
  }
  const keepEarly = ({ bytes, at, end, sequence }: StreamSegment) => {
    if (budget.used + end - at > budget.limit) return
    early.push({ sequence, bytes: bytes.slice(at, end) })
    earlyBytes += end - at
    budget.used += end - at
  }
  /** Takes those that follow on what was read. */
  const takeEarly = () => {
    for (let tries = early.length; tries > 0 && !isOver; tries -= 1) {
      const index = early.findIndex(({ sequence }) => distance(sequence, next ?? 0) <= 0)
      const [found] = index === -1 ? [] : early.splice(index, 1)
      if (found === undefined) return
      earlyBytes -= found.bytes.length
      budget.used -= found.bytes.length
      advance({ ...found, at: 0, end: found.bytes.length })
    }
  }
  const advance = ({ bytes, at, end, sequence }: StreamSegment) => {
    const known = -distance(sequence, next ?? sequence)
    if (known >= end - at) return
    next = (sequence + end - at) >>> 0
    take(bytes, { at: at + known, end })
  }
  const passGap = () => {
    if (held.length() > 0) reader.cut(held.bytes(), { at: 0, end: held.length() })
    held.clear()
    let nearest: number | undefined
    for (const { sequence } of early) {
      if (nearest === undefined || distance(sequence, nearest) < 0) nearest = sequence
    }
    const gap = distance(nearest ?? 0, next ?? 0)
    skip = Math.max(0, skip - gap)
    next = nearest
    takeEarly()
  }

  return {
    begin(sequence) {
      next ??= sequence
    },
    add(segment) {
      if (isOver) return
      next ??= segment.sequence
      const ahead = distance(segment.sequence, next)
      if (ahead > 0) {
        keepEarly(segment)
        if (early.length > MAX_EARLY || earlyBytes > MAX_EARLY_BYTES) passGap()
        return
      }
      advance(segment)
      if (early.length > 0) takeEarly()
    },
    close() {
      for (let gaps = 0; early.length > 0 && !isOver && gaps <= MAX_EARLY; gaps += 1) passGap()
      if (!isOver && held.length() > 0) reader.cut(held.bytes(), { at: 0, end: held.length() })
      finish()
    },
    isOver: () => isOver,
  }
}

/** How far one sequence number is ahead of another, round the turn at 2^32. */
function distance(a: number, b: number): number {
  return (a - b) | 0
}
