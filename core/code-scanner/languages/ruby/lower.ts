import { resultOf } from '../../lowering/built-texts.ts'
import { Draft, type Lowering } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { Expression, Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { lowerCall } from './calls.ts'
import { heredocsOf, nameOf, VALUES } from './values.ts'

/** What a Ruby text says. */
export function lowerRuby(root: SyntaxNode): Program {
  const draft = new Draft(new Map([...LOWERINGS, ['heredoc_beginning', heredocsOf(root)]]))
  draft.statement(root)
  return draft.program()
}

const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const right = node.childForFieldName('right')
  if (!left || !right) return draft.children(node)
  if (left.type === 'left_assignment_list') {
    if (right.type !== 'right_assignment_list') return draft.statement(right)
    for (const [index, value] of right.namedChildren.entries()) {
      bindTo(left.namedChild(index), { value: draft.lower(value), draft })
    }
    return undefined
  }
  const value = draft.lower(right)
  bindTo(left, { value, draft })
  return value.kind === 'call' ? value : undefined
}

const lowerAdded: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const name = left ? nameOf(left) : undefined
  const added = draft.lower(node.childForFieldName('right'))
  const operator = node.childForFieldName('operator')?.text
  if (!left || name === undefined || !/^(?:\|\|=|\+=|<<)$/.test(operator ?? '')) {
    if (node.type === 'binary') draft.statement(left)
    return draft.loose(added, 'other')
  }
  if (operator === '||=') {
    bindTo(left, { value: added, draft })
    return draft.name(name, left)
  }
  const parts = [draft.name(name, left), added]
  return bindTo(left, { value: { kind: 'join', parts, place: added.place }, draft })
}

/** Gives a value to what stands left of `=`, if that has a name. */
function bindTo(
  target: SyntaxNode | null,
  { value, draft }: { readonly value: Expression; readonly draft: Draft },
): undefined {
  const name = target ? nameOf(target) : undefined
  if (!target || name === undefined) return draft.loose(value, 'other')
  const isConstant = target.type === 'constant'
  const isField = name.startsWith('this.')
  // A local variable of a class's body is of that body alone.
  const isOfClass = draft.here.kind === 'class' && !/^[a-z_]\w*$/.test(name)
  return draft.bind({
    name,
    value,
    kind: isConstant ? 'constant' : isField ? 'field' : /\./.test(name) ? 'entry' : 'variable',
    isExported: isConstant || draft.here.kind === 'file' || isOfClass,
    place: placeOf(target),
  })
}

const lowerMethod: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')?.text ?? ''
  const given = node.childForFieldName('parameters')?.namedChildren ?? []
  const parameters = given.map(parameterName)
  const { scope } = draft
  const place = placeOf(node)
  draft.within({ kind: 'function', name, parameters }, () => {
    for (const one of given) bindParameter(one, draft)
    lowerBody(node.childForFieldName('body'), draft)
  })
  if (name === 'initialize' || given.some((one) => one?.type === 'identifier')) return undefined
  // A method without arguments is called by its name alone.
  const isOwn = draft.here.kind === 'class'
  const full = isOwn ? `this.${name}` : name
  const value = resultOf(full, { place, scope })
  draft.bind({ name: full, value, kind: isOwn ? 'field' : 'variable', isExported: false, place })
  return isOwn ? draft.member(scope, { name, full }) : undefined
}

/** The body's last value is what the method gives back. */
function lowerBody(body: SyntaxNode | null, draft: Draft): void {
  if (body) giveLast(body, { draft, depth: 0 })
}

function giveLast(
  node: SyntaxNode,
  at: { readonly draft: Draft; readonly depth: number },
): undefined {
  const { draft } = at
  const inner = { draft, depth: at.depth + 1 }
  if (at.depth < MAX_BRANCHES && BRANCHES.test(node.type)) {
    draft.statement(node.childForFieldName('condition'), 'error')
    for (const field of ['consequence', 'alternative']) {
      const branch = node.childForFieldName(field)
      if (branch) giveLast(branch, inner)
    }
    return undefined
  }
  if (at.depth >= MAX_BRANCHES || !/^(?:body_statement|then|else)$/.test(node.type)) {
    return draft.giveBack(draft.lower(node))
  }
  const statements = node.namedChildren.filter((one) => one && one.type !== 'comment')
  const last = statements.findLast(
    (one) => !/^(?:heredoc_body|rescue|ensure)$/.test(one?.type ?? ''),
  )
  for (const one of statements) {
    if (one && one.id === last?.id) giveLast(one, inner)
    else draft.statement(one)
  }
  return undefined
}

const BRANCHES = /^(?:if|unless|elsif)$/
const MAX_BRANCHES = 40

function parameterName(node: SyntaxNode | null): string {
  return node?.childForFieldName('name')?.text ?? node?.text ?? ''
}

function bindParameter(node: SyntaxNode | null, draft: Draft): undefined {
  const given = node?.childForFieldName('value')
  if (!node || !given || given.type === 'nil') return undefined
  return draft.bind({
    name: parameterName(node),
    value: draft.lower(given),
    kind: 'parameter-default',
    isExported: false,
    place: placeOf(node),
  })
}

const lowerClass: Lowering = (node, draft) => {
  const name = nameOf(node.childForFieldName('name') ?? node) ?? ''
  const parent = node.childForFieldName('superclass')?.namedChild(0)
  const base = parent ? nameOf(parent) : undefined
  const last = name.slice(name.lastIndexOf('.') + 1)
  return draft.within(
    { kind: 'class', name: last, ...(base === undefined ? {} : { extends: [base] }) },
    () => draft.statement(node.childForFieldName('body')),
  )
}

const lowerReturn: Lowering = (node, draft) => {
  const value = node.namedChild(0)?.namedChild(0) ?? null
  if (!value) return undefined
  return draft.here.kind === 'function'
    ? draft.giveBack(draft.lower(value))
    : draft.statement(value)
}

const lowerLambda: Lowering = (node, draft) => {
  const given = node.childForFieldName('parameters')?.namedChildren ?? []
  return draft.within({ kind: 'function', name: '', parameters: given.map(parameterName) }, () => {
    for (const one of given) bindParameter(one, draft)
    return draft.statement(node.childForFieldName('body'))
  })
}

const lowerCondition: Lowering = (node, draft) => {
  const condition = node.childForFieldName('condition')
  for (const child of node.namedChildren) {
    draft.statement(child, child?.id === condition?.id ? 'error' : 'other')
  }
  return undefined
}

/** A text that stands alone in a body says nothing to anyone. */
const lowerInOrder: Lowering = (node, draft) => draft.children(node)

const skip: Lowering = () => undefined

const LOWERINGS: readonly (readonly [string, Lowering])[] = [
  ...VALUES,
  ['call', lowerCall],
  ['comment', skip],
  ['uninterpreted', skip],
  ['heredoc_body', skip],
  ['program', lowerInOrder],
  ['assignment', lowerAssignment],
  ['operator_assignment', lowerAdded],
  ['method', lowerMethod],
  ['singleton_method', lowerMethod],
  ['class', lowerClass],
  ['module', lowerClass],
  ['singleton_class', (node, draft) => draft.statement(node.childForFieldName('body'))],
  ['return', lowerReturn],
  ['lambda', lowerLambda],
  ['if', lowerCondition],
  ['unless', lowerCondition],
  ['if_modifier', lowerCondition],
  ['unless_modifier', lowerCondition],
  ['while', lowerCondition],
]
