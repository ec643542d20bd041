/** Progress of a load from files. */
export interface FilesCheckpoint {
  /** Marks of the files that an unfinished load has read. */
  readonly done: readonly string[]
  /** When files last replaced all records, in milliseconds since the epoch. */
  readonly replacedAt: number | undefined
}

/** Source name of loads from files. */
export const FILES_SOURCE = 'nvd-files'

/** Serialises a checkpoint. */
export function formatFilesCheckpoint(checkpoint: FilesCheckpoint): string {
  return JSON.stringify({ version: VERSION, ...checkpoint })
}

/** Parses a checkpoint; an empty one if it is missing, invalid or of another version. */
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
    // Invalid JSON counts as an empty checkpoint.
  }
  return { done: [], replacedAt: undefined }
}

const VERSION = 1
