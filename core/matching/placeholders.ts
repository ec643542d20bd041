/** Marks an unknown part of a URL: a parameter of a template or a placeholder in code. */
export const HOLE = '\u0000'

/** Marks a parameter for the rest of the path: `{proxy+}`, `{+name}`, `{path*}`. */
export const REST = '\u0001'

/** Maximum length of a placeholder; longer text is literal. */
const MAX_PLACEHOLDER = 128

/** Replaces characters that equal marks. Apply once to all external text. */
export function withoutMarks(text: string): string {
  if (!text.includes(HOLE) && !text.includes(REST)) return text
  return text.replaceAll(HOLE, '\ufffd').replaceAll(REST, '\ufffd')
}

/**
 * Replaces every placeholder by `HOLE` or `REST`: `{id}`, `{{id}}`, `${id}`, `#{id}`, `%{id}`,
 * `%7Bid%7D`, `<id>`, `/:id`, `%s`, `%d`, `%(id)s`. Runs in linear time.
 */
export function markPlaceholders(text: string): string {
  if (!mayHavePlaceholder(text)) return text
  let marked = ''
  let index = 0
  while (index < text.length) {
    const placeholder = readPlaceholder(text, index)
    if (placeholder) {
      marked += placeholder.mark
      index = placeholder.end
    } else {
      marked += text[index]
      index += 1
    }
  }
  return joinHoles(marked)
}

/** Merges consecutive holes: `{a}{b}` matches the same text as `{a}`. */
export function joinHoles(text: string): string {
  let joined = text
  while (joined.includes(HOLE + HOLE)) joined = joined.replaceAll(HOLE + HOLE, HOLE)
  return joined
}

interface Placeholder {
  readonly mark: string
  readonly end: number
}

function mayHavePlaceholder(text: string): boolean {
  return text.includes('{') || text.includes('<') || text.includes('/:') || text.includes('%')
}

function readPlaceholder(text: string, start: number): Placeholder | undefined {
  switch (text[start]) {
    case '{':
      return readBraces(text, start)
    case '$':
    case '#':
      return text[start + 1] === '{' ? readBraces(text, start + 1) : undefined
    case '<':
      return readAngles(text, start)
    case ':':
      return text[start - 1] === '/' ? readColon(text, start) : undefined
    case '%':
      return readPercent(text, start)
    default:
      return undefined
  }
}

function readBraces(text: string, start: number): Placeholder | undefined {
  const last = Math.min(text.length, start + MAX_PLACEHOLDER)
  let depth = 0
  for (let index = start; index < last; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 123) depth += 1
    if (code === 125) depth -= 1
    if (depth > 0) continue
    return { mark: isRest(text.slice(start + 1, index)) ? REST : HOLE, end: index + 1 }
  }
  return undefined
}

function isRest(name: string): boolean {
  return name.startsWith('+') || name.endsWith('+') || name.startsWith('*') || name.endsWith('*')
}

function readAngles(text: string, start: number): Placeholder | undefined {
  const last = Math.min(text.length, start + MAX_PLACEHOLDER)
  for (let index = start + 1; index < last; index += 1) {
    if (text[index] === '/') return undefined
    if (text[index] === '>') return { mark: HOLE, end: index + 1 }
  }
  return undefined
}

function readColon(text: string, start: number): Placeholder | undefined {
  let end = start + 1
  while (end < text.length && isWord(text.charCodeAt(end))) end += 1
  return end > start + 1 ? { mark: HOLE, end } : undefined
}

function readPercent(text: string, start: number): Placeholder | undefined {
  const next = text[start + 1]
  if (next === undefined) return undefined
  if (next === '{') return readBraces(text, start + 1)
  if (next === '(') {
    const end = text.slice(start, start + MAX_PLACEHOLDER).indexOf(')')
    return end < 0 ? undefined : { mark: HOLE, end: Math.min(text.length, start + end + 2) }
  }
  if (text.startsWith('%7B', start) || text.startsWith('%7b', start)) {
    const end = text.slice(start, start + MAX_PLACEHOLDER).search(/%7d/i)
    return end < 0 ? undefined : { mark: HOLE, end: start + end + 3 }
  }
  if ('svi@'.includes(next)) return { mark: HOLE, end: start + 2 }
  // `%d0` is a percent-encoded byte; `%d/` is a printf placeholder.
  if (next === 'd' && !isHex(text.charCodeAt(start + 2))) return { mark: HOLE, end: start + 2 }
  return undefined
}

function isWord(code: number): boolean {
  return isHex(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70)
}
