import type { LoadReport } from '../loading/batches.ts'
import type { VulnerabilityLoads } from '../service.ts'
import { FILES_SOURCE, parseFilesCheckpoint } from './files-checkpoint.ts'
import { type SyncOptions, takeTurn } from './loader-turn.ts'
import { beginNvd, createNvdReader, NVD_REFRESH_MS } from './nvd-api.ts'
import { formatNvdCheckpoint, type NvdCheckpoint, parseNvdCheckpoint } from './nvd-checkpoint.ts'
import { createNvdPages, type NvdPages, type NvdService } from './nvd-pages.ts'

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
const NVD_SOURCE = 'nvd'

/**
 * Brings the records up to date with NVD's CVE API 2.0: all of them the first time, then what has
 * changed. What an interrupted sync has read stays, and the next one goes on there. A full sync
 * that was not interrupted removes the records that the service no longer has.
 *
 * Throws a `ServiceError`: `source_failed` when the service does not answer as it should, `conflict`
 * when another load is under way; and the signal's reason when that ended it.
 */
export async function syncNvd(options: NvdSyncOptions): Promise<NvdSyncReport> {
  const pages = createNvdPages(options, options)
  return takeTurn((begin) => syncOnce(options, { pages, begin }), options)
}

async function syncOnce(
  options: NvdSyncOptions,
  { pages, begin }: { readonly pages: NvdPages; readonly begin: () => void },
): Promise<NvdSyncReport> {
  const { vulnerabilities, clock, onEvent, signal, takeOver } = options
  const checkpoint = await readCheckpoint(vulnerabilities)
  const passed = checkpoint?.phase === 'done' && !options.isFull ? checkpoint : undefined
  const nextAt = (passed?.until ?? 0) + NVD_REFRESH_MS
  if (passed && clock() < nextAt && !options.isForced) {
    return { state: 'fresh', passedAt: passed.until, nextAt }
  }
  const reading = checkpoint?.phase === 'done' ? undefined : checkpoint
  const resumed = options.isFull && reading?.mode !== 'full' ? undefined : reading
  const from = resumed ?? beginNvd(passed, clock())
  const { mode } = from
  const isResumed = resumed !== undefined
  const reader = createNvdReader(pages, { from, clock, onEvent })
  async function* tellBegin() {
    begin()
    onEvent?.({ kind: 'begun', mode, isResumed })
    yield* reader.batches
  }
  const load = await vulnerabilities.loadRecords(tellBegin(), {
    source: NVD_SOURCE,
    takeOver,
    signal,
    // What was read before an interruption is not known any more, and no service has lost all.
    isWhole: () => mode === 'full' && !isResumed && reader.problems() === 0 && reader.records() > 0,
    // A full load that finds nothing is no load; changes may well be none.
    hasRead: () =>
      reader.records() > 0 || (reader.problems() === 0 && (mode === 'increment' || isResumed)),
    finalCheckpoint: () => formatNvdCheckpoint(reader.passed()),
    onProgress({ phase, done }) {
      if (phase === 'index') onEvent?.({ kind: 'progress', phase, done })
    },
  })
  return { state: 'loaded', mode, load, problems: reader.problems() }
}

/** The checkpoint, unless files have replaced what it stands for. */
async function readCheckpoint(loads: VulnerabilityLoads): Promise<NvdCheckpoint | undefined> {
  const checkpoint = parseNvdCheckpoint(await loads.readCheckpoint(NVD_SOURCE))
  const { replacedAt = 0 } = parseFilesCheckpoint(await loads.readCheckpoint(FILES_SOURCE))
  return checkpoint && replacedAt <= checkpoint.until ? checkpoint : undefined
}
