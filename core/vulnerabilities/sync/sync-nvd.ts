import type { LoadReport, RecordBatch } from '../loading/batches.ts'
import { type SyncOptions, takeTurn } from './loader-turn.ts'
import { beginNvd, createNvdReader, NVD_REFRESH_MS } from './nvd-api.ts'
import { formatNvdCheckpoint, parseNvdCheckpoint } from './nvd-checkpoint.ts'
import { createNvdPages, type NvdService } from './nvd-pages.ts'

export interface NvdSyncOptions extends SyncOptions, NvdService {
  /** Reads everything, although only changes are missing. */
  readonly isFull?: boolean | undefined
  /** Asks the service although the last sync is younger than two hours. */
  readonly isForced?: boolean | undefined
}

export type NvdSyncReport =
  | {
      readonly state: 'fresh'
      /** When the last sync was, and when the next one makes sense. */
      readonly passedAt: number
      readonly nextAt: number
    }
  | {
      readonly state: 'loaded'
      readonly mode: 'full' | 'increment'
      readonly load: LoadReport
      /** Records that could not be read: told as events. */
      readonly problems: number
    }

/** What a sync with NVD's API is called among the sources. */
export const NVD_SOURCE = 'nvd'

/**
 * Brings the records up to date with NVD's CVE API 2.0: all of them the first time, then what has
 * changed. What an interrupted sync has read stays, and the next one goes on there. A full sync
 * that was not interrupted removes the records that the service no longer has.
 *
 * Throws a `ServiceError`: `source_failed` when the service does not answer as it should, `conflict`
 * when another load is under way; and the signal's reason when that ended it.
 */
export async function syncNvd(options: NvdSyncOptions): Promise<NvdSyncReport> {
  const { vulnerabilities, clock, onEvent, signal, takeOver } = options
  const checkpoint = parseNvdCheckpoint(await vulnerabilities.readCheckpoint(NVD_SOURCE))
  const passed = checkpoint?.phase === 'done' && !options.isFull ? checkpoint : undefined
  const nextAt = (passed?.until ?? 0) + NVD_REFRESH_MS
  if (passed && clock() < nextAt && !options.isForced) {
    return { state: 'fresh', passedAt: passed.until, nextAt }
  }
  const isResumed = checkpoint !== undefined && checkpoint.phase !== 'done' && !options.isFull
  const from = isResumed ? checkpoint : beginNvd(passed, clock())
  const mode = from.phase === 'full' ? 'full' : 'increment'
  const pages = createNvdPages(options, options)
  const attempt = async (begin: () => void) => {
    const reader = createNvdReader(pages, { from, clock, onEvent })
    const load = await vulnerabilities.loadRecords(tellBegin(reader.batches), {
      source: NVD_SOURCE,
      takeOver,
      signal,
      isWhole: () => mode === 'full' && !isResumed && reader.problems() === 0,
      finalCheckpoint: () => formatNvdCheckpoint(reader.passed()),
      onProgress({ phase, done }) {
        if (phase === 'index') onEvent?.({ kind: 'progress', phase, done })
      },
    })
    return { state: 'loaded', mode, load, problems: reader.problems() } as const

    async function* tellBegin(batches: AsyncIterable<RecordBatch>) {
      begin()
      onEvent?.({ kind: 'begun', mode, isResumed })
      yield* batches
    }
  }
  return takeTurn(attempt, options)
}
