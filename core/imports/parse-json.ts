import { toPointerStep } from '../schemas/values.ts'
import { createImportError, formatLocation, toSourceLocation } from './import-errors.ts'
import type { ImportLimits } from './limits.ts'

/** A parsed JSON text and its duplicate members. */
export interface ParsedJson {
  readonly value: unknown
  /** JSON pointers of duplicate members; the last one is used (RFC 8259 4). */
  readonly duplicates: readonly string[]
}

/** The result of a strict check of a JSON text (RFC 8259). */
interface StrictJsonResult {
  /** The first syntax error; undefined for valid JSON. */
  readonly error: { readonly offset: number; readonly message: string } | undefined
  /** JSON pointers of members whose name already occurred in the same object; at most 100. */
  readonly duplicates: readonly string[]
}

/**
 * Parses JSON text. Checks depth and number of values before building anything. Detects duplicate
 * members by comparing the number of colons with the number of members built, so a text without
 * duplicates costs one extra scan. Throws `too_expensive`, or `invalid_description` with line and
 * column, with the same messages on every runtime.
 */
export function parseJson(text: string, limits: ImportLimits): ParsedJson {
  const shape = countShape(text)
  if (shape.depth > limits.maxDepth) {
    throw createImportError(
      'too_expensive',
      `Cannot parse the JSON text: nested ${shape.depth} levels deep, at most ${limits.maxDepth} are allowed`,
    )
  }
  if (shape.values > limits.maxNodes) {
    throw createImportError(
      'too_expensive',
      `Cannot parse the JSON text: ${shape.values} values, at most ${limits.maxNodes} are allowed`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw createJsonError(text)
  }
  const isDistinct = text.length > MAX_CHECKED || countMembers(value) === shape.members
  return { value, duplicates: isDistinct ? [] : checkJsonStrictly(text).duplicates }
}

/** Larger texts are not checked for duplicates: machines generate them from maps. */
const MAX_CHECKED = 4 * 1024 * 1024

function createJsonError(text: string) {
  const { error } = checkJsonStrictly(text)
  if (error === undefined) return createImportError('invalid_description', 'Invalid JSON')
  const location = toSourceLocation(text, error.offset)
  return createImportError(
    'invalid_description',
    `Invalid JSON: ${error.message} (${formatLocation(location)})`,
    location,
  )
}

/** Counts brackets, separators and colons outside strings, without building values. */
function countShape(text: string) {
  let depth = 0
  let deepest = 0
  let members = 0
  let values = 0
  const end = text.length
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      at = findClosingQuote(text, at + 1)
    } else if (code === 58) {
      members += 1
    } else if (code === 44) {
      values += 1
    } else if (code === 123 || code === 91) {
      values += 1
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (code === 125 || code === 93) {
      depth -= 1
    }
  }
  return { depth: deepest, members, values }
}

/** Returns the offset of the quote that ends a string; the text length if there is none. */
function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let start = at
    while (text.charCodeAt(start - 1) === 92) start -= 1
    if ((at - start) % 2 === 0) return at
  }
  return text.length
}

function countMembers(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value)
      if (typeof item === 'object' && item !== null) count += countMembers(item)
    return count
  }
  if (typeof value !== 'object' || value === null) return 0
  const object = value as Record<string, unknown>
  for (const key in object) {
    count += 1
    const item = object[key]
    if (typeof item === 'object' && item !== null) count += countMembers(item)
  }
  return count
}

/**
 * Checks a JSON text without building values, and locates the first error and duplicate members.
 * Runtimes report errors in different words and positions. Only for texts of bounded depth.
 */
function checkJsonStrictly(text: string): StrictJsonResult {
  const reader = new StrictJsonReader(text)
  try {
    reader.readDocument()
    return { error: undefined, duplicates: reader.duplicates }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return {
      error: { offset: error.offset, message: error.message },
      duplicates: reader.duplicates,
    }
  }
}

class JsonSyntaxError extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

class StrictJsonReader {
  readonly duplicates: string[] = []
  private readonly text: string
  private readonly path: string[] = []
  private readonly scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  readDocument(): void {
    this.readValue()
    this.skipSpace()
    if (this.at < this.text.length) this.fail('unexpected text after the end of the JSON value')
  }

  private readValue(): void {
    this.skipSpace()
    const first = this.peek()
    if (first === '{') this.readObject()
    else if (first === '[') this.readArray()
    else if (first === '"') this.readString()
    else this.readScalar()
  }

  private readObject(): void {
    const names = new Set<string>()
    this.at += 1
    this.skipSpace()
    if (this.accept('}')) return
    for (;;) {
      this.skipSpace()
      if (this.peek() !== '"') this.fail('expected a member name in double quotes')
      const raw = this.readString()
      const name = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1)
      this.path.push(toPointerStep(name))
      if (names.has(name) && this.duplicates.length < 100) this.duplicates.push(this.path.join(''))
      names.add(name)
      this.skipSpace()
      if (!this.accept(':')) this.fail('expected ":"')
      this.readValue()
      this.path.pop()
      this.skipSpace()
      if (this.accept('}')) return
      if (!this.accept(',')) this.fail('expected "," or "}"')
    }
  }

  private readArray(): void {
    this.at += 1
    this.skipSpace()
    if (this.accept(']')) return
    for (let index = 0; ; index += 1) {
      this.path.push(`/${index}`)
      this.readValue()
      this.path.pop()
      this.skipSpace()
      if (this.accept(']')) return
      if (!this.accept(',')) this.fail('expected "," or "]"')
    }
  }

  private readString(): string {
    const start = this.at
    this.at += 1
    for (; this.peek() !== '"'; this.at += 1) {
      if (this.at >= this.text.length) this.fail('')
      if (this.text.charCodeAt(this.at) < 32) this.fail('control character in a string')
      if (this.peek() === '\\') this.skipEscape()
    }
    this.at += 1
    return this.text.slice(start, this.at)
  }

  private skipEscape(): void {
    this.at += 1
    const kind = this.peek()
    if (kind === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 1, this.at + 5))) {
        this.fail('invalid \\u escape')
      }
      this.at += 4
    } else if (kind === '' || !'"\\/bfnrt'.includes(kind)) {
      this.fail('unknown escape')
    }
  }

  private readScalar(): void {
    this.scalar.lastIndex = this.at
    const found = this.scalar.exec(this.text)?.[0]
    if (found === undefined) this.fail('expected a value')
    else this.at += found.length
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      this.at += 1
    }
  }

  private peek(): string {
    return this.text.charAt(this.at)
  }

  private accept(character: string): boolean {
    if (this.peek() !== character) return false
    this.at += 1
    return true
  }

  private fail(message: string): never {
    const isEnd = this.at >= this.text.length
    throw new JsonSyntaxError(
      Math.min(this.at, this.text.length),
      isEnd ? 'unexpected end of the text' : message,
    )
  }
}
