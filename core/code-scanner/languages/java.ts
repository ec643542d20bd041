import { javaClients } from '../clients/java.ts'
import { annotations } from '../lowering/annotations.ts'
import { eitherOf } from '../lowering/built-texts.ts'
import { baseConstructor, call, construct } from '../lowering/calls.ts'
import { classes } from '../lowering/classes.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { placeOf, unescapeText, withoutIndentation } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import { keepImplementation } from '../lowering/registrations.ts'
import { urlBuilders } from '../lowering/url-builders.ts'
import type { SyntaxNode } from '../model/syntax.ts'

const stringOf = ({ text }: SyntaxNode): string =>
  unescapeText(text.startsWith('"""') ? withoutIndentation(text.slice(3, -3)) : text.slice(1, -1))

const lowerImport: Lowering = (node, draft) => {
  const path = partOf(node, '<scoped_identifier|identifier>')?.text ?? ''
  const isAll = partOf(node, '<asterisk>') !== null
  const isStatic = /^import\s+static\b/.test(node.text)
  const parts = path.split('.')
  const local = isAll ? '*' : (parts.at(-1) ?? '')
  const imported = isAll ? '*' : isStatic ? parts.slice(-2).join('.') : local
  const module = isStatic && !isAll ? parts.slice(0, -1).join('.') : path
  return draft.import({ module, local, imported, place: placeOf(node) })
}

const ANNOTATIONS = annotations({
  list: 'modifiers',
  types: 'annotation marker_annotation',
  arguments: 'arguments',
  clients: `
    GET POST PUT PATCH DELETE HEAD OPTIONS HTTP Path RequestLine
    {Get,Post,Put,Patch,Delete,Request}Mapping {Get,Post,Put,Patch,Delete,Http}Exchange Get
    Post Put Patch Delete Client {,Reactive}FeignClient RegisterRestClient RetrofitClient
    {,Rest}Controller`,
  owners: [
    '{,Reactive}FeignClient RegisterRestClient RetrofitClient Client',
    'HttpExchange',
    '{,Rest}Controller Path',
  ],
  providers: 'Provides Bean Produces',
  settings: 'Value ConfigProperty Property ConfigValue',
})

const modifiersOf = (node: SyntaxNode): readonly string[] => {
  const modifiers = node.namedChild(0)
  const words = modifiers?.type === 'modifiers' ? modifiers.text.replaceAll(/\([^)]*\)/g, '') : ''
  return node.type === 'constant_declaration' ? ['static'] : words.split(/\s+/)
}

/** The parameters of an enum's constructor; without one, Lombok has its fields without a value. */
function fieldsOfEnum(type: SyntaxNode): readonly (string | undefined)[] {
  const [maker] = type.descendantsOfType('constructor_declaration')
  const parameters = maker?.childForFieldName('parameters')?.namedChildren
  const fields = type.descendantsOfType('field_declaration').flatMap((field) => {
    const declarator = field.childForFieldName('declarator')
    const isParameter = declarator && !declarator.childForFieldName('value')
    return isParameter && !modifiersOf(field).includes('static') ? [declarator] : []
  })
  return (parameters ?? fields).map((node) => partOf(node, 'name')?.text)
}

const CLASSES = classes({
  types: 'class_declaration interface_declaration enum_declaration record_declaration',
  annotations: ANNOTATIONS,
  basesOf: (node) =>
    node.namedChildren
      .filter(({ type }) => type === 'superclass' || type.endsWith('interfaces'))
      .flatMap((child) => child.descendantsOfType('type_identifier').map(({ text }) => text)),
  modifiersOf,
  parameters: 'parameters',
  method: {
    name: 'name',
    parameters: 'parameters',
    shapes: {
      identifier: 'text',
      formal_parameter: { name: 'name', type: 'type' },
      spread_parameter: { name: 0, type: 0 },
    },
    body: 'body',
    blocks: 'block constructor_body',
  },
  annotated: 'method_declaration',
  returns: 'type',
  constants: { name: 'name', arguments: 'arguments', fieldsOf: fieldsOfEnum },
  // The settings that annotations give parameters are their defaults.
  presetOf: ({ node: { parent }, type = null }, draft) =>
    parent
      ? (ANNOTATIONS.presetOf(parent, draft) ?? ANNOTATIONS.selected(parent, { type, draft }))
      : undefined,
})

const lowerField: Lowering = (node, draft) => {
  const preset = ANNOTATIONS.presetOf(node, draft)
  if (!preset) ANNOTATIONS.lower(node, { draft })
  const type = node.childForFieldName('type')
  const declared = preset ?? ANNOTATIONS.selected(node, { type, draft }) ?? draft.typed(type)
  for (const declarator of node.childrenForFieldName('declarator')) {
    const field = declarator.childForFieldName('name')
    const given = declarator.childForFieldName('value')
    const value = given ? draft.lower(given) : declared
    if (field) CLASSES.member(field, { node, value, draft })
  }
  return undefined
}

const buildUrl = urlBuilders({
  begin: 'new:{HttpUrl.Builder,URIBuilder,Uri.Builder} UriComponentsBuilder.newInstance',
  hosts: 'host setHost authority encodedAuthority',
  paths:
    'path setPath pathSegment encodedPath replacePath {add,append}Path{,Segment,Segments} {add,append}EncodedPath{,Segments}',
})

const CHOICE = is.choice('switch_rule', -1, 'body')

/** The value of a switch: of its arrows, else of its `yield` statements. */
const lowerSwitch: Lowering = (node, draft) => {
  const first = node.childForFieldName('body')?.namedChild(0)
  if (first?.type === 'switch_rule') return CHOICE(node, draft)
  const yields = node.descendantsOfType('yield_statement')
  if (yields.length === 0) return draft.children(node)
  return eitherOf(yields.map((each) => draft.lower(each)))
}

const DECLARED = { name: 'name', value: 'value', type: 'type' }
const CREATED = { type: 'type', arguments: 'arguments' }

/** Java. */
export const java = defineLanguage({
  grammar: 'java',
  extensions: ['.java'],
  family: 'java',
  clients: javaClients,
  prefilter: [
    /\b(?:RestTemplate|WebClient|RestClient|HttpRequest|openConnection|Request\.Builder|ClientBuilder|asynchttpclient|volley|vertx)\b/i,
    /\bnew Http(?:Get|Post|Put|Patch|Delete)\b|\bretrofit|\bUnirest\.|\bJsoup\.connect/i,
    /@(?:FeignClient|RequestLine|RegisterRestClient|HttpExchange)/i,
    /(?:get|post|put|patch|delete|send|request|fetch|call|api)\w{0,30}CALL\s*(?:[\w.]{1,40},\s*){0,2}"[^"\n]{0,80}\//i,
    /[A-Z_](?:URL|URI|API|BASE|ENDPOINT|HOST)\w*\s*\+\s*"|\.(?:DEFAULT|BASE|API)_\w{0,40}(?:URL|URI|HOST)\b/,
    /\bnew \w{1,60}(?:Client|Service|Api|API)CALL[^;\n]{0,200}(?:[hH]ost|[uU]r[il]|[eE]ndpoint)\w{0,20}\b/,
  ],
  names: {
    'identifier type_identifier': 'text',
    'this super': 'this',
    parenthesized_expression: 'inner',
    field_access: ['object', 'field'],
  },
  arguments: { named: { element_value_pair: { name: 'key', value: 'value' } } },
  types: {
    named: 'type_identifier generic_type scoped_type_identifier',
    plain: 'String Integer Long Boolean Object {List,Map,Set,Optional}{,.**} var byte char',
  },
  nodes: {
    'line_comment block_comment package_declaration modifiers class_literal': is.skip,
    annotation_type_declaration: is.skip,
    import_declaration: lowerImport,
    'class_declaration interface_declaration enum_declaration record_declaration': CLASSES.type,
    'field_declaration constant_declaration': lowerField,
    enum_constant: CLASSES.constant,
    'method_declaration constructor_declaration lambda_expression': CLASSES.method,
    local_variable_declaration: defines.variables({ ...DECLARED, each: 'declarator' }),
    resource: defines.variables(DECLARED),
    assignment_expression: defines.assignment(),
    return_statement: defines.gives,
    enhanced_for_statement: defines.loop('name', 'value', 'body'),
    assert_statement: is.texts('error'),
    switch_expression: lowerSwitch,
    'expression_statement yield_statement': is.inner(0),
    throw_statement: is.throws('object_creation_expression', 'arguments'),
    method_invocation: call({ object: 'object', name: 'name', arguments: 'arguments' }),
    explicit_constructor_invocation: baseConstructor('arguments'),
    object_creation_expression: construct({ ...CREATED, body: '<class_body>' }),
    string_literal: is.text(stringOf),
    'identifier this field_access': is.name({ verb: /Method\.([A-Z]+)$/ }),
    binary_expression: is.binary({ join: '+' }),
    ternary_expression: is.conditional('condition', 'consequence', 'alternative'),
    parenthesized_expression: is.inner(),
    'cast_expression array_creation_expression': is.inner('value'),
    array_initializer: is.list,
    element_value_array_initializer: (node, draft) =>
      eitherOf(node.namedChildren.map((one) => draft.lower(one))),
  },
  roles: {
    documentation: `
      *.{log,logger,LOG,LOGGER}.* {_,}log*.* {Log,Timber,Logger}.* System.{out,err}.*`,
    error: `
      {Assert,Assertions,Preconditions,Validate}.* {assert,check,require}* fail expect
      new:*{Exception,Error}`,
    link: `
      .{browse,launchUrl,showDocument,openURL,openUrl,openWebpage,openLink} new:Intent
      browse openURL openUrl openWebpage openLink openBrowser startActivity`,
  },
  effects: {
    format: '{String,MessageFormat,Strings}.format',
    formatOn: '.formatted',
    joinWith: 'String.join',
    list: '{List,Set,Arrays,Stream,Flux}.{of,asList,just}',
    url: 'new:{,java.net.}{URL,URI}',
    unknown: 'Path{,s}.{get,of}',
    same: `
      {URI,URL}.{create,of} String.valueOf Mono.just Optional.of{,Nullable}
      {Objects,Preconditions}.*{requireNonNull,checkNotNull}
      StringUtils.{trim*,strip*,remove*,appendIfMissing}
      new:{String,GenericUrl,HttpUrl,UriTemplate,ArrayList}`,
    built: `
      {,Servlet}UriComponentsBuilder.from* {UriBuilder,DefaultUriBuilderFactory}.from* Uri.parse
      HttpUrl.{parse,get} new:{StringBuilder,StringBuffer,URIBuilder,URLBuilder}`,
    builtOn: '.{newBuilder,buildUpon}',
    setting: `
      *.{getOrDefault,getProperty,getString,getStringOrDefault,getEnv*,getenv*,env*}
      *.{requireNonNullElse,defaultIfBlank,defaultIfEmpty,defaultString,firstNonNull}`,
    orElse: '.{orElse,orElseGet,or}',
    appends: '.append',
    joinOnText: '.{append,concat}',
    sameObject: `
      .{toString,trim,strip*,toUriString,toUri,toURI,toURL,toUrl,toASCIIString}
      .{toExternalForm,buildAndExpand,encode,queryParam*,{add,set,addEncoded}QueryParameter}
      .{addParameter,setParameter,setParameters,intern,replaceFirst,replaceAll,replace}
      .{appendQueryParameter,uriVariables,fragment}`,
    sameText: '.{build,url,uri,get,getUrl,toLowerCase,substring,normalize,expand,port}',
    pathOnText: `
      .{path,pathSegment,setPath,encodedPath,replacePath}
      .{add,append}{Path,EncodedPath}{,Segment,Segments}`,
    pathOn: '.resolve',
  },
  quirks: { effects: [keepImplementation, buildUrl] },
})
