import type { RawFinding, SourceFile } from './finding.ts'

/** Reads texts that are no programs: configuration, manifests. */
export interface TextReader {
  /** By the file's path alone. */
  readonly fits: (path: string) => boolean
  /** What the text uses; URLs may still be noise, which is judged later. Never throws. */
  readonly read: (file: SourceFile) => readonly RawFinding[]
}

/** Every reader that fits a file reads it. */
export const READERS: readonly TextReader[] = []
