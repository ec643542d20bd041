import { Draft, type Lowering } from '../../lowering/draft.ts'
import { nothing } from '../../lowering/lowerings.ts'
import type { Program } from '../../model/program.ts'
import type { SyntaxNode } from '../../model/syntax.ts'
import { CALLS } from './calls.ts'
import { DECLARATIONS } from './declarations.ts'
import { FUNCTIONS } from './functions.ts'
import { VALUES } from './values.ts'

/** What a JavaScript or TypeScript text says, as the grammars of TypeScript read it. */
export function lowerJavascript(root: SyntaxNode): Program {
  const draft = new Draft(LOWERINGS)
  draft.statement(root)
  return draft.program()
}

/** Nodes that say nothing of calls: types, comments, markup's texts. */
const SKIPPED = [
  'comment',
  'hash_bang_line',
  'type_annotation',
  'type_arguments',
  'type_parameters',
  'interface_declaration',
  'type_alias_declaration',
  'ambient_declaration',
  'implements_clause',
  'jsx_text',
  'html_comment',
  'regex',
] as const

const LOWERINGS: ReadonlyMap<string, Lowering> = new Map<string, Lowering>([
  ...VALUES,
  ...CALLS,
  ...DECLARATIONS,
  ...FUNCTIONS,
  ...SKIPPED.map((type) => [type, nothing] as const),
])
