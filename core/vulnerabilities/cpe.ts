/**
 * Attributes of a CPE 2.3 name, unescaped (NISTIR 7695): `*` means any value, `-` means none. An
 * attribute that is a literal asterisk or hyphen keeps its backslash, to differ from both.
 */
export interface Cpe {
  /** `a` application, `o` operating system, `h` hardware. */
  readonly part: string
  readonly vendor: string
  readonly product: string
  readonly version: string
  readonly update: string
  readonly edition: string
  readonly language: string
  readonly softwareEdition: string
  readonly targetSoftware: string
  readonly targetHardware: string
  readonly other: string
}

/** Parses a CPE 2.3 formatted string; undefined if invalid. */
export function parseCpe(text: string): Cpe | undefined {
  if (!isCpe(text)) return undefined
  const values = splitCpe(text)
  const valueAt = (index: number) => values[index] ?? ''
  return {
    part: valueAt(2),
    vendor: valueAt(3),
    product: valueAt(4),
    version: valueAt(5),
    update: valueAt(6),
    edition: valueAt(7),
    language: valueAt(8),
    softwareEdition: valueAt(9),
    targetSoftware: valueAt(10),
    targetHardware: valueAt(11),
    other: valueAt(12),
  }
}

/** True for `cpe:2.3:` with eleven non-empty attributes. */
export function isCpe(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false
  let colons = 0
  let isEmpty = true
  for (let at = PREFIX.length; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COLON) {
      if (isEmpty) return false
      colons += 1
      isEmpty = true
      continue
    }
    isEmpty = false
    if (code === BACKSLASH) at += 1
    if (at >= text.length) return false
  }
  return colons === 10 && !isEmpty
}

/** Splits at unescaped colons and unescapes each part, including `cpe` and `2.3`. */
export function splitCpe(text: string): readonly string[] {
  if (!text.includes('\\')) return text.split(':')
  const values: string[] = []
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === COLON || at === text.length) {
      values.push(unescapeCpe(text.slice(start, at)))
      start = at + 1
    }
  }
  return values
}

/** Unescapes an attribute; a single literal asterisk or hyphen keeps its backslash. */
export function unescapeCpe(value: string): string {
  if (value === '\\*' || value === '\\-' || !value.includes('\\')) return value
  return value.replace(/\\(.)/gs, '$1')
}

const PREFIX = 'cpe:2.3:'
const COLON = 58
const BACKSLASH = 92
