import { readFile } from 'node:fs/promises'
import { ServiceError } from '../../core/index.ts'
import {
  CVE_RELEASES_URL,
  EPSS_URL,
  type FeedFile,
  type FileSyncReport,
  KEV_URL,
  NVD_URL,
  syncCve,
  syncCveFiles,
  syncEpss,
  syncKev,
  syncNvd,
  syncNvdFiles,
} from '../../core/vulnerabilities/index.ts'
import { unpackCveFile } from '../feeds/index.ts'
import { CommandError, UsageError } from './errors.ts'
import { formatCount, type Io, toPrintable } from './io.ts'
import { formatDuration } from './progress.ts'
import type { LoadedOutcome, SyncOutcome, SyncRun } from './sync-run.ts'
import { findSyncFile, listCveFiles, listSyncFiles } from './sync-sources.ts'
import { describeSystemError } from './system-errors.ts'

const NOT_REMOVED = 'Nothing was removed, because some input could not be read'

/** Updates the records from NVD's API. */
export async function loadNvd(
  { io, http, sync }: SyncRun,
  options: {
    readonly baseUrl?: string | undefined
    readonly full?: boolean | undefined
    readonly force?: boolean | undefined
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
  if (report.state === 'fresh') {
    const { passedAt, nextAt } = report
    const age = formatDuration((Date.now() - passedAt) / 1000)
    return {
      state: 'fresh',
      note: `Up to date: the last sync was ${age} ago, and NVD publishes changes every two hours.`,
      hint: 'Use --force to query it anyway.',
      details: {
        passed_at: new Date(passedAt).toISOString(),
        next_at: new Date(nextAt).toISOString(),
      },
    }
  }
  const { load, problems, mode } = report
  return { state: 'loaded', what: 'records', load, problems, notes: [], details: { mode } }
}

/** Loads records from files of NVD. */
export async function loadNvdFiles(
  run: SyncRun,
  options: { readonly from: readonly string[]; readonly replace?: boolean | undefined },
): Promise<SyncOutcome> {
  const { from, replace: isComplete } = options
  const files = await listSyncFiles(from, { ...run, pattern: /\.json(\.gz)?$/i })
  const report = await syncNvdFiles({ ...run.sync, files, isComplete })
  const outcome = toFilesOutcome(report, files.length)
  const isKept = isComplete && report.failures.length + report.problems > 0
  return isKept ? { ...outcome, notes: [...outcome.notes, NOT_REMOVED] } : outcome
}

/** Updates the records of the CVE Program from its releases. */
export async function loadCve(
  { io, http, sync }: SyncRun,
  options: { readonly baseUrl?: string | undefined; readonly full?: boolean | undefined },
): Promise<SyncOutcome> {
  const { baseUrl, full } = options
  const report = await syncCve({
    ...sync,
    get: http.get,
    expand: unpackCveFile,
    baseUrl,
    token: await readGithubToken(io, baseUrl ?? CVE_RELEASES_URL),
    isFull: full,
  })
  const until = new Date(report.until).toISOString()
  if (report.state === 'fresh') {
    const note = `Up to date: no changes were published since ${until.slice(0, 16)}Z.`
    return { state: 'fresh', note, hint: 'Use --full to load all records.', details: { until } }
  }
  const { load, problems, mode, files, failures } = report
  return {
    state: failures.length > 0 ? 'partial' : 'loaded',
    what: 'records',
    load,
    problems,
    notes: failures.length > 0 ? [`${formatCount(failures.length, 'file')} could not be read`] : [],
    details: { mode, until, files, failures },
  }
}

/** Loads records of the CVE Program from files, archives and folders. */
export async function loadCveFiles(
  run: SyncRun,
  { from }: { readonly from: readonly string[] },
): Promise<SyncOutcome> {
  const files = await listCveFiles(from, run)
  return toFilesOutcome(await syncCveFiles({ ...run.sync, files }), files.length)
}

function toFilesOutcome(report: FileSyncReport, fileCount: number): LoadedOutcome {
  const { load, failures, problems, files } = report
  const count = formatCount(fileCount, 'file')
  const notes =
    failures.length > 0 ? [`${failures.length} of ${count} could not be read completely`] : []
  return {
    state: failures.length > 0 ? 'partial' : 'loaded',
    what: 'records',
    load,
    problems,
    notes,
    details: { files, failures },
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
    const codes = ['invalid_body', 'unsupported_media_type']
    if (!(error instanceof ServiceError) || !codes.includes(error.code)) throw error
    throw new CommandError(toPrintable(`${file.name}: ${error.message}`))
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Reads the NVD API key from `NVD_API_KEY` or from the file `NVD_API_KEY_FILE`; undefined if
 * neither is set. Throws a `UsageError` if it would be sent without TLS to another machine.
 */
async function readNvdApiKey(io: Io, baseUrl: string): Promise<string | undefined> {
  const key = await readKey(io, { name: 'NVD API key', variable: 'NVD_API_KEY' })
  const url = URL.parse(baseUrl)
  if (key !== undefined && url?.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new UsageError('Cannot send the NVD API key: --base-url must be an https URL')
  }
  return key
}

/**
 * Reads the GitHub token from `GITHUB_TOKEN` or from the file `GITHUB_TOKEN_FILE`. Returns undefined
 * if neither is set, and for a mirror on another machine: the variable is often set for other tools.
 */
async function readGithubToken(io: Io, baseUrl: string): Promise<string | undefined> {
  const url = URL.parse(baseUrl)
  const isOurs =
    url?.origin === new URL(CVE_RELEASES_URL).origin || LOOPBACK.test(url?.hostname ?? '')
  return isOurs ? readKey(io, { name: 'GitHub token', variable: 'GITHUB_TOKEN' }) : undefined
}

/** Reads a key from a variable, or from the file that another variable names. */
async function readKey(
  { environment }: Io,
  { name, variable }: { readonly name: string; readonly variable: string },
): Promise<string | undefined> {
  const fileVariable = `${variable}_FILE`
  const file = environment[fileVariable]
  const key = environment[variable] || (file ? await readKeyFile(file, fileVariable) : undefined)
  if (key === undefined || /^[\x21-\x7e]{1,300}$/.test(key)) return key
  throw new UsageError(`Cannot use the ${name}: it must consist of visible ASCII characters`)
}

async function readKeyFile(file: string, variable: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new CommandError(`Cannot read the file in ${variable}: ${describeSystemError(error)}`)
  }
}
