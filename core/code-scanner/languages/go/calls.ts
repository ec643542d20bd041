import type { Draft, Lowering } from '../../lowering/draft.ts'
import { placeOf, unknownAt } from '../../lowering/lowered.ts'
import type { Expression, TextRole } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { nameOf } from './values.ts'

/** Calls whose texts are for people or browsers, by callee. */
const ROLES: readonly (readonly [RegExp, TextRole])[] = [
  [/\.Redirect$/, 'link'],
  [
    /^(?:errors?|xerrors|status|apierrors?|eris)\.\w+$|^fmt\.Errorf$|^panic$|^log\.(?:Fatal|Panic)/,
    'error',
  ],
  [
    /(?:^|\.)(?:t|b|require|assert|suite)\.(?:Fatal|Error|Skip|Log|Equal|Contains|True)\w*$/,
    'error',
  ],
  [
    /^(?:log|slog|glog|klog|logrus|zap|zlog)\.|(?:^|\.)(?:log|logger|logr|lg|sugar)\.\w+$/i,
    'documentation',
  ],
  [
    /^fmt\.F?[Pp]rint|^cmd\.Print|\.(?:Debug|Info|Warn|Warning|Error|Fatal|Trace)(?:f|ln|w)?$/,
    'documentation',
  ],
  [
    /\b(?:browser|webbrowser|open)\.(?:Open\w*|Run|Start)$|(?:^|\.)open(?:Browser|URL|Url)$/i,
    'link',
  ],
]

/** Calls that give back their first argument as far as a URL goes. */
const SAME =
  /^(?:string|aws\.String|pointer\.\w+|ptr\.\w+|to\.Ptr|template\.(?:URL|HTML)|(?:url|urlx)\.(?:Must)?Parse\w*|strings\.(?:Trim\w*|ToLower|Replace|ReplaceAll|Clone)|must\w*|Must\w*|template\.Must|lo\.Must\w*|uri\.Parse)$/

/** Helpers that read the environment or a flag, the fall-back second. */
const FALLBACK =
  /(?:^|\.)(?:\w*[gG]et_?[eE]nv\w*|\w*env\w*(?:Or|Default|OrDefault|String)\w*|[eE]nv|[eE]nvOr|GetString\w*Default|flag\.String|(?:\w+\.)?Flags\(\)\.String)$/

/** Calls on a URL or text that give it back. */
const SAME_RECEIVER = /^(?:String|Clone|Redacted)$/

/** A call, or what it gives when it is one of the standard library's that make texts. */
export const lowerCall: Lowering = (node, draft) => {
  const target = node.childForFieldName('function')
  const list = node.childForFieldName('arguments')
  const given = (list?.namedChildren ?? []).filter((argument) => argument?.type !== 'comment')
  if (!target) return draft.children(node)
  const callee = target.type === 'selector_expression' ? nameOf(target, draft) : target.text
  const role = roleOf(callee ?? `.${target.childForFieldName('field')?.text ?? ''}`, given)
  if (role) {
    for (const argument of given) draft.statement(argument, role)
    return receiverOf(target, draft) && undefined
  }
  const made = callee === undefined ? undefined : makeText(callee, { given, node, draft })
  if (made) return made
  const receiver = receiverOf(target, draft)
  const field = target.childForFieldName('field')
  if (receiver && field && SAME_RECEIVER.test(field.text)) return receiver
  if (receiver && field?.text === 'JoinPath') {
    return { kind: 'path', parts: [receiver, ...lowerAll(given, draft)], place: receiver.place }
  }
  if (target.type === 'func_literal') draft.statement(target)
  return draft.call({
    callee: callee !== undefined && isPlain(target) ? callee : `.${field?.text ?? ''}`,
    receiver,
    args: lowerAll(given, draft),
    named: {},
    place: placeOf(field ?? target),
  })
}

function isPlain(target: SyntaxNode): boolean {
  return target.type === 'selector_expression' || target.type === 'identifier'
}

function receiverOf(target: SyntaxNode, draft: Draft): Expression | undefined {
  if (target.type !== 'selector_expression') return undefined
  const operand = target.childForFieldName('operand')
  const field = target.childForFieldName('field')?.text
  // The header of fasthttp's requests has their method: it counts as set on the request.
  const isHeader = field === 'SetMethod' && operand?.childForFieldName('field')?.text === 'Header'
  return draft.lower(isHeader ? operand.childForFieldName('operand') : operand)
}

function roleOf(callee: string, given: readonly (SyntaxNode | null)[]): TextRole | undefined {
  if (callee === 'exec.Command') {
    return /^"(?:open|xdg-open|start|rundll32|cmd|explorer)/.test(given[0]?.text ?? '')
      ? 'link'
      : undefined
  }
  return ROLES.find(([pattern]) => pattern.test(callee))?.[1]
}

function makeText(
  callee: string,
  {
    given,
    node,
    draft,
  }: {
    readonly given: readonly (SyntaxNode | null)[]
    readonly node: SyntaxNode
    readonly draft: Draft
  },
): Expression | undefined {
  const place = placeOf(node)
  const [first, second] = given
  if (/^fmt\.(?:Sprintf|Appendf)$/.test(callee)) {
    const [format, ...values] = lowerAll(given, draft)
    return format && { kind: 'format', format, values, named: {}, place: format.place }
  }
  if (/^fmt\.Sprint$/.test(callee)) return { kind: 'join', parts: lowerAll(given, draft), place }
  if (/^(?:path|filepath)\.Join$|^url\.JoinPath$/.test(callee)) {
    const parts = lowerAll(given, draft)
    return { kind: 'path', parts, place: parts[0]?.place ?? place }
  }
  if (callee === 'strings.Join') return joinList(draft.lower(first ?? null), second?.text ?? '""')
  if (callee === 'cmp.Or') return { kind: 'either', options: lowerAll(given, draft), place }
  if (FALLBACK.test(callee) && second) {
    const [, fallback] = lowerAll(given.slice(0, 2), draft)
    return fallback && { kind: 'either', options: [fallback], place: fallback.place }
  }
  if (SAME.test(callee) && first) {
    const [value] = lowerAll(given, draft)
    return value
  }
  return callee === 'url.QueryEscape' || callee === 'url.PathEscape' ? unknownAt(node) : undefined
}

/** The items with a separator, as far as the list is known. */
function joinList(list: Expression, separator: string): Expression {
  if (list.kind !== 'list') return { kind: 'unknown', place: list.place }
  const mark: Expression = { kind: 'text', text: separator.slice(1, -1), place: list.place }
  const parts = list.items.flatMap((item, index) => (index === 0 ? [item] : [mark, item]))
  return { kind: 'join', parts, place: list.items[0]?.place ?? list.place }
}

function lowerAll(nodes: readonly (SyntaxNode | null)[], draft: Draft): readonly Expression[] {
  return nodes.map((node) => draft.lower(node))
}
