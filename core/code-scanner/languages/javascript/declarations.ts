import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf, unknownAt } from '../../lowering/lowered.ts'
import type { Expression } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { lowerFunction } from './functions.ts'
import { dottedName, isFunction, unwrap } from './names.ts'
import { bindPattern } from './patterns.ts'
import { keyOf } from './values.ts'

/** Lowerings of declarations, assignments, imports and exports, by node type. */
export const DECLARATIONS: readonly (readonly [string, Lowering])[] = [
  ['lexical_declaration', (node, draft) => lowerVariables(node, draft, false)],
  ['variable_declaration', (node, draft) => lowerVariables(node, draft, false)],
  ['enum_declaration', (node, draft) => lowerEnum(node, draft, false)],
  ['assignment_expression', lowerAssignment],
  ['augmented_assignment_expression', lowerAppending],
  ['import_statement', lowerImport],
  ['export_statement', lowerExport],
]

function lowerVariables(node: SyntaxNode, draft: Draft, isExported: boolean): undefined {
  const isConstant = node.childForFieldName('kind')?.text === 'const'
  for (const child of node.namedChildren) {
    if (child?.type === 'variable_declarator')
      lowerVariable(child, { draft, isExported, isConstant })
  }
  return undefined
}

function lowerVariable(
  node: SyntaxNode,
  given: { readonly draft: Draft; readonly isExported: boolean; readonly isConstant: boolean },
): void {
  const { draft, isExported, isConstant } = given
  const target = node.childForFieldName('name')
  const value = unwrap(node.childForFieldName('value'))
  if (!target) return
  const place = placeOf(target)
  const kind = isConstant ? 'constant' : 'variable'
  const required = requiredModule(value)
  if (required) {
    draft.lower(value)
    importRequired(target, { draft, ...required })
    if (isExported)
      draft.bind({ name: target.text, value: nameAt(target), kind, isExported, place })
    return
  }
  if (target.type !== 'identifier') {
    const from = value ? draft.lower(value) : undefined
    bindPattern(target, { draft, from, isExported, place })
    return
  }
  const name = target.text
  if (isFunction(value)) {
    lowerFunction(value, draft, name)
    draft.bind({ name, value: unknownAt(node), kind, isExported, place })
    return
  }
  const inner = wrappedFunction(value)
  const lowered = inner ? lowerWrapped(value, { draft, inner, name }) : draft.lower(value)
  if (value || isExported) draft.bind({ name, value: lowered, kind, isExported, place })
}

/** `useCallback(() => …)`: the function is called by the variable's name. */
function wrappedFunction(value: SyntaxNode | null): SyntaxNode | null {
  if (value?.type !== 'call_expression') return null
  const callee = value.childForFieldName('function')?.text ?? ''
  if (
    !/^(?:React\.)?(?:useCallback|memo|cache|debounce|throttle|memoize|pMemoize|asyncHandler)$/.test(
      callee,
    )
  ) {
    return null
  }
  const first = value.childForFieldName('arguments')?.namedChild(0) ?? null
  return isFunction(first) ? first : null
}

function lowerWrapped(
  value: SyntaxNode | null,
  given: { readonly draft: Draft; readonly inner: SyntaxNode; readonly name: string },
): Expression {
  lowerFunction(given.inner, given.draft, given.name)
  return value ? unknownAt(value) : given.draft.lower(value)
}

/** `require('x')` or `await import('x')`, with a member of it. */
function requiredModule(
  value: SyntaxNode | null,
): { readonly module: string; readonly member: string } | undefined {
  if (!value) return undefined
  if (value.type === 'member_expression') {
    const inner = requiredModule(unwrap(value.childForFieldName('object')))
    const member = value.childForFieldName('property')?.text ?? ''
    return inner && inner.member === '' ? { ...inner, member } : undefined
  }
  if (value.type !== 'call_expression') return undefined
  const callee = value.childForFieldName('function')
  if (callee?.type !== 'import' && callee?.text !== 'require') return undefined
  const argument = value.childForFieldName('arguments')?.namedChild(0)
  return argument?.type === 'string'
    ? { module: argument.text.slice(1, -1), member: '' }
    : undefined
}

function importRequired(
  target: SyntaxNode,
  given: { readonly draft: Draft; readonly module: string; readonly member: string },
): void {
  const { draft, module, member } = given
  const place = placeOf(target)
  if (target.type === 'identifier') {
    draft.import({ module, local: target.text, imported: member === '' ? '*' : member, place })
    return
  }
  for (const child of target.namedChildren) {
    if (!child) continue
    const isPair = child.type === 'pair_pattern'
    const local = isPair ? child.childForFieldName('value')?.text : child.text
    const imported = isPair ? keyOf(child.childForFieldName('key')) : child.text
    if (local && /^[\w$]+$/.test(local)) draft.import({ module, local, imported, place })
  }
}

function lowerEnum(node: SyntaxNode, draft: Draft, isExported: boolean): undefined {
  const name = node.childForFieldName('name')
  const entries: Record<string, Expression> = {}
  for (const child of node.childForFieldName('body')?.namedChildren ?? []) {
    if (child?.type !== 'enum_assignment') continue
    entries[keyOf(child.childForFieldName('name'))] = draft.lower(child.childForFieldName('value'))
  }
  if (!name) return undefined
  const place = placeOf(name)
  const value: Expression = { kind: 'record', entries, place }
  return draft.bind({ name: name.text, value, kind: 'constant', isExported, place })
}

function lowerAssignment(node: SyntaxNode, draft: Draft): Expression | undefined {
  const left = unwrap(node.childForFieldName('left'))
  const right = node.childForFieldName('right')
  const name = dottedName(left)
  if (!left || name === undefined) {
    const from = draft.lower(right)
    if (left?.type === 'object_pattern') {
      bindPattern(left, { draft, from, isExported: false, place: placeOf(left) })
    } else {
      draft.statement(left)
    }
    return from
  }
  const exported = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(name)
  const last = name.slice(name.lastIndexOf('.') + 1)
  const inner = unwrap(right)
  const value = isFunction(inner) ? unknownAt(node) : draft.lower(right)
  if (isFunction(inner)) lowerFunction(inner, draft, exported?.[1] ?? last)
  const place = placeOf(left)
  if (exported && name !== 'exports') {
    const names = { name: exported[1] ?? 'default', isExported: true }
    draft.bind({ ...names, value, kind: 'constant', place })
  } else {
    draft.assign({ name, value, place })
  }
  return value
}

/** `url += '/x'`. */
function lowerAppending(node: SyntaxNode, draft: Draft): Expression | undefined {
  const left = node.childForFieldName('left')
  const name = dottedName(left)
  const right = draft.lower(node.childForFieldName('right'))
  if (!left || name === undefined) return undefined
  const place = placeOf(left)
  const operator = node.childForFieldName('operator')?.text
  const old: Expression = { kind: 'name', name, place }
  const value: Expression =
    operator === '+='
      ? { kind: 'join', parts: [old, right], place: right.place }
      : { kind: 'either', options: [old, right], place: right.place }
  return draft.assign({ name, value, place })
}

function lowerImport(node: SyntaxNode, draft: Draft): undefined {
  const place = placeOf(node)
  const source = node.childForFieldName('source')
  const clause = node.namedChildren.find((child) => child?.type === 'import_clause')
  const required = node.namedChildren.find((child) => child?.type === 'import_require_clause')
  if (required) {
    const module = required.childForFieldName('source')?.text.slice(1, -1) ?? ''
    return draft.import({ module, local: required.namedChild(0)?.text ?? '', imported: '*', place })
  }
  const module = source?.text.slice(1, -1) ?? ''
  if (!clause) return draft.import({ module, local: '', imported: '*', place })
  for (const child of clause.namedChildren) {
    if (child?.type === 'identifier') {
      draft.import({ module, local: child.text, imported: 'default', place })
    } else if (child?.type === 'namespace_import') {
      draft.import({ module, local: child.namedChild(0)?.text ?? '', imported: '*', place })
    } else if (child?.type === 'named_imports') {
      for (const one of child.namedChildren) {
        const imported = one?.childForFieldName('name')?.text ?? ''
        const local = one?.childForFieldName('alias')?.text ?? imported
        if (imported !== '') draft.import({ module, local, imported, place })
      }
    }
  }
  return undefined
}

function lowerExport(node: SyntaxNode, draft: Draft): undefined {
  const place = placeOf(node)
  const source = node.childForFieldName('source')?.text.slice(1, -1)
  const declaration = node.childForFieldName('declaration')
  const isDefault = /^export\s+default\b/.test(node.text.slice(0, 40))
  if (declaration) return lowerExported(declaration, { draft, isDefault })
  const clause = node.namedChildren.find((child) => child?.type === 'export_clause')
  if (clause) {
    for (const one of clause.namedChildren) {
      const name = one?.childForFieldName('name')
      if (!one || !name) continue
      const exported = one.childForFieldName('alias')?.text ?? name.text
      const local = source === undefined ? name.text : `exported ${name.text} ${name.startIndex}`
      if (source !== undefined) {
        draft.import({ module: source, local, imported: name.text, place })
      }
      const value: Expression = { kind: 'name', name: local, place: placeOf(name) }
      draft.bind({ name: exported, value, kind: 'constant', isExported: true, place })
    }
    return undefined
  }
  if (source !== undefined) {
    const space = node.namedChildren.find((child) => child?.type === 'namespace_export')
    const local = space?.namedChild(0)?.text
    draft.import({ module: source, local: local ?? '*', imported: '*', place })
    if (local !== undefined) {
      const value: Expression = { kind: 'name', name: local, place }
      draft.bind({ name: local, value, kind: 'constant', isExported: true, place })
    }
    return undefined
  }
  const value = node.childForFieldName('value')
  if (!value) return draft.children(node)
  if (isFunction(unwrap(value))) {
    lowerFunction(unwrap(value), draft, 'default')
    const unknown = unknownAt(value)
    return draft.bind({
      name: 'default',
      value: unknown,
      kind: 'constant',
      isExported: true,
      place,
    })
  }
  const given = draft.lower(value)
  return draft.bind({ name: 'default', value: given, kind: 'constant', isExported: true, place })
}

function lowerExported(
  node: SyntaxNode,
  { draft, isDefault }: { readonly draft: Draft; readonly isDefault: boolean },
): undefined {
  if (/^(?:lexical|variable)_declaration$/.test(node.type)) return lowerVariables(node, draft, true)
  if (node.type === 'enum_declaration') return lowerEnum(node, draft, true)
  draft.lower(node)
  const name = node.childForFieldName('name')
  if (!name) return undefined
  const place = placeOf(name)
  const names = isDefault ? [name.text, 'default'] : [name.text]
  for (const one of names) {
    const value = one === name.text ? unknownAt(name) : nameAt(name)
    draft.bind({ name: one, value, kind: 'constant', isExported: true, place })
  }
  return undefined
}

function nameAt(node: SyntaxNode): Expression {
  return { kind: 'name', name: node.text, place: placeOf(node) }
}
