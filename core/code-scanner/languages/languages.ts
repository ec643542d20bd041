import { githubScripts } from '../commands/yaml-commands.ts'
import { maskTags, scriptsOf } from '../lowering/texts.ts'
import type { Language } from '../model/language.ts'
import { javascript } from './javascript.ts'
import { LEXICAL_LANGUAGES } from './lexical/languages.ts'
import { php } from './php.ts'
import { erb } from './ruby.ts'
import { SHELL_LANGUAGES } from './shell.ts'
import * as tables from './tables.ts'

/** Pages with scripts. */
const pages: Language = {
  ...javascript,
  extensions: ['.vue', '.svelte', '.astro', '.html'],
  prepare: scriptsOf,
}

const embedded: Language = { ...pages, prepare: (text) => scriptsOf(maskTags(text)) }

const steps: Language = {
  ...javascript,
  prepare: (text) => maskTags(githubScripts(text)),
}

/** Supported languages; the first with the extension of a file reads it. */
export const LANGUAGES: readonly Language[] = [
  ...SHELL_LANGUAGES.map((each) => ({ ...each, embedded: steps })),
  ...Object.values(tables),
  { ...erb, embedded },
  { ...php, embedded },
  { ...javascript, grammar: 'typescript', extensions: ['.ts', '.mts', '.cts'] },
  pages,
  ...LEXICAL_LANGUAGES,
]

/** Grammars of the supported languages. */
export const GRAMMARS: readonly string[] = [
  ...new Set(LANGUAGES.flatMap(({ grammar }) => grammar ?? [])),
]

/** Finds the language of a file by its name, else by its first line. */
export function findLanguage(file: {
  readonly path: string
  readonly text: string
}): Language | undefined {
  const named = LANGUAGES.find(({ fits }) => fits?.test(file.path))
  if (named) return named
  const name = file.path.slice(file.path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  if (dot >= 0) {
    const extension = name.slice(dot)
    return LANGUAGES.find(({ extensions }) => extensions.includes(extension))
  }
  const program = /^#!.*?\b(?:env(?:\s+-\S+)*\s+)?([a-z]+)[\d.]*(?:\s|$)/.exec(
    file.text.slice(0, 100).split('\n', 1)[0] ?? '',
  )?.[1]
  return program === undefined
    ? undefined
    : LANGUAGES.find(({ interpreters }) => interpreters?.includes(program))
}
