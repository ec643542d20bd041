import type { SyntaxNode } from '../../model/syntax.ts'

/** A node without what only wraps it: parentheses, `await`, casts, `!`. */
export function unwrap(node: SyntaxNode | null): SyntaxNode | null {
  let inner = node
  for (let step = 0; inner && step < MAX_STEPS && WRAPPERS.has(inner.type); step += 1) {
    inner = inner.type === 'type_assertion' ? inner.namedChild(1) : inner.namedChild(0)
  }
  return inner
}

/** `a.b.c`, `this.x`, `urls['eu']`, `urls[region]` as `urls.*`; undefined for what is no name. */
export function dottedName(node: SyntaxNode | null): string | undefined {
  const parts: string[] = []
  let at = unwrap(node)
  for (let step = 0; at && step < MAX_STEPS; step += 1) {
    if (at.type === 'member_expression') {
      const property = at.childForFieldName('property')?.text ?? '*'
      if (property !== 'value' || step > 0) parts.push(property.replace(/^#/, ''))
      at = unwrap(at.childForFieldName('object'))
    } else if (at.type === 'subscript_expression') {
      const index = at.childForFieldName('index')
      const isPlain = index?.type === 'string' || index?.type === 'number'
      parts.push(isPlain ? (index?.text ?? '').replaceAll(/^['"]|['"]$/g, '') : '*')
      at = unwrap(at.childForFieldName('object'))
    } else if (NAMES.has(at.type)) {
      parts.push(at.type === 'meta_property' ? 'import.meta' : at.text)
      return parts.reverse().join('.')
    } else {
      return undefined
    }
  }
  return undefined
}

/** Whether a node is a function with a body of its own. */
export function isFunction(node: SyntaxNode | null): boolean {
  return node !== null && FUNCTIONS.has(node.type)
}

const MAX_STEPS = 40

const WRAPPERS = new Set([
  'parenthesized_expression',
  'await_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'type_assertion',
  'instantiation_expression',
])

const NAMES = new Set([
  'identifier',
  'this',
  'super',
  'meta_property',
  'shorthand_property_identifier',
])

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function'])
