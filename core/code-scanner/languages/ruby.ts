import { rubyClients } from '../clients/ruby.ts'
import { blocks, branches, pathOfBlock } from '../lowering/blocks.ts'
import { below, isTextLike, withoutLineEnds } from '../lowering/built-texts.ts'
import { call } from '../lowering/calls.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage, type LanguageTable } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { type Effect, originOf } from '../lowering/effects.ts'
import { placeOf, textAt, unescapeText, unknownAt } from '../lowering/lowered.ts'
import { keyed } from '../lowering/names.ts'
import { embeddedCode, hereDocument } from '../lowering/texts.ts'
import { matchNames } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import * as nodes from './ruby-nodes.ts'

const STRING: is.TemplateShape = {
  content: 'string_content heredoc_content escape_sequence',
  values: { interpolation: 0 },
  read: (part, { type, text: whole }) => {
    const content = whole.startsWith("'") ? part.text : unescapeText(part.text)
    return type === 'heredoc_body' ? withoutLineEnds(content) : content
  },
}
const PAIR = { key: 'key', value: 'value' }
const lowerString = is.template(STRING)
const readKey = is.literalKey('string', STRING)

/** A symbol, a plain string or a number as a key. */
function keyOf(node: SyntaxNode): string | undefined {
  if (node.type === 'hash_key_symbol') return node.text
  return node.type === 'simple_symbol' ? node.text.slice(1) : readKey(node)
}

const DECLARATION = defines.declaration({ defaults: '||=' })
const BINARY = is.binary({ join: '+ <<', either: '|| or', last: '&& and', path: '/', format: '%' })

const FUNCTION: defines.FunctionShape = {
  name: 'name',
  parameters: 'parameters',
  shapes: {
    identifier: 'text',
    optional_parameter: { name: 'name', preset: 'value' },
    keyword_parameter: { name: 'name', preset: 'value' },
    splat_parameter: { name: 'name' },
    hash_splat_parameter: { name: 'name' },
    block_parameter: { name: 'name' },
  },
  body: 'body',
  blocks: 'body_statement then else block do_block block_body',
  branches: 'if unless elsif',
}
const FUNC = defines.func(FUNCTION)

/** A method; without arguments it is called by its name alone. */
const lowerMethod: Lowering = (node, draft) => {
  const { scope, here } = draft
  FUNC(node, draft)
  const own = node.childForFieldName('name')?.text ?? ''
  const given = node.childForFieldName('parameters')?.namedChildren ?? []
  if (own === 'initialize' || given.some(({ type }) => type === 'identifier')) return undefined
  const isOwn = here.kind === 'class'
  const full = isOwn ? `this.${own}` : own
  const place = placeOf(node)
  draft.bind({ name: full, value: draft.resultOf({ callee: full, place }) })
  return isOwn ? draft.member(scope, { name: own, full }) : undefined
}

const isRequest = matchNames('get post put patch delete head options run_request')
const lowerBlock = blocks({
  self: `new start tap then yield_self open persistent build configure config setup connection
    yield get post put patch delete head options run_request`,
  each: `each{,_with_object,_with_index,_value} map flat_map find select reject filter_map any?
    all? lazy collect`,
})

/** Records the client of a login strategy: `option :client_options, { site: …, token_url: … }`. */
const recordLogin: Effect = ({ args, named }, draft) => {
  const records = [named, ...args.flatMap((each) => (each.kind === 'record' ? [each.entries] : []))]
  const options = records.find(({ client_options }) => client_options)?.client_options
  for (const entries of options?.kind === 'record' ? [options.entries] : records) {
    const { site, host, token_endpoint: end, token_url = end } = entries
    const base = site ?? originOf({ host })
    if (!base || !token_url) continue
    const { place } = token_url
    draft.call({ callee: 'OAuth2.Client.new', args: [], named: { site: base, token_url }, place })
  }
  return undefined
}

const rubyEffect: Effect = (given, draft) => {
  const { callee, method, receiver, args, named, place, node } = given
  const [first, second] = args
  if (nodes.takesSymbol(node)) return unknownAt(node)
  if (/^(?:option|provider)$|\.omniauth$/.test(callee)) return recordLogin(given, draft)
  // The method that a request object is made for.
  const verb = /(?:^|\.)Net\.HTTP\.([A-Z]\w+)\.new$/.exec(callee)?.[1]?.toLowerCase()
  const withVerb = verb && { ...named, verb: textAt(verb, node) }
  if (withVerb) return draft.call({ callee, receiver, args, named: withVerb, place })
  if (/(?:^|\.)Net\.HTTP\.get(?:_response|_print)?$/.test(callee) && first && second) {
    const whole = { ...below(first, second), place: first.place }
    return draft.call({ callee, receiver, args: [whole], named, place })
  }
  if (/^(?:open|read)$/.test(method) && receiver && nodes.mayBeUri(node, receiver)) {
    return draft.call({ callee: 'URI.open', receiver, args: [receiver], named, place })
  }
  const path = args.length === 0 && isRequest(method) ? pathOfBlock(node) : null
  if (path) return draft.call({ callee, receiver, args: [draft.lower(path)], named, place })
  if (receiver || args.length === 0 || !isRequest(callee)) return undefined
  // `get '/x'` is called on the class itself, as HTTParty's classes do.
  const own: Expression = { kind: 'name', name: 'this', place: placeOf(node) }
  return draft.call({ callee: `this.${callee}`, receiver: own, args, named, place })
}

const CALL = call({ object: 'receiver', name: 'method', arguments: 'arguments' })

const lowerCall: Lowering = (node, draft) => {
  const reader = draft.nameOf(node)
  if (reader !== undefined) return draft.name(reader, node)
  const value = CALL(node, draft)
  const isMade = value && (isTextLike(value) || value.kind === 'name')
  if (!isMade) lowerBlock(node, { made: value?.kind === 'call' ? value : undefined, draft })
  return value
}

const TABLE: Omit<LanguageTable, 'extensions'> = {
  grammar: 'ruby',
  family: 'ruby',
  clients: rubyClients,
  prefilter: [
    /[(, ]["']\/\w|Net::HTTP|Faraday|HTTParty|RestClient|Typhoeus|Excon|\bbase_ur[il]\b/,
    /(?:^\s*provider|\.omniauth)[ (]\s*[:'"]\w|\bclient_options\b/m,
    /\b(?:VERB|run_request)[ (]\s*(?:["'][^"'\n]*\/|[a-z_.@]*(?:url|uri|path|endpoint)|[A-Z_]*(?:URL|URI|BASE|API|HOST))/,
    /VERB\w{0,20}[ (]\s*(?::\w{1,10},\s*)?(?:["'][\w#{}.-]{0,80}\/|@?\w{0,40}(?:ur[il]|endpoint)\b)/,
  ],
  names: {
    'identifier constant global_variable': 'text',
    self: 'this',
    'instance_variable class_variable': (node) => `this.${node.text.replace(/^@+/, '')}`,
    scope_resolution: nodes.constantName,
    element_reference: keyed({ object: 'object', key: 1, keyOf }),
    call: (node, nameOf) => nodes.readerName(node, nameOf),
  },
  arguments: {
    named: { pair: { name: 'key', value: 'value' } },
    spread: 'hash_splat_argument',
    prose: `desc description help message summary banner homepage documentation label title
      placeholder hint`,
  },
  nodes: {
    'comment uninterpreted heredoc_body': is.skip,
    'string bare_string delimited_symbol': lowerString,
    chained_string: is.adjacent,
    heredoc_beginning: hereDocument('heredoc_beginning', 'heredoc_body', STRING),
    simple_symbol: is.text((node) => node.text.slice(1)),
    hash_key_symbol: is.text((node) => node.text),
    subshell: (node, draft) => {
      const command = lowerString(node, draft) ?? unknownAt(node)
      draft.call({ callee: 'sh', args: [command], place: placeOf(node) })
    },
    'identifier constant instance_variable class_variable global_variable': is.name(),
    'self scope_resolution': is.name(),
    element_reference: is.element('object', 1, keyOf),
    binary: (node, draft) => (nodes.isAppendedName(node) ? DECLARATION : BINARY)(node, draft),
    'conditional if unless elsif': is.conditional('condition', 'consequence', 'alternative'),
    'if_modifier unless_modifier while': is.conditional('condition', 'body', 'alternative'),
    'case when else then begin': branches({ either: 'case begin' }),
    hash: is.record({ pairs: { pair: PAIR }, spread: 'hash_splat_argument', keyOf }),
    'array string_array right_assignment_list': is.list,
    'parenthesized_statements unary splat_argument block_argument': is.inner(),
    call: lowerCall,
    'assignment operator_assignment': DECLARATION,
    'method singleton_method': lowerMethod,
    lambda: FUNC,
    'class module': defines.classes({
      name: 'name',
      bases: 'superclass',
      body: 'body',
      mixins: includedBy,
      isDeclared: true,
    }),
    return: defines.gives,
  },
  roles: [
    ['error', 'raise fail abort exit expect assert* stub_request a_request describe it context'],
    ['error', 'let{,!} skip pending visit eq{,l} match contain_exactly start_with be_* have_*'],
    ['error', 'match_array *.*{Error,Exception}.{new,exception} .{start_with,end_with,include}?'],
    ['error', '.{match,match?,eq,eql,to,not_to,start_with,stub_request}'],
    ['documentation', 'puts print p pp warn desc long_desc say banner homepage ohai opoo odie'],
    ['documentation', 'summary description printf task gem source git{,_source}'],
    ['documentation', 'livecheck sha256 *.{logger,log,Logger,LOGGER,ui,shell,{,$}std{out,err}}.*'],
    ['documentation', '.{puts,banner,description,summary,homepage,metadata,separator,logger}'],
    ['link', '*.{Launchy.open,redirect{,_to},link_to{,_if,_unless},image_tag,button_to,tag}'],
    ['link', '*.{{javascript_include,stylesheet_link,content,favicon_link}_tag,autolink,mail_to}'],
  ],
  effects: [
    ['format', '{,Kernel.}{format,sprintf}'],
    ['path', '{URI,File,Addressable.URI,URL,Pathname}.join'],
    ['joinListOn', '.join'],
    ['pathOn', '.join'],
    ['sameReceiver', '.join'],
    ['formatOn', '.{expand,partial_expand}'],
    ['joinOn', '.{concat,+}'],
    ['url', 'URI.{HTTP,HTTPS}{,.build} Addressable.URI.new'],
    ['same', '{,Kernel.}{URI,String,Pathname} {Pathname,Addressable.{URI,Template}}.new'],
    // The type checker Sorbet returns the value.
    ['same', 'T.{let,must,cast,unsafe}'],
    ['same', '{Addressable.,}URI.{parse,encode,escape,heuristic_parse,HTTP,HTTPS} CGI.unescape'],
    ['environment', 'ENV.[]'],
    ['member', '.delete'],
    ['import', 'include extend require'],
    ['field', 'base_uri base_url endpoint host site'],
    ['namedField', 'option attribute class_attribute {m,c}attr_accessor setting property'],
    ['namedField', 'config_param param field'],
    ['sameReceiver', `${nodes.SAME.replaceAll(/\S+/g, '.$&')} .{host,hostname,request_uri,origin}`],
    ['sameReceiver', '*.*{u,U}r{i,l}.path *.*UR{I,L}.path'],
    ['dig', '.dig'],
    ['entry', '.fetch'],
    ['importFile', 'require_relative'],
    ['login', 'provider *.omniauth'],
    ['callsMethod', '.{send,public_send,__send__}'],
  ],
  quirks: {
    effects: [rubyEffect],
    // Sources of a formula, unlike methods of these names.
    role: (callee, list) =>
      /^(?:url|mirror|head)$/.test(callee) && list?.namedChild(0)?.type === 'string'
        ? 'documentation'
        : undefined,
    target: (row, { node, draft }) => {
      if (node.type === 'constant') return { ...row, kind: 'constant', isExported: true }
      // A local variable of a class's body is of that body alone.
      const isLocal = draft.here.kind === 'class' && /^[a-z_]\w*$/.test(row.name)
      return isLocal ? { ...row, isExported: false } : row
    },
  },
}

/** The modules of `include Payments`, whose methods a class has. */
function includedBy(node: SyntaxNode): SyntaxNode | null {
  const isInclude = node.type === 'call' && node.childForFieldName('method')?.text === 'include'
  return isInclude ? node.childForFieldName('arguments') : null
}

/** Ruby. */
export const ruby = defineLanguage({
  ...TABLE,
  extensions: ['.rb', '.rake', '.ru', '.thor', '.jbuilder', '.rabl'],
  fits: /(?:^|\/)(?:Rakefile|Capfile|Guardfile|Thorfile|Fastfile|Dangerfile)$/,
  interpreters: ['ruby', 'jruby'],
})

/** The Ruby of ERB templates. */
export const erb = defineLanguage({
  ...TABLE,
  extensions: ['.erb', '.rhtml'],
  prepare: (source) => embeddedCode(source, ['<%', '%>']),
})
