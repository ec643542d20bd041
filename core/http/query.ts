/** Name and value pairs of a query string or a urlencoded body, in order. Malformed escapes stay as they are. */
export function parsePairs(text: string): readonly (readonly [string, string])[] {
  if (text === '') return []
  const pairs: (readonly [string, string])[] = []
  let start = 0
  while (start <= text.length) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      const equals = text.indexOf('=', start)
      const isBare = equals === -1 || equals > end
      const name = text.slice(start, isBare ? end : equals)
      const value = isBare ? '' : text.slice(equals + 1, end)
      pairs.push([decodePart(name), decodePart(value)])
    }
    start = end + 1
  }
  return pairs
}

function decodePart(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return decodeLatin1Escapes(spaced)
  }
}

/** Escapes that are no UTF-8 are read as Latin-1; a stray percent sign stands for itself. */
function decodeLatin1Escapes(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
