import type { LoadOptions, LoadReport } from '../loading/batches.ts'
import type { FeedFile } from './feed-file.ts'
import { formatFilesCheckpoint, parseFilesCheckpoint } from './files-checkpoint.ts'
import { createFilesReader, type FileFailure, type ReadRecords } from './files-reader.ts'
import { type SyncOptions, waitForTurn } from './loader-turn.ts'

export interface FileSyncOptions<Part = Uint8Array> extends SyncOptions {
  readonly files: readonly FeedFile<Part>[]
  /**
   * The files are complete: records that they do not contain are removed, provided that all files
   * were valid and contained records.
   */
  readonly isComplete?: boolean | undefined
}

export interface FileSyncReport {
  readonly load: LoadReport
  /** Number of files that were read to their end, now or before an interruption. */
  readonly files: number
  /** Files that could not be read to their end, or whose records were all unreadable. */
  readonly failures: readonly FileFailure[]
  /** Number of unreadable records in other files; each is reported as an event. */
  readonly problems: number
}

/** Loads files of a source; an interrupted load skips the files that it has read. */
export async function syncFiles<Part>(
  options: FileSyncOptions<Part>,
  {
    source,
    authority,
    read,
  }: Pick<LoadOptions, 'source' | 'authority'> & { readonly read: ReadRecords<Part> },
): Promise<FileSyncReport> {
  const { vulnerabilities, files, signal, takeOver, onEvent } = options
  const attempt = async (begin: () => void) => {
    const before = parseFilesCheckpoint(await vulnerabilities.readCheckpoint(source))
    const reader = createFilesReader({
      files,
      read,
      deps: options,
      // To remove missing records, all files must be read in one load.
      before: options.isComplete ? [] : before.done,
      toCheckpoint: (done) => formatFilesCheckpoint({ ...before, done }),
    })
    const isWhole = () => options.isComplete === true && reader.isSound()
    const load = await vulnerabilities.loadRecords(reader.read(begin), {
      source,
      authority,
      takeOver,
      signal,
      isComplete: isWhole,
      hasRead: reader.hasRead,
      finalCheckpoint: () =>
        formatFilesCheckpoint({
          done: [],
          replacedAt: isWhole() ? options.clock() : before.replacedAt,
        }),
      onProgress({ phase, done }) {
        if (phase === 'index') onEvent?.({ kind: 'progress', phase, done })
      },
    })
    return { load, ...reader.outcome() }
  }
  return waitForTurn(attempt, options)
}
