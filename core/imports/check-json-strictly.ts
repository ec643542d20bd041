import { toPointerStep } from '../schemas/values.ts'

/** The result of a strict check of a JSON text (RFC 8259). */
export interface StrictJsonResult {
  /** The first syntax error; undefined for valid JSON. */
  readonly error: { readonly offset: number; readonly message: string } | undefined
  /** JSON pointers of members whose name already occurred in the same object; at most 100. */
  readonly duplicates: readonly string[]
}

/**
 * Checks a JSON text without building values, and locates the first error and duplicate members.
 * Runtimes report errors in different words and positions. Only for texts of bounded depth.
 */
export function checkJsonStrictly(text: string): StrictJsonResult {
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
