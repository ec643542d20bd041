import type { Entry } from './entries.ts'

/** Reads the strings of a JSON text; comments, trailing commas and keys without quotes are allowed. */
export function readJson(text: string): readonly Entry[] {
  const entries: Entry[] = []
  const path: (string | undefined)[] = []
  let key: string | undefined
  for (const { 0: token, 1: value, 2: colon, 3: unclosed, 4: bare, index } of text.matchAll(
    TOKENS,
  )) {
    if (unclosed !== undefined) continue
    if (bare !== undefined || (value !== undefined && colon)) key = bare ?? value
    else if (value !== undefined) {
      const keys = [...path, key].filter((part) => part !== undefined)
      entries.push({ keys, value, index: index + 1 })
    } else if (token === '{' || token === '[') {
      // Deeper values have no further keys.
      if (path.length < MAX_DEPTH) path.push(key)
      key = undefined
    } else if (token === '}' || token === ']') {
      path.pop()
      key = undefined
    } else if (token === ',') key = undefined
  }
  return entries
}

/** Strings, which may lack their end, comments and marks. */
const TOKENS =
  /"((?:[^"\\\n]|\\.)*)(?:"(\s*:)?|(\\?$|\\?\n))|([A-Za-z_$][\w$]*)\s*:|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{},]/g

const MAX_DEPTH = 64
