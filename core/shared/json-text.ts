/**
 * A value that is already serialised as JSON. It is sent unchanged, and parsed only for in-process
 * calls.
 */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Serialises a value, unless it already is JSON text. */
export function stringifyJson(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value)
}

/** Parses a value if it is JSON text. */
export function parseIfJsonText(value: unknown): unknown {
  return value instanceof JsonText ? JSON.parse(value.text) : value
}
