/** A member of a structured field: its name, and its parameters in text. */
export interface FieldItem {
  /** Without quotes; of a member `limit=100` it is `limit`. */
  readonly name: string
  /** Of a member `limit=100` it is `100`; undefined for one without a value. */
  readonly value: string | undefined
  /** Names in lower case, strings without quotes, byte sequences with their colons. */
  readonly params: ReadonlyMap<string, string>
}

const MAX_TEXT = 2048
const MAX_ITEMS = 16

/**
 * Reads a list or a dictionary of RFC 9651 as far as the RateLimit fields use them; leniently: what
 * is malformed gives items that mean nothing. Reads 2,048 characters and 16 items at most.
 */
export function parseFieldItems(text: string): readonly FieldItem[] {
  const members = split(text.slice(0, MAX_TEXT), ',').slice(0, MAX_ITEMS)
  return members.map((member) => {
    const [head = '', ...rest] = split(member, ';').slice(0, MAX_ITEMS)
    const params = new Map(
      rest.map((param) => {
        const { name, value } = toPair(param)
        return [name.toLowerCase(), value ?? ''] as const
      }),
    )
    return { ...toPair(head), params }
  })
}

function toPair(text: string): { readonly name: string; readonly value: string | undefined } {
  if (text.startsWith('"')) return { name: unquote(text), value: undefined }
  const at = text.indexOf('=')
  if (at === -1) return { name: text, value: undefined }
  return { name: text.slice(0, at).trim(), value: unquote(text.slice(at + 1).trim()) }
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : text
}

/** The trimmed parts between separators that stand in no string. */
function split(text: string, separator: ',' | ';'): readonly string[] {
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
