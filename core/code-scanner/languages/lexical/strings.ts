import type { Expression, Place } from '../../model/program.ts'

/** `${a.b}`, `$a`, `\(a)`, `#{a}`: what languages put into their strings. */
const HOLES = /\$\{([^{}]*)\}|\$([A-Za-z_]\w*)|\\\(([^()]*(?:\([^()]*\))?[^()]*)\)|#\{([^{}]*)\}/g

/** A string's content as text, or as text with names in it. */
export function toText(content: string, place: Place): Expression {
  const parts: Expression[] = []
  let from = 0
  const addText = (to: number): void => {
    if (to > from) parts.push({ kind: 'text', text: undoEscapes(content.slice(from, to)), place })
  }
  for (const match of content.matchAll(HOLES)) {
    addText(match.index)
    const inside = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim()
    const isName = /^[@$]?[A-Za-z_][\w.]*$/.test(inside)
    const name = inside.replace(/^[@$]|^self\./, (lead) => (lead === 'self.' ? 'this.' : ''))
    parts.push(isName ? { kind: 'name', name, place } : { kind: 'unknown', place })
    from = match.index + match[0].length
  }
  addText(content.length)
  const [only] = parts
  if (!only) return { kind: 'text', text: '', place }
  return parts.length === 1 && only.kind === 'text' ? only : { kind: 'join', parts, place }
}

function undoEscapes(text: string): string {
  if (!text.includes('\\')) return text
  // A string may continue on the next line.
  return text.replaceAll(/\\\r?\n[ \t]*/g, '').replaceAll(/\\(["'`\\/$])/g, '$1')
}
