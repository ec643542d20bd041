import { toPointerStep } from '../schemas/values.ts'

/** What a strict reading of a JSON text (RFC 8259) found. */
export interface StrictReading {
  /** The first thing that is wrong; undefined for valid JSON. */
  readonly error: { readonly offset: number; readonly message: string } | undefined
  /** JSON pointers of members whose name occurred before in the same object; at most 100. */
  readonly duplicates: readonly string[]
}

/**
 * Reads a JSON text without building it, to tell where it is wrong and which members occur twice:
 * runtimes word and place their own errors differently. For texts whose depth is known to be bounded.
 */
export function readJsonStrictly(text: string): StrictReading {
  const reader = new StrictReader(text)
  try {
    reader.readDocument()
    return { error: undefined, duplicates: reader.duplicates }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return {
      error: { offset: error.offset, message: error.message },
      duplicates: reader.duplicates,
    }
  }
}

class Fault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

class StrictReader {
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
    if (this.at < this.text.length) this.fail('something follows the end of the JSON text')
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
      if (this.peek() !== '"') this.fail('a member name in double quotes was expected')
      const raw = this.readString()
      const name = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1)
      this.path.push(toPointerStep(name))
      if (names.has(name) && this.duplicates.length < 100) this.duplicates.push(this.path.join(''))
      names.add(name)
      this.skipSpace()
      if (!this.accept(':')) this.fail('":" was expected')
      this.readValue()
      this.path.pop()
      this.skipSpace()
      if (this.accept('}')) return
      if (!this.accept(',')) this.fail('"," or "}" was expected')
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
      if (!this.accept(',')) this.fail('"," or "]" was expected')
    }
  }

  private readString(): string {
    const start = this.at
    this.at += 1
    for (; this.peek() !== '"'; this.at += 1) {
      if (this.at >= this.text.length) this.fail('')
      if (this.text.charCodeAt(this.at) < 32) this.fail('a control character within a string')
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
        this.fail('a broken \\u escape')
      }
      this.at += 4
    } else if (kind === '' || !'"\\/bfnrt'.includes(kind)) {
      this.fail('an unknown escape')
    }
  }

  private readScalar(): void {
    this.scalar.lastIndex = this.at
    const found = this.scalar.exec(this.text)?.[0]
    if (found === undefined) this.fail('a value was expected')
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
    throw new Fault(
      Math.min(this.at, this.text.length),
      isEnd ? 'unexpected end of the text' : message,
    )
  }
}
