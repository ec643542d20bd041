import type { Draft, Lowering } from '../lowering/draft.ts'
import { placeOf } from '../lowering/lowered.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** `use a::{b, c as d, e::*}`: one import for each name. */
export function importNames(
  node: SyntaxNode,
  { prefix, draft }: { readonly prefix: string; readonly draft: Draft },
): undefined {
  const pathOf = (part: SyntaxNode | null) => prefix + (part?.text.replaceAll('::', '.') ?? '')
  const path = node.childForFieldName('path')
  if (/^(?:use_declaration|use_list|scoped_use_list)$/.test(node.type)) {
    const below = { prefix: path ? `${pathOf(path)}.` : prefix, draft }
    for (const child of node.namedChildren) {
      if (child.id !== path?.id) importNames(child, below)
    }
    return undefined
  }
  const place = placeOf(node)
  if (node.type === 'use_wildcard') {
    return draft.import({ module: pathOf(node.namedChild(0)), local: '*', imported: '*', place })
  }
  const alias = node.childForFieldName('alias')?.text
  const full = pathOf(alias ? path : node).replace(/^\.|\.self$/g, '')
  const [, module = '', last = ''] = /^(?:(.*)\.)?(.*)$/.exec(full) ?? []
  const local = alias === '_' ? '' : (alias ?? last)
  if (module === '') return draft.import({ module: full, local, imported: '*', place })
  // A type at the root of the crate is found by its name alone.
  const isOfRoot =
    /^[A-Z]/.test(last) && alias === undefined && /^(?:crate|self|super)(?:\.super)*$/.test(module)
  return isOfRoot ? undefined : draft.import({ module, local, imported: last, place })
}

/** `mod config;` imports a file. */
export const lowerModule: Lowering = (node, draft) => {
  const body = node.childForFieldName('body')
  if (body) return draft.statement(body)
  const local = node.childForFieldName('name')?.text ?? ''
  return draft.import({ module: 'self', local, imported: local, place: placeOf(node) })
}
