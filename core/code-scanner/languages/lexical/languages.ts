import { lexicalClients } from '../../clients/lexical.ts'
import type { Language } from '../../model/language.ts'
import type { CommentStyle } from './tokens.ts'

const row = {
  grammar: undefined,
  lower: undefined,
  clients: lexicalClients,
  // Without a URL there is too little to tell calls of APIs from others.
  mayContainCalls: () => false,
} as const

/** Languages without a grammar. */
export const LEXICAL_LANGUAGES: readonly Language[] = [
  { ...row, family: 'java', extensions: ['.kt', '.kts', '.scala', '.sc', '.groovy', '.gradle'] },
  { ...row, family: 'javascript', extensions: ['.coffee'] },
  {
    ...row,
    family: 'other',
    extensions: [
      ...['.swift', '.m', '.mm', '.dart', '.c', '.h', '.cc', '.cpp', '.cxx', '.hpp', '.hh'],
      ...['.zig', '.d', '.v', '.fs', '.fsx', '.sol', '.gd', '.cr', '.nim', '.jl', '.r'],
      ...['.ex', '.exs', '.pl', '.pm', '.t', '.tcl', '.nix', '.cmake'],
      ...['.lua', '.hs', '.elm', '.sql', '.adb', '.clj', '.cljs', '.cljc', '.el', '.lisp', '.erl'],
    ],
  },
]

const HASH = new Set(
  '.ex .exs .pl .pm .t .tcl .coffee .nix .cmake .gd .cr .nim .jl .r .py .rb .sh'.split(' '),
)
const DASHES = new Set('.lua .hs .elm .sql .adb'.split(' '))
const SEMICOLON = new Set('.clj .cljs .cljc .el .lisp'.split(' '))

/** How comments are written in a file, by its extension. */
export function commentStyleOf(path: string): CommentStyle {
  const extension = path.slice(path.lastIndexOf('.')).toLowerCase()
  if (HASH.has(extension)) return '#'
  if (DASHES.has(extension)) return '--'
  if (SEMICOLON.has(extension)) return ';'
  return extension === '.erl' ? '%' : '//'
}
