import { ServiceError } from '../../errors.ts'
import type { FeedEvent } from '../feeds/events.ts'
import type { RecordBatch } from '../loading/batches.ts'
import { type FeedFile, readWithRetries } from './feed-file.ts'
import type { RetryDeps } from './retry.ts'

export interface FilesReaderOptions<Part> {
  readonly files: readonly FeedFile<Part>[]
  readonly read: ReadRecords<Part>
  readonly deps: RetryDeps
  /** Marks of the files that an interrupted load has read. */
  readonly before: readonly string[]
  /** Serialises the marks of the files that were read. */
  toCheckpoint(done: readonly string[]): string
}

/** Reads the records of a file. Throws a `ServiceError` if the rest of it cannot be read. */
export type ReadRecords<Part> = (
  content: AsyncIterable<Part>,
) => AsyncIterable<Pick<FeedEvent, 'records' | 'problems'>>

/** A file that could not be read to its end, or whose records were all unreadable. */
export interface FileFailure {
  readonly name: string
  readonly message: string
}

export interface FilesReader {
  /** Calls `begin` before the first file. Read it once. */
  read(begin: () => void): AsyncGenerator<RecordBatch>
  /** True if all files were read to their end, now or before an interruption. */
  hasRead(): boolean
  /** True if there were records, and everything was valid. */
  isSound(): boolean
  outcome(): {
    /** Number of files that were read to their end, now or before an interruption. */
    readonly files: number
    readonly failures: readonly FileFailure[]
    /** Number of unreadable records in other files. */
    readonly problems: number
  }
}

/**
 * Reads files one after the other as batches of records. Reports broken records and files as
 * events, and reads the other files.
 */
export function createFilesReader<Part>(options: FilesReaderOptions<Part>): FilesReader {
  const { files, deps, before, toCheckpoint } = options
  const { signal, onEvent } = deps
  const done = [...before]
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

  async function* readFile(file: FeedFile<Part>): AsyncGenerator<RecordBatch> {
    const onBytes = (count: number) => {
      bytesDone += count
    }
    const recordsBefore = records
    const problemsBefore = problems
    for await (const found of readWithRetries(file, { deps, onBytes, read: options.read })) {
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
        const mark = toFileMark(file)
        if (mark !== undefined && before.includes(mark)) {
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
        yield { records: [], checkpoint: toCheckpoint(done) }
      }
    },
    hasRead: () => records + skipped > 0 && failures.length === 0,
    isSound: () => records > 0 && failures.length + problems === 0,
    outcome: () => ({ files: files.length - failures.length - foreign, failures, problems }),
  }
}

/** Identifies a file in its current version; undefined if that is unknown. */
function toFileMark<Part>({ name, fingerprint }: FeedFile<Part>): string | undefined {
  return fingerprint === undefined ? undefined : `${name} ${fingerprint}`
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
