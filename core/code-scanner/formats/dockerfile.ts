import { type Entry, unquote } from './entries.ts'

/** Reads `ENV` and `ARG` of a Dockerfile. */
export function readDockerfile(text: string): readonly Entry[] {
  return [...text.matchAll(STATEMENT)].flatMap(({ 0: whole, 1: body = '', index }) => {
    const start = index + whole.length - body.length
    return [...body.matchAll(ASSIGNMENT)].map((match): Entry => {
      const [written, name, quoted, only, rest] = match
      const value = quoted ?? rest ?? ''
      const at = start + match.index + written.trimEnd().length - value.length
      return { keys: [name ?? only ?? ''], ...unquote({ text: value, index: at }) }
    })
  })
}

const STATEMENT = /^[ \t]*(?:ENV|ARG)[ \t]+((?:[^\n\\]|\\\r?\n|\\[^\n])*)/gim

/** `NAME=value`, or `NAME value` in a statement of its own. */
const ASSIGNMENT = /(?<!\S)(\w+)=("[^"]*"|'[^']*'|[^\s\\"']+)|^(\w+)[ \t]+([^\s=]\S*)\s*$/g
