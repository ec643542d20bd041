import { readNvdFeed } from '../feeds/read-nvd.ts'
import type { LoadReport } from '../loading/batches.ts'
import type { VulnerabilityLoads } from '../service.ts'
import { FILES_SOURCE, parseFilesCheckpoint } from './files-checkpoint.ts'
import { ChangedCheckpointError, type SyncOptions, waitForTurn } from './loader-turn.ts'
import { formatNvdCheckpoint, type NvdCheckpoint, parseNvdCheckpoint } from './nvd-checkpoint.ts'
import { createNvdPages, type NvdPages, type NvdService } from './nvd-pages.ts'
import { createNvdReader, NVD_REFRESH_MS, startNvdReading } from './nvd-reader.ts'
import { type FileSyncOptions, type FileSyncReport, syncFiles } from './sync-files.ts'

export interface NvdSyncOptions extends SyncOptions, NvdService {
  /** Reads everything, even if only changes are missing. */
  readonly isFull?: boolean | undefined
  /** Reads from the service even if the last sync was less than two hours ago. */
  readonly isForced?: boolean | undefined
}

export type NvdSyncReport =
  | {
      readonly state: 'fresh'
      /** Time of the last sync, and the earliest useful time of the next one. */
      readonly passedAt: number
      readonly nextAt: number
    }
  | {
      readonly state: 'loaded'
      readonly mode: 'full' | 'increment'
      readonly load: LoadReport
      /** Number of unreadable records; each is reported as an event. */
      readonly problems: number
    }

/** Source name of syncs with NVD's API. */
const NVD_SOURCE = 'nvd'

/**
 * Updates the records from NVD's CVE API 2.0: all of them the first time, then the changes. Records
 * of an interrupted sync remain, and the next one resumes there. An uninterrupted full sync removes
 * records that the service no longer has.
 *
 * Throws a `ServiceError`: `source_failed` if the service does not respond as expected, `conflict`
 * if another load is running. Throws the signal's reason if aborted.
 *
 * @example
 * ```ts
 * import { syncNvd } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 *
 * const { get, close } = createHttpGet()
 * const report = await syncNvd({ ...deps, get, apiKey: process.env.NVD_API_KEY })
 * if (report.state === 'loaded') console.log(report.mode, report.problems)
 * close()
 * ```
 */
export async function syncNvd(options: NvdSyncOptions): Promise<NvdSyncReport> {
  const pages = createNvdPages(options, options)
  return waitForTurn((begin) => syncOnce(options, { pages, begin }), options)
}

async function syncOnce(
  options: NvdSyncOptions,
  { pages, begin }: { readonly pages: NvdPages; readonly begin: () => void },
): Promise<NvdSyncReport> {
  const { vulnerabilities, clock, onEvent, signal, takeOver } = options
  const { text, checkpoint } = await readCheckpoint(vulnerabilities)
  const passed = checkpoint?.phase === 'done' && !options.isFull ? checkpoint : undefined
  const nextAt = (passed?.until ?? 0) + NVD_REFRESH_MS
  if (passed && clock() < nextAt && !options.isForced) {
    return { state: 'fresh', passedAt: passed.until, nextAt }
  }
  const reading = checkpoint?.phase === 'done' ? undefined : checkpoint
  const resumed = options.isFull && reading?.mode !== 'full' ? undefined : reading
  const from = resumed ?? startNvdReading(passed, clock())
  const { mode } = from
  const isResumed = resumed !== undefined
  const reader = createNvdReader(pages, { from, clock, onEvent })
  async function* reportBegin() {
    if ((await readCheckpoint(vulnerabilities)).text !== text) throw new ChangedCheckpointError()
    begin()
    onEvent?.({ kind: 'begun', mode, isResumed })
    yield* reader.batches
  }
  const load = await vulnerabilities.loadRecords(reportBegin(), {
    source: NVD_SOURCE,
    takeOver,
    signal,
    // Records read before an interruption are unknown, and a service without any record is
    // implausible.
    isComplete: () =>
      mode === 'full' && !isResumed && reader.problems() === 0 && reader.records() > 0,
    // A full load without records has failed; an increment may be empty.
    hasRead: () =>
      reader.records() > 0 || (reader.problems() === 0 && (mode === 'increment' || isResumed)),
    finalCheckpoint: () => formatNvdCheckpoint(reader.finalCheckpoint()),
    onProgress({ phase, done }) {
      if (phase === 'index') onEvent?.({ kind: 'progress', phase, done })
    },
  })
  return { state: 'loaded', mode, load, problems: reader.problems() }
}

/** Reads the checkpoint; it is undefined if files have replaced its records since. */
async function readCheckpoint(loads: VulnerabilityLoads): Promise<{
  readonly text: string | undefined
  readonly checkpoint: NvdCheckpoint | undefined
}> {
  const text = await loads.readCheckpoint(NVD_SOURCE)
  const checkpoint = parseNvdCheckpoint(text)
  const { replacedAt = 0 } = parseFilesCheckpoint(await loads.readCheckpoint(FILES_SOURCE))
  const isValid = checkpoint && replacedAt <= checkpoint.until
  return { text, checkpoint: isValid ? checkpoint : undefined }
}

/**
 * Loads NVD feeds and API pages. A broken record or file is reported and skipped. An interrupted
 * load skips the files that it has read, unless they changed.
 *
 * @example
 * ```ts
 * import { syncNvdFiles } from 'api-discovery/vulnerabilities'
 * import { listFeedFiles, readFeedFile } from 'api-discovery/feeds'
 *
 * const { files } = await listFeedFiles('feeds')
 * const feeds = files.map(({ name, path }) => ({ name, open: () => readFeedFile(path) }))
 * const { failures } = await syncNvdFiles({ ...deps, files: feeds })
 * for (const { name, message } of failures) console.error(`${name}: ${message}`)
 * ```
 */
export async function syncNvdFiles(options: FileSyncOptions): Promise<FileSyncReport> {
  return syncFiles(options, { source: FILES_SOURCE, read: readNvdFeed })
}
