import { mcpReader } from '../config/mcp.ts'
import { configReader } from '../config/reader.ts'
import { scriptTagReader } from '../config/script-tags.ts'
import { manifestReader } from '../manifests/reader.ts'
import type { RawFinding, SourceFile } from '../model/finding.ts'
import type { ScanTextOptions } from './scan-text.ts'

/** Reads texts that are no programs: configuration, manifests. */
export interface TextReader {
  /** By the file's path alone. */
  readonly fits: (path: string) => boolean
  /** What the text uses; URLs may still be noise, which is judged later. Never throws. */
  readonly read: (file: SourceFile, options: ScanTextOptions) => readonly RawFinding[]
  /** Names that programs of the project read from the environment, with their values (`.env`). */
  readonly names?: (file: SourceFile) => Readonly<Record<string, string>>
}

/** Every reader that fits a file reads it. */
export const READERS: readonly TextReader[] = [
  manifestReader,
  configReader,
  mcpReader,
  scriptTagReader,
]
