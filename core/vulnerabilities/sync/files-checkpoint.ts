/** How far a load from files has come. */
export interface FilesCheckpoint {
  /** What tells the files that were read, of a load that has not ended. */
  readonly done: readonly string[]
  /** When files last replaced all records, in milliseconds since the epoch. */
  readonly replacedAt: number | undefined
}

/** What loads from files are called among the sources. */
export const FILES_SOURCE = 'nvd-files'

/** JSON of a checkpoint. */
export function formatFilesCheckpoint(checkpoint: FilesCheckpoint): string {
  return JSON.stringify({ version: VERSION, ...checkpoint })
}

/** Reads a checkpoint; an empty one for what is none or of another version. */
export function parseFilesCheckpoint(text: string | undefined): FilesCheckpoint {
  try {
    const { version, done, replacedAt } = JSON.parse(text ?? '{}') as Record<string, unknown>
    if (version === VERSION && Array.isArray(done)) {
      return {
        done: done.map(String),
        replacedAt: typeof replacedAt === 'number' ? replacedAt : undefined,
      }
    }
  } catch {
    // Nothing is known then.
  }
  return { done: [], replacedAt: undefined }
}

const VERSION = 1
