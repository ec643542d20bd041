import type { Command } from 'commander'
import {
  EPSS_URL,
  type FeedFile,
  KEV_URL,
  type LoadReport,
  NVD_URL,
  ServiceError,
  type SyncOptions,
  sleep,
  syncEpss,
  syncKev,
  syncNvd,
  syncNvdFiles,
} from '../../../core/index.ts'
import { createHttpGet, type HttpGet, toAllowEntries } from '../../egress/index.ts'
import { CommandError, UsageError } from '../errors.ts'
import { type CommandIo, formatCount, toPrintable } from '../io.ts'
import { formatDuration } from '../progress.ts'
import { type GlobalOptions, withService } from '../service.ts'
import { createSyncReporter, type SyncReporter, summarizeLoad } from '../sync-report.ts'
import { findSyncFile, listSyncFiles, readNvdApiKey } from '../sync-sources.ts'
import { withStop } from '../with-stop.ts'

interface SharedOptions extends GlobalOptions {
  readonly takeOver?: boolean
}

interface NvdOptions extends SharedOptions {
  readonly from?: readonly string[]
  readonly full?: boolean
  readonly replace?: boolean
  readonly baseUrl?: string
  readonly force?: boolean
}

/** Sources of any sync: one or several files or URLs. */
interface SyncSource {
  readonly from?: string | readonly string[]
}

interface ListOptions extends SharedOptions {
  readonly from?: string
}

const TAKE_OVER = ['--take-over', 'load even if another load appears to be running'] as const
const STOPPED_RESUMABLE =
  'Stopped: the records read so far are stored. Run the same command to resume.'
const NOT_REMOVED = 'Nothing was removed, because some input could not be read'
const STOPPED_UNCHANGED = 'Stopped: nothing was changed. Run the same command to start over.'

/** Adds `sync nvd`, `sync kev` and `sync epss`. */
export function addSyncCommands(program: Command, io: CommandIo): void {
  const sync = program
    .command('sync')
    .description('Load vulnerability data from NVD, CISA KEV and EPSS')
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery sync nvd\n  api-discovery sync kev --from known_exploited_vulnerabilities.json',
    )
  sync
    .command('nvd')
    .description('Load CVE records from NVD or from files')
    .option('--from <source...>', 'feed files, folders or URLs (JSON 2.0 or 1.1, optionally .gz)')
    .option('--full', 'load all records again and remove those that NVD no longer has')
    .option('--replace', 'remove all records that the files do not contain; needs --from')
    .option('--base-url <url>', `URL of the CVE API 2.0 (default: ${NVD_URL})`)
    .option('--force', 'query NVD even if the last sync was less than two hours ago')
    .option(...TAKE_OVER)
    .addHelpText(
      'after',
      `
Environment:
  NVD_API_KEY, NVD_API_KEY_FILE   NVD API key, which permits ten times as many requests

Examples:
  api-discovery sync nvd
  api-discovery sync nvd --from nvdcve-2.0-2026.json.gz
  api-discovery sync nvd --from ./feeds --replace

This product uses data from the NVD API but is not endorsed or certified by the NVD.`,
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<NvdOptions>()
      rejectConflictingOptions(options)
      const { from } = options
      if (!from) return runSync({ io, options, stopped: STOPPED_RESUMABLE }, loadFromService)
      // `--replace` removes records that no file contains, so it must read all files in one run.
      const stopped = options.replace ? STOPPED_UNCHANGED : STOPPED_RESUMABLE
      return runSync({ io, options, stopped }, (run) => loadFiles(run, from))
    })
  sync
    .command('kev')
    .description('Replace the known exploited vulnerabilities (KEV) with the CISA catalogue')
    .option('--from <source>', `JSON file or URL (default: ${KEV_URL})`)
    .option(...TAKE_OVER)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery sync kev\n  api-discovery sync kev --from known_exploited_vulnerabilities.json',
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      return runSync({ io, options, stopped: STOPPED_UNCHANGED }, loadKev)
    })
  sync
    .command('epss')
    .description('Replace the EPSS scores')
    .option('--from <source>', `CSV file or URL, optionally .gz (default: ${EPSS_URL})`)
    .option(...TAKE_OVER)
    .addHelpText(
      'after',
      '\nExamples:\n  api-discovery sync epss\n  api-discovery sync epss --from epss_scores.csv.gz',
    )
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      return runSync({ io, options, stopped: STOPPED_UNCHANGED }, loadEpss)
    })
}

/** A running sync. */
interface SyncRun<Options> {
  readonly io: CommandIo
  readonly options: Options
  readonly http: HttpGet
  readonly reporter: SyncReporter
  readonly sync: SyncOptions
}

/** Opens the service and reports progress until the sync ends or is stopped. */
async function runSync<Options extends SharedOptions & SyncSource & Pick<NvdOptions, 'baseUrl'>>(
  request: { readonly io: CommandIo; readonly options: Options; readonly stopped: string },
  work: (run: SyncRun<Options>) => Promise<void>,
): Promise<void> {
  const { io, options, stopped } = request
  io.lowerPriority()
  const reporter = createSyncReporter(io, options.json === true)
  // The operator may name a source on any host, including this machine.
  const http = createHttpGet({ allow: toAllowEntries(listSyncSources(options)) })
  try {
    await withService(io, options, ({ app }) =>
      withStop({ io, message: stopped }, (signal) => {
        const sync: SyncOptions = {
          vulnerabilities: app.vulnerabilities,
          clock: Date.now,
          random: (length) => crypto.getRandomValues(new Uint8Array(length)),
          sleep,
          signal,
          takeOver: options.takeOver,
          onEvent: reporter.onEvent,
        }
        return work({ io, options, http, reporter, sync })
      }),
    )
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error
    throw new CommandError(`${error.message}: wait until it ends, or use --take-over`)
  } finally {
    reporter.end()
    http.close()
  }
}

async function loadFromService(run: SyncRun<NvdOptions>): Promise<void> {
  const { io, options, http, sync } = run
  const report = await syncNvd({
    ...sync,
    get: http.get,
    baseUrl: options.baseUrl,
    apiKey: await readNvdApiKey(io, options.baseUrl ?? NVD_URL),
    isFull: options.full,
    isForced: options.force,
  })
  if (report.state === 'loaded') {
    const { load, problems, mode } = report
    return printLoadReport(run, { source: 'nvd', what: 'records', load, problems, mode })
  }
  const passed_at = new Date(report.passedAt).toISOString()
  const next_at = new Date(report.nextAt).toISOString()
  if (options.json) return io.result(JSON.stringify({ event: 'fresh', passed_at, next_at }))
  const age = formatDuration((Date.now() - report.passedAt) / 1000)
  io.note(
    `Up to date: the last sync was ${age} ago, and NVD publishes changes every two hours. Use --force to query it anyway.`,
  )
}

async function loadFiles(run: SyncRun<NvdOptions>, sources: readonly string[]): Promise<void> {
  const { io, options } = run
  const files = await listSyncFiles(sources, { ...run, pattern: /\.json(\.gz)?$/i })
  const isWhole = options.replace
  const { load, failures, problems, ...rest } = await syncNvdFiles({
    ...run.sync,
    files,
    isComplete: isWhole,
  })
  if (failures.length > 0) io.setFailed()
  if (!options.json && failures.length > 0) {
    io.note(
      `${failures.length} of ${formatCount(files.length, 'file')} could not be read completely`,
    )
  }
  if (isWhole && failures.length + problems > 0 && !options.json) {
    io.note(NOT_REMOVED)
  }
  printLoadReport(run, {
    source: 'nvd',
    what: 'records',
    load,
    problems,
    files: rest.files,
    failures,
  })
}

async function loadKev(run: SyncRun<ListOptions>): Promise<void> {
  const file = await findSyncFile(run.options.from ?? KEV_URL, run)
  const { load, problems, version } = await withFileName(file, () => syncKev({ ...run.sync, file }))
  reportUnreadEntries(run, problems)
  printLoadReport(run, {
    source: 'kev',
    what: 'known exploited vulnerabilities',
    load,
    problems,
    version,
  })
}

async function loadEpss(run: SyncRun<ListOptions>): Promise<void> {
  const file = await findSyncFile(run.options.from ?? EPSS_URL, run)
  const { load, problems, scoredAt } = await withFileName(file, () =>
    syncEpss({ ...run.sync, file }),
  )
  const day = scoredAt === undefined ? undefined : new Date(scoredAt).toISOString().slice(0, 10)
  reportUnreadEntries(run, problems)
  printLoadReport(run, { source: 'epss', what: 'EPSS scores', load, problems, day })
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

/** Fails the command if some entries could not be read, although the rest was loaded. */
function reportUnreadEntries(
  { io, options, reporter }: SyncRun<ListOptions>,
  problems: number,
): void {
  if (problems === 0) return
  io.setFailed()
  reporter.end()
  if (!options.json) io.note(NOT_REMOVED)
}

/** Prints the outcome of the load. */
function printLoadReport(
  { io, options, reporter }: SyncRun<SharedOptions>,
  report: {
    readonly what: string
    readonly load: LoadReport
    readonly problems: number
  } & Readonly<Record<string, unknown>>,
): void {
  const { what, load, problems, ...rest } = report
  reporter.end()
  if (options.json) {
    io.result(JSON.stringify({ event: 'done', ...rest, ...load, problems }))
    return
  }
  if (problems > 0) io.note(`${problems} ${what} could not be read and were skipped`)
  for (const line of summarizeLoad(load, what)) io.result(line)
}

function listSyncSources(options: Pick<NvdOptions, 'baseUrl'> & SyncSource): readonly string[] {
  return [options.baseUrl ?? '', options.from ?? []].flat()
}

function rejectConflictingOptions({ from, full, replace, baseUrl, force }: NvdOptions): void {
  if (from && (full || force || baseUrl !== undefined)) {
    throw new UsageError(
      'Cannot sync: --full, --force and --base-url cannot be combined with --from',
    )
  }
  if (replace && !from) {
    throw new UsageError('Cannot sync: --replace needs --from; use --full to load NVD again')
  }
}
