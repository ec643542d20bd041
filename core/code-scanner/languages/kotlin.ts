import { kotlinClients } from '../clients/kotlin.ts'
import { annotations } from '../lowering/annotations.ts'
import { branches } from '../lowering/blocks.ts'
import { call } from '../lowering/calls.ts'
import { classes } from '../lowering/classes.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { nameAt, placeOf, unescapeText } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import { sum } from '../lowering/texts.ts'
import { lastName } from '../model/name-patterns.ts'
import {
  besideOf,
  effects,
  LAMBDAS,
  lowerPair,
  modifiersOf,
  plainStrings,
} from './kotlin-values.ts'

const lowerImport: Lowering = (node, draft) => {
  const path = (partOf(node, '<identifier>')?.text ?? '').replace('.Companion.', '.')
  const member = MEMBER.exec(path)?.[1]
  const imported = partOf(node, '<wildcard_import>') ? '*' : lastName(path)
  const local = partOf(node, '<import_alias>/0')?.text ?? imported
  const place = placeOf(node)
  if (member === undefined || imported === '*') {
    return draft.import({ module: path, local, imported, place })
  }
  const module = path.slice(0, path.lastIndexOf('.'))
  return draft.import({ module, local, imported: member, place })
}

/** A member of an object: `a.b.Urls.BASE`. */
const MEMBER = /\.([A-Z]\w*[a-z]\w*\.\w+)$/

const ANNOTATIONS = annotations({
  list: 'modifiers',
  types: 'annotation',
  arguments: '<constructor_invocation>/<value_arguments>',
  clients: `
    GET POST PUT PATCH DELETE HEAD OPTIONS HTTP Path RequestLine
    {Get,Post,Put,Patch,Delete,Request}Mapping {Get,Post,Put,Patch,Delete,Http}Exchange Get
    Post Put Patch Delete Client {,Reactive}FeignClient RegisterRestClient {,Rest}Controller`,
  owners: [
    '{,Reactive}FeignClient RegisterRestClient Client',
    'HttpExchange',
    '{,Rest}Controller Path',
  ],
  providers: 'Provides Bean Produces',
  settings: 'Value ConfigProperty Property',
})

const CLASSES = classes({
  types: 'class_declaration object_declaration',
  name: '<type_identifier>',
  body: '<class_body|enum_class_body>',
  annotations: ANNOTATIONS,
  basesOf: (node) =>
    node.namedChildren
      .filter(({ type }) => type === 'delegation_specifier')
      .flatMap((base) => base.descendantsOfType('type_identifier')[0]?.text ?? []),
  modifiersOf,
  parameters: '<primary_constructor>',
  calls: '<delegation_specifier>/<constructor_invocation>',
  method: {
    name: '<simple_identifier>',
    parameters: '<function_value_parameters>',
    shapes: {
      parameter: { name: '<simple_identifier>', type: -1 },
      class_parameter: { name: '<simple_identifier>', type: '<user_type|nullable_type>' },
    },
    body: '<function_body>',
    blocks: 'function_body',
    isDeclared: true,
  },
  annotated: 'function_declaration',
  returns: '<user_type>',
  constants: {
    name: '<simple_identifier>',
    arguments: '<value_arguments>',
    fieldsOf: (type) =>
      (partOf(type, '<primary_constructor>')?.namedChildren ?? []).map(
        (parameter) => partOf(parameter, '<simple_identifier>')?.text,
      ),
  },
  presetOf: ({ node, type = null }, draft) => {
    const owner = node.parent ?? node
    // In a class the default is the last part of the parameter, in a function the part after it.
    const preset = owner.type === 'class_parameter' ? partOf(owner, -1) : besideOf(owner, 1)
    if (preset && !/_type$|^parameter|comment$/.test(preset.type)) return draft.lower(preset)
    const before = besideOf(owner, -1)
    const list = before?.type === 'parameter_modifiers' ? before : owner
    return ANNOTATIONS.presetOf(list, draft) ?? ANNOTATIONS.selected(list, { type, draft })
  },
})

/** `val url = "…"`, `val url by lazy { "…" }`, `val url get() = "…"`; a list names several. */
const lowerProperty: Lowering = (node, draft) => {
  const name = partOf(node, '<variable_declaration>/<simple_identifier>')
  const names = partOf(node, '<multi_variable_declaration>')?.namedChildren ?? []
  const last = node.namedChildren.findLast(({ type }) => !NO_VALUE.test(type))
  const getter = partOf(node, '<getter>/<function_body>')
  const preset = ANNOTATIONS.presetOf(node, draft)
  if (!preset) ANNOTATIONS.lower(node, { draft })
  const value =
    preset ??
    (last ? draft.lower(last) : draft.typed(partOf(node, '<variable_declaration>/1'))) ??
    (getter ? draft.lower(partOf(getter, 0)) : undefined)
  if (value && defines.bindItems(names, { value, draft })) return undefined
  if (!name) return value && draft.loose(value, 'other')
  return CLASSES.member(name, { node, value, draft })
}

/** A getter on the line after its property. */
const lowerGetter: Lowering = (node, draft) => {
  const property = node.parent?.namedChildren.findLast(
    ({ type, startIndex }) => type === 'property_declaration' && startIndex < node.startIndex,
  )
  const name = property && partOf(property, '<variable_declaration>/<simple_identifier>')
  const body = partOf(node, '<function_body>/0')
  if (!property || !name || body?.type === 'statements') return draft.children(node)
  const value = draft.lower(body)
  if (draft.here.kind !== 'class') return undefined
  return CLASSES.member(name, { node: property, value, draft })
}

const NO_VALUE =
  /^(?:modifiers|binding_pattern_kind|(?:multi_)?variable_declaration|[gs]etter|type_\w+|user_type|\w*comment)$/

/** A function; an extension is also a member of its class for other files: `HttpClient.fetch`. */
const lowerMethod: Lowering = (node, draft) => {
  const name = partOf(node, '<simple_identifier>')
  const receiver = name && besideOf(name, -1)
  if (name && receiver?.type === 'user_type') {
    const member = `${receiver.text.replace(/<.*/s, '')}.${name.text}`
    draft.export({ name: member, value: nameAt(name) })
  }
  return CLASSES.method(node, draft)
}

const ARGUMENTS = '<call_suffix>/<value_arguments>'
const CLASS_NAME = /^(?:[\w.]*\.)?[A-Z]\w*[a-z]\w*$/
const lowerThrow = is.throws('call_expression', ARGUMENTS)

const lowerJump: Lowering = (node, draft) => {
  if (node.text.startsWith('throw')) return lowerThrow(node, draft)
  const value = node.namedChildren.findLast(({ type }) => type !== 'label')
  return value && node.text.startsWith('return') ? draft.giveBack(draft.lower(value)) : undefined
}

export const kotlin = defineLanguage({
  grammar: 'kotlin',
  extensions: ['.kt', '.kts'],
  family: 'java',
  clients: kotlinClients,
  prepare: plainStrings,
  prefilter: [
    /\b(?:RestTemplate|WebClient|RestClient|HttpClient|HttpRequest|openConnection|Request\.Builder)\b/,
    /\bretrofit|\bFuel\.|\bJsoup\.connect|@(?:FeignClient|RegisterRestClient|HttpExchange)/i,
    /VERB\w{0,30}CALL\s*(?:[\w.]{1,40},\s*){0,2}"[^"\n]{0,80}\//,
    /[A-Z_](?:URL|URI|API|BASE|ENDPOINT|HOST)\w*\s*\+\s*"|\.(?:DEFAULT|BASE|API)_\w{0,40}(?:URL|URI|HOST)\b/,
    /\b[A-Z]\w{0,60}(?:Client|Service|Api|API)CALL[^;\n]{0,200}(?:[hH]ost|[uU]r[il]|[eE]ndpoint)\w{0,20}\b/,
  ],
  names: {
    'simple_identifier interpolated_identifier type_identifier': 'text',
    this_expression: 'this',
    'postfix_expression parenthesized_expression variable_declaration': 'inner',
    navigation_expression: [0, '<navigation_suffix>/<simple_identifier>'],
    directly_assignable_expression: (node, nameOf) => {
      const member = partOf(node, '<navigation_suffix>/<simple_identifier>')
      const object = nameOf(partOf(node, 0))
      return member && object !== undefined ? `${object}.${member.text}` : object
    },
  },
  // A single part of an argument is its value.
  arguments: { named: { value_argument: { name: -2, value: -1 } } },
  types: {
    named: 'user_type',
    wrapped: { nullable_type: 0 },
    around: 'Lazy Provider Optional',
    plain: `
      String Int Long Short Byte Boolean Double Float Char Any Unit *List *Map *Set Array Pair`,
  },
  nodes: {
    'line_comment multiline_comment shebang_line package_header type_alias': is.skip,
    'modifiers file_annotation': is.skip,
    import_header: lowerImport,
    'class_declaration object_declaration': CLASSES.type,
    function_declaration: lowerMethod,
    secondary_constructor: CLASSES.method,
    enum_entry: CLASSES.constant,
    function_body: (node, draft) => {
      const body = partOf(node, 0)
      if (!body || body.type === 'statements') return draft.statement(body)
      return draft.giveBack(draft.lower(body))
    },
    property_declaration: lowerProperty,
    assignment: defines.assignment({ left: 0, right: -1 }),
    jump_expression: lowerJump,
    for_statement: defines.loop('<variable_declaration>', 1, -1),
    lambda_literal: LAMBDAS.lower,
    infix_expression: lowerPair,
    call_expression: call({ function: 0, arguments: ARGUMENTS, constructs: CLASS_NAME }),
    value_argument: is.inner(-1),
    string_literal: is.template({
      content: 'string_content',
      values: { interpolated_identifier: (child) => child, interpolated_expression: 0 },
      read: (child, { text }) => (text.startsWith('"""') ? child.text : unescapeText(child.text)),
    }),
    'simple_identifier interpolated_identifier this_expression navigation_expression': is.name({
      verb: /(?:^|\.)HttpMethod\.([A-Z]\w+)$/,
    }),
    additive_expression: sum('additive_expression'),
    elvis_expression: branches({ either: 'elvis_expression' }),
    if_expression: is.conditional('condition', 'consequence', 'alternative'),
    when_expression: is.choice('when_entry', -1),
    'statements control_structure_body': branches({ either: '' }),
    getter: lowerGetter,
    'property_delegate parenthesized_expression as_expression postfix_expression': is.inner(0),
    'equality_expression comparison_expression check_expression': is.texts('error'),
  },
  roles: {
    documentation: '*.{log,logger,LOG,LOGGER,Log,Timber,Logger,Napier}.* print{,ln} *.toast Text',
    error: 'error check{,NotNull} require{,NotNull} assert* fail new:*{Exception,Error}',
    link: `
      .{browse,openURL,openUrl,openUri,openLink,launchUrl} new:Intent browse openUrl openLink
      startActivity`,
  },
  effects: {
    format: 'String.format',
    formatOn: '.format',
    list: '{listOf,setOf,arrayOf,mutableListOf,listOfNotNull,sequenceOf,flowOf,arrayListOf}',
    same: `
      URI.create Optional.of{,Nullable} new:{,java.net.}{URL,URI,Url} new:{String,HttpUrl}
      requireNotNull checkNotNull`,
    built: '{Uri,HttpUrl}.{parse,get} new:{StringBuilder,URLBuilder}',
    builtOn: '.{newBuilder,buildUpon,toUri,toHttpUrl*}',
    merge: '{mapOf,mutableMapOf,hashMapOf,buildMap}',
    setting: '*.{getOrDefault,getProperty,getString,getEnv*,getenv*}',
    orElse: '.{orElse,orElseGet,ifEmpty,ifBlank,getOrElse,getOrDefault,firstOrNull}',
    appends: '.append',
    joinOnText: '.{append,plus}',
    joinListOn: '.joinToString',
    sameObject: `
      .{toString,trim*,remove*,toURI,toURL,toUrl,apply,also,takeIf,takeUnless}
      .{replace*,{append,add,set,addEncoded}QueryParameter,encode*,orEmpty,substring*,lowercase}`,
    sameText: '.{build,url,uri,get,normalize}',
    pathOnText: '.{path,encodedPath,{append,add}{Path,EncodedPath}{,Segment,Segments}}',
    pathOn: '.resolve',
  },
  quirks: { effects },
})
