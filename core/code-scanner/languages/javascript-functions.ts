import { plainText, toTokenName } from '../lowering/built-texts.ts'
import { record } from '../lowering/constructs.ts'
import { lowerFunction as lowerBody } from '../lowering/definitions.ts'
import { bindNames, parametersOf } from '../lowering/destructuring.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { functionNames } from '../lowering/function-names.ts'
import { placeOf } from '../lowering/lowered.ts'
import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { bindCallback } from './javascript-loops.ts'
import { isPattern, keyOf, namesOf } from './javascript-names.ts'

/** Calls that return the function that they get. */
export const WRAPPERS =
  '{,React.}{useCallback,memo,cache,debounce,throttle,memoize,pMemoize,asyncHandler}'

const nameOfFunction = functionNames({
  named: {
    pair: 'key',
    variable_declarator: 'name',
    assignment_expression: 'left',
    public_field_definition: 'name',
  },
  fixed: { export_statement: 'default' },
  wrappers: WRAPPERS,
  keyOf,
})

/** Keys of functions that compute an option: `url: () => '/x'`. */
const isOption = matchNames('query url baseURL baseUrl prefixUrl uri useFactory')
const FUNCTION = { parameters: 'parameters', shapes: {}, body: 'body', blocks: 'statement_block' }

/** A function, whose result is the value of an option; getters are fields. */
export const lowerFunction: Lowering = (node, draft) => {
  const list = node.childForFieldName('parameters') ?? node.childForFieldName('parameter')
  const parameters = parametersOf(list, { name: 'pattern', type: 'type', preset: 'value' })
  const name = nameOfFunction(node, draft)
  const before = () => {
    bindCallback(node, { parameter: parameters[0]?.node, draft })
    for (const { name: own, node: target } of parameters) {
      const value = { kind: 'name', name: own, place: placeOf(target) } as const
      if (isPattern(target)) bindNames(namesOf(target), { value, draft })
      const declared = target.parent?.text ?? ''
      const token = INJECTED.exec(declared)?.[1]
      if (token !== undefined) {
        draft.bind({ name: own, value: { ...value, name: toTokenName(token) } })
      }
      const isField = name === 'constructor' && MODIFIER.test(declared)
      if (isField) draft.bind({ name: `this.${own}`, value })
    }
  }
  const owner = node.parent
  const isEntry = owner?.type === 'pair' || owner?.type === 'object'
  const hasResult = (isEntry && isOption(name)) || isUrlArgument(node)
  const parent = isEntry
    ? scopeOfObject(node, { owner, draft })
    : scopeOfConstructor(node, { name, draft })
  const scope = { name, ...(parent !== undefined && { parent }) }
  const result = lowerBody(node, { shape: FUNCTION, draft, scope, parameters, before, hasResult })
  if (node.type !== 'method_definition') return hasResult ? result : undefined
  // Vue's computed properties are fields of the component.
  const isComputed = isEntry && owner.parent?.childForFieldName('key')?.text === 'computed'
  if (isComputed || /^(?:static\s+)?get\s/.test(node.text.slice(0, 40))) {
    const callee = isComputed && parent === undefined ? name : `this.${name}`
    const of = parent === undefined ? {} : { of: parent }
    const value = draft.resultOf({ callee, place: placeOf(node), scope: parent ?? draft.scope })
    draft.bind({ name: `this.${name}`, value, ...of })
  }
  return hasResult ? result : undefined
}

/** Whether a function computes the URL of a request: `useFetch(() => url)`. */
function isUrlArgument({ id, parent }: SyntaxNode): boolean {
  if (parent?.type !== 'arguments' || parent.namedChild(0)?.id !== id) return false
  return /^use(?:Lazy)?Fetch$/.test(parent.parent?.childForFieldName('function')?.text ?? '')
}

/** A parameter with the token of a value that modules provide: `@Inject(API_URL) url`. */
const INJECTED = /^\s*@Inject\(\s*['"]?(\w+)['"]?\s*\)[^:]*(?::\s*string\b|$)/

/**
 * Binds what a module provides: `{ provide: API_URL, useValue: 'https://…' }` of Angular and Nest,
 * `{ provide: { api } }` of a Nuxt plugin, which others read as `$api`.
 */
function bindProvided(value: Expression | undefined, draft: Draft): void {
  const { provide, useValue } = value?.kind === 'record' ? value.entries : {}
  const token = provide?.kind === 'name' ? provide.name : plainText(provide)
  if (token !== undefined && useValue) draft.export({ name: toTokenName(token), value: useValue })
  for (const [key, bound] of Object.entries(provide?.kind === 'record' ? provide.entries : {})) {
    draft.export({ name: `$${key}`, value: bound })
  }
}

/** Modifiers of a parameter that is a field. */
const MODIFIER = /^\s*(?:@\S+\s+)*(?:public|private|protected|readonly)\s/

/** The class and member of `Api.prototype.get`; the member is empty for the prototype itself. */
export function prototypeOf(
  name: string,
): { readonly of: string; readonly name: string } | undefined {
  const [, owner, member = ''] = /^(?:.*\.)?(\w+)\.prototype(?:\.(\w+))?$/.exec(name) ?? []
  return owner === undefined ? undefined : { of: owner, name: member }
}

/** The class of a function that constructs objects, or that a prototype gets. */
function scopeOfConstructor(
  node: SyntaxNode,
  { name, draft }: { readonly name: string; readonly draft: Draft },
): number | undefined {
  const left = node.parent?.childForFieldName('left')
  const prototype = left && prototypeOf(draft.nameOf(left) ?? '')
  if (prototype) return draft.classScope(prototype.of)
  const constructs =
    /^[A-Z]/.test(name) && CONSTRUCTORS.has(node.type) && node.text.includes('this.')
  return constructs ? draft.classScope(name) : undefined
}

const CONSTRUCTORS = new Set(['function_declaration', 'function_expression'])

/** The scope of an object's functions. An arrow function has the `this` around the object. */
function scopeOfObject(
  node: SyntaxNode,
  { owner, draft }: { readonly owner: SyntaxNode; readonly draft: Draft },
): number | undefined {
  if (node.type === 'arrow_function' && node.text.includes('this.')) return undefined
  const object = owner.type === 'pair' ? owner.parent : owner
  const key = object?.parent?.childForFieldName('key')?.text ?? ''
  const whole = isGroup(key) ? object?.parent?.parent : object
  return whole ? draft.objectScopeOf(whole.id) : undefined
}

/** Keys of groups of functions that have the `this` of the object around: Vue's components. */
const isGroup = matchNames('methods computed')

const lowerEntries = record({
  pairs: {
    pair: { key: 'key', value: 'value' },
    shorthand_property_identifier: { key: '.', value: '.' },
    method_definition: { key: 'name', value: '.' },
  },
  spread: 'spread_element',
  keyOf,
})

/** An object; one with a name and functions is like a class that has one instance. */
export const lowerObject: Lowering = (node, draft) => {
  const parent = node.parent?.type ?? ''
  const left = parent === 'assignment_expression' ? node.parent?.childForFieldName('left') : null
  const prototype = left && prototypeOf(draft.nameOf(left) ?? '')
  if (!prototype && !(NAMES_OBJECT.has(parent) && node.namedChildren.some(isFunction))) {
    const value = lowerEntries(node, draft)
    bindProvided(value, draft)
    return value
  }
  const of = draft.openObject(node.id, prototype?.of)
  const value = lowerEntries(node, draft)
  if (value?.kind !== 'record') return value
  for (const [name, entry] of Object.entries(value.entries)) {
    if (entry.kind !== 'unknown') draft.bind({ name: `this.${name}`, value: entry, of })
  }
  return { ...value, methods: of }
}

const NAMES_OBJECT = new Set(['variable_declarator', 'assignment_expression', 'export_statement'])

function isFunction(entry: SyntaxNode): boolean {
  if (entry.type === 'method_definition') return true
  const value = entry.type === 'pair' ? entry.childForFieldName('value') : null
  const key = value?.type === 'object' ? entry.childForFieldName('key')?.text : undefined
  return /^(?:arrow_|generator_)?function/.test(value?.type ?? '') || isGroup(key ?? '')
}
