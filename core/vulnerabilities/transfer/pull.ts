import { SourceError } from '../../ports/get.ts'
import type { Load, VulnerabilityStore } from '../store.ts'
import { type SyncOptions, waitForTurn } from '../sync/loader-turn.ts'
import { toBackOff } from '../sync/retry.ts'
import type { Compression } from './archive.ts'
import type { ArchiveSource, OpenArchive } from './archive-source.ts'
import type { VulnerabilityArchives } from './archives.ts'
import type { ArchiveReport } from './load-archive.ts'

export interface PullOptions extends Omit<SyncOptions, 'vulnerabilities'> {
  readonly vulnerabilities: VulnerabilityArchives
  readonly source: ArchiveSource
  readonly compression: Compression
  /** Loads the archive even if stored records are newer. */
  readonly isForced?: boolean | undefined
}

/** Outcome of a pull; `same`: the source reports that it still has the archive loaded last. */
export type PullReport =
  | { readonly state: 'same'; readonly exportedAt: number }
  | ({ readonly state: 'loaded' } & ArchiveReport)

/** Source name of loads from archives. */
export const PULL_SOURCE = 'pull'

/** Checkpoint of loads from archives. */
export interface PullState {
  /** The archive that was loaded last. */
  readonly archive?: LoadedArchive | undefined
  /** First row ID of the records that an unfinished load has staged. */
  readonly unfinishedFrom?: number | undefined
}

/** An archive that was loaded. */
export interface LoadedArchive {
  /** Path or URL. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly exportedAt: number
  /** `ETag` and `Last-Modified` of its response; absent for files. */
  readonly validators?: Validators | undefined
}

/** Response headers for conditional requests (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** Reads the state of loads from archives; an empty one if it is missing or invalid. */
export async function readPullState(store: VulnerabilityStore): Promise<PullState> {
  const state = (await store.listSources()).find(({ name }) => name === PULL_SOURCE)
  try {
    // The cast is safe: only `formatPullState` writes it.
    return JSON.parse(state?.checkpoint || '{}') as PullState
  } catch {
    return {}
  }
}

/** Serialises the state. */
export function formatPullState(state: PullState): string {
  return JSON.stringify(state)
}

/**
 * Removes the records that an unfinished load of an archive has staged: unlike those of a feed, no
 * other load continues with them.
 */
export async function discardUnfinishedPull(store: VulnerabilityStore, load: Load): Promise<void> {
  const { unfinishedFrom, ...rest } = await readPullState(store)
  if (unfinishedFrom === undefined) return
  const first = Math.max(unfinishedFrom, load.firstRowId)
  for (let from = first; from < load.nextRowId; from += ROWS_AT_ONCE) {
    await load.discardStaged(from, Math.min(from + ROWS_AT_ONCE, load.nextRowId))
  }
  const checkpoint = formatPullState(rest)
  await load.stage({ records: [], source: { name: PULL_SOURCE, checkpoint } })
}

/** Rows per transaction: about ten milliseconds. */
const ROWS_AT_ONCE = 1000

/**
 * Loads an archive from a file or URL. If the connection breaks, reads it again from the start, at
 * most three times in all.
 *
 * Throws a `ServiceError` and changes nothing: see `VulnerabilityArchives.loadArchive`, and
 * `source_failed` if the source does not respond. Throws the signal's reason if aborted.
 *
 * @example
 * ```ts
 * import { createRemoteArchive, pullArchive } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 * import { createBrotli } from 'api-discovery/feeds'
 *
 * const { get, close } = createHttpGet()
 * const source = createRemoteArchive('https://files.example/cves.archive', { get, deps })
 * const { vulnerabilities } = app
 * await pullArchive({ ...deps, vulnerabilities, source, compression: createBrotli() }).finally(close)
 * ```
 */
export async function pullArchive(options: PullOptions): Promise<PullReport> {
  const { vulnerabilities, source, isForced, signal, onEvent } = options
  const loaded = await vulnerabilities.readLoadedArchive()
  const isSame = loaded?.name === source.name && !isForced
  const validators = isSame ? loaded.validators : undefined
  for (let count = 1; ; count += 1) {
    const archive = await source.open({ validators, signal })
    if (!archive) return { state: 'same', exportedAt: loaded?.exportedAt ?? 0 }
    try {
      return { state: 'loaded', ...(await loadOpenArchive(archive, options)) }
    } catch (error) {
      signal?.throwIfAborted()
      const isBroken =
        error instanceof SourceError && count < Math.min(MAX_READS, error.maxAttempts)
      if (!isBroken) throw error
      const ms = toBackOff(count, options.random)
      onEvent?.({ kind: 'waiting', ms, reason: error.message })
      await options.sleep(ms, signal)
    } finally {
      archive.close()
    }
  }
}

const MAX_READS = 3

function loadOpenArchive(archive: OpenArchive, options: PullOptions): Promise<ArchiveReport> {
  const { vulnerabilities, source, compression, takeOver, isForced, signal, onEvent } = options
  const { bytes, validators } = archive
  return waitForTurn(
    (onBegin) =>
      vulnerabilities.loadArchive(bytes, {
        compression,
        origin: { name: source.name, validators },
        takeOver,
        allowsOlder: isForced,
        signal,
        onEvent,
        onBegin,
      }),
    options,
  )
}
