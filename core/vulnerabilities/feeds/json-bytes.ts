/** Parses JSON; undefined, which no JSON value is, if it is invalid. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(TEXT.decode(bytes))
  } catch {
    return undefined
  }
}

/** Parses the elements of a JSON array, without its brackets; undefined if they are invalid. */
export function parseJsonList(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    // The brackets make it an array.
    return JSON.parse(`[${TEXT.decode(bytes)}]`) as readonly unknown[]
  } catch {
    return undefined
  }
}

/** Returns the start of a JSON object up to its first colon; undefined if that is far or missing. */
export function findOpening(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== OPEN_BRACE) return undefined
  const colon = bytes.subarray(0, MAX_OPENING_BYTES).indexOf(COLON)
  return colon < 0 ? undefined : bytes.slice(0, colon + 1)
}

/** Finds `wanted` in `bytes`, except at position 0. */
export function findBytes(bytes: Uint8Array, wanted: Uint8Array): number | undefined {
  const first = wanted[0] ?? 0
  for (let at = bytes.indexOf(first, 1); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (hasBytesAt(bytes, at, wanted)) return at
  }
  return undefined
}

/** Returns the last position of `wanted` in `bytes`; -1 if there is none. */
export function findLastBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  const first = wanted[0] ?? 0
  let at = bytes.lastIndexOf(first)
  while (at >= 0 && !hasBytesAt(bytes, at, wanted)) {
    at = at === 0 ? -1 : bytes.lastIndexOf(first, at - 1)
  }
  return at
}

/** True if `bytes` contain `wanted` at a position. */
export function hasBytesAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte)
}

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const COLON = 58
const OPEN_BRACE = 123
const MAX_OPENING_BYTES = 64

/**
 * Finds the end of a JSON value, chunk by chunk. It tracks only strings, escapes and nesting, and
 * so scans more than a gigabyte per second.
 */
export class ValueScanner {
  /** True between the first byte of a value and its end. */
  isOpen = false
  #isScalar = false
  #depth = 0
  #isInText = false
  /** The last byte was a backslash: the next one is part of the string. */
  #isEscaped = false

  /** Starts a value with its first byte. */
  open(byte: number | undefined): void {
    this.isOpen = true
    this.#isInText = byte === QUOTE
    this.#isEscaped = false
    const isContainer = byte === OPEN_BRACE || byte === OPEN_BRACKET
    this.#depth = isContainer ? 1 : 0
    this.#isScalar = !isContainer && !this.#isInText
  }

  /** Abandons the open value. */
  close(): void {
    this.isOpen = false
  }

  /**
   * Returns the position after the value's end; undefined if the value continues after this chunk.
   */
  advance(chunk: Uint8Array, from: number): number | undefined {
    const end = this.#isScalar ? findDelimiter(chunk, from) : this.#nest(chunk, from)
    if (end !== undefined) this.isOpen = false
    return end
  }

  #nest(piece: Uint8Array, from: number): number | undefined {
    const length = piece.length
    let at = this.#isEscaped ? from + 1 : from
    let depth = this.#depth
    let isInText = this.#isInText
    while (at < length) {
      if (isInText) {
        while (at < length) {
          const byte = piece[at++]
          if (byte === QUOTE) {
            isInText = false
            break
          }
          if (byte === BACKSLASH) at += 1
        }
        if (!isInText && depth === 0) return at
        continue
      }
      const byte = piece[at++]
      if (byte === QUOTE) isInText = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1
        if (depth === 0) return at
      }
    }
    this.#depth = depth
    this.#isInText = isInText
    this.#isEscaped = at > length
    return undefined
  }
}

/** True for white space between JSON tokens (RFC 8259 section 2). */
export function isJsonSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const CLOSE_BRACE = 125

function findDelimiter(chunk: Uint8Array, from: number): number | undefined {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at]
    if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE || isJsonSpace(byte)) {
      return at
    }
  }
  return undefined
}
