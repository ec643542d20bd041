import { lastName, matchNames } from '../model/name-patterns.ts'
import { classKey } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Effect } from './effects.ts'
import { placeOf } from './lowered.ts'
import { partOf } from './names.ts'

const isRegistration = matchNames('Add{Http,Refit,RestEase}*Client For')

/**
 * Records the base of a client that is registered for a class of another file:
 * `AddHttpClient<T>(c => c.BaseAddress = …)`, `AddHttpClient("name", c => …)`,
 * `AddRefitClient<T>().ConfigureHttpClient(c => …)`, `RestService.For<T>("https://…")`.
 */
export const keepRegistration: Effect = ({ node }, draft) => {
  const list = node.childForFieldName('arguments')
  const names = list ? registeredNames(node) : []
  if (names.length === 0) return undefined
  const set = list
    ?.descendantsOfType('assignment_expression')
    .find((assignment) => /\.BaseAddress$/.test(assignment.childForFieldName('left')?.text ?? ''))
  const first = list?.namedChild(0)?.namedChildren.at(-1)
  const isUrl = /^[$@]*"https?:|(?:ur[il]|host|base|address|endpoint)$/i.test(first?.text ?? '')
  const base = set?.childForFieldName('right') ?? (isUrl ? first : undefined)
  if (!base) return undefined
  // `sp.GetRequiredService<IOptions<Settings>>().Value.Url` is a member of the settings.
  const [, settings] = SETTINGS.exec(list?.text ?? '') ?? []
  const [, member] = (settings && /\.(\w+)!?\)?$/.exec(base.text)) || []
  const value = member ? draft.name(`${settings}.${member}`, base) : draft.lower(base)
  const bound = { value, place: placeOf(node) }
  for (const name of names) draft.export({ ...bound, name: classKey(name) })
  return undefined
}

const SETTINGS = /\.Get(?:Required)?Service<(?:IOptions\w{0,20}<)?(\w+)>/

/**
 * Records the client that an interface of another file is implemented by:
 * `retrofit.create(Api::class.java)`, `retrofit.create<Api>()`, `retrofit.create(Api.class)`.
 */
export const keepImplementation: Effect = ({ method, receiver, node, place }, draft) => {
  if (!/^create(?:Client)?$/.test(method) || !receiver) return undefined
  const list = partOf(node, -1)?.text ?? ''
  const [, argument, type] = IMPLEMENTED.exec(list) ?? []
  const name = argument ?? type ?? (list === '()' ? declaredType(node) : undefined)
  if (name === undefined) return undefined
  return draft.export({ name: classKey(name), value: receiver, place })
}

/** The type of the function or property around a value: `val api: Api = retrofit.create()`. */
function declaredType(node: SyntaxNode): string | undefined {
  let at = node.parent
  for (let step = 0; at && step < MAX_CHAIN; step += 1, at = at.parent) {
    if (!/^(?:function|property)_declaration$/.test(at.type)) continue
    return partOf(partOf(at, '<variable_declaration>') ?? at, '<user_type>')?.text
  }
  return undefined
}

const IMPLEMENTED = /^\((?:\w+\.)*(\w+)(?:::class(?:\.java)?|\.class)\)$|^<(\w+)>\(\)$/

/** Returns the types, or the name, that a chain of calls registers a client for. */
function registeredNames(node: SyntaxNode): readonly string[] {
  let at: SyntaxNode | null = node
  for (let step = 0; at && step < MAX_CHAIN; step += 1) {
    const target: SyntaxNode | null = at.childForFieldName('function')
    const last: SyntaxNode | null = target?.childForFieldName('name') ?? target
    if (last && isRegistration(withoutTypes(last.text))) {
      const types = partOf(last, '<type_argument_list>')?.namedChildren ?? []
      const names = types.map((type) => lastName(withoutTypes(type.text)))
      if (names.length > 0) return names
      const first = at.childForFieldName('arguments')?.namedChild(0)?.text ?? ''
      // `"billing"`, `nameof(Billing)`, `Billing.Name`.
      const name = NAMED_CLIENT.exec(first)
      return name ? [name[1] ?? lastName(name[2] ?? '')] : []
    }
    at = target?.childForFieldName('expression') ?? null
  }
  return []
}

const NAMED_CLIENT = /^"([\w.-]+)"$|^(?:nameof\()?([A-Z][\w.]*)\)?$/

function withoutTypes(name: string): string {
  return name.replace(/<.*$/s, '')
}

/** Longest chain of calls that is followed. */
const MAX_CHAIN = 8
