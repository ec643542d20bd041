import { javascriptClients } from '../clients/javascript.ts'
import { memberOf } from '../lowering/built-texts.ts'
import { call, construct } from '../lowering/calls.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import { bindNames } from '../lowering/destructuring.ts'
import type { Lowering } from '../lowering/draft.ts'
import { nameAt, placeOf, unescapeText, unknownAt } from '../lowering/lowered.ts'
import { keyed } from '../lowering/names.ts'
import { matchNames } from '../model/name-patterns.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { lowerFunction, lowerObject, prototypeOf, WRAPPERS } from './javascript-functions.ts'
import { bindTarget, lowerLoop } from './javascript-loops.ts'
import { importRequired, lowerExport, lowerImport } from './javascript-modules.ts'
import { isPattern, keyOf, namesOf } from './javascript-names.ts'

const isExported = (node: SyntaxNode | null): boolean => node?.parent?.type === 'export_statement'

const lowerVariable: Lowering = (node, draft) => {
  const target = node.childForFieldName('name')
  const value = node.childForFieldName('value')
  const isShared = isExported(node.parent)
  if (!target) return undefined
  const names = isPattern(target) ? namesOf(target) : [{ name: target.text, path: [] }]
  if (importRequired(value, { names, draft })) {
    return isShared ? draft.export({ name: target.text, value: nameAt(target) }) : undefined
  }
  const from = value ? draft.lower(value) : draft.typed(node.childForFieldName('type'))
  if (!from && !isShared) return undefined
  return bindTarget(target, from ?? unknownAt(node), { draft, isExported: isShared })
}

const lowerEnum: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const value = draft.lower(node.childForFieldName('body'))
  const place = placeOf(node)
  return name
    ? draft.export({ name: name.text, value, place, isExported: isExported(node) })
    : undefined
}

const ASSIGNMENT = defines.assignment()

/** An assignment, also to a pattern or an export: `module.exports.a = b`. */
const lowerAssignment: Lowering = (node, draft) => {
  const left = node.childForFieldName('left')
  const right = node.childForFieldName('right')
  if (left && isPattern(left)) return bindNames(namesOf(left), { value: draft.lower(right), draft })
  const name = draft.nameOf(left) ?? ''
  const member = prototypeOf(name)
  if (member?.name) {
    const value = draft.lower(right)
    return draft.bind({ name: `this.${member.name}`, value, of: draft.classScope(member.of) })
  }
  const exported = /^(?:module\.exports|exports\.(?=\w)|module\.exports\.)(\w*)$/.exec(name)
  if (!exported) return ASSIGNMENT(node, draft)
  return draft.export({ name: exported[1] || 'default', value: draft.lower(right) })
}

const lowerField: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const value = node.childForFieldName('value')
  const field = value ? draft.lower(value) : draft.typed(node.childForFieldName('type'))
  if (!name || !field || field.kind === 'unknown') return undefined
  return draft.bind({ name: `this.${keyOf(name)}`, value: field })
}

const CALL = { function: 'function', arguments: 'arguments' }
const HERITAGE = '<class_heritage>'
const CLASS = defines.classes({ name: 'name', bases: HERITAGE, body: 'body', hasCalls: true })

/** A member without a name, which may be the whole URL: `new URL(x).href`. */
const lowerMember: Lowering = (node, draft) => {
  const name = draft.nameOf(node)
  if (name !== undefined) return { kind: 'name', name, place: placeOf(node) }
  const object = draft.lower(node.childForFieldName('object'))
  const key = node.childForFieldName('property')?.text ?? ''
  if (key === 'href') return object
  return object.kind === 'name' && /^\w+$/.test(key) ? memberOf(object, key) : undefined
}

/** Attributes whose URLs a browser opens, loads or shows. */
const isLink = matchNames(`
  href src srcSet to xmlns** xlink** poster cite content placeholder title alt label link url image
  avatar icon logo background as helpText description`)

/** A type that is named like a client. */
const CLIENT_TYPE = /^:\s*([A-Z]\w*(?:Client|Axios|Instance|Http|Service|Api|Fetch))\b/

/** JavaScript and TypeScript. */
export const javascript = defineLanguage({
  // The grammar of TypeScript with JSX reads JavaScript too, also with Flow's annotations.
  grammar: 'tsx',
  extensions: ['.js', '.jsx', '.mjs', '.cjs', '.tsx', '.gs'],
  interpreters: ['node', 'bun', 'deno'],
  family: 'javascript',
  clients: javascriptClients,
  prefilter: [
    /\b(?:fetch|ofetch|useFetch|axios|superagent|sendBeacon|XMLHttpRequest|WebSocket|EventSource)\b/,
    /\b(?:createApi|fetchBaseQuery|injectEndpoints)\b|\$fetch\b|\bhostname\s*:|\$\.(?:ajax|getJSON|get|post)\(/,
    /\bnew URL\(|\bhttps?\.(?:request|get)\(|\bexport\s*(?:\*|\{[^}]{0,2000}\})\s*(?:as\s+\w+\s+)?from\b/,
    /\b(?:process\.env|import\.meta\.env)\.\w*(?:URL|URI|API|HOST|BASE|ENDPOINT)/,
    /\.VERB\s*(?:<[^;()]{0,100}>)?CALL\s*(?:`|['"][^'"\n]{0,100}\/|\{\s*(?:url|method|path)\b|this\.)/,
    /\.VERB\s*(?:<[^;()]{0,100}>)?CALL\s*[\w.]{0,60}(?:ur[il]|endpoint|path|base|api|route)/i,
    /VERB\w{0,40}\s*(?:<[^;()]{0,100}>)?CALL\s*(?:['"`]\/|[\w.]{0,60}(?:ur[il]|endpoint)\b)/i,
    /(?:api|client|http|rest|request|axios|ky|agent|instance|sdk)\w{0,20}(?:\.VERB)?\s*(?:<[^;()]{0,100}>)?CALL\s*['"`]\w/i,
    /\(\s*\{\s*(?:(?:type|method|verb)\s*:[^,{}()]{1,40},\s*)?(?:url|path|endpoint|uri|route)\s*:/i,
  ],
  names: {
    'identifier type_identifier shorthand_property_identifier super this import': 'text',
    private_property_identifier: ({ text }) => text.slice(1),
    meta_property: () => 'import.meta',
    member_expression: ['object', 'property', /^value$/],
    subscript_expression: keyed({
      object: 'object',
      key: 'index',
      keyOf: (key) => (/^(?:string|number)$/.test(key.type) ? keyOf(key) : '*'),
    }),
    'parenthesized_expression await_expression as_expression satisfies_expression': 'inner',
    'non_null_expression instantiation_expression extends_clause': 'inner',
    type_assertion: (node, nameOf) => nameOf(node.namedChild(1)),
  },
  types: { named: 'type_annotation', plain: '' },
  nodes: {
    'comment hash_bang_line html_comment regex jsx_text true false null undefined': is.skip,
    'property_identifier type_identifier predefined_type jsx_closing_element': is.skip,
    'type_annotation type_arguments type_parameters implements_clause': is.skip,
    'interface_declaration type_alias_declaration ambient_declaration': is.skip,
    import_statement: lowerImport,
    export_statement: lowerExport,
    variable_declarator: lowerVariable,
    enum_declaration: lowerEnum,
    assignment_expression: lowerAssignment,
    augmented_assignment_expression: ASSIGNMENT,
    'arrow_function function_expression generator_function method_definition': lowerFunction,
    'function_declaration generator_function_declaration': lowerFunction,
    'class_declaration abstract_class_declaration class internal_module module': CLASS,
    'public_field_definition field_definition': lowerField,
    return_statement: defines.gives,
    for_in_statement: lowerLoop,
    throw_statement: is.texts('error'),
    call_expression: call({ ...CALL, at: 'start', tagged: 'template_string' }),
    new_expression: construct({ ...CALL, type: 'constructor' }),
    jsx_attribute: (node, draft) => {
      const name = node.namedChild(0)?.text ?? ''
      const value = node.namedChild(1)
      // A page loads what it computes.
      const isLoaded = name === 'src' && value?.type !== 'string'
      return draft.statement(value, isLink(name) && !isLoaded ? 'link' : 'other')
    },
    string: is.text(({ text }) => unescapeText(text.slice(1, -1))),
    number: is.text(({ text }) => text),
    template_string: is.template({
      content: 'string_fragment escape_sequence',
      values: { template_substitution: 0 },
      read: ({ text }) => unescapeText(text),
    }),
    'identifier this shorthand_property_identifier': nameAt,
    'member_expression subscript_expression': lowerMember,
    binary_expression: is.binary({ join: '+', either: '?? ||', last: '&&' }),
    ternary_expression: is.conditional('condition', 'consequence', 'alternative'),
    object: lowerObject,
    enum_body: is.record({ pairs: { enum_assignment: { key: 'name', value: 'value' } }, keyOf }),
    array: is.list,
    sequence_expression: (node, draft) => node.namedChildren.map((x) => draft.lower(x)).at(-1),
    'parenthesized_expression await_expression as_expression satisfies_expression': is.inner(),
    'non_null_expression spread_element jsx_expression': is.inner(),
    type_assertion: is.inner(1),
  },
  roles: {},
  effects: {
    import: 'require import',
    path: '{path,posix,path.posix}.join url.resolve url{J,j}oin joinURL joinUrl joinPath{,s} url_join resolveURL',
    joinListOn: '.join',
    joinOn: '.concat',
    pathOnSecond: 'new:URL *.{withBase,withoutBase}',
    format: 'util.format format sprintf vsprintf printf',
    instance: 'inject',
    frameworkSettings: 'defineNuxtConfig',
    runtimeSettings: 'useRuntimeConfig',
    originOfRecord: '{url,URL}.format',
    same: '*.{stringifyUrl,withQuery,withTrailingSlash,withoutTrailingSlash,addQueryParam{,s},appendQuery,generatePath}',
    unknown: WRAPPERS,
  },
  quirks: {
    // A module that is chosen while the program runs is no API.
    role: (callee, list) =>
      (callee === 'import' || callee === 'require') && list?.namedChild(0)?.type !== 'string'
        ? 'documentation'
        : undefined,
    className: (text) => CLIENT_TYPE.exec(text)?.[1],
  },
})
