/** A member of a structured field with its parameters. */
export interface FieldItem {
  /** Without quotes: `limit` for the member `limit=100`. */
  readonly name: string
  /** `100` for the member `limit=100`; undefined without a value. */
  readonly value: string | undefined
  /** Names in lower case, strings without quotes, byte sequences including their colons. */
  readonly params: ReadonlyMap<string, string>
}

const MAX_TEXT = 2048
const MAX_ITEMS = 16

/**
 * Parses a list or dictionary of RFC 9651, limited to the parts that RateLimit fields use. Parsing
 * is lenient: malformed members become meaningless items. Reads at most 2,048 characters and 16
 * items.
 */
export function parseFieldItems(text: string): readonly FieldItem[] {
  const members = splitOutsideQuotes(text.slice(0, MAX_TEXT), ',').slice(0, MAX_ITEMS)
  return members.map((member) => {
    const [head = '', ...rest] = splitOutsideQuotes(member, ';').slice(0, MAX_ITEMS)
    const params = new Map(
      rest.map((param) => {
        const { name, value } = parseMember(param)
        return [name.toLowerCase(), value ?? ''] as const
      }),
    )
    return { ...parseMember(head), params }
  })
}

function parseMember(text: string): { readonly name: string; readonly value: string | undefined } {
  if (text.startsWith('"')) return { name: unquote(text), value: undefined }
  const at = text.indexOf('=')
  if (at === -1) return { name: text, value: undefined }
  return { name: text.slice(0, at).trim(), value: unquote(text.slice(at + 1).trim()) }
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text
}

/** Splits at separators outside of quoted strings, and trims the parts. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  parts.push(text.slice(start).trim())
  return parts
}
