import { swiftClients } from '../clients/swift.ts'
import { annotations } from '../lowering/annotations.ts'
import { branches } from '../lowering/blocks.ts'
import { anyOf } from '../lowering/built-texts.ts'
import { call } from '../lowering/calls.ts'
import { classes } from '../lowering/classes.ts'
import * as is from '../lowering/constructs.ts'
import { defineLanguage } from '../lowering/define-language.ts'
import * as defines from '../lowering/definitions.ts'
import type { Lowering } from '../lowering/draft.ts'
import { placeOf, unescapeText } from '../lowering/lowered.ts'
import { partOf } from '../lowering/names.ts'
import { sum } from '../lowering/texts.ts'
import type { Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import {
  effects,
  isUrlValue,
  LAMBDAS,
  lowerAssignment,
  lowerConditions,
  lowerDictionary,
  presetAfter,
  roleOf,
} from './swift-values.ts'

const METHOD: defines.FunctionShape = {
  name: 'name',
  parameters: '.',
  shapes: { parameter: { name: '.', type: -1 } },
  body: 'body',
  blocks: 'function_body',
  isDeclared: true,
}

const presetOf: Parameters<typeof classes>[0]['presetOf'] = ({ node }, draft) => {
  const preset = presetAfter(node)
  return preset ? draft.lower(preset) : undefined
}

const CLASSES = classes({
  types: 'class_declaration protocol_declaration',
  annotations: annotations({
    ...{ list: 'modifiers', types: 'attribute', arguments: '<value_arguments>' },
    ...{ clients: '', owners: [] },
  }),
  basesOf: (node) =>
    node.namedChildren
      .filter(({ type }) => type === 'inheritance_specifier')
      .map(({ text }) => text.replace(/<.*$/s, '')),
  /** An extension is a part of its class; cases of enumerations are static. */
  modifiersOf: (node) => {
    if (node.type === 'enum_entry') return ['static']
    if (node.type !== 'class_declaration') {
      return /\b(?:static|class)\b/.test(partOf(node, '<modifiers>')?.text ?? '') ? ['static'] : []
    }
    return node.children.some(({ type }) => type === 'extension') ? ['partial'] : []
  },
  parameters: '<primary_constructor>',
  method: METHOD,
  annotated: 'function_declaration',
  presetOf,
})

/** A method; an initializer is named like its class. */
const lowerMethod: Lowering = (node, draft) => {
  if (node.childForFieldName('name')?.text !== 'init') return CLASSES.method(node, draft)
  return defines.lowerFunction(node, {
    ...{ shape: METHOD, draft, scope: { name: CLASSES.ownerOf(node) } },
    presetOf: (parameter) => presetOf(parameter, draft),
  })
}

/** A body; its only statement is its result. */
const lowerBody: Lowering = (node, draft) => {
  const statements = partOf(node, '<statements>')
  if (statements?.namedChildCount !== 1) return draft.statement(statements)
  const value = draft.lower(statements.namedChild(0))
  const values = value.kind === 'either' ? value.options : [value]
  return values.every(({ kind }) => kind === 'unknown') ? undefined : draft.giveBack(value)
}

/** In `var url = base { didSet { … } }`, which the grammar reads as a call. */
const OBSERVER = '<call_suffix>/<lambda_literal>/<statements>/0/0'

/** A computed property is a function without parameters, whose result is its value. */
const lowerProperty: Lowering = (node, draft) => {
  const pattern = partOf(node, 'name')
  const name = pattern && partOf(pattern, '<simple_identifier>')
  const assigned = node.childForFieldName('value')
  const observer = assigned && partOf(assigned, OBSERVER)?.text
  const preset =
    assigned && /^(?:did|will)Set$/.test(observer ?? '') ? partOf(assigned, 0) : assigned
  const body = node.childForFieldName('computed_value')
  if (!name) return draft.loose(draft.lower(preset), 'other')
  let value: Expression | undefined
  if (body) {
    draft.within({ kind: 'function', name: name.text, parameters: [] }, () => {
      lowerBody(partOf(body, '<computed_getter>') ?? body, draft)
    })
    const callee = draft.here.kind === 'class' ? `this.${name.text}` : name.text
    value = draft.resultOf({ callee, place: placeOf(name) })
  } else {
    value = preset ? draft.lower(preset) : draft.typed(partOf(node, '<type_annotation>/name'))
  }
  return CLASSES.member(name, { node, value, draft })
}

/** Cases with a value: `case live = "https://…"`. */
const lowerCase: Lowering = (node, draft) => {
  const value = node.childForFieldName('raw_value')
  const name = node.childForFieldName('name')
  return value && name
    ? CLASSES.member(name, { node, value: draft.lower(value), draft })
    : undefined
}

const ARGUMENTS = '<call_suffix>/<value_arguments>'
const lowerCall = call({ function: 0, arguments: ARGUMENTS, constructs: /^(?:\w+\.)*[A-Z]\w*$/ })
const lowerThrow = is.throws('call_expression', ARGUMENTS)
const lowerName = is.name({ verb: /(?:^|\.)(?:HTTP)?Method\.([a-z]+)$/i })

/** Arguments for people, and those that name scopes of OAuth. */
const PROSE = 'title message label help text description prompt scope{,s}'

/** Members whose value is the object itself. */
const SAME = /^(?:absoluteString|absoluteURL|rawValue|standardized)$/

/** A member; that of a URL or of its builder is the URL: `components.url`. */
const lowerMember: Lowering = (node, draft) => {
  const object = node.childForFieldName('target')
  const member = partOf(node, 'suffix/suffix')?.text ?? ''
  const owner = draft.nameOf(object)
  const isUrl = /^(?:url|string)$/.test(member)
  if (owner === undefined)
    return isUrl || SAME.test(member) ? draft.lower(object) : lowerName(node, draft)
  const made = isUrl ? draft.localValue(owner) : undefined
  return made && isUrlValue(made) ? draft.name(owner, node) : lowerName(node, draft)
}

/** A key in brackets: `urls["eu"]`. */
function keyOf(node: SyntaxNode): string | undefined {
  const list = partOf(node, ARGUMENTS)
  return list?.text.startsWith('[') ? (/^\["(\w+)"\]$/.exec(list.text)?.[1] ?? '*') : undefined
}

export const swift = defineLanguage({
  grammar: 'swift',
  extensions: ['.swift'],
  family: 'swift',
  clients: swiftClients,
  prefilter: [
    /\b(?:URLSession|URLRequest|URLComponents|URL\(string|AF\.|HTTPClient|TargetType)\b/,
    /\bvar\s+(?:path|endpoint)\s*:\s*String\b/,
    /VERB\w{0,30}CALL\s*(?:\w+:\s*)?"[^"\n]{0,80}\//,
  ],
  names: {
    'simple_identifier type_identifier user_type super_expression': 'text',
    self_expression: 'this',
    'directly_assignable_expression postfix_expression bound_identifier': 'inner',
    navigation_expression: ['target', 'suffix/suffix', SAME],
    call_expression: (node, nameOf) => {
      const key = keyOf(node)
      const object = key === undefined ? undefined : nameOf(node.namedChild(0))
      return object?.replace(/^ProcessInfo\.processInfo\.environment$/, 'ENV').concat(`.${key}`)
    },
    parameter: (node) => node.childForFieldName('name')?.text,
    prefix_expression: (node) => (node.text.startsWith('.') ? `Self${node.text}` : undefined),
  },
  arguments: {
    named: { value_argument: { name: 'name/0', value: 'value' } },
    labels: true,
    prose: PROSE,
  },
  types: {
    named: 'user_type',
    wrapped: { optional_type: 'wrapped', opaque_type: 0 },
    plain: `
      String Int* Bool Double Float Void Any* Data Date Error Array Dictionary Set Self URL
      *Type *Kind *ID`,
  },
  nodes: {
    'comment multiline_comment typealias_declaration modifiers attribute directive': is.skip,
    'type_annotation associatedtype_declaration selector_expression': is.skip,
    import_declaration: (node, draft) => {
      const module = partOf(node, '<identifier>/0')?.text ?? ''
      return draft.import({ module, local: '*', imported: '*', place: placeOf(node) })
    },
    'class_declaration protocol_declaration': CLASSES.type,
    'function_declaration protocol_function_declaration': lowerMethod,
    'property_declaration protocol_property_declaration': lowerProperty,
    enum_entry: lowerCase,
    function_body: lowerBody,
    assignment: lowerAssignment,
    control_transfer_statement: (node, draft) => {
      if (node.text.startsWith('throw')) return lowerThrow(node, draft)
      const value = node.childForFieldName('result')
      return value ? draft.giveBack(draft.lower(value)) : undefined
    },
    for_statement: defines.loop('item/<simple_identifier>', 'collection', '<statements>'),
    'if_statement guard_statement while_statement': lowerConditions,
    lambda_literal: LAMBDAS.lower,
    call_expression: (node, draft) => {
      const first = node.namedChild(0)
      // `{ … }()`, and a value before `didSet`.
      if (first && /_literal$/.test(first.type)) return draft.lower(first)
      if (keyOf(node) === undefined) return lowerCall(node, draft)
      return draft.nameOf(node) === undefined ? anyOf(draft.lower(first)) : lowerName(node, draft)
    },
    value_argument: is.inner('value'),
    'line_string_literal multi_line_string_literal raw_string_literal': is.template({
      content: 'line_str_text str_escaped_char multi_line_str_text raw_str_end_part',
      values: { interpolated_expression: 'value' },
      read: (child) =>
        child.type === 'raw_str_end_part'
          ? child.text.replaceAll(/^#*"|"#*$/g, '')
          : unescapeText(child.text),
    }),
    'simple_identifier self_expression prefix_expression': lowerName,
    navigation_expression: lowerMember,
    array_literal: is.list,
    dictionary_literal: lowerDictionary,
    additive_expression: sum('additive_expression'),
    nil_coalescing_expression: is.conditional('value', 'if_true', 'if_nil'),
    ternary_expression: is.conditional('condition', 'if_true', 'if_false'),
    switch_statement: is.choice('switch_entry', '<statements>'),
    statements: branches({ either: '' }),
    'try_expression await_expression as_expression': is.inner('expr'),
    postfix_expression: is.inner('target'),
    tuple_expression: is.inner('value'),
    'equality_expression comparison_expression switch_pattern': is.texts('error'),
  },
  roles: {
    documentation: `
      *.{logger,Logger,log,Log,os_log}.* *.{print,debugPrint,NSLog,os_log} *.{help,alert}
      new:{Text,Label,LocalizedStringKey,NSLocalizedString} *.{accessibilityLabel,navigationTitle}`,
    error: `
      fatalError preconditionFailure precondition assert* XCT* new:*{Error,Exception}
      #expect`,
    link: `
      *.{open,openURL,canOpenURL} *.{webView,wkWebView}.load *.loadHTMLString
      new:{Link,ShareLink,SFSafariViewController,SafariView,WebView}`,
  },
  effects: {
    format: 'String.localizedStringWithFormat',
    environment: 'Environment.get',
    same: 'new:{NSString,NSURL,HTTPURL} {URL,URI,String}.init',
    joinListOn: '.joined',
    sameReceiver: `
      .{addingPercentEncoding,trimmingCharacters,replacingOccurrences,lowercased,uppercased}
      .{standardizedFileURL,resolvingSymlinksInPath,asURL,unwrap,eraseToAnyPublisher}`,
  },
  quirks: { effects, role: roleOf },
})
