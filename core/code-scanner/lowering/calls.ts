import type { Call, Expression, Place, TextRole } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft, Lowering } from './draft.ts'
import { type LoweredCall, ownerOf } from './effects.ts'
import { placeOf } from './lowered.ts'
import { type Part, partOf } from './names.ts'

/**
 * Parts of a call: the callee in one node (`function`), or its object and name in separate nodes.
 * With `at`, a callee that has a name is located at its start instead of its last part.
 */
export type CallShape = {
  readonly arguments: Part
  readonly at?: 'start'
  /** Callees of constructions, in languages without `new`. */
  readonly constructs?: RegExp
  /** Type of arguments that are a template, which is the value of its tag's call. */
  readonly tagged?: string
} & ({ readonly function: Part } | { readonly object: Part; readonly name: Part })

interface Target {
  readonly callee: string
  readonly object: SyntaxNode | null
  readonly place: Place
  /** A callee without a name: a function, the result of another call. */
  readonly unnamed?: SyntaxNode
}

/** A call, or the string that it only builds. */
export function call(shape: CallShape): Lowering {
  return (node, draft) => {
    const target = readTarget(node, { shape, draft })
    if (!target) return draft.children(node)
    const isMade = shape.constructs?.test(target.callee)
    const callee = isMade ? `new ${target.callee}` : target.callee
    const object = isMade ? null : target.object
    const { place, unnamed } = target
    const list = partOf(node, shape.arguments)
    const role = draft.rules.roleOf(callee, list)
    if (role) {
      giveRole(list, { role, draft })
      return draft.statement(object)
    }
    const receiver = object
      ? draft.lower(object)
      : unnamed && !isFunction(unnamed)
        ? draft.lower(unnamed)
        : undefined
    if (unnamed && isFunction(unnamed)) draft.statement(unnamed)
    const read = draft.rules.readArguments(list, draft)
    // The callee of `getattr(client, "get")(url)` is a name.
    const [full, owner] =
      callee === '()' && receiver?.kind === 'name'
        ? [receiver.name, ownerOf(receiver)]
        : [callee, receiver]
    const value = finishCall({ callee: full, receiver: owner, ...read, place, node }, draft)
    return list && list.type === shape.tagged ? read.args[0] : value
  }
}

/** `new X(…)`, with a body or with initialized fields; the callee is `new X`. */
export function construct(shape: {
  /** Defaults to the type of the assigned field, property or variable: `new()`. */
  readonly type: Part
  readonly arguments: Part
  /** Body of an anonymous class. */
  readonly body?: Part
  /** Initialized fields; they count as named arguments. */
  readonly fields?: Part
  /** Whether named arguments are the fields of a class of the file. */
  readonly areFields?: true
}): Lowering {
  return (node, draft) => {
    const type = partOf(node, shape.type) ?? declaredType(node)
    const known = draft.nameOf(type)
    // An anonymous class, or a class in a variable.
    const isMade = type && known === undefined && draft.rules.lowerings.has(type.type)
    if (isMade) return draft.children(node)
    const full = known ?? type?.text ?? ''
    const name = full.replace(/[<[].*$/s, '').replace(/\?$/, '')
    const list = partOf(node, shape.arguments)
    const body = shape.body === undefined ? null : partOf(node, shape.body)
    const fields = shape.fields === undefined ? null : partOf(node, shape.fields)
    const callee = `new ${name}`
    const role = draft.rules.roleOf(callee, list)
    if (role) {
      giveRole(fields, { role, draft })
      return giveRole(list, { role, draft })
    }
    const { args: positional, named } = draft.rules.readArguments(list, draft)
    const set = fields ? draft.lower(fields) : undefined
    const args = set?.kind === 'list' && positional.length === 0 ? set.items : positional
    if (body) draft.within({ kind: 'class', name: '' }, () => draft.children(body))
    const all = set?.kind === 'record' ? { ...named, ...set.entries } : named
    if (shape.areFields && draft.hasClass(name)) bindFields(name, { values: all, draft })
    const value = { callee, receiver: undefined, args, named: all, place: placeOf(node), node }
    return finishCall(value, draft)
  }
}

/** The call of another constructor of the class, or of its base class. */
export function baseConstructor(list: Part): Lowering {
  return (node, draft) => {
    const read = draft.rules.readArguments(partOf(node, list), draft)
    draft.call({ callee: 'super', ...read, place: placeOf(node) })
    return undefined
  }
}

/** Binds known values to the fields of a class. */
function bindFields(
  name: string,
  { values, draft }: { readonly values: Call['named']; readonly draft: Draft },
): void {
  const of = draft.classScope(name)
  for (const [key, value] of Object.entries(values)) {
    if (value.kind !== 'unknown') draft.bind({ name: `this.${key}`, value, of })
  }
}

/** Type of the field, property or variable that a value is assigned to. */
function declaredType(node: SyntaxNode): SyntaxNode | null {
  let at = node.parent
  for (let steps = 0; at && steps < 4; steps += 1, at = at.parent) {
    const type = at.childForFieldName('type')
    if (type) return type
  }
  return null
}

/** Records a call with lowered parts, unless it only builds a string. */
function finishCall(parts: Omit<LoweredCall, 'method'>, draft: Draft): Expression {
  const { callee, receiver, args, named, place } = parts
  const made = draft.rules.effectOf(parts, draft)
  if (made) return made
  const full = receiver ? callee : draft.rules.fullCallee(callee, draft)
  return draft.call({ callee: full, receiver, args, named, place })
}

/** Lowers arguments whose strings have a role instead of being called. */
export function giveRole(
  list: SyntaxNode | null,
  { role, draft }: { readonly role: TextRole; readonly draft: Draft },
): undefined {
  for (const argument of draft.rules.itemsOf(list)) {
    draft.statement(draft.rules.namedArgument(argument)?.value ?? argument, role)
  }
  return undefined
}

function readTarget(
  node: SyntaxNode,
  { shape, draft }: { readonly shape: CallShape; readonly draft: Draft },
): Target | undefined {
  if (!('function' in shape)) {
    const object = partOf(node, shape.object)
    const name = partOf(node, shape.name)
    const method = name?.text ?? ''
    const owner = object ? draft.nameOf(object) : undefined
    const callee = object ? `${owner ?? ''}.${method}` : method
    return { callee, object, place: placeOf(name ?? node) }
  }
  const target = draft.rules.unwrap(partOf(node, shape.function))
  if (!target) return undefined
  const member = draft.rules.memberOf(target)
  if (member) {
    const { object, name: last } = member
    const method = draft.nameOf(last) ?? last.text
    // Read last, as the lowering of the object reads it again.
    const owner = draft.nameOf(object)
    const callee = `${owner ?? ''}.${method}`
    return { callee, object, place: placeOf(shape.at && owner !== undefined ? target : last) }
  }
  const place = placeOf(target)
  const name = draft.nameOf(target)
  if (name !== undefined) return { callee: name, object: null, place }
  return { callee: isFunction(target) ? '' : '()', object: null, place, unnamed: target }
}

function isFunction({ type }: SyntaxNode): boolean {
  return /func|lambda|closure/.test(type)
}
