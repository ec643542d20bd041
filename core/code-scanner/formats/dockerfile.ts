import { type Entry, unquote } from './entries.ts'

/** Reads `ENV`, `ARG` and the files that `ADD` fetches, of a Dockerfile. */
export function readDockerfile(text: string): readonly Entry[] {
  return [...text.matchAll(STATEMENT)].flatMap(({ 0: whole, 1: word, 2: body = '', index }) => {
    const start = index + whole.length - body.length
    if (/^add$/i.test(word ?? '')) {
      return [...body.matchAll(ADDED)].map(({ 0: value, index: at }): Entry => {
        return { keys: ['ADD', 'src'], value, index: start + at }
      })
    }
    return [...body.matchAll(ASSIGNMENT)].map((match): Entry => {
      const [written, name, quoted, only, rest] = match
      const value = quoted ?? rest ?? ''
      const at = start + match.index + written.trimEnd().length - value.length
      return { keys: [name ?? only ?? ''], ...unquote({ text: value, index: at }) }
    })
  })
}

const STATEMENT = /^[ \t]*(ENV|ARG|ADD)[ \t]+((?:[^\n\\]|\\\r?\n|\\[^\n])*)/gim

/** The address of a file, not of a repository. */
const ADDED = /https?:\/\/(?![^\s"',]*\.git\b)[^\s"',\]]+/g

/** `NAME=value`, or `NAME value` in a statement of its own. */
const ASSIGNMENT = /(?<!\S)(\w+)=("[^"]*"|'[^']*'|[^\s\\"']+)|^(\w+)[ \t]+([^\s=]\S*)\s*$/g
