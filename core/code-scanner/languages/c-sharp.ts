import { cSharpClients } from '../clients/c-sharp.ts'
import { annotations } from '../lowering/annotations.ts'
import { withoutLineEnds } from '../lowering/built-texts.ts'
import { baseConstructor, call, construct } from '../lowering/calls.ts'
import { classes } from '../lowering/classes.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { placeOf, unescapeText } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import { settingOf } from '../lowering/readers.ts'
import { keepRegistration } from '../lowering/registrations.ts'
import { urlBuilders } from '../lowering/url-builders.ts'
import { lastName } from '../model/name-patterns.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'

const ANNOTATIONS = annotations({
  list: 'attribute_list',
  types: 'attribute',
  arguments: '<attribute_argument_list>',
  clients: 'Get Post Put Patch Delete Head Options BaseAddress BasePath HttpHost',
  owners: ['BaseAddress HttpHost BasePath'],
})

const lowerUsing: Lowering = (node, draft) => {
  const alias = node.childForFieldName('name')?.text
  const module = partOf(node, -1)?.text ?? ''
  const imported = alias === undefined ? '*' : lastName(module)
  return draft.import({ module, local: alias ?? '*', imported, place: placeOf(node) })
}

const modifiersOf = (node: SyntaxNode): readonly string[] =>
  node.namedChildren.filter(({ type }) => type === 'modifier').map(({ text }) => text)

const CLASSES = classes({
  types: 'class_declaration struct_declaration record_declaration interface_declaration',
  annotations: ANNOTATIONS,
  basesOf: (node) =>
    (partOf(node, '<base_list>')?.namedChildren ?? [])
      .filter(({ type }) => /^(?:identifier|generic_name|qualified_name)$/.test(type))
      .map(({ text }) => text.replace(/<.*$/s, '')),
  modifiersOf,
  parameters: '<parameter_list>',
  calls: '<base_list>',
  method: {
    name: 'name',
    parameters: 'parameters',
    shapes: { implicit_parameter: 'text', parameter: { name: 'name', type: 'type' } },
    body: 'body',
    blocks: 'block',
  },
  annotated: 'method_declaration',
  before: '<constructor_initializer>',
  presetOf({ node: { parent } }, draft) {
    const isPreset =
      parent?.type === 'parameter' && parent.children.some(({ type }) => type === '=')
    return isPreset ? draft.lower(partOf(parent, -1)) : undefined
  },
})

/** Fields of a class, or local variables. */
const lowerVariables: Lowering = (node, draft) => {
  const field = node.parent?.type === 'field_declaration' ? node.parent : undefined
  for (const declarator of node.namedChildren) {
    const name = declarator.childForFieldName('name')
    if (declarator.type !== 'variable_declarator' || !name) continue
    const assigned = declarator.namedChildCount > 1 ? partOf(declarator, -1) : null
    const value = assigned ? draft.lower(assigned) : draft.typed(partOf(node, 'type'))
    if (field) CLASSES.member(name, { node: field, value, draft })
    else if (value) draft.bind({ name: name.text, value, place: placeOf(name) })
  }
  return undefined
}

const lowerProperty: Lowering = (node, draft) => {
  const name = node.childForFieldName('name')
  const given = node.childForFieldName('value') ?? getterOf(node.childForFieldName('accessors'))
  const value = given ? draft.lower(given) : draft.typed(partOf(node, 'type'))
  return name ? CLASSES.member(name, { node, value, draft }) : undefined
}

/** Value that a getter returns, if its body only returns. */
function getterOf(accessors: SyntaxNode | null): SyntaxNode | null | undefined {
  const getter = accessors?.namedChildren.find((one) => partOf(one, 'name')?.text === 'get')
  const body = getter?.childForFieldName('body')
  const last = body?.type === 'block' ? partOf(body, -1) : body
  return last && /^(?:arrow|return)/.test(last.type) ? last.namedChild(0) : undefined
}

function contentOf(child: SyntaxNode, node: SyntaxNode): string {
  if (partOf(node, '<interpolation_quote>')) return withoutLineEnds(child.text)
  const isVerbatim = node.namedChild(0)?.text.includes('@')
  const plain = isVerbatim ? child.text.replaceAll('""', '"') : unescapeText(child.text)
  return plain.replaceAll('{{', '{').replaceAll('}}', '}')
}

/** Methods that append a path, as name patterns. */
const PATHS = '{,Set,With,Add,Append,Use}{,Absolute,Relative}Path{,Segment,Segments}'

/** `new { Url = "…" }`. */
const lowerAnonymous: Lowering = (node, draft) => {
  const entries: Record<string, Expression> = {}
  for (const [at, { type }] of node.children.entries()) {
    if (type === '=') entries[node.child(at - 1)?.text ?? ''] = draft.lower(node.child(at + 1))
  }
  return { kind: 'record', entries, place: placeOf(node) }
}

/** `configuration["Geo:BaseUrl"]` is a setting; other elements are unknown. */
const lowerElement: Lowering = (node, draft) => {
  const owner = draft.lower(node.childForFieldName('expression'))
  return settingOf(owner, draft.lower(partOf(node, 'subscript/0')), { node, draft })
}

const buildUrl = urlBuilders({
  begin: 'new:*.*{Uri,Url,Endpoint,Route}Builder',
  hosts: '',
  paths: PATHS,
})

/** C#. */
export const cSharp = defineLanguage({
  grammar: 'c-sharp',
  extensions: ['.cs', '.csx'],
  family: 'c-sharp',
  clients: cSharpClients,
  prefilter: [
    /\b(?:HttpClient|HttpRequestMessage|IHttpClientFactory|Web(?:Request|Client)|Rest(?:Client|Request|Service)|Refit|Flurl)\b/,
    /\.(?:Get|Post|Put|Patch|Delete|Send)\w*Async(?:<[^>(]*>)?\(|AppendPathSegment/,
    /(?:Get|Post|Put|Patch|Delete|Send|Request|Fetch|Call|Api)\w{0,30}(?:<[^>(]{0,80}>)?CALL\s*(?:[\w.]{1,40},\s*){0,2}[$@]{0,2}"[^"\n]{0,80}\//,
  ],
  names: {
    'identifier predefined_type qualified_name': 'text',
    generic_name: (node) => node.namedChild(0)?.text,
    'this base': 'this',
    'postfix_unary_expression parenthesized_expression': 'inner',
    member_access_expression: ['expression', 'name'],
    conditional_access_expression: ['condition', -1],
    member_binding_expression: (node, nameOf) => nameOf(node.childForFieldName('name')),
  },
  arguments: { named: { 'argument attribute_argument': { name: 'name', value: -1 } } },
  types: {
    named: 'identifier generic_name qualified_name',
    wrapped: { nullable_type: 0 },
    around: 'IOptions{,Monitor,Snapshot} Lazy',
    plain:
      '{String,Task,List,IEnumerable,Dictionary,IDictionary,Guid,DateTime,CancellationToken}{,.**}',
  },
  nodes: {
    'comment enum_declaration': is.skip,
    using_directive: lowerUsing,
    'class_declaration struct_declaration record_declaration interface_declaration': CLASSES.type,
    property_declaration: lowerProperty,
    'method_declaration constructor_declaration local_function_statement': CLASSES.method,
    'lambda_expression anonymous_method_expression': CLASSES.method,
    constructor_initializer: baseConstructor('<argument_list>'),
    variable_declaration: lowerVariables,
    assignment_expression: defines.assignment(),
    return_statement: defines.gives,
    foreach_statement: defines.loop('left', 'right', 'body'),
    'throw_statement throw_expression': is.throws('object_creation_expression', '<argument_list>'),
    invocation_expression: call({ function: 'function', arguments: 'arguments' }),
    'object_creation_expression implicit_object_creation_expression': construct({
      type: 'type',
      arguments: '<argument_list>',
      fields: '<initializer_expression>',
    }),
    string_literal: is.text(({ text }) => unescapeText(text.replaceAll(/^"|"(?:u8)?$/g, ''))),
    verbatim_string_literal: is.text(({ text }) => text.slice(2, -1).replaceAll('""', '"')),
    raw_string_literal: is.text(({ text }) => text.replaceAll(/^"+|"+(?:u8)?$/g, '').trim()),
    interpolated_string_expression: is.template({
      content: 'string_content escape_sequence',
      values: {
        interpolation: ({ namedChildren }) =>
          namedChildren.find(({ type }) => !type.startsWith('interpolation_')) ?? null,
      },
      read: contentOf,
    }),
    'identifier this member_access_expression conditional_access_expression': is.name({
      verb: /(?:^|\.)(?:HttpMethod|Method)\.([A-Z]\w*)$/,
    }),
    binary_expression: is.binary({ join: '+', either: '??' }),
    conditional_expression: is.conditional('condition', 'consequence', 'alternative'),
    switch_expression: is.choice('switch_expression_arm', -1),
    'initializer_expression element_binding_expression': is.record({
      pairs: { assignment_expression: { key: 'left', value: 'right' } },
      keyOf: ({ text }) => text.replaceAll(/^\[?"?|"?\]?$/g, ''),
    }),
    anonymous_object_creation_expression: lowerAnonymous,
    element_access_expression: lowerElement,
    is_pattern_expression: is.unknown('expression'),
    as_expression: is.inner('left'),
    cast_expression: is.inner('value'),
    'array_creation_expression implicit_array_creation_expression': is.inner(-1),
    'argument attribute_argument': is.inner(-1),
    'arrow_expression_clause await_expression parenthesized_expression': is.inner(),
    postfix_unary_expression: is.inner(),
  },
  roles: {
    documentation: `
      *.{,_}{log,logger,Log,Logger,Console,Debug,Trace,AnsiConsole}.* .WriteLine
      .Log{,Information,Warning,Error,Debug,Trace,Critical}
      .With{Description,Summary,Url,Footer,Title,ImageUrl,ThumbnailUrl}`,
    error: `
      {Assert,Guard,Check,Require,Xunit.Assert}.** Argument*Exception.** .Should*
      new:*{Exception,Error}`,
    link: `
      {,System.Diagnostics.}Process.Start .{LaunchUriAsync,NavigateTo,OpenUrl}
      {Launcher,Browser}.* OpenUrl OpenBrowser OpenLink new:ProcessStartInfo
      new:{,**.}*{Hyperlink,HyperLink,WebLink}*`,
  },
  effects: {
    format: '{s,S}tring.Format',
    join: '{s,S}tring.Concat',
    joinWith: '{s,S}tring.Join',
    path: `
      {Url,Flurl.Url,Path,UrlHelper,UriCombine}.Combine
      *.{{Combine,Join}{Url,URL,Uri},{Url,URL,Uri}{Combine,Join}}`,
    unknown: 'Uri.EscapeDataString {WebUtility,HttpUtility}.UrlEncode',
    section: '.Get{,Value,Section,RequiredSection}',
    url: 'new:{,System.}Uri new:{,*.}UriBuilder',
    nameOf: 'nameof',
    same: `
      QueryHelpers.AddQueryString *.{Create,Append}QueryString {,Flurl.}Url.Parse UriHelper.* ArgumentNullException.*
      Task.FromResult Uri.{UnescapeDataString,EscapeUriString}
      new:{,System.}{String,Url,PathString} new:Flurl.Url`,
    built: 'new:{,System.Text.}StringBuilder',
    builtOn: '.To*{Uri,Url}*',
    list: 'new:{List,HashSet,Collection}',
    record: 'new:{,Concurrent,Sorted}Dictionary',
    settingText: '.{GetValue,GetValueOrDefault,GetString,Get,GetSetting} GetEnv* Env*.Get*',
    pathOn: '.AppendPathSegment{,s}',
    appends: '.Append',
    joinOnText: '.Append',
    pathOnText: `.${PATHS}`,
    sameText: `
      .Build* .ToUriString
      .{Set,With,Add,Append}*{Query,Param,Parameter,Fragment,Port}*`,
    sameReceiver: `
      .{ToString,ConfigureAwait,Trim,TrimEnd,TrimStart,ToLower,ToLowerInvariant,Replace}
      .{SetQueryParam,SetQueryParams,AppendQueryParam,AbsoluteUri,ToUri,Allow*HttpStatus}
      .With{Header,Headers,OAuthBearerToken,BasicAuth,Timeout,Cookie,Cookies,AutoRedirect}`,
  },
  quirks: { effects: [keepRegistration, buildUrl] },
})
