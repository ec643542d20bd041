import { mcpReader } from '../config/mcp.ts'
import { configReader } from '../config/reader.ts'
import { scriptTagReader } from '../config/script-tags.ts'
import { manifestReader } from '../manifests/reader.ts'
import type { TextReader } from '../model/text-reader.ts'

/** Every reader that fits a file reads it. */
export const READERS: readonly TextReader[] = [
  manifestReader,
  configReader,
  mcpReader,
  scriptTagReader,
]
