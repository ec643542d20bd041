/** Buffered part of a capture. Grows to the longest record and is reused. */
export interface Window {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Bounds of the unread bytes in `bytes`. */
  readonly at: number
  readonly end: number
  /** Number of bytes in the capture before `at`. */
  readonly offset: number
}

/** A window with bytes appended at its end and consumed at its start. */
export interface OpenWindow extends Window {
  append(chunk: Uint8Array): void
  /** Consumes bytes. If the count exceeds the buffered bytes, drops the bytes that follow. */
  consume(count: number): void
}

const FIRST_BYTES = 1 << 16

/** Creates an empty window. */
export function createWindow(): OpenWindow {
  let bytes = new Uint8Array(FIRST_BYTES)
  let view = new DataView(bytes.buffer)
  let [at, end, offset, skip] = [0, 0, 0, 0]
  const ensureCapacity = (count: number) => {
    if (end + count <= bytes.length) return
    const held = end - at
    if (held + count > bytes.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(held + count)))
      larger.set(bytes.subarray(at, end))
      bytes = larger
      view = new DataView(larger.buffer)
    } else {
      bytes.copyWithin(0, at, end)
    }
    at = 0
    end = held
  }
  return {
    get bytes() {
      return bytes
    },
    get view() {
      return view
    },
    get at() {
      return at
    },
    get end() {
      return end
    },
    get offset() {
      return offset
    },
    append(chunk) {
      const skipped = Math.min(skip, chunk.length)
      skip -= skipped
      ensureCapacity(chunk.length - skipped)
      bytes.set(skipped === 0 ? chunk : chunk.subarray(skipped), end)
      end += chunk.length - skipped
    },
    consume(count) {
      const taken = Math.min(count, end - at)
      at += taken
      skip += count - taken
      offset += count
    },
  }
}
