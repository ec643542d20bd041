import { lastName, matchNames } from '../model/name-patterns.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft } from './draft.ts'
import { type Part, partOf } from './names.ts'

/** Where a function without a name gets one. */
export interface FunctionNames {
  /** Nodes whose value may be a function, with the part that is its name. */
  readonly named: Readonly<Record<string, Part>>
  /** Nodes that name their function the same each time. */
  readonly fixed: Readonly<Record<string, string>>
  /** Calls that return the function that they get, as name patterns: `useCallback(() => …)`. */
  readonly wrappers: string
  readonly keyOf: (node: SyntaxNode) => string | undefined
}

/** Creates the reader of a function's name: its own, or that of the variable, field or key. */
export function functionNames(how: FunctionNames): (node: SyntaxNode, draft: Draft) => string {
  const named = new Map(Object.entries(how.named))
  const isWrapper = matchNames(how.wrappers)
  return (node, draft) => {
    const own = node.childForFieldName('name')
    if (own) return how.keyOf(own) ?? ''
    let at = node.parent
    const call = at?.type === 'arguments' ? at.parent : null
    if (call?.parent && named.has(call.parent.type)) {
      at = isWrapper(draft.nameOf(call.childForFieldName('function')) ?? '') ? call.parent : null
    }
    while (at?.type === 'parenthesized_expression') at = at.parent
    const part = at ? named.get(at.type) : undefined
    if (!at || part === undefined) return (at && how.fixed[at.type]) ?? ''
    const target = partOf(at, part)
    const name = target ? lastName(how.keyOf(target) ?? '') : ''
    return /^[\w$-]*$/.test(name) ? name : ''
  }
}
