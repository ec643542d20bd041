import { type CveDocument, readCveDocuments } from '../feeds/read-cve-documents.ts'
import type { LoadReport } from '../loading/batches.ts'
import { formatCveCheckpoint, parseCveCheckpoint, UNREAD_CVE } from './cve-checkpoint.ts'
import { planCveSync } from './cve-plan.ts'
import { createCveReader } from './cve-reader.ts'
import {
  type CveReleaseList,
  type CveReleaseService,
  type CveReleases,
  createCveReleases,
  DAY_MS,
} from './cve-releases.ts'
import type { Expand } from './feed-file.ts'
import type { FileFailure } from './files-reader.ts'
import { ChangedCheckpointError, type SyncOptions, waitForTurn } from './loader-turn.ts'
import { type FileSyncOptions, type FileSyncReport, syncFiles } from './sync-files.ts'

export interface CveSyncOptions extends SyncOptions, CveReleaseService {
  /** Unpacks an archive: `unpackCveFile` of `api-discovery/feeds`. */
  readonly expand: Expand<CveDocument>
  /** Reads the newest archive of all records, even if only changes are missing. */
  readonly isFull?: boolean | undefined
}

export type CveSyncReport =
  | {
      /** Nothing was published since the last sync. */
      readonly state: 'fresh'
      /** Time up to which changes are loaded, in milliseconds since the epoch. */
      readonly until: number
    }
  | {
      readonly state: 'loaded'
      readonly mode: 'full' | 'increment'
      readonly load: LoadReport
      readonly until: number
      /** Names of the files that were read. */
      readonly files: readonly string[]
      /** Files that could not be read; older ones were read instead, if there were any. */
      readonly failures: readonly FileFailure[]
      /** Number of unreadable records; each is reported as an event. */
      readonly problems: number
    }

/**
 * Files, archives and folders with records of the CVE Program. They never remove records: a
 * withdrawn one has the state `REJECTED`.
 */
export type CveFileSyncOptions = Omit<FileSyncOptions<CveDocument>, 'isComplete'>

/** Source name of syncs with the CVE Program's releases. */
const CVE_SOURCE = 'cve'

/**
 * Updates the records of the CVE Program from the releases of `CVEProject/cvelistV5`: all of them
 * the first time, then the changes. Reads all records again after a week, because the changes are
 * known to miss some, and if changes are not listed any more. Never removes records: a withdrawn one
 * has the state `REJECTED`. NVD's records of the same CVEs remain beside them.
 *
 * The files of an interrupted sync that were read completely are not read again.
 *
 * Throws a `ServiceError`: `source_failed` if the service does not respond as expected, `conflict`
 * if another load is running. Throws the signal's reason if aborted.
 *
 * @example
 * ```ts
 * import { syncCve } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 * import { unpackCveFile } from 'api-discovery/feeds'
 *
 * const { get, close } = createHttpGet()
 * const report = await syncCve({ ...deps, get, expand: unpackCveFile })
 * if (report.state === 'loaded') console.log(report.mode, report.files)
 * close()
 * ```
 */
export async function syncCve(options: CveSyncOptions): Promise<CveSyncReport> {
  const releases = createCveReleases(options, options)
  let listed: Promise<CveReleaseList | undefined> | undefined
  // Attempts that wait for another loader share a list.
  const listOnce: CveReleases['list'] = (request) => {
    listed ??= releases.list(request)
    return listed
  }
  const forgetList = () => {
    listed = undefined
  }
  return waitForTurn(
    (begin) => syncOnce(options, { releases, listOnce, forgetList, begin }),
    options,
  )
}

async function syncOnce(
  options: CveSyncOptions,
  service: {
    readonly releases: CveReleases
    readonly listOnce: CveReleases['list']
    readonly forgetList: () => void
    readonly begin: () => void
  },
): Promise<CveSyncReport> {
  const { vulnerabilities, onEvent, signal, takeOver } = options
  const { releases, begin } = service
  const storedText = await vulnerabilities.readCheckpoint(CVE_SOURCE)
  const stored = parseCveCheckpoint(storedText)
  const isResumed = stored?.phase === 'reading' && (!options.isFull || stored.mode === 'full')
  const isFull = options.isFull === true && !isResumed
  const from = stored ?? UNREAD_CVE
  const { completeDay } = from
  const since = completeDay === undefined || isFull ? undefined : completeDay + DAY_MS
  const isDone = from.phase === 'done' && !isFull
  const list = await service.listOnce({ since, etag: isDone ? from.etag : undefined })
  if (!list || (isDone && planCveSync(list.files, from).files.length === 0)) {
    return { state: 'fresh', until: from.until }
  }
  const reader = createCveReader({
    ...options,
    name: releases.name,
    deps: options,
    from,
    isResumed,
    isFull,
    list,
    listAgain: async () => (await releases.list({ since })) ?? list,
  })
  async function* reportBegin() {
    if ((await vulnerabilities.readCheckpoint(CVE_SOURCE)) !== storedText) {
      service.forgetList()
      throw new ChangedCheckpointError()
    }
    begin()
    yield* reader.batches
  }
  const load = await vulnerabilities.loadRecords(reportBegin(), {
    source: CVE_SOURCE,
    authority: 'cve',
    takeOver,
    signal,
    hasRead: () => reader.files().length > 0 || (isResumed && reader.failures().length === 0),
    finalCheckpoint: () => formatCveCheckpoint(reader.finalCheckpoint()),
    onProgress({ phase, done }) {
      if (phase === 'index') onEvent?.({ kind: 'progress', phase, done })
    },
  })
  const { mode, until } = reader.finalCheckpoint()
  const [files, failures, problems] = [reader.files(), reader.failures(), reader.problems()]
  return { state: 'loaded', mode, load, until, files, failures, problems }
}

/** Source name of loads from files of the CVE Program. */
const CVE_FILES_SOURCE = 'cve-files'

/**
 * Loads records of the CVE Program (CVE JSON 5.x) from files, archives or folders. A broken record
 * or file is reported and skipped. An interrupted load skips the files that it has read, unless
 * they changed. NVD's records of the same CVEs remain beside them.
 *
 * @example
 * ```ts
 * import { syncCveFiles } from 'api-discovery/vulnerabilities'
 * import { readCveFile } from 'api-discovery/feeds'
 *
 * const name = '2026-08-22_all_CVEs_at_midnight.zip.zip'
 * const files = [{ name, open: () => readCveFile(name) }]
 * const { load, failures } = await syncCveFiles({ ...deps, files })
 * console.log(load.added, load.changed, failures.length)
 * ```
 */
export async function syncCveFiles(options: CveFileSyncOptions): Promise<FileSyncReport> {
  return syncFiles(options, {
    source: CVE_FILES_SOURCE,
    authority: 'cve',
    read: readCveDocuments,
  })
}
