import type { Draft } from '../../lowering/draft.ts'
import { placeOf } from '../../lowering/lowered.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { nameOf } from './values.ts'

/** Functions that register a client for a class, an interface or a name. */
const REGISTERS = /^(?:Add(?:Http|Refit|RestEase)\w*Client|For)$/

/**
 * Keeps the base of a client that is registered for a class of another file:
 * `AddHttpClient<T>(c => c.BaseAddress = …)`, `AddRefitClient<T>().ConfigureHttpClient(c => …)`,
 * `AddHttpClient("name", c => …)`, `RestService.For<T>("https://…")`.
 */
export function keepRegistration(node: SyntaxNode, draft: Draft): void {
  const names = registeredNames(node)
  const list = node.childForFieldName('arguments')
  if (names.length === 0 || !list) return
  const base = baseIn(list)
  if (!base) return
  const value = draft.lower(base)
  for (const name of names) {
    const place = placeOf(node)
    draft.bind({ name: `@class ${name}`, value, kind: 'constant', isExported: true, place })
  }
}

/** The types or the name that a chain of calls registers a client for. */
function registeredNames(node: SyntaxNode): readonly string[] {
  let at: SyntaxNode | null = node
  for (let step = 0; at && step < MAX_CHAIN; step += 1) {
    const target: SyntaxNode | null = at.childForFieldName('function')
    const last: SyntaxNode | null = target?.childForFieldName('name') ?? target
    if (last && REGISTERS.test(nameOf(last) ?? '')) {
      const types = last.namedChildren.find((child) => child?.type === 'type_argument_list')
      if (types) return types.namedChildren.flatMap((type) => (type ? [lastPart(type.text)] : []))
      const first = at.childForFieldName('arguments')?.namedChild(0)?.text ?? ''
      return /^"[\w.-]+"$/.test(first) ? [first.slice(1, -1)] : []
    }
    at = target?.childForFieldName('expression') ?? null
  }
  return []
}

/** What is set as the base in a function among the arguments, or the address that is the argument. */
function baseIn(list: SyntaxNode): SyntaxNode | null {
  for (const set of list.descendantsOfType('assignment_expression')) {
    if (/\.BaseAddress$/.test(set?.childForFieldName('left')?.text ?? '')) {
      return set?.childForFieldName('right') ?? null
    }
  }
  const first = list.namedChild(0)?.namedChildren.at(-1) ?? null
  return first && /^[$@]*"https?:/.test(first.text) ? first : null
}

function lastPart(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1).replace(/<.*$/s, '')
}

/** Longest chain of calls that is followed. */
const MAX_CHAIN = 8
