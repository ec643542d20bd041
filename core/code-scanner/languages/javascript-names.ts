import { patterns } from '../lowering/destructuring.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Reads a key without quotes; `*` for a computed key. */
export const keyOf = ({ type, text }: SyntaxNode): string => {
  if (type === 'computed_property_name') return '*'
  return type === 'string' ? text.slice(1, -1) : text.replace(/^#/, '')
}

/** The names of a pattern. */
export const namesOf = patterns({
  records: 'object_pattern',
  lists: 'array_pattern',
  pairs: { pair_pattern: { key: 'key', value: 'value' } },
  presets: {
    'object_assignment_pattern assignment_pattern': { name: 'left', preset: 'right' },
  },
  keyOf,
})

export function isPattern({ type }: SyntaxNode): boolean {
  return type === 'object_pattern' || type === 'array_pattern'
}
