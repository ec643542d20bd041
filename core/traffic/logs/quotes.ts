/**
 * Finds the end of a quoted string, after its closing quote; undefined if the quote is missing.
 * Runs in linear time.
 */
export function findQuoteEnd(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (before > from && text[before - 1] === '\\') before -= 1
    if ((at - before) % 2 === 0) return at + 1
  }
  return undefined
}
