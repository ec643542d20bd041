import { goClients } from '../clients/go.ts'
import { call, construct } from '../lowering/calls.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { joinOf, placeOf, setPath, textAt, unescapeText } from '../lowering/lowered.ts'
import type { SyntaxNode } from '../model/syntax.ts'

function stringOf(node: SyntaxNode): string {
  const content = node.text.slice(1, -1)
  return node.type === 'interpreted_string_literal' ? unescapeText(content) : content
}

const lowerImport: Lowering = (node, draft) => {
  const path = node.childForFieldName('path')?.text.slice(1, -1) ?? ''
  const alias = node.childForFieldName('name')?.text
  const local = alias === undefined ? packageName(path) : alias === '.' ? '*' : alias
  const place = placeOf(node)
  return draft.import({ module: path, local: local === '_' ? '' : local, imported: '*', place })
}

/** Name that a package has when it is imported without one: `resty` of `…/go-resty/resty/v2`. */
function packageName(path: string): string {
  const parts = path.split('/')
  if (parts.length > 1 && /^v\d+$/.test(parts.at(-1) ?? '')) parts.pop()
  return (parts.at(-1) ?? '').replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '')
}

/** `const` and `var`, several names with several values. */
const lowerSpec: Lowering = (node, draft) => {
  const names = node.childrenForFieldName('name').filter(({ isNamed }) => isNamed)
  const values = node.childForFieldName('value')?.namedChildren ?? []
  const type = node.childForFieldName('type')
  const kind = node.type === 'const_spec' ? 'constant' : 'variable'
  const isExported = draft.scope === 0
  for (const [index, name] of names.entries()) {
    const value = values[index] ? draft.lower(values[index]) : draft.typed(type)
    if (value) draft.bind({ name: name.text, value, kind, isExported, place: placeOf(name) })
  }
  for (const value of values.slice(names.length)) draft.statement(value)
  return undefined
}

const lowerAssignment: Lowering = (node, draft) => {
  const names = node.childForFieldName('left')?.namedChildren ?? []
  const isAdded = node.childForFieldName('operator')?.text === '+='
  for (const [index, given] of (node.childForFieldName('right')?.namedChildren ?? []).entries()) {
    const target = names[index] ?? null
    const full = draft.nameOf(target)
    const value = draft.lower(given)
    if (!target || full === undefined || full === '_') {
      draft.loose(value, 'other')
      continue
    }
    if (setPath({ name: full, value, target, isAdded }, draft)) continue
    const whole = isAdded ? joinOf([draft.name(full, target), value]) : value
    draft.bind({ name: full, value: whole ?? value, place: placeOf(target) })
  }
  return undefined
}

/** `https://x` of the tag `default:"https://x"`, as configuration libraries have them. */
const TAG_DEFAULT = /\b(?:default|envDefault|env-default):"((?:[^"\\]|\\.)*)"/

const lowerType: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  const full = node.childForFieldName('name')?.text ?? ''
  if (type?.type !== 'struct_type') return undefined
  draft.declare(full, node)
  const scope = draft.classScope(full, { isPart: true })
  for (const field of type.namedChild(0)?.namedChildren ?? []) {
    if (field.type !== 'field_declaration') continue
    const tag = field.childForFieldName('tag')
    const preset = tag ? TAG_DEFAULT.exec(tag.text)?.[1] : undefined
    const typed = draft.typed(field.childForFieldName('type'))
    const value = tag && preset !== undefined ? textAt(preset, tag) : typed
    const names = field.childrenForFieldName('name').filter(({ isNamed }) => isNamed)
    for (const name of value ? names : []) {
      if (value) draft.bind({ name: `this.${name.text}`, value, place: placeOf(name), scope })
    }
  }
  return undefined
}

const FUNCTION: defines.FunctionShape = {
  name: 'name',
  parameters: 'parameters',
  shapes: {
    parameter_declaration: { name: 'name', type: 'type' },
    variadic_parameter_declaration: { name: 'name', type: 'type' },
  },
  body: 'body',
  blocks: 'block',
}

/** A function, or a method, whose class may be in another file. */
const lowerMethod: Lowering = (node, draft) => {
  const receiver = node.childForFieldName('receiver')?.namedChild(0)
  const type = receiver?.childForFieldName('type')?.text.replace(/^\*|\[.*$/g, '')
  const parent = type === undefined ? draft.scope : draft.classScope(type, { isPart: true })
  if (node.type === 'function_declaration') {
    draft.declare(node.childForFieldName('name')?.text ?? '', node)
  }
  const parameters = defines.readParameters(node.childForFieldName('parameters'), FUNCTION.shapes)
  const given = { shape: FUNCTION, draft, scope: { parent }, parameters }
  return draft.withSelf(receiver?.childForFieldName('name')?.text, () => {
    defines.lowerFunction(node, given)
    return undefined
  })
}

/** `hosts["eu"]`, and any of them where the key is not known. */
const lowerIndex: Lowering = (node, draft) => {
  const operand = node.childForFieldName('operand')
  const index = node.childForFieldName('index')
  const full = draft.nameOf(operand)
  if (!operand || full === undefined) return draft.lower(operand)
  const key = index?.type.endsWith('string_literal') ? stringOf(index) : '*'
  if (key === '*') draft.statement(index)
  return draft.name(`${full}.${/^[\w-]+$/.test(key) ? key : '*'}`, operand)
}

const CONSTRUCT = construct({ type: 'type', arguments: '<none>', fields: 'body', areFields: true })

/** A structure is a construction whose fields are keyword arguments, a map a record, a slice a list. */
const lowerComposite: Lowering = (node, draft) => {
  const type = node.childForFieldName('type')
  if (type?.type === 'type_identifier') draft.classScope(type.text, { isPart: true })
  else if (type?.type !== 'qualified_type') return draft.lower(node.childForFieldName('body'))
  return CONSTRUCT(node, draft)
}

/** Programs that open a page: `exec.Command("xdg-open", url)`. */
const OPENERS = /^"(?:open|xdg-open|start|rundll32|cmd|explorer)/

export const go = defineLanguage({
  grammar: 'go',
  extensions: ['.go'],
  family: 'go',
  clients: goClients,
  prefilter: [
    /\bhttp\.(?:NewRequest|Get\(|Post|Head\()|\.(?:R\(\)|SetBaseURL|SetHostURL)|\burl\.URL\{/,
    /\.(?:Get|Post|Put|Patch|Delete|Head|Do\w*|NewRequest\w*|Execute)\((?:\w+, ?){0,2}(?:"[^"\n]*\/|fmt\.Sprintf)/,
    /\bSprintf\(\s*"%[sv]\/[\w%]|(?:UR[IL]|Ur[il]|Base|BASE|API|Endpoint|Host)\w* ?\+ ?"\//,
    /\bfasthttp\b|\bgorequest\b|grpc\.(?:Dial|NewClient)|\bhttp\.Method[A-Z]/,
    /(?:get|post|put|patch|delete|request|fetch|call|send|do|api)\w{0,20}CALL(?:[\w.]{1,40}, ?){0,3}"(?:GET|POST|PUT|PATCH|DELETE)"/i,
    /(?:get|post|put|patch|delete|request|fetch|call|send|do|api)\w{0,20}CALL(?:[\w.]+, ?){0,3}(?:fmt\.Sprintf\()?"(?:\/|[\w/{}%.-]{1,80}(?:\/|\.json))/i,
  ],
  names: {
    identifier: 'text',
    'parenthesized_expression unary_expression': 'inner',
    selector_expression: ['operand', 'field'],
  },
  arguments: { prose: 'Short Long Example Usage UsageText Description Help Doc{,umentation} Hint' },
  types: {
    named: 'qualified_type type_identifier',
    wrapped: { pointer_type: 0 },
    plain: 'string int bool error byte any float64 int64',
  },
  nodes: {
    'comment type_alias': is.skip,
    import_spec: lowerImport,
    'const_spec var_spec': lowerSpec,
    'short_var_declaration assignment_statement': lowerAssignment,
    type_spec: lowerType,
    'function_declaration method_declaration func_literal': lowerMethod,
    return_statement: defines.givesFirst(0),
    range_clause: defines.loop('left/-1', 'right'),
    call_expression: call({ function: 'function', arguments: 'arguments' }),
    composite_literal: lowerComposite,
    literal_value: is.record({
      pairs: { keyed_element: { key: 'key', value: 'value' } },
      keyOf: (key) => {
        const literal = key.namedChild(0)
        return literal?.type.endsWith('string_literal') ? stringOf(literal) : key.text
      },
    }),
    'interpreted_string_literal raw_string_literal': is.text(stringOf),
    'identifier selector_expression': is.name({ verb: /^http\.Method([A-Z]\w+)$/ }),
    binary_expression: is.binary({ join: '+' }),
    index_expression: lowerIndex,
    'parenthesized_expression literal_element': is.inner(),
    unary_expression: is.inner('operand'),
    type_assertion_expression: is.inner('operand', 'type'),
  },
  roles: {
    link: '.Redirect {browser,webbrowser,open}.{Open*,Run,Start} *.open{Browser,URL,Url}',
    error: `
      {error,errors,xerrors,status,apierror,apierrors,eris}.* fmt.Errorf panic log.{Fatal,Panic}*
      *.{t,b,require,assert,suite}.{Fatal,Error,Skip,Log,Equal,Contains,True}*`,
    documentation: `
      {log,slog,glog,klog,logrus,zap,zlog}.** *.{log,logger,logr,lg,sugar,Log,Logger}.*
      fmt.{,F}{print,Print}* cmd.Print* .{Debug,Info,Warn,Warning,Error,Fatal,Trace}{,f,ln,w}`,
  },
  effects: {
    format: 'fmt.{Sprintf,Appendf}',
    join: 'fmt.Sprint',
    path: '{path,filepath}.Join url.JoinPath',
    joinList: 'strings.Join',
    either: 'cmp.Or lo.Coalesce* *.Default{Comparable,String}',
    setting: `
      *.*{getEnv,GetEnv,getenv,Getenv,get_env}* *.{env,Env,envOr,EnvOr}
      *.*env*{Or,Default,String}* *.GetString*Default`,
    sameSecond: '{flag,pflag}.String .String',
    same: `
      string aws.String {pointer,ptr}.* to.Ptr template.{URL,HTML,Must} uri.Parse
      {url,urlx}.{,Must}Parse* strings.{Trim*,ToLower,Replace,ReplaceAll,Clone} {must,Must}*
      lo.Must*`,
    unknown: 'url.{QueryEscape,PathEscape}',
    sameReceiver: '.{String,Clone,Redacted}',
    pathOn: '.JoinPath',
    url: 'new:url.URL',
  },
  quirks: {
    role: (callee, list) =>
      callee === 'exec.Command' && OPENERS.test(list?.namedChild(0)?.text ?? '')
        ? 'link'
        : undefined,
    // The header of fasthttp's requests has their method: it counts as set on the request.
    effects: [
      ({ callee, receiver, args, place }, draft) => {
        if (!callee.endsWith('.Header.SetMethod') || receiver?.kind !== 'name') return undefined
        const name = receiver.name.slice(0, -'.Header'.length)
        return draft.call({
          callee: `${name}.SetMethod`,
          receiver: { ...receiver, name },
          args,
          place,
        })
      },
    ],
  },
})
