import { LANGUAGES } from '../languages/languages.ts'
import { READERS } from './readers.ts'

/** Whether a file may be of a kind that is scanned, by its path alone. */
export function mayScan(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  // A file without an extension may be a script, which its first line says.
  if (dot < 0 || EXTENSIONS.has(name.slice(dot).toLowerCase())) return true
  return (
    READERS.some(({ fits }) => fits(path)) ||
    LANGUAGES.some(({ fits }) => fits?.test(path) === true)
  )
}

const EXTENSIONS: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ extensions }) => extensions))
