import {
  EPSS_URL,
  type FeedFile,
  KEV_URL,
  NVD_URL,
  ServiceError,
  syncEpss,
  syncKev,
  syncNvd,
  syncNvdFiles,
} from '../../core/index.ts'
import { CommandError } from './errors.ts'
import { formatCount, toPrintable } from './io.ts'
import type { SyncOutcome, SyncRun } from './sync-run.ts'
import { findSyncFile, listSyncFiles, readNvdApiKey } from './sync-sources.ts'

const NOT_REMOVED = 'Nothing was removed, because some input could not be read'

/** Updates the records from NVD's API. */
export async function loadNvd(
  { io, http, sync }: SyncRun,
  options: {
    readonly baseUrl?: string | undefined
    readonly full?: boolean
    readonly force?: boolean
  },
): Promise<SyncOutcome> {
  const { baseUrl, full, force } = options
  const report = await syncNvd({
    ...sync,
    get: http.get,
    baseUrl,
    apiKey: await readNvdApiKey(io, baseUrl ?? NVD_URL),
    isFull: full,
    isForced: force,
  })
  if (report.state === 'fresh') return report
  const { load, problems, mode } = report
  return { state: 'loaded', what: 'records', load, problems, notes: [], details: { mode } }
}

/** Loads records from files of NVD. */
export async function loadNvdFiles(
  run: SyncRun,
  options: { readonly from: readonly string[]; readonly replace?: boolean },
): Promise<SyncOutcome> {
  const { from, replace: isComplete } = options
  const files = await listSyncFiles(from, { ...run, pattern: /\.json(\.gz)?$/i })
  const report = await syncNvdFiles({ ...run.sync, files, isComplete })
  const { load, failures, problems } = report
  const notes: string[] = []
  if (failures.length > 0) {
    const count = formatCount(files.length, 'file')
    notes.push(`${failures.length} of ${count} could not be read completely`)
  }
  if (isComplete && failures.length + problems > 0) notes.push(NOT_REMOVED)
  return {
    state: failures.length > 0 ? 'partial' : 'loaded',
    what: 'records',
    load,
    problems,
    notes,
    details: { files: report.files, failures },
  }
}

/** Replaces the known exploited vulnerabilities. */
export async function loadKev(
  run: SyncRun,
  { from = KEV_URL }: { readonly from?: string | undefined },
): Promise<SyncOutcome> {
  const file = await findSyncFile(from, run)
  const { load, problems, version } = await withFileName(file, () => syncKev({ ...run.sync, file }))
  return {
    ...toListState(problems),
    what: 'known exploited vulnerabilities',
    load,
    problems,
    details: { version },
  }
}

/** Replaces the EPSS scores. */
export async function loadEpss(
  run: SyncRun,
  { from = EPSS_URL }: { readonly from?: string | undefined },
): Promise<SyncOutcome> {
  const file = await findSyncFile(from, run)
  const { load, problems, scoredAt } = await withFileName(file, () =>
    syncEpss({ ...run.sync, file }),
  )
  const day = scoredAt === undefined ? undefined : new Date(scoredAt).toISOString().slice(0, 10)
  return { ...toListState(problems), what: 'EPSS scores', load, problems, details: { day } }
}

/** A list with unreadable entries fails, although the rest was loaded. */
function toListState(problems: number) {
  return problems > 0
    ? ({ state: 'partial', notes: [NOT_REMOVED] } as const)
    : ({ state: 'loaded', notes: [] } as const)
}

/** Names the file in the error when its content cannot be read. */
async function withFileName<T>(file: FeedFile, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_body') throw error
    throw new CommandError(toPrintable(`${file.name}: ${error.message}`))
  }
}
