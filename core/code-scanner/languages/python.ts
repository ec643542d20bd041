import { pythonClients } from '../clients/python.ts'
import { call } from '../lowering/calls.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import type { Effect } from '../lowering/effects.ts'
import { placeOf, unescapeText, unknownAt } from '../lowering/lowered.ts'
import { keyed, partOf } from '../lowering/names.ts'
import { lastName } from '../model/name-patterns.ts'
import type { SyntaxNode } from '../model/syntax.ts'

/** Text of a part of a string: the letters before the quotes say what is escaped. */
function contentOf({ text }: SyntaxNode, string: SyntaxNode): string {
  const prefix = string.namedChild(0)?.text ?? ''
  const content = /^\w*f/i.test(prefix) ? text.replaceAll(/([{}])\1/g, '$1') : text
  return /^\w*r/i.test(prefix) ? content : unescapeText(content)
}

const STRING: is.TemplateShape = {
  content: 'string_content',
  values: { interpolation: 'expression' },
  read: contentOf,
}
const PAIR = { key: 'key', value: 'value' }
const keyOf = is.literalKey('string', STRING)

/** `import a.b as c`, and `from a import b as c`, where `*` is all that the module has. */
const lowerImport: Lowering = (node, draft) => {
  const guard = node.parent?.parent?.childForFieldName('condition')?.text ?? ''
  const isType = /(?:^|\.)TYPE_CHECKING$/.test(guard) ? ({ isType: true } as const) : {}
  const add = ([module, local, imported]: readonly [string, string, string], at = node) =>
    draft.import({ module, local, imported, place: placeOf(at), ...isType })
  const from = node.childForFieldName('module_name')?.text
  if (from !== undefined && partOf(node, '<wildcard_import>')) return add([from, '*', '*'])
  for (const one of node.childrenForFieldName('name')) {
    const full = one.childForFieldName('name')?.text ?? one.text
    const local = one.childForFieldName('alias')?.text ?? full
    // Django provides a project's module of settings under a name of its own.
    const isSettings = from === 'django.conf' && full === 'settings'
    add(from === undefined || isSettings ? [full, local, '*'] : [from, local, full], one)
  }
  return undefined
}

/** A string that stands alone is documentation. */
const lowerStatement: Lowering = (node, draft) =>
  draft.children(node, node.namedChild(0)?.type.endsWith('string') ? 'documentation' : 'other')

const FUNCTION: defines.FunctionShape = {
  name: 'name',
  parameters: 'parameters',
  shapes: {
    identifier: 'text',
    default_parameter: { name: 'name', preset: 'value' },
    typed_parameter: { name: 0, type: 'type' },
    typed_default_parameter: { name: 'name', type: 'type', preset: 'value' },
    list_splat_pattern: { name: 0 },
    dictionary_splat_pattern: { name: 0 },
  },
  body: 'body',
  blocks: 'block',
  isDeclared: true,
}

/** A function; a property is a field that has what the function returns. */
const lowerDefinition: Lowering = (node, draft) => {
  const full = node.childForFieldName('name')?.text ?? ''
  const isMethod = draft.here.kind === 'class'
  const parameters = defines
    .readParameters(node.childForFieldName('parameters'), FUNCTION.shapes)
    .filter((one, index) => !(isMethod && index === 0 && /^(?:self|cls)$/.test(one.name)))
  defines.lowerFunction(node, { shape: FUNCTION, draft, parameters })
  if (!isMethod || node.parent?.type !== 'decorated_definition') return undefined
  if (!/^@\w*property\b/m.test(node.parent.text)) return undefined
  const name = `this.${full}`
  return draft.bind({ name, value: draft.resultOf({ callee: name, place: placeOf(node) }) })
}

const CLASS = { name: 'name', bases: 'superclasses', body: 'body' }

const lowerComprehension: Lowering = (node, draft) => {
  const body = node.childForFieldName('body')
  for (const child of node.namedChildren) if (child.id !== body?.id) draft.statement(child)
  if (!body || body.type === 'pair') return body ? draft.children(body) : undefined
  return { kind: 'list', items: [draft.lower(body)], place: placeOf(node) }
}

/** `value as name` of `with`, and `name := value`. */
const lowerNamed: Lowering = (node, draft) => {
  const value = draft.lower(node.childForFieldName('value') ?? node.namedChild(0))
  const alias = node.childForFieldName('alias')?.namedChild(0)
  const target = node.childForFieldName('name') ?? alias ?? null
  if (draft.nameOf(target) !== undefined) defines.bindTo(target, { value, draft })
  return value.kind === 'call' || !alias ? value : unknownAt(node)
}

const NAME = is.name()

/** Parts that stand for the whole URL, and members of enumerations, which are their values. */
const lowerAttribute: Lowering = (node, draft) => {
  const member = node.childForFieldName('attribute')?.text ?? ''
  const object = node.childForFieldName('object')
  const isValue = member === 'value' && /(?:^|\.)[A-Z][A-Z\d_]*$/.test(object?.text ?? '')
  if (/^(?:netloc|hostname)$/.test(member) || isValue) return draft.lower(object)
  return NAME(node, draft)
}

const pythonEffect: Effect = ({ callee, method, receiver, args, named, place }, draft) => {
  const [first, ...rest] = args
  if (method === 'setopt' && first?.kind === 'name') {
    // An option of a curl handle as a call of it: `c.setopt(c.URL, x)` as `pycurl.URL(x)`.
    return draft.call({
      callee: `pycurl.${lastName(first.name)}`,
      receiver,
      args: rest,
      named,
      place,
    })
  }
  if (callee === '()' && receiver?.kind === 'call' && receiver.call.callee === 'getattr') {
    // `getattr(client, method)(url)`: a method of the client that is chosen later.
    const [client, chosen] = receiver.call.args
    if (client?.kind !== 'name' || !chosen) return undefined
    const all = [chosen, ...args]
    return draft.call({
      callee: `${client.name}.request`,
      receiver: client,
      args: all,
      named,
      place,
    })
  }
  return undefined
}

/** A scheme and a host within a list are a URL: `MIRRORS = [('https', 'acme.io')]`. */
const lowerTuple: Lowering = (node, draft) => {
  const value = is.list(node, draft)
  const items = value?.kind === 'list' ? value.items : []
  const [scheme, host] = items.map((item) => (item.kind === 'text' ? item.text : ''))
  const isUrl = items.length === 2 && /^https?$/.test(scheme ?? '') && HOST.test(host ?? '')
  if (!isUrl || !/^(?:list|tuple|set)$/.test(node.parent?.type ?? '')) return value
  return { kind: 'text', text: `${scheme}://${host}`, place: placeOf(node) }
}

const HOST = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/

/** Python. */
export const python = defineLanguage({
  grammar: 'python',
  extensions: ['.py', '.pyw'],
  interpreters: ['python'],
  family: 'python',
  clients: pythonClients,
  prefilter: [
    /[(,]\s*[fF]?["']\/\w|HTTPS?Connection\(|\burlopen\(|\b(?:base_url|BASE_URL|API_HOST|API_URL)\b/,
    /\.VERBCALL\s*(?:["']\w+["']\s*,\s*)?(?:url\s*=\s*)?(?:[fFrRbB]{0,2}["'][^"'\n]*\/|self\.\w)/,
    /\.VERBCALL\s*(?:["']\w+["']\s*,\s*)?(?:url\s*=\s*)?[A-Za-z_.]*(?:URL|URI|endpoint|BASE|API|HOST)/i,
    /VERB\w{0,20}CALL\s*(?:[A-Za-z_.]{0,40}(?:ur[il]|endpoint)|["']\w+["']\s*,\s*\w*ur[il])/i,
    /=\s*(?:requests\.|aiohttp\.|httpx\.)?(?:[Ss]ession|ClientSession|AsyncClient|Client)\(/,
  ],
  names: {
    identifier: 'text',
    attribute: ['object', 'attribute'],
    subscript: keyed({ object: 'value', key: 'subscript', keyOf }),
  },
  own: 'self cls',
  arguments: {
    named: { keyword_argument: { name: 'name', value: 'value' } },
    spread: 'dictionary_splat',
    prose: `help{,_text} {,long_}description epilog verbose_name label placeholder docstring
      doc{,s_url,_url} homepage terms_of_service footer`,
  },
  types: { named: 'type', plain: '', isCalled: true },
  nodes: {
    'comment type future_import_statement': is.skip,
    'import_statement import_from_statement': lowerImport,
    expression_statement: lowerStatement,
    'assignment augmented_assignment': defines.declaration(),
    'named_expression as_pattern': lowerNamed,
    'function_definition lambda': lowerDefinition,
    class_definition: defines.classes({ ...CLASS, isDeclared: true }),
    return_statement: defines.gives,
    raise_statement: is.throws('call', 'arguments'),
    'assert_statement comparison_operator': is.texts('error'),
    for_statement: defines.loop('left', 'right', 'body', 'alternative'),
    for_in_clause: defines.loop('left', 'right'),
    'list_comprehension set_comprehension generator_expression': lowerComprehension,
    dictionary_comprehension: lowerComprehension,
    call: call({ function: 'function', arguments: 'arguments' }),
    string: is.template(STRING),
    concatenated_string: is.adjacent,
    identifier: NAME,
    attribute: lowerAttribute,
    subscript: is.element('value', 'subscript'),
    binary_operator: is.binary({ join: '+', path: '/', format: '%' }),
    boolean_operator: is.binary({ either: 'or', last: 'and' }),
    conditional_expression: is.conditional(1, 0, 2),
    dictionary: is.record({ pairs: { pair: PAIR }, spread: 'dictionary_splat', keyOf }),
    'list set expression_list': is.list,
    tuple: lowerTuple,
    'parenthesized_expression await yield list_splat': is.inner(),
  },
  roles: [
    ['error', '*.*{Error,Exception,Warning,Fault,Http404} *.pytest.*'],
    ['error', '*.{abort,fail,exit,assert*,parametrize,raises,isinstance,hasattr}'],
    ['error', '.{startswith,endswith,find,index,count} {,mock.,mocker.}patch{,.*}'],
    ['error', '{responses,respx,httpretty,requests_mock,respx_mock,httpx_mock,rsps}.*'],
    ['documentation', 're.* *.{re_path,RegexValidator,ArgumentParser,std{out,err}.write}'],
    ['documentation', '*.*log{,ger,ging}.* *.{LOG,LOGGER,console,messages,echo}.*'],
    ['documentation', '*.{{,p}print,{,s}echo,warn{,_explicit},{,u}gettext*,_,option,FastAPI}'],
    ['documentation', '*.{write{,_}line,markdown,mark_safe,setup,add_{argument,parser}}'],
    ['link', '*.{webbrowser.*,open_new_tab,openUrl,startfile,redirect,RedirectResponse,Embed}'],
    ['link', '*.{HttpResponseRedirect,format_html,InlineKeyboardButton}'],
    ['link', '*.set_{thumbnail,author,image,footer}'],
  ],
  effects: [
    ['formatOn', '.{format,format_map}'],
    ['path', '*.{urljoin,url_path_join,join_url,urljoin_*} {os.path,path,posixpath}.join'],
    ['joinBy', '.join'],
    ['pathOn', '.joinpath'],
    ['preset', '{,click.,typer.,sa.,db.}{Column,Option,Argument,Param,Attr,Setting}'],
    ['preset', '{,pydantic.,dataclasses.,attr{,s}.,serializers.,fields.}{Field,field,ib,attrib}'],
    ['preset', '{,models.,serializers.,fields.,db.}{URL,Char,Text}Field'],
    ['environment', 'os.getenv os.environ.{get,setdefault,pop} environ.get'],
    ['environment', 'getenv* get_env* get_setting *.{env,config,Env}{,.str,.url,.get,.value}'],
    ['memberOfFirst', '*.getattr'],
    ['member', '.{get,pop,setdefault}'],
    ['record', 'dict'],
    ['sameSecond', '{,typing.}cast'],
    ['same', 'str {,yarl.,httpx.}URL {,furl.}furl AnyHttpUrl HttpUrl AnyUrl SecretStr Secret'],
    ['same', 'deepcopy *.{urlparse,urlsplit,urldefrag,url_normalize,parse_url,format_url}'],
    ['sameReceiver', '.{strip,rstrip,lstrip,encode,decode,lower,replace,removesuffix}'],
    ['sameReceiver', '.{removeprefix,geturl,human_repr,copy,unicode_string,get_secret_value}'],
    [
      'callsFirst',
      '*.{to_thread,submit,partial,run_in_threadpool,spawn,map,apply_async,start_soon}',
    ],
    ['callsFirst', '*.{retry_call,call_with_retry,sync_to_async,run_sync,defer{,ToThread}}'],
    ['callsSecond', '*.run_in_executor'],
  ],
  quirks: {
    effects: [pythonEffect],
    // `httpx.Client`, also within `Optional[…]` and `… | None`.
    className: (text) => {
      const bare = text.replace(/^["']|["']$/g, '').replace(/^Optional\[|\]$|\s*\|\s*None$/g, '')
      return /^(?:\w+\.)*[A-Z]\w*$/.test(bare) ? bare : undefined
    },
    // A name in a class's body is a field.
    target: (row, { draft }) =>
      row.kind === 'field' || draft.here.kind !== 'class'
        ? row
        : { ...row, name: `this.${row.name}`, kind: 'field' },
  },
})
