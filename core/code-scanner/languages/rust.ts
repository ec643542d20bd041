import { rustClients } from '../clients/rust.ts'
import { branches } from '../lowering/blocks.ts'
import { call, construct } from '../lowering/calls.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import { EFFECTS, type Effect } from '../lowering/effects.ts'
import { placeOf } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import { plainMacros } from '../lowering/texts.ts'
import type { Expression } from '../model/program.ts'
import { importNames, lowerModule } from './rust-modules.ts'
import {
  bindSettings,
  implemented,
  joinNames,
  lowerTypeName,
  presetOf,
  stringOf,
} from './rust-values.ts'

const withoutMacros = plainMacros({
  others: `
    matches json* query* html sql doc quote* {info,warn,error,debug,trace}{,_span} log event span
    include* *_row ast rsx view macro_rules`,
  lists: 'vec',
  blocks: 'lazy_static thread_local {,try_}stream',
})

/** Constants; those of a type have its name and are known in the whole project. */
const lowerConst: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const value = node.childForFieldName('value')
  if (!name || !value) return undefined
  const bound = { name: name.text, value: draft.lower(value), place: placeOf(name) }
  const { kind, name: owner } = draft.here
  if (kind === 'class') return draft.export({ ...bound, name: `${owner}.${name.text}`, scope: 0 })
  return draft.export({ ...bound, isExported: draft.scope === 0 })
}

const lowerStruct: Lowering = (node, draft) => {
  const type = node.childForFieldName('name')?.text ?? ''
  const scope = draft.classScope(type, { isPart: true })
  draft.declare(type, node)
  let preset: Expression | undefined
  for (const field of node.childForFieldName('body')?.namedChildren ?? []) {
    if (field.type === 'attribute_item') preset ??= presetOf(field, draft)
    if (field.type !== 'field_declaration') continue
    const name = field.childForFieldName('name')
    const value = preset ?? draft.typed(field.childForFieldName('type'))
    preset = undefined
    if (!name || !value) continue
    const place = value.kind === 'text' ? value.place : placeOf(name)
    draft.bind({ name: `this.${name.text}`, value, place, scope })
  }
  return undefined
}

/** Opens the types of a file first, as constructions may precede them; they extend their traits. */
const lowerFile: Lowering = (node, draft) => {
  const traits = new Map<string, string[]>()
  for (const child of node.namedChildren) {
    if (!/^(?:struct|impl)_item$/.test(child.type)) continue
    const known = traits.get(implemented(child)) ?? []
    const trait = child.childForFieldName('trait')
    if (trait && !STANDARD.test(trait.text)) known.push(draft.nameOf(trait) ?? trait.text)
    traits.set(implemented(child), known)
  }
  for (const [type, bases] of traits) draft.classScope(type, { isPart: true, bases })
  return lowerItems(node, draft)
}

/** Traits without requests. */
const STANDARD = /^(?:(?:std|serde|fmt)::|Default|Clone|Debug|Display|Drop|(?:Try)?From|Error)\b/

/** The message of an error: `url.error("Cannot parse it")?`. */
const failsInProse: Effect = (call, draft) => {
  const [first, more] = call.args
  const isMessage = first?.kind === 'text' && /\w \w/.test(first.text) && !more
  return isMessage && call.node.parent?.type === 'try_expression'
    ? EFFECTS.failsWith(call, draft)
    : undefined
}

const lowerImpl: Lowering = (node, draft) => {
  const type = implemented(node)
  const isPart = node.type === 'impl_item'
  if (!isPart) draft.declare(type, node)
  const scope = draft.classScope(type, { isPart })
  return draft.inside(scope, () => draft.statement(node.childForFieldName('body')))
}

/** Attributes of modules and functions for tests. */
const TEST = /^#\[(?:cfg\(test\)|(?:\w+::)?test\b)/
const lowerItems = is.statementsUnless('attribute_item', TEST)
const VERB = /(?:^|\.)Method\.([A-Z]+)$/
const CREATED = { type: 'name', arguments: 'arguments', fields: 'body', areFields: true } as const
const LET = { name: 'pattern', value: 'value', otherwise: 'alternative' }
const lowerLet = defines.declaration(LET)

const FUNCTION: defines.FunctionShape = {
  name: 'name',
  parameters: 'parameters',
  shapes: { parameter: { name: 'pattern', type: 'type' }, identifier: 'text' },
  body: 'body',
  blocks: '',
  isDeclared: true,
  result: 'return_type',
}

export const rust = defineLanguage({
  grammar: 'rust',
  extensions: ['.rs'],
  family: 'rust',
  clients: rustClients,
  prepare: withoutMacros,
  prefilter: [
    /\b(?:reqwest|ureq|surf|isahc|awc|attohttpc|minreq|hyper|tonic|tungstenite|gloo_net|ehttp)\b/,
    /\bRequest::(?:builder|get|post|put)/,
    /\.(?:get|post|put|patch|delete|request)\((?:Method::\w+, ?)?&?(?:format!|"[^"\n]*\/|self\.|[\w:]*(?:UR[IL]|ur[il])\b)/,
    /"\{[A-Z][A-Z_]{1,40}\}\//,
    /VERB\w{0,30}(?:::<[^(]{0,80}>)?CALL\s*(?:[\w:.]{1,40},\s*){0,2}&?(?:format!\(\s*)?"[^"\n]{0,80}\//,
  ],
  names: {
    'identifier type_identifier': lowerTypeName,
    'field_identifier shorthand_field_identifier': 'text',
    'crate super': () => 'crate',
    self: 'this',
    generic_type: (node, nameOf) => nameOf(node.childForFieldName('type')),
    'scoped_identifier scoped_type_identifier': joinNames,
    field_expression: ['value', 'field'],
    'reference_expression unary_expression ref_pattern mut_pattern reference_pattern': 'last',
    'parenthesized_expression generic_function': 'inner',
    // `Ok(client)` names the value, `Err(error)` something else.
    tuple_struct_pattern: (node, nameOf) =>
      /^(?:Ok|Some)\(/.test(node.text) ? nameOf(partOf(node, -1)) : undefined,
    match_pattern: (node, nameOf) =>
      node.namedChild(0)?.type === 'tuple_struct_pattern' ? nameOf(node.namedChild(0)) : undefined,
  },
  arguments: { named: { assignment_expression: { name: 'left', value: 'right' } } },
  types: {
    named: 'type_identifier scoped_type_identifier generic_type',
    wrapped: { reference_type: 'type' },
    around: 'Option Arc Rc Box Mutex RwLock Data State Extension Lazy OnceCell LazyLock',
    plain: `
      str String Self Result Vec HashMap BTreeMap Cow PathBuf Path Duration Value T F *Ur{l,i} bool`,
  },
  nodes: {
    'line_comment block_comment attribute_item inner_attribute_item': is.skip,
    'enum_item macro_definition extern_crate_declaration match_pattern': is.skip,
    source_file: lowerFile,
    declaration_list: lowerItems,
    mod_item: lowerModule,
    use_declaration: (node, draft) => importNames(node, { prefix: '', draft }),
    'const_item static_item': lowerConst,
    struct_item: lowerStruct,
    'impl_item trait_item': lowerImpl,
    'function_item function_signature_item closure_expression': defines.func(FUNCTION),
    let_condition: lowerLet,
    let_declaration: (node, draft) => void lowerLet(node, draft),
    'assignment_expression compound_assignment_expr': defines.assignment(),
    return_expression: defines.gives,
    for_expression: defines.loop('pattern', 'value', 'body'),
    block: branches({ either: '' }),
    // Without a semicolon, `if` and `match` are the value of a block.
    expression_statement: (node, draft) =>
      node.children.at(-1)?.type === ';' ? draft.children(node) : draft.lower(node.namedChild(0)),
    if_expression: is.conditional('condition', 'consequence', 'alternative'),
    match_expression: is.choice('match_arm', 'value', 'body'),
    'else_clause async_block unsafe_block parenthesized_expression': is.inner(),
    'try_expression await_expression': is.inner(),
    'reference_expression type_cast_expression': is.inner('value'),
    unary_expression: is.inner(-1),
    'identifier self scoped_identifier field_expression': is.name({ verb: VERB }),
    'string_literal raw_string_literal': is.text(stringOf),
    'array_expression tuple_expression': is.list,
    binary_expression: is.binary({ join: '+' }),
    struct_expression: construct(CREATED),
    field_initializer_list: is.record({
      pairs: {
        field_initializer: { key: 'field', value: 'value' },
        shorthand_field_initializer: { key: 0, value: 0 },
      },
    }),
    call_expression: call({ function: 'function', arguments: 'arguments' }),
    // Other macros have tokens instead of syntax: only their strings and settings are read.
    macro_invocation: (node, draft) => {
      bindSettings(node, draft)
      return draft.children(node, draft.rules.roleOf(/\w+(?=!)/.exec(node.text)?.[0] ?? '', null))
    },
  },
  roles: {
    link: `
      .{append_header,insert_header} Redirect.* *.Redirect.* *.{open.that,webbrowser.open}
      opener.open *.open_{browser,url,in_browser}`,
    error: `
      *.Err anyhow.Error.msg *.*Error.* *.{panic,bail,anyhow,eyre,ensure,unreachable,todo}
      *.{unimplemented,compile_error} *.{,debug_}assert*`,
    documentation: `
      .{about,long_about,help,long_help,after_help,author,homepage,version} *.{,e}print{,ln} dbg
      write{,ln} info warn error debug trace log event span json doc html sql query* include*
      env option_env matches`,
  },
  effects: {
    formatNames: '{,*.}format{,_args,cp}',
    join: '{,*.}concat{,cp}',
    lazy: '*.{Lazy,LazyLock,LazyCell,OnceCell,OnceLock}.{new,with_value}',
    same: `
      *.{String,Cow,Arc,Rc,Box,Url,Uri,PathAndQuery,Authority,OsString,HeaderValue}.{from,new,parse}
      *.{Url,Uri,HeaderValue,Authority}.{parse_with_params,from_str,from_static,try_from,from_shared}
      *.Cow.{Borrowed,Owned} *.{Some,Ok,from_utf8} *.IntoUrl.into_url *.Into.into`,
    orElse: '.{unwrap_or,unwrap_or_else,or,or_else,map_or,map_or_else}',
    joinListOn: '.{join,concat}',
    pathOn: '.join',
    ofType: '*.*.{parse,try_parse,from_args}',
    appends: '.push_str',
    setsPath: '.set_path',
    failsWith: '.{expect,context,with_context,wrap_err,wrap_err_with,unwrap_err}',
    sameReceiver: `
      .{to_string,to_owned,into,as_str,as_ref,as_deref,clone,cloned,unwrap,unwrap_or_default,borrow}
      .{to_lowercase,into_string,into_owned,as_bytes,deref,try_into,parse,ok,ok_or,ok_or_else,map_err}
      .{trim*,replace,as_mut,into_boxed_str,into_url,iter,into_iter,leak,strip_suffix}`,
  },
  quirks: { className: fullName, callee: fullName, effects: [failsInProse] },
})

/** Returns a path with dots, with the full name of an import. */
function fullName(path: string, draft: Draft): string {
  const [first = '', ...rest] = path.split(/::|\./)
  return [draft.imported(first) ?? first, ...rest].join('.')
}
