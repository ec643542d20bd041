import type { PatternName } from '../lowering/destructuring.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { placeOf, unknownAt } from '../lowering/lowered.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** An import of a module: its default, all of it, or some of its names. */
export const lowerImport: Lowering = (node, draft) => {
  const place = placeOf(node)
  const clause = node.namedChildren.find(({ type }) => type.endsWith('_clause'))
  const source = node.childForFieldName('source') ?? clause?.childForFieldName('source')
  const module = source?.text.slice(1, -1) ?? ''
  if (!clause) return draft.import({ module, local: '', imported: '*', place })
  const isType = isTypeImport(node, clause) ? ({ isType: true } as const) : {}
  const parts = clause.type === 'import_clause' ? clause.namedChildren : [clause]
  for (const part of parts) {
    if (part.type === 'named_imports') {
      for (const { name, alias } of specifiersOf(part)) {
        draft.import({ module, local: alias, imported: name.text, place, ...isType })
      }
    } else {
      const imported = part.type === 'identifier' ? 'default' : '*'
      draft.import({ module, local: (part.namedChild(0) ?? part).text, imported, place, ...isType })
    }
  }
  return undefined
}

/** Whether an import is for types: `import type X from`, `import { type X } from`. */
function isTypeImport(node: SyntaxNode, { namedChildren: [part, other] }: SyntaxNode): boolean {
  if (node.children.some(({ type }) => type === 'type')) return true
  const names = part?.type === 'named_imports' && !other ? part.namedChildren : []
  return names.length > 0 && names.every(({ text }) => /^type\s+\w/.test(text))
}

/** Reads `a` and `a as b` in the braces of an import or export. */
function specifiersOf(list: SyntaxNode): readonly { name: SyntaxNode; alias: string }[] {
  return list.namedChildren.flatMap((specifier) => {
    const name = specifier.childForFieldName('name')
    return name ? [{ name, alias: specifier.childForFieldName('alias')?.text ?? name.text }] : []
  })
}

/** An export of names, of another module, or of a declaration. */
export const lowerExport: Lowering = (node, draft) => {
  const place = placeOf(node)
  const module = node.childForFieldName('source')?.text.slice(1, -1)
  const declaration = node.childForFieldName('declaration')
  const value = node.childForFieldName('value')
  for (const decorator of node.childrenForFieldName('decorator')) draft.statement(decorator)
  const clause = node.namedChildren.find(({ type }) => /_(?:clause|export)$/.test(type))
  if (clause?.type === 'export_clause') {
    for (const { name, alias } of specifiersOf(clause)) {
      const local = module === undefined ? name.text : `exported ${name.text} ${name.startIndex}`
      if (module !== undefined) draft.import({ module, local, imported: name.text, place })
      const value = { kind: 'name', name: local, place: placeOf(name) } as const
      draft.export({ name: alias, value })
    }
  } else if (module !== undefined) {
    const local = clause?.namedChild(0)?.text
    draft.import({ module, local: local ?? '*', imported: '*', place })
    if (local !== undefined) {
      draft.export({ name: local, value: { kind: 'name', name: local, place } })
    }
  } else if (declaration) {
    draft.statement(declaration)
    const name = declaration.childForFieldName('name')
    if (!name || declaration.type === 'enum_declaration') return undefined
    draft.export({ name: name.text, value: unknownAt(name) })
    const isDefault = /^export\s+default\b/.test(node.text.slice(0, 40))
    if (isDefault) draft.export({ name: 'default', value: draft.name(name.text, name) })
  } else if (value) draft.export({ name: 'default', value: { ...draft.lower(value), place } })
  return undefined
}

/** Whether a value is a module, whose names it imports: `require('a').b`, `await import('a')`. */
export function importRequired(
  value: SyntaxNode | null,
  { names, draft }: { readonly names: readonly Pick<PatternName, 'name' | 'path'>[]; draft: Draft },
): boolean {
  if (!value || !MAY_REQUIRE.test(value.type)) return false
  const [, module, member] = REQUIRED.exec(value.text) ?? []
  if (module === undefined) return false
  const place = placeOf(value)
  for (const { name, path } of names) {
    draft.import({ module, local: name, imported: path[0] ?? member ?? '*', place })
  }
  return true
}

const MAY_REQUIRE = /^(?:call|await|member|as)_expression$/
const REQUIRED =
  /^\(?(?:await\s+import|require)\(\s*['"]([^'"\n]+)['"]\s*\)\)?(?:\.(\w+))?(?:\s+as\s.*)?$/
