import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { SyntaxNode } from '../../model/syntax.ts'

/** `use a::{b, c as d, e::*}`: one import for each name. */
export const lowerUse: Lowering = (node, draft) => {
  const tree = node.childForFieldName('argument')
  if (tree) importTree(tree, { prefix: '', draft })
  return undefined
}

interface Inside {
  /** With a dot at its end, or empty. */
  readonly prefix: string
  readonly draft: Draft
}

function importTree(node: SyntaxNode, { prefix, draft }: Inside): void {
  const place = placeOf(node)
  const path = (part: SyntaxNode | null) => `${prefix}${part?.text.replaceAll('::', '.') ?? ''}`
  switch (node.type) {
    case 'scoped_use_list': {
      const inner = node.childForFieldName('path')
      const list = node.childForFieldName('list')
      const below = inner ? `${path(inner)}.` : prefix
      if (list) importTree(list, { prefix: below, draft })
      return
    }
    case 'use_list':
      for (const child of node.namedChildren) if (child) importTree(child, { prefix, draft })
      return
    case 'use_wildcard':
      draft.import({ module: path(node.namedChild(0)), local: '*', imported: '*', place })
      return
    case 'use_as_clause':
      importPath(path(node.childForFieldName('path')), {
        local: node.childForFieldName('alias')?.text ?? '',
        node,
        draft,
      })
      return
    default:
      importPath(path(node), { local: undefined, node, draft })
  }
}

/** Lower-case last names are modules or functions, others what a module has. */
function importPath(
  path: string,
  { local, node, draft }: { local: string | undefined; node: SyntaxNode; draft: Draft },
): void {
  const whole = path.replace(/\.self$/, '')
  const parts = whole.split('.')
  const last = parts.at(-1) ?? ''
  // What stands at the root of the own crate is found by its name alone.
  if (local === undefined && /^(?:crate|self|super)(?:\.super)*\.\w+$/.test(whole)) {
    if (!/^[a-z]/.test(last)) return
  }
  const place = placeOf(node)
  const name = local ?? last
  const known = { local: name === '_' ? '' : name, place }
  if (/^[a-z]/.test(last)) draft.import({ module: whole, imported: '*', ...known })
  else draft.import({ module: parts.slice(0, -1).join('.'), imported: last, ...known })
}
