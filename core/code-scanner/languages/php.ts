import { phpClients } from '../clients/php.ts'
import { eitherOf, plainText } from '../lowering/built-texts.ts'
import { call, construct } from '../lowering/calls.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Draft, Lowering } from '../lowering/draft.ts'
import type { Effect, LoweredCall } from '../lowering/effects.ts'
import { placeOf, sourceAt, textAt, unescapeText, unknownAt } from '../lowering/lowered.ts'
import { keyed } from '../lowering/names.ts'
import { matchNames } from '../model/name-patterns.ts'
import { classKey, type Expression, SELECTED } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import { lowerInclude, lowerUse, usesClass } from './php-imports.ts'

const STRING: is.TemplateShape = {
  content: 'string_content nowdoc_string escape_sequence',
  values: 'others',
  read: ({ text }, { type }) =>
    /^(?:string|nowdoc_body)$/.test(type)
      ? text.replaceAll(/\\([\\'])/g, '$1')
      : unescapeText(text),
}
const readKey = is.literalKey('string encapsed_string', STRING)
/** A number, a plain string, or a word without quotes: a constant, or a key in a string. */
const keyOf = (node: SyntaxNode): string | undefined =>
  node.type === 'name' ? node.text : readKey(node)

const dotted = (name: string): string => name.replace(/^\\/, '').replaceAll('\\', '.')
/** `A.B` of `A\B`; functions and base classes are known by their last name. */
const qualifiedName = ({ text, parent }: SyntaxNode): string =>
  /^(?:function_call_expression|base_clause|use_declaration)$/.test(parent?.type ?? '')
    ? text.slice(text.lastIndexOf('\\') + 1)
    : dotted(text)

/** Exports the entries of a record that a configuration file returns. */
const lowerReturn: Lowering = (node, draft) => {
  if (draft.here.kind === 'function') return defines.gives(node, draft)
  const value = draft.lower(node.namedChild(0))
  if (value.kind !== 'record') return draft.loose(value, 'other')
  for (const [name, entry] of Object.entries(value.entries)) {
    draft.export({ name, value: entry, kind: 'entry' })
  }
  return undefined
}

/** A constant of the file or of a class, or a property: its name, then its value. */
function member(kind: 'constant' | 'field'): Lowering {
  return (node, draft) => {
    const target = node.namedChild(0)
    const name = draft.nameOf(target)
    const given = node.namedChild(1)
    const type = node.parent?.childForFieldName('type') ?? null
    const preset = given && given.type !== 'null' ? draft.lower(given) : undefined
    const value = preset ?? (kind === 'field' ? draft.typed(type) : undefined)
    if (!target || name === undefined || !value) return undefined
    const full = draft.here.kind === 'class' ? `this.${name}` : name
    return draft.export({ name: full, value, kind, place: placeOf(target) })
  }
}

const MEMBER = 'member_access_expression nullsafe_member_access_expression'
const CONSTANT = 'class_constant_access_expression'
const ARMS = 'match_conditional_expression match_default_expression'
const METHOD = { name: 'name', arguments: 'arguments' }
const ASSIGNMENT = defines.declaration({ defaults: '??=' })
const PARAMETER = { name: 'name', type: 'type', preset: 'default_value' }
const FUNCTION: defines.FunctionShape = {
  name: 'name',
  parameters: 'parameters',
  shapes: {
    simple_parameter: PARAMETER,
    property_promotion_parameter: PARAMETER,
    variadic_parameter: { name: 'name' },
  },
  body: 'body',
  blocks: 'compound_statement',
  promoted: 'property_promotion_parameter',
  isDeclared: true,
}
const EXTENDED = {
  bases: '<base_clause>',
  mixins: (node: SyntaxNode) => (node.type === 'use_declaration' ? node : null),
  isDeclared: true,
} as const
const CLASS = defines.classes({ ...EXTENDED, name: 'name', body: -1 })

const isConfig = matchNames('*.config *.{c,C}onfig.get')
const isCurlOption = matchNames('CURLOPT_{URL,POST{,FIELDS},CUSTOMREQUEST,PUT,UPLOAD,NOBODY}')

/** Options of a curl handle as calls of it: `curl_setopt.CURLOPT_URL(url)`. */
function setOptions({ args, node, place }: LoweredCall, draft: Draft): Expression {
  const [receiver, option, value] = args
  const isRecord = option?.kind === 'record'
  const variable = option?.kind === 'name' ? option.name : ''
  const known = isRecord ? option.entries : draft.localEntries(variable)
  for (const [name, set] of Object.entries(value ? { [variable]: value } : known)) {
    if (!isCurlOption(name) || /^(?:false|null|0)\b/i.test(sourceAt(set.place, node))) continue
    const at = value ? place : set.place
    draft.call({ callee: `curl_setopt.${name}`, receiver, args: [set], place: at })
  }
  return unknownAt(node)
}

/** `config('services.x.url')` is `x.url` of the file `config/services.php`. */
function readConfig({ args: [key, fallback] }: LoweredCall, draft: Draft): Expression | undefined {
  const name = plainText(key)
  const file = name?.split('.', 1)[0]
  if (!key || !file) return fallback
  const { place } = key
  draft.import({ module: `config/${file}`, local: `config.${file}`, imported: '*', place })
  const read: Expression = { kind: 'name', name: `config.${name}`, place }
  return eitherOf([read, ...(fallback ? [fallback] : [])])
}

const HTTP_METHOD = /(?:^|\.)(Http|PendingRequest)\.(\w+)$/
/** Methods that Laravel's HTTP client has without macros. */
const isOwnMethod = matchNames(`
  {get,head,post,put,patch,delete,send,baseUrl,async,attach,contentType,bodyFormat,sink,timeout}
  {connectTimeout,retry,throw*,pool,batch,fake*,dd,dump,maxRedirects,when,unless,macro,mixin}
  {with*,accept*,as*,before*,global*,prevent*,allow*,assert*,record*,replaceHeaders,sequence,response}
`)

const effect: Effect = (given, draft) => {
  const { callee, receiver, args, named, place, node } = given
  const [first, value] = args
  const chosen = node.childForFieldName('name')
  if (chosen?.type === 'variable_name') {
    // The method of `$client->$method($url)` is the first argument.
    const all = [draft.lower(chosen), ...args]
    const request = callee.replace(/\$\w+$/, 'request')
    return draft.call({ callee: request, receiver, args: all, named, place })
  }
  if (callee.startsWith('curl_setopt')) return setOptions(given, draft)
  if (isConfig(callee)) return readConfig(given, draft)
  const [, http, custom] = HTTP_METHOD.exec(callee) ?? []
  if (custom === 'macro' && value) {
    const name = classKey(`Http.${plainText(first)}`)
    return draft.export({ name, value, place: value.place })
  }
  if (http === 'Http' && custom && !isOwnMethod(custom)) {
    const client = draft.name(classKey(`Http.${custom}`), node)
    return draft.call({ callee, receiver, args, named: { ...named, [SELECTED]: client }, place })
  }
  const name = callee === 'define' ? plainText(first) : undefined
  return name !== undefined && value ? draft.export({ name, value, scope: 0 }) : undefined
}

/** PHP, also within templates. */
export const php = defineLanguage({
  grammar: 'php',
  extensions: ['.php', '.inc', '.phtml', '.module', '.php5', '.php7', '.ctp'],
  interpreters: ['php'],
  family: 'php',
  clients: phpClients,
  prefilter: [
    /[(,]\s*["']\/\w|curl_(?:init|setopt)|wp_(?:safe_)?remote_|file_get_contents\(|\bbase_uri\b/,
    /\bSoapClient\b|\bHttp::\w{1,40}\(\)|->\{?\$(?:method|verb)\b|\bresolve(?:BaseUrl|Endpoint)\b|\b[sS]ocialite(?:::|->|Providers\\)/,
    /\\OAuth2\\Client\\Provider\\|\bconfig\(\s*["'][\w.-]+["']\s*\)\s*\.\s*["']/,
    /(?:->|::)VERB(?:Async)?CALL\s*(?:["'][A-Z]+["']\s*,\s*)?["'][^"'\n]*\//,
    /(?:->|::)VERB(?:Async)?CALL\s*(?:["'][A-Z]+["']\s*,\s*)?(?:\$this->\w|[A-Za-z\\]\w*::|config\(|env\()/,
    /VERB\w{0,20}CALL\s*(?:(?:["'][A-Za-z]{1,10}["']|\$\w{1,20})\s*,\s*)?["'][\w{}$.-]{0,80}\//i,
    /VERB\w{0,20}CALL\s*(?:(?:["'][A-Za-z]{1,10}["']|\$\w{1,20})\s*,\s*)?\$(?:this->)?\w{0,40}(?:ur[il]|endpoint|path)/i,
  ],
  names: {
    name: 'text',
    relative_scope: 'this',
    qualified_name: qualifiedName,
    variable_name: ({ text }) => text.slice(1),
    dynamic_variable_name: (node) => node.text.match(/^\$\{(\w+)\}$/)?.[1],
    [MEMBER]: keyed({ object: 'object', key: 'name', keyOf }),
    scoped_property_access_expression: ['scope', 'name'],
    [`${CONSTANT} subscript_expression`]: keyed({ object: 0, key: 1, keyOf }),
    'parenthesized_expression by_ref': 'inner',
    pair: (node, nameOf) => nameOf(node.namedChild(1)),
  },
  arguments: {
    named: { argument: { name: 'name', value: -1 } },
    prose: 'description label help message title placeholder tooltip doc{,s} homepage',
  },
  types: { named: 'named_type', wrapped: { 'optional_type union_type': 0 }, plain: '' },
  nodes: {
    'comment php_tag use_declaration attribute_list namespace_name': is.skip,
    text: (node, draft) => draft.loose(textAt(node.text, node), 'link'),
    'text_interpolation echo_statement print_intrinsic': is.texts('link'),
    exit_statement: is.texts('error'),
    throw_expression: is.throws('object_creation_expression', '<arguments>'),
    namespace_use_declaration: lowerUse,
    'require_expression require_once_expression': lowerInclude,
    'include_expression include_once_expression': lowerInclude,
    'string encapsed_string heredoc_body nowdoc_body': is.template(STRING),
    'heredoc nowdoc': is.inner('value'),
    'name qualified_name variable_name dynamic_variable_name': is.name(),
    [`${MEMBER} scoped_property_access_expression`]: is.name(),
    [CONSTANT]: usesClass(is.name()),
    subscript_expression: is.element(0, 1),
    binary_expression: is.binary({ join: '.', either: '?? || or', last: '&& and', merge: '+' }),
    conditional_expression: is.conditional('condition', 'body', 'alternative'),
    match_expression: is.choice(ARMS, 'return_expression', 'body'),
    array_creation_expression: is.record({
      pairs: { array_element_initializer: { key: 0, value: 1 } },
      keyOf: (key) => (key.type === CONSTANT ? key.namedChild(1)?.text : keyOf(key)),
    }),
    'parenthesized_expression cast_expression error_suppression_expression': is.inner(-1),
    'clone_expression by_ref argument': is.inner(-1),
    function_call_expression: call({ function: 'function', arguments: 'arguments' }),
    'member_call_expression nullsafe_member_call_expression': call({ ...METHOD, object: 'object' }),
    scoped_call_expression: call({ ...METHOD, object: 'scope' }),
    object_creation_expression: usesClass(construct({ type: 0, arguments: '<arguments>' })),
    'assignment_expression augmented_assignment_expression': ASSIGNMENT,
    reference_assignment_expression: ASSIGNMENT,
    static_variable_declaration: defines.variables({ name: 'name', value: 'value' }),
    'const_element enum_case': member('constant'),
    property_element: member('field'),
    'function_definition method_declaration arrow_function': defines.func(FUNCTION),
    anonymous_function: (node, draft) =>
      defines.lowerFunction(node, { shape: FUNCTION, draft, hasResult: true }),
    'class_declaration trait_declaration interface_declaration': CLASS,
    'enum_declaration anonymous_class': CLASS,
    return_statement: lowerReturn,
    foreach_statement: defines.loop(1, 0, 'body'),
  },
  roles: {
    error: `
      die exit {trigger,user}_error error_log wp_die abort *.{assert*,*Exception,*Error}
      new:*.*{Exception,Error} str{,i}pos str_{starts,ends}_with str_contains preg_match*
      str{,n}cmp in_array Http.{fake,assert*} *{m,M}ock*.* .{with,willReturn,shouldReceive,expects}`,
    documentation: `
      __ _e _x _n esc_{html,attr}* printf print_r var_dump syslog info logger trans dump dd
      _deprecated_* _doing_it_wrong *.{l,L}og{,ger}.* *.{io,output,console}.*
      .{writeln,setHelp,setDescription,addOption,addArgument,helperText,hint,label}
      .{description,info,warn,comment,line,debug,notice}`,
    link: `
      {,wp_,wp_safe_}redirect header esc_url wp_{enqueue,register}_* setcookie link_to url
      anchor add_query_var load_theme_textdomain register_post_type add_menu_page .redirect
      *.{Redirect.*,away,suffixAction,openUrlInNewTab} new:*.RedirectResponse`,
  },
  effects: {
    format: '{,v}sprintf',
    joinWith: 'implode join',
    sameLast: 'str_replace preg_replace add_query_arg',
    sameSecond: 'apply_filters',
    slashed: 'trailingslashit Str.finish',
    merge: 'array_{merge,replace}{,_recursive}',
    same: `
      strtr {,r,l}trim strtolower untrailingslashit esc_url{,_raw} strval parse_url
      filter_var utf8_encode stripslashes html_entity_decode urldecode wp_http_validate_url
      *.createUri new:*.Uri *.{Uri,Url,Str}.{new,create,of,fromString,parse,start}`,
    login: '*.{s,S}ocialite.driver *.extendSocialite',
    environment: 'env getenv *.{Env,env}.{get,string}',
    setting: `
      get_option get_site_option setting variable_get Setting.get *.config.get{Value,Parameter}
      *.{settings,options,params,parameterBag,scopeConfig}.get{,Value,Parameter}`,
    sameReceiver: '.{__toString,toString,trim,rtrim,finish,withQuery,value,toText}',
  },
  quirks: {
    effects: [effect],
    className: (text) => (/(?:^|\\)[A-Z]\w*$/.test(text) ? dotted(text) : undefined),
  },
})
