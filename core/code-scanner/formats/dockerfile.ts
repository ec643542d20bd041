import { type Entry, unquote } from './entries.ts'

/** Reads `ENV`, `ARG` and the files that `ADD` fetches, of a Dockerfile. */
export function readDockerfile(text: string): readonly Entry[] {
  return [...text.matchAll(STATEMENT)].flatMap(({ 0: whole, 1: word, 2: body = '', index }) => {
    const start = index + whole.length - body.length
    if (/^add$/i.test(word ?? '')) {
      // The address of a file, not of a repository.
      return [...body.matchAll(ADDRESS)].flatMap(({ 0: value, index: at }): readonly Entry[] =>
        /\.git\b/.test(value)
          ? []
          : [{ keys: ['ADD', 'src'], value, index: start + at, isStep: true }],
      )
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

const ADDRESS = /https?:\/\/[^\s"',\]]+/g

/** `NAME=value`, or `NAME value` in a statement of its own. */
const ASSIGNMENT = /(?<!\S)(\w+)=("[^"]*"|'[^']*'|[^\s\\"']+)|^(\w+)[ \t]+([^\s=]\S*)\s*$/g
