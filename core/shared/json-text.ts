/** A value that is JSON text already: sent as it stands, parsed only for calls in process. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The JSON text of a value. */
export function toJson(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value)
}

/** The value itself, read where it is text. */
export function readJson(value: unknown): unknown {
  return value instanceof JsonText ? JSON.parse(value.text) : value
}
