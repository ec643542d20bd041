import { ServiceError } from '../../errors.ts'
import { findCveId } from './cve-id.ts'
import type { FeedProblem } from './events.ts'
import {
  findBytes,
  findLastBytes,
  findOpening,
  hasBytesAt,
  isJsonSpace,
  parseJsonBytes,
  parseJsonList,
  ValueScanner,
} from './json-bytes.ts'

/** Options of `ItemScanner`. */
export interface ItemScannerOptions {
  /** Top-level members whose arrays contain the items. */
  readonly names: readonly string[]
  /**
   * Maximum size of an item; a longer one is reported as a problem. It also limits all other
   * members together.
   */
  readonly maxItemBytes: number
}

/**
 * Finds the items of a JSON document that arrives in chunks, and parses each with `JSON.parse`.
 * Memory is bounded by the longest item. After a broken item, the rest of its array is scanned for
 * items, too.
 *
 * The end of a broken item may be unclear. The scanner then searches for the next position that
 * begins like the first item, such as `{"cve":`, which cannot occur in a JSON string. It reads
 * again from there.
 */
export class ItemScanner {
  /** True once an array of items began: a member of `names`, or the document itself. */
  hasItems = false
  /** The other top-level members. */
  readonly members = new Map<string, unknown>()
  /** Why the rest of the document cannot be read. */
  failure: ServiceError | undefined

  readonly #options: ItemScannerOptions
  readonly #value = new ValueScanner()
  #items: unknown[] = []
  #problems: FeedProblem[] = []
  #place: ScannerState = 'start'
  #isBareArray = false
  /** Name of the member that is being read. */
  #key = ''
  #memberBytes = 0
  /** Start of the open value in the current chunk. */
  #start = 0
  /** Bytes of the open value in earlier chunks. */
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  /** The open value is too long and is discarded. */
  #isDropped = false
  /** Start of the first item, up to its first colon. */
  #opening: Uint8Array | undefined
  #rereadBytes = 0
  #failedParses = 0

  constructor(options: ItemScannerOptions) {
    this.#options = options
  }

  /** Scans the next chunk of the document. */
  push(chunk: Uint8Array): void {
    const queue = [chunk]
    for (let part = queue.pop(); part && !this.failure; part = queue.pop()) {
      const again = this.#scan(part)
      if (again) queue.push(part.subarray(again.end), again.bytes)
    }
  }

  /** Marks the end of the document. */
  end(): void {
    while (this.#value.isOpen && this.#place === 'item' && !this.#isDropped) {
      const again = this.#reject(this.#collect(NO_BYTES), 'is truncated')
      if (!again) break
      this.push(again)
    }
    if (this.#place !== 'end')
      this.#fail(this.#place === 'start' ? 'it is empty' : 'it is truncated')
  }

  /** Returns and clears the items and problems found so far. */
  takeFound(): { readonly items: readonly unknown[]; readonly problems: readonly FeedProblem[] } {
    const taken = { items: this.#items, problems: this.#problems }
    this.#items = []
    this.#problems = []
    return taken
  }

  /** Scans a chunk; returns bytes to read again before the chunk's rest, which starts at `end`. */
  #scan(part: Uint8Array): Reread | undefined {
    this.#start = 0
    let at = 0
    while (at < part.length && !this.failure) {
      if (!this.#value.isOpen) {
        at = this.#parseItems(part, at) ?? this.#step(part, at)
        continue
      }
      const end = this.#value.advance(part, at)
      if (end === undefined) break
      const bytes = this.#finish(this.#collect(part.subarray(this.#start, end)))
      if (bytes) return { bytes, end }
      at = end
    }
    const bytes = this.#value.isOpen ? this.#keep(part.slice(this.#start)) : undefined
    return bytes && { bytes, end: part.length }
  }

  /**
   * Parses all items of a chunk but the last one at once, if the next one starts at `at` like the
   * first; returns the start of the last one. If one of them is broken, returns undefined.
   */
  #parseItems(part: Uint8Array, at: number): number | undefined {
    const opening = this.#opening
    if (!opening || this.#place !== 'item' || !hasBytesAt(part, at, opening)) return undefined
    if (part.length > this.#options.maxItemBytes || this.#failedParses >= MAX_FAILED)
      return undefined
    const next = findLastBytes(part, opening)
    if (next <= at) return undefined
    let end = next - 1
    while (isJsonSpace(part[end])) end -= 1
    const items = part[end] === COMMA ? parseJsonList(part.subarray(at, end)) : undefined
    if (!items) {
      this.#failedParses += 1
      return undefined
    }
    for (const item of items) this.#items.push(item)
    return next
  }

  /** Handles one byte between values; returns the next position. */
  #step(part: Uint8Array, at: number): number {
    const byte = part[at]
    if (isJsonSpace(byte)) return at + 1
    switch (this.#place) {
      case 'start':
        if (byte === OPEN_BRACKET) this.#enterItems(true)
        else if (byte === OPEN_BRACE) this.#place = 'key'
        else if (!BYTE_ORDER_MARK.has(byte)) this.#fail('it is not JSON')
        break
      case 'key':
        if (byte === QUOTE) this.#open(byte, at)
        else if (byte === CLOSE_BRACE) this.#place = 'end'
        else this.#fail('it is not JSON')
        break
      case 'colon':
        if (byte === COLON) this.#place = 'value'
        else this.#fail('it is not JSON')
        break
      case 'value':
        if (byte === OPEN_BRACKET && this.#options.names.includes(this.#key)) {
          this.#enterItems(false)
        } else this.#open(byte, at)
        break
      case 'afterMember':
        if (byte === COMMA) this.#place = 'key'
        else if (byte === CLOSE_BRACE) this.#place = 'end'
        else this.#fail('it is not JSON')
        break
      case 'item':
      case 'afterItem':
        if (byte === CLOSE_BRACKET) this.#place = this.#isBareArray ? 'end' : 'afterMember'
        else if (byte === COMMA && this.#place === 'afterItem') this.#place = 'item'
        else {
          this.#place = 'item'
          this.#open(byte, at)
        }
        break
      case 'end':
        this.#fail('it contains data after its end')
    }
    return at + 1
  }

  #enterItems(isBareArray: boolean): void {
    this.#isBareArray = isBareArray
    this.hasItems = true
    this.#place = 'item'
  }

  #open(byte: number | undefined, at: number): void {
    this.#value.open(byte)
    this.#start = at
  }

  /** Buffers the start of an incomplete value; returns bytes to read again, if any. */
  #keep(tail: Uint8Array): Uint8Array | undefined {
    if (this.#isDropped) return undefined
    this.#pending.push(tail)
    this.#pendingBytes += tail.length
    if (this.#pendingBytes <= this.#options.maxItemBytes) return undefined
    const bytes = this.#collect(NO_BYTES)
    const again = this.#place === 'item' ? this.#reject(bytes, this.#tooLong()) : undefined
    this.#isDropped = !again
    return again
  }

  /** Joins the buffered chunks of a value with its last chunk. */
  #collect(last: Uint8Array): Uint8Array {
    if (this.#pending.length === 0) return last
    const bytes = new Uint8Array(this.#pendingBytes + last.length)
    let at = 0
    for (const part of [...this.#pending, last]) {
      bytes.set(part, at)
      at += part.length
    }
    this.#pending = []
    this.#pendingBytes = 0
    return bytes
  }

  /** Adds a complete value; returns bytes to read again, if any. */
  #finish(bytes: Uint8Array): Uint8Array | undefined {
    const isDropped = this.#isDropped
    this.#isDropped = false
    if (this.#place === 'item') {
      this.#place = 'afterItem'
      return isDropped ? undefined : this.#addItem(bytes)
    }
    const isKey = this.#place === 'key'
    this.#place = isKey ? 'colon' : 'afterMember'
    if (isDropped) this.#key = ''
    else this.#addMember(bytes, isKey)
    return undefined
  }

  #addItem(bytes: Uint8Array): Uint8Array | undefined {
    if (bytes.length > this.#options.maxItemBytes) return this.#reject(bytes, this.#tooLong())
    const value = parseJsonBytes(bytes)
    if (value === undefined) return this.#reject(bytes, 'is not valid JSON')
    this.#items.push(value)
    this.#opening ??= findOpening(bytes)
    return undefined
  }

  #addMember(bytes: Uint8Array, isKey: boolean): void {
    this.#memberBytes += bytes.length
    const value = parseJsonBytes(bytes)
    if (value === undefined) this.#fail('it is not JSON')
    else if (isKey) this.#key = String(value)
    else if (this.#memberBytes <= this.#options.maxItemBytes) this.members.set(this.#key, value)
  }

  /** Reports a broken item; returns its bytes from the start of the next item on, to read again. */
  #reject(bytes: Uint8Array, reason: string): Uint8Array | undefined {
    const id = findCveId(ANY_TEXT.decode(bytes.subarray(0, ID_BYTES)))
    this.#problems.push({ id, message: `Cannot read ${id ?? 'a record'}: it ${reason}` })
    const next = this.#opening ? findBytes(bytes, this.#opening) : undefined
    if (next === undefined || this.#rereadBytes > MAX_REREAD_BYTES) return undefined
    this.#rereadBytes += bytes.length - next
    this.#value.close()
    this.#place = 'item'
    return bytes.subarray(next)
  }

  #tooLong(): string {
    return `is longer than ${this.#options.maxItemBytes} bytes`
  }

  #fail(reason: string): void {
    this.failure ??= new ServiceError('invalid_body', `Cannot read the document: ${reason}`)
  }
}

type ScannerState =
  | 'start'
  | 'key'
  | 'colon'
  | 'value'
  | 'afterMember'
  | 'item'
  | 'afterItem'
  | 'end'

interface Reread {
  readonly bytes: Uint8Array
  readonly end: number
}

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const BYTE_ORDER_MARK: ReadonlySet<number | undefined> = new Set([0xef, 0xbb, 0xbf])
const NO_BYTES = new Uint8Array(0)
/** Length of the prefix of a broken item that is searched for its ID. */
const ID_BYTES = 1024
/** Limit per document. Without it, a document of item starts only would be read again endlessly. */
const MAX_REREAD_BYTES = 64 * 1024 * 1024
/** Limit on the chunks whose items could not be parsed at once: those of some documents never can. */
const MAX_FAILED = 3
const ANY_TEXT = new TextDecoder()
