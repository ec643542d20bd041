import type { ConfigEntry } from './entries.ts'

/** String values of a JSON text; comments and trailing commas are allowed. */
export function readJson(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  const path: (string | undefined)[] = []
  let key: string | undefined
  // What does not end is a token too, or its end would be looked for again and again.
  const tokens =
    /"((?:[^"\\\n]|\\.)*)(?:"(\s*:)?|(\\?$|\\?\n))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{},]/g
  for (const match of text.matchAll(tokens)) {
    const [token, string, colon, open] = match
    if (open !== undefined) continue
    if (string !== undefined) {
      if (colon) key = string
      else {
        const keys = [...path, key].filter((one) => one !== undefined)
        entries.push({ keys, value: string.replaceAll('\\/', '/'), index: match.index + 1 })
      }
    } else if (token === '{' || token === '[') {
      // What is nested deeper than any configuration is read without its keys.
      if (path.length < MAX_DEPTH) path.push(key)
      key = undefined
    } else if (token === '}' || token === ']') {
      path.pop()
      key = undefined
    } else if (token === ',') key = undefined
  }
  return entries
}

const MAX_DEPTH = 64
