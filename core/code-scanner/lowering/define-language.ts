import type { Language } from '../model/language.ts'
import { Draft } from './draft.ts'
import { type LanguageRules, Rules } from './rules.ts'

/** The table of a language: its files, and rules for its syntax tree. */
export interface LanguageTable
  extends Omit<Language, 'lower' | 'mayContainCalls' | 'grammar'>,
    LanguageRules {
  readonly grammar: NonNullable<Language['grammar']>
  /**
   * Signs of calls without a URL; a text with any of them is parsed. `VERB` matches the verbs in
   * names of functions that send requests. `CALL` matches the parenthesis after a name; the search
   * begins with it, as parentheses are rarer than beginnings of names.
   */
  readonly prefilter: readonly RegExp[]
}

/** Compiles the table of a language. */
export function defineLanguage(
  table: LanguageTable,
): Language & { readonly lower: NonNullable<Language['lower']> } {
  const { grammar, extensions, fits, interpreters, clients, family, prepare, prefilter } = table
  const rules = new Rules(table)
  const signs = prefilter.map(compileSign)
  return {
    grammar,
    extensions,
    clients,
    family,
    ...(fits && { fits }),
    ...(interpreters && { interpreters }),
    ...(prepare && { prepare }),
    mayContainCalls: (text) => signs.some((sign) => sign.test(text)),
    lower(root) {
      const draft = new Draft(rules)
      draft.statement(root)
      return table.quirks?.complete?.(draft.program()) ?? draft.program()
    },
  }
}

const VERBS =
  '(?:get|post|put|patch|delete|head|request|fetch|call|send|query|load|stream|open|connect|do|api)'

function compileSign({ source, flags }: RegExp): RegExp {
  const [name = '', args] = source.replace('VERB', VERBS).split('CALL')
  return new RegExp(args === undefined ? name : `\\((?=${args})(?<=${name}\\()`, flags)
}
