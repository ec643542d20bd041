import type { Draft, Lowering } from '../../lowering/draft.ts'
import { joinOf, placeOf } from '../../lowering/lowered.ts'
import type { Expression, Place, TextRole } from '../../model/program.ts'
import { nameOf } from './values.ts'

/** A call whose parts are lowered. */
export interface LoweredCall {
  /** As `Call.callee`. */
  readonly callee: string
  /** Last part of the callee. */
  readonly method: string
  readonly receiver: Expression | undefined
  readonly args: readonly Expression[]
  readonly place: Place
}

/** Functions that give their first argument. */
const SAME =
  /(?:^|\.)(?:(?:String|Cow|Arc|Rc|Box|Url|Uri|PathAndQuery|Authority|OsString|Some|Ok|HeaderValue)(?:\.(?:from|new|parse|parse_with_params|from_str|from_static|try_from|Borrowed|Owned|from_shared))?|IntoUrl\.into_url|from_utf8|Into\.into)$/

/** Values that are made when they are first used, by a function. */
const LAZY = /(?:^|\.)(?:Lazy|LazyLock|LazyCell|OnceCell|OnceLock)\.(?:new|with_value)$/

/** Methods that give back what they are called on. */
const SAME_RECEIVER =
  /^(?:to_string|to_owned|into|as_str|as_ref|as_deref|clone|cloned|unwrap|expect|unwrap_or_default|borrow|to_lowercase|into_string|into_owned|as_bytes|deref|try_into|parse|ok|ok_or|ok_or_else|map_err|context|with_context|trim\w*|replace|as_mut|into_boxed_str|into_url|await|iter|into_iter|leak|strip_suffix|wrap_err|wrap_err_with)$/

/** Calls whose texts are for people or browsers. */
const ROLES: readonly (readonly [RegExp, TextRole])[] = [
  [/\.(?:append_header|insert_header)$|Redirect\.\w+$/, 'link'],
  [
    /(?:^|\.)(?:open\.that|webbrowser\.open|opener\.open|open_browser|open_url|open_in_browser)$/,
    'link',
  ],
  [
    /\.(?:expect|context|wrap_err|unwrap_err)$|(?:^|\.)(?:Err|anyhow\.Error\.msg|Error\.\w+)$/,
    'error',
  ],
  [/\.(?:about|long_about|help|long_help|after_help|author|homepage|version)$/, 'documentation'],
]

/** A call, or what it gives when it is one of those that make texts. */
export const lowerCall: Lowering = (node, draft) => {
  const called = node.childForFieldName('function')
  const target = called?.type === 'generic_function' ? called.childForFieldName('function') : called
  const list = node.childForFieldName('arguments')?.namedChildren ?? []
  if (!target) return draft.children(node)
  const isMethod = target.type === 'field_expression'
  const method = (isMethod ? target.childForFieldName('field') : target)?.text ?? ''
  const object = isMethod ? target.childForFieldName('value') : null
  const receiver = object ? draft.lower(object) : undefined
  const name = nameOf(target, draft)
  const callee = name === undefined ? `.${method}` : isMethod ? name : fullName(name, draft)
  const args = list.filter((one) => !one?.type.endsWith('comment')).map((one) => draft.lower(one))
  const field = isMethod ? target.childForFieldName('field') : null
  return finishCall({ callee, method, receiver, args, place: placeOf(field ?? target) }, draft)
}

/** Keeps a call whose parts are lowered, unless it only makes a text. */
export function finishCall(call: LoweredCall, draft: Draft): Expression | undefined {
  const { callee, receiver, args, place } = call
  const role = ROLES.find(([pattern]) => pattern.test(callee))?.[1]
  if (role) {
    for (const value of args) draft.loose(value, role)
    return receiver
  }
  const changed = receiver?.kind === 'name' ? changeName(call, draft) : undefined
  return changed ?? makeText(call) ?? draft.call({ callee, receiver, args, named: {}, place })
}

/** The path with its first name as the file's imports give it. */
export function fullName(name: string, draft: Draft): string {
  const [first = '', ...rest] = name.split('.')
  return [draft.imported(first) ?? first, ...rest].join('.')
}

/** `url.push_str("/x")`, `url.set_path("/x")`: the variable has another value from here on. */
function changeName({ method, receiver, args }: LoweredCall, draft: Draft): Expression | undefined {
  const [first] = args
  if (receiver?.kind !== 'name' || !first || !/^(?:push_str|set_path)$/.test(method)) {
    return undefined
  }
  const { name, place } = receiver
  const parts = [receiver, first]
  const kind = method === 'set_path' ? 'path' : 'join'
  draft.assign({ name, value: { kind, parts, place: first.place }, place })
  return receiver
}

function makeText({ callee, method, receiver, args }: LoweredCall): Expression | undefined {
  const [first] = args
  if (LAZY.test(callee) && first) return first.kind === 'name' ? madeBy(first) : first
  if (!receiver) return SAME.test(callee) && first ? first : undefined
  if (/^(?:unwrap_or|unwrap_or_else|or|or_else|map_or|map_or_else)$/.test(method) && first) {
    return { kind: 'either', options: [receiver, first], place: receiver.place }
  }
  if (method === 'join' && first) {
    if (receiver.kind !== 'list') {
      return { kind: 'path', parts: [receiver, first], place: receiver.place }
    }
    return joinOf(receiver.items.flatMap((item, at) => (at === 0 ? [item] : [first, item])))
  }
  if (method === 'concat' && receiver.kind === 'list') return joinOf(receiver.items)
  return SAME_RECEIVER.test(method) ? receiver : undefined
}

/** What `Lazy::new(Client::new)` makes: the function of that name is called. */
function madeBy(name: Extract<Expression, { readonly kind: 'name' }>): Expression {
  const { place } = name
  const call = { callee: name.name, receiver: undefined, args: [], named: {}, place, scope: 0 }
  return { kind: 'call', call, place }
}
