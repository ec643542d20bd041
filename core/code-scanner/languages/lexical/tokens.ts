/** A piece of a program's text; blanks and comments are none. */
export interface Token {
  readonly kind: 'word' | 'string' | 'mark'
  /** The source text; the content of a string without its quotes. */
  readonly text: string
  /** Where it begins, of a string where its content does. */
  readonly index: number
  /** Whether a line ends before it. */
  readonly isFirst: boolean
}

/** How comments are written: after `//`, `#`, `--`, `;` or `%`; all know blocks of `/*` or their own. */
export type CommentStyle = '//' | '#' | '--' | ';' | '%'

/** Most tokens of a text that are looked at. */
const MAX_TOKENS = 400_000

/** The tokens of a text of any language, as far as quotes and comments tell them apart. */
export function* tokensOf(text: string, style: CommentStyle): Generator<Token> {
  const tokens = PATTERNS[style]
  let isFirst = true
  let count = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, comment, triple, string, word] = match
    if (comment !== undefined) continue
    if (whole === '\n') {
      isFirst = true
      continue
    }
    count += 1
    if (count > MAX_TOKENS) return
    const quotes = triple === undefined ? 1 : 3
    if (triple !== undefined || string !== undefined) {
      const content = whole.slice(quotes, -quotes)
      yield { kind: 'string', text: content, index: match.index + quotes, isFirst }
    } else {
      const kind = word === undefined ? 'mark' : 'word'
      yield { kind, text: whole, index: match.index, isFirst }
    }
    isFirst = false
  }
}

/** Read with the flag `s`: a backslash continues a string on the next line. */
const REST =
  /("""[\s\S]*?"""|'''[\s\S]*?''')|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|([A-Za-z_$@][\w$]*[!?]?)|\n|\.\.|<>|:=|=>|->|[^\s]/
    .source

const PATTERNS: Readonly<Record<CommentStyle, RegExp>> = {
  '//': new RegExp(`(//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)|<!--[\\s\\S]*?(?:-->|$))|${REST}`, 'gs'),
  '#': new RegExp(`((?<![\\w$])#(?!\\{)[^\\n]*|^=\\w+[\\s\\S]*?^=(?:cut|end)\\b)|${REST}`, 'gms'),
  '--': new RegExp(
    `(--\\[\\[[\\s\\S]*?(?:\\]\\]|$)|--[^\\n]*|\\{-[\\s\\S]*?(?:-\\}|$))|${REST}`,
    'gs',
  ),
  ';': new RegExp(`(;[^\\n]*)|${REST}`, 'gs'),
  '%': new RegExp(`(%[^\\n]*)|${REST}`, 'gs'),
}
