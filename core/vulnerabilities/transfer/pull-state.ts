import type { Load, VulnerabilityStore } from '../store.ts'

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
