import { ServiceError } from '../../http/problems.ts'
import { readNvdFeed } from '../feeds/read-nvd.ts'
import type { LoadReport, RecordBatch } from '../loading/batches.ts'
import { type FeedFile, readWithRetries } from './feed-file.ts'
import {
  FILES_SOURCE,
  type FilesCheckpoint,
  formatFilesCheckpoint,
  parseFilesCheckpoint,
} from './files-checkpoint.ts'
import { type SyncOptions, waitForTurn } from './loader-turn.ts'

export interface FileSyncOptions extends SyncOptions {
  readonly files: readonly FeedFile[]
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
  readonly failures: readonly { readonly name: string; readonly message: string }[]
  /** Number of unreadable records in other files; each is reported as an event. */
  readonly problems: number
}

/**
 * Loads NVD feeds and API pages. A broken record or file is reported and skipped. An interrupted
 * load skips the files that it has read, unless they changed.
 *
 * @example
 * ```ts
 * import { syncNvdFiles } from 'api-discovery'
 * import { listFeedFiles, readFeedFile } from 'api-discovery/feeds'
 *
 * const { files } = await listFeedFiles('feeds')
 * const feeds = files.map(({ name, path }) => ({ name, open: () => readFeedFile(path) }))
 * const { failures } = await syncNvdFiles({ ...deps, files: feeds })
 * for (const { name, message } of failures) console.error(`${name}: ${message}`)
 * ```
 */
export async function syncNvdFiles(options: FileSyncOptions): Promise<FileSyncReport> {
  const { vulnerabilities, signal, takeOver, onEvent } = options
  const attempt = async (begin: () => void) => {
    const before = parseFilesCheckpoint(await vulnerabilities.readCheckpoint(FILES_SOURCE))
    // To remove missing records, all files must be read in one load.
    const reader = createFileReader(options, options.isComplete ? { ...before, done: [] } : before)
    const isWhole = () => options.isComplete === true && reader.isSound()
    const load = await vulnerabilities.loadRecords(reader.read(begin), {
      source: FILES_SOURCE,
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

function createFileReader(options: FileSyncOptions, before: FilesCheckpoint) {
  const { files, signal, onEvent } = options
  const done = [...before.done]
  const failures: { name: string; message: string }[] = []
  let records = 0
  let problems = 0
  let skipped = 0
  let foreign = 0
  let bytesDone = 0
  const bytesTotal = files.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  const reportProgress = () =>
    onEvent?.({
      kind: 'progress',
      phase: 'records',
      done: records,
      bytes: bytesTotal > 0 ? { done: bytesDone, total: bytesTotal } : undefined,
    })

  async function* readFile(file: FeedFile): AsyncGenerator<RecordBatch> {
    const onBytes = (count: number) => {
      bytesDone += count
    }
    const recordsBefore = records
    const problemsBefore = problems
    for await (const found of readWithRetries(file, {
      deps: options,
      onBytes,
      read: readNvdFeed,
    })) {
      records += found.records.length
      problems += found.problems.length
      for (const problem of found.problems) {
        onEvent?.({ kind: 'problem', source: file.name, ...problem })
      }
      reportProgress()
      yield { records: found.records }
    }
    if (records === recordsBefore && problems > problemsBefore) {
      // Reported for the file as a whole.
      problems = problemsBefore
      const reason = 'none of its records can be read'
      throw new ServiceError('invalid_body', `Cannot read the document: ${reason}`)
    }
  }

  return {
    async *read(begin: () => void): AsyncGenerator<RecordBatch> {
      begin()
      for (const file of files) {
        const { name } = file
        const mark = file.fingerprint === undefined ? undefined : `${name} ${file.fingerprint}`
        if (mark !== undefined && before.done.includes(mark)) {
          skipped += 1
          bytesDone += file.bytes ?? 0
          onEvent?.({ kind: 'file', name, state: 'skipped' })
          continue
        }
        onEvent?.({ kind: 'file', name, state: 'begun' })
        try {
          yield* readFile(file)
        } catch (error) {
          signal?.throwIfAborted()
          if (file.isFound && isForeignDocument(error)) {
            foreign += 1
            onEvent?.({ kind: 'file', name, state: 'foreign' })
            continue
          }
          const message = toFileMessage(name, error)
          failures.push({ name, message })
          onEvent?.({ kind: 'problem', source: name, message })
          onEvent?.({ kind: 'file', name, state: 'failed' })
          continue
        }
        if (mark !== undefined) done.push(mark)
        onEvent?.({ kind: 'file', name, state: 'done' })
        yield { records: [], checkpoint: formatFilesCheckpoint({ ...before, done }) }
      }
    },
    hasRead: () => records + skipped > 0,
    isSound: () => records > 0 && failures.length + problems === 0,
    outcome: () => ({ files: files.length - failures.length - foreign, failures, problems }),
  }
}

/** True for a valid document with other content. */
function isForeignDocument(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unsupported_media_type'
}

/** Rethrows errors that the file did not cause. */
function toFileMessage(name: string, error: unknown): string {
  if (error instanceof ServiceError) return error.message
  if (error instanceof Error && 'code' in error) return `Cannot read ${name}: ${error.code}`
  throw error
}
