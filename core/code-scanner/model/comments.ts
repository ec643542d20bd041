/**
 * Whether a place in a text is in a comment that begins a line, in most languages. In `data`, any `#`
 * or `;` begins one.
 */
export function isInComment(text: string, index: number, kind: 'code' | 'data' = 'code'): boolean {
  const start = text.lastIndexOf('\n', index - 1) + 1
  const line = kind === 'data' ? DATA_LINE : CODE_LINE
  line.lastIndex = start
  if (line.test(text)) return !/\*\/|-->/.test(text.slice(start, index))
  const before = text.slice(Math.max(0, start - MAX_COMMENT), index)
  const tag = before.lastIndexOf('<!--')
  if (tag >= 0 && !before.includes('-->', tag)) return true
  const block = before.lastIndexOf('/*')
  if (block < 0 || before.includes('*/', block)) return false
  // Paths have the same mark: `src/*`.
  return /^[ \t]*$/.test(before.slice(before.lastIndexOf('\n', block) + 1, block))
}

const CODE_LINE = /[ \t]*(?:\/[/*]|\*(?=[\s*/])|#(?=[\s#!])|<!--)/y
const DATA_LINE = /[ \t]*(?:\/[/*]|[*#;]|<!--)/y

/** Characters before a place in which its comment may begin. */
const MAX_COMMENT = 2000
