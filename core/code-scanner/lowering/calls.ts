import type { Expression, Place, TextRole } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Draft, Lowering } from './draft.ts'
import { type LoweredCall, ownerOf } from './effects.ts'
import { placeOf } from './lowered.ts'
import { type Part, partOf } from './names.ts'

/**
 * Where a call has its parts: what is called in one node (`function`), or the object and the name
 * each in its own.
 */
export type CallShape =
  | { readonly function: Part; readonly arguments: Part; readonly at?: 'start' }
  | {
      readonly object: Part
      readonly name: Part
      readonly arguments: Part
      readonly at?: 'start'
    }

interface Target {
  readonly callee: string
  readonly object: SyntaxNode | null
  readonly place: Place
  /** The called node if it has no name: a function, the result of another call. */
  readonly unnamed?: SyntaxNode
}

/** A call, or the text that it only builds. */
export function call(shape: CallShape): Lowering {
  return (node, draft) => {
    const target = readTarget(node, { shape, draft })
    if (!target) return draft.children(node)
    const { callee, object, place, unnamed } = target
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
    const given = draft.rules.readArguments(list, draft)
    // `getattr(client, "get")(url)`: the called value is a name.
    const [full, owner] =
      callee === '()' && receiver?.kind === 'name'
        ? [receiver.name, ownerOf(receiver)]
        : [callee, receiver]
    return finishCall({ callee: full, receiver: owner, ...given, place, node }, draft)
  }
}

/** `new X(…)`, with a body or with fields that are set; the callee is `new X`. */
export function construct(shape: {
  /** Where it is left out, the type that the value is given to counts: `new()`. */
  readonly type: Part
  readonly arguments: Part
  /** Body of an anonymous class. */
  readonly body?: Part
  /** Fields that are set beside the arguments; they count as named arguments. */
  readonly fields?: Part
}): Lowering {
  return (node, draft) => {
    const type = partOf(node, shape.type) ?? declaredType(node)
    const known = draft.nameOf(type)
    // An anonymous class, or a value that is a class.
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
    const { args: given, named } = draft.rules.readArguments(list, draft)
    const set = fields ? draft.lower(fields) : undefined
    const args = set?.kind === 'list' && given.length === 0 ? set.items : given
    if (body) draft.within({ kind: 'class', name: '' }, () => draft.children(body))
    const all = set?.kind === 'record' ? { ...named, ...set.entries } : named
    const value = { callee, receiver: undefined, args, named: all, place: placeOf(node), node }
    return finishCall(value, draft)
  }
}

/** Type of the field, property or variable that a value is given to. */
function declaredType(node: SyntaxNode): SyntaxNode | null {
  let at = node.parent
  for (let steps = 0; at && steps < 4; steps += 1, at = at.parent) {
    const type = at.childForFieldName('type')
    if (type) return type
  }
  return null
}

/** Keeps a call whose parts are lowered, unless it only makes a text. */
function finishCall(given: Omit<LoweredCall, 'method'>, draft: Draft): Expression {
  const { callee, receiver, args, named, place } = given
  const method = callee.slice(callee.lastIndexOf('.') + 1)
  const made = draft.rules.effectOf({ ...given, method }, draft)
  return made ?? draft.call({ callee, receiver, args, named, place })
}

/** Lowers arguments whose texts have a role; nothing of them is called. */
export function giveRole(
  list: SyntaxNode | null,
  { role, draft }: { readonly role: TextRole; readonly draft: Draft },
): undefined {
  for (const one of draft.rules.itemsOf(list)) {
    draft.statement(draft.rules.namedArgument(one)?.value ?? one, role)
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
    return { callee, object, place: placeOf(shape.at ? node : (name ?? node)) }
  }
  const target = partOf(node, shape.function)
  if (!target) return undefined
  const name = draft.nameOf(target)
  const member = draft.rules.memberOf(target)
  const place = placeOf(shape.at ? target : (member?.name ?? target))
  if (member) {
    const method = draft.nameOf(member.name) ?? member.name.text
    return { callee: name ?? `.${method}`, object: member.object, place }
  }
  if (name !== undefined) return { callee: name, object: null, place }
  return { callee: isFunction(target) ? '' : '()', object: null, place, unnamed: target }
}

function isFunction({ type }: SyntaxNode): boolean {
  return /func|lambda|closure/.test(type)
}
