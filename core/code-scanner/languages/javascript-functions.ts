import { plainText, resultOf, toTokenName } from '../lowering/built-texts.ts'
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
      const value: Expression = { kind: 'name', name: own, place: placeOf(target) }
      if (isPattern(target)) bindNames(namesOf(target), { value, draft })
      const isField = name === 'constructor' && MODIFIER.test(target.parent?.text ?? '')
      bindInjected(own, { declared: target.parent?.text ?? '', value, draft })
      if (isField) setField(own, { value, draft })
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
    const value = resultOf(callee, { place: placeOf(node), scope: parent ?? draft.scope })
    setField(name, { value, draft, of: parent })
  }
  return hasResult ? result : undefined
}

/** Whether a function computes the URL of a request: `useFetch(() => url)`. */
function isUrlArgument({ id, parent }: SyntaxNode): boolean {
  if (parent?.type !== 'arguments' || parent.namedChild(0)?.id !== id) return false
  return /^use(?:Lazy)?Fetch$/.test(parent.parent?.childForFieldName('function')?.text ?? '')
}

/** Binds a parameter to the value that modules provide for its token: `@Inject(API_URL) url`. */
function bindInjected(
  name: string,
  parameter: { readonly declared: string; readonly value: Expression; readonly draft: Draft },
): void {
  const { declared, value, draft } = parameter
  const token = INJECTED.exec(declared)?.[1]
  if (token === undefined) return
  const { place } = value
  const provided: Expression = { kind: 'name', name: toTokenName(token), place }
  draft.bind({ name, value: provided, kind: 'variable', isExported: false, place })
}

/** A string with a token. */
const INJECTED = /^\s*@Inject\(\s*['"]?(\w+)['"]?\s*\)[^:]*(?::\s*string\b|$)/

/**
 * Binds what a module provides: `{ provide: API_URL, useValue: 'https://…' }` of Angular and Nest,
 * `{ provide: { api } }` of a Nuxt plugin, which others read as `$api`.
 */
function bindProvided(value: Expression | undefined, draft: Draft): void {
  const { provide, useValue } = value?.kind === 'record' ? value.entries : {}
  const token = provide?.kind === 'name' ? provide.name : plainText(provide)
  const provided = provide?.kind === 'record' ? Object.entries(provide.entries) : []
  const names = provided.map(([key, entry]) => [`$${key}`, entry] as const)
  const tokens = token !== undefined && useValue ? [[toTokenName(token), useValue] as const] : []
  for (const [name, bound] of [...tokens, ...names]) {
    draft.bind({ name, value: bound, kind: 'constant', isExported: true, place: bound.place })
  }
}

/** Modifiers of a parameter that is a field. */
const MODIFIER = /^\s*(?:@\S+\s+)*(?:public|private|protected|readonly)\s/

/** Binds a field of the class around, or of the class with the scope `of`. */
export function setField(
  name: string,
  field: { readonly value: Expression; readonly draft: Draft; readonly of?: number | undefined },
): undefined {
  const { value, draft, of } = field
  const place = { kind: 'field', isExported: false, place: value.place } as const
  return draft.bind({ name: `this.${name}`, value, ...place, ...(of !== undefined && { of }) })
}

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
    if (entry.kind !== 'unknown') setField(name, { value: entry, draft, of })
  }
  return { ...value, methods: of }
}

const NAMES_OBJECT = new Set(['variable_declarator', 'assignment_expression', 'export_statement'])

function isFunction(entry: SyntaxNode | null): boolean {
  if (entry?.type === 'method_definition') return true
  const value = entry?.type === 'pair' ? entry.childForFieldName('value') : null
  const key = value?.type === 'object' ? entry?.childForFieldName('key')?.text : undefined
  return /^(?:arrow_|generator_)?function/.test(value?.type ?? '') || isGroup(key ?? '')
}
