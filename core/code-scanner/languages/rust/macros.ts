import type { Draft, Lowering } from '../../lowering/draft.ts'
import { joinOf, placeOf, textAt, unknownAt } from '../../lowering/lowered.ts'
import type { Expression, TextRole } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { finishCall, fullName } from './calls.ts'
import { readTokens } from './tokens.ts'

/** Macros whose texts are for people. */
const ROLES: readonly (readonly [RegExp, TextRole])[] = [
  [
    /^(?:panic|bail|anyhow|eyre|ensure|unreachable|todo|unimplemented|compile_error|expect)$/,
    'error',
  ],
  [/^(?:debug_)?assert\w*$/, 'error'],
  [
    /^(?:e?print(?:ln)?|write(?:ln)?|dbg|info|warn|error|debug|trace|log|event|span)$/,
    'documentation',
  ],
  [/^(?:json|doc|html|sql|query\w*|include\w*|env|option_env|matches)$/, 'documentation'],
]

/** A macro: formats and joins make texts, others are read for the calls in them. */
export const lowerMacro: Lowering = (node, draft) => {
  const name = node.childForFieldName('macro')?.text.split('::').at(-1) ?? ''
  const tree = node.namedChildren.find((child) => child?.type === 'token_tree')
  return tree ? readMacro(name, { tree, draft }) : unknownAt(node)
}

/** What a macro gives, its arguments being tokens. */
function readMacro(
  name: string,
  { tree, draft }: { readonly tree: SyntaxNode; readonly draft: Draft },
): Expression | undefined {
  const read = readTokens(tree, { draft, readMacro, finishCall, fullName })
  if (name === 'format' || name === 'format_args') return formatOf(read, { tree, draft })
  if (name === 'concat') return joinOf(read.values)
  if (name === 'vec') return { kind: 'list', items: read.values, place: placeOf(tree) }
  const role = ROLES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'
  for (const value of [...read.values, ...Object.values(read.named)]) draft.loose(value, role)
  return undefined
}

function formatOf(
  { values, named }: ReturnType<typeof readTokens>,
  { tree, draft }: { readonly tree: SyntaxNode; readonly draft: Draft },
): Expression | undefined {
  const [format, ...rest] = values
  if (format?.kind !== 'text') return format
  const all = { ...named }
  // `{name}` is the variable of that name where no argument has it.
  for (const [, name = ''] of format.text.matchAll(/\{([A-Za-z_]\w*)(?::[^}]*)?\}/g)) {
    if (!Object.hasOwn(all, name)) all[name] = draft.name(name, tree)
  }
  const place = format.place
  const plain = textAt(format.text, tree)
  return { kind: 'format', format: { ...plain, place }, values: rest, named: all, place }
}
