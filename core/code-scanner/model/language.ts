import type { ImportingLanguage } from '../../vendors/package-rows.ts'
import type { ClientRows } from './client-rows.ts'
import type { Program } from './program.ts'
import type { SyntaxNode, TreeLanguage } from './syntax.ts'

/** A programming language that is scanned by its syntax. */
export interface Language {
  /** Undefined for languages that are read token by token (`lexical/`). */
  readonly grammar: TreeLanguage | undefined
  /** Lower case, with a dot. */
  readonly extensions: readonly string[]
  /** Paths that are of the language whatever their extension; the first row that fits counts. */
  readonly fits?: RegExp
  /** Programs of a `#!` line, where a file has no extension. */
  readonly interpreters?: readonly string[]
  /** Undefined where there is no grammar. */
  readonly lower: ((root: SyntaxNode) => Program) | undefined
  /** Client libraries, in the order in which they are tried. */
  readonly clients: readonly ClientRows[]
  /** How names of other files are found; see `module-names.ts`. */
  readonly family: LanguageFamily
  /**
   * Whether a text may say more than its URLs: calls of clients with a path alone. Texts with a URL
   * are parsed in any case. A few regular expressions at the most.
   */
  readonly mayContainCalls: (text: string) => boolean
  /** The text with everything blanked that is not of the language (markup around scripts). */
  readonly prepare?: (text: string) => string
  /** Language of the scripts in pages that a text of this language renders. */
  readonly embedded?: Language
}

/** Languages of one family import each other's names. */
export type LanguageFamily = ImportingLanguage | 'other'
