import { credentialReader } from '../config/credentials.ts'
import { gradleReader } from '../config/gradle.ts'
import { mcpReader } from '../config/mcp.ts'
import { otherProtocolReader } from '../config/other-protocols.ts'
import { configReader } from '../config/reader.ts'
import { scriptTagReader } from '../config/script-tags.ts'
import { LANGUAGES } from '../languages/languages.ts'
import { manifestReader } from '../manifests/reader.ts'
import type { TextReader } from '../model/text-reader.ts'
import { mayDeclareNames } from '../packages/own-packages.ts'

/** Readers of texts that are no programs; every reader that fits a file reads it. */
export const READERS: readonly TextReader[] = [
  manifestReader,
  configReader,
  credentialReader,
  otherProtocolReader,
  gradleReader,
  mcpReader,
  scriptTagReader,
]

/** Whether a file may be scanned, by its path alone. */
export function mayScan(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  // A file without an extension may be a script: its first line names the language.
  if (dot < 0 || EXTENSIONS.has(name.slice(dot).toLowerCase())) return true
  return (
    READERS.some(({ fits }) => fits(path)) ||
    LANGUAGES.some(({ fits }) => fits?.test(path) === true) ||
    mayDeclareNames(path)
  )
}

const EXTENSIONS: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ extensions }) => extensions))
