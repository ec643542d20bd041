import { ServiceError } from '../../core/index.ts'
import { type LoadReport, type SyncOptions, sleep } from '../../core/vulnerabilities/index.ts'
import { createHttpGet, type HttpGet, toAllowEntries } from '../egress/index.ts'
import { CommandError } from './errors.ts'
import type { CommandIo } from './io.ts'
import { type GlobalOptions, withService } from './service.ts'
import { createSyncReporter, type SyncReporter, summarizeLoad } from './sync-report.ts'
import { withStop } from './with-stop.ts'

export const TAKE_OVER = ['--take-over', 'load even if another load appears to be running'] as const

/** Options of all sync commands. */
export interface SharedSyncOptions extends GlobalOptions {
  readonly takeOver?: boolean | undefined
}

/** A running sync of one source. */
export interface SyncRun {
  readonly io: CommandIo
  readonly http: HttpGet
  readonly reporter: SyncReporter
  readonly sync: SyncOptions
}

/** The outcome of a sync that did not fail. */
export type SyncOutcome = FreshOutcome | LoadedOutcome

/** Nothing was loaded: the data is up to date. */
export interface FreshOutcome {
  readonly state: 'fresh'
  /** Explanation for text output. */
  readonly note: string
  /** How to load anyway. */
  readonly hint: string
  /** More members of the JSON event. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface LoadedOutcome {
  /** `partial`: some input could not be read, so that the command fails. */
  readonly state: 'loaded' | 'partial'
  /** Plural of the loaded items. */
  readonly what: string
  readonly load: LoadReport
  /** Number of unreadable items. */
  readonly problems: number
  /** Explanations for text output. */
  readonly notes: readonly string[]
  /** More members of the JSON event. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Opens the service and the network for one or several syncs, which a signal stops gracefully. */
export async function withSyncRuns<T>(
  request: {
    readonly io: CommandIo
    readonly options: SharedSyncOptions
    /** Message after a signal has stopped the sync. */
    readonly stopped: string
    /** URLs of the operator, which may lead to any host, including this machine. */
    readonly urls: readonly string[]
    /** Stops the sync when it is aborted, like a signal. */
    readonly until?: AbortSignal | undefined
  },
  work: (open: (reporter: SyncReporter) => SyncRun, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { io, options, stopped } = request
  io.lowerPriority()
  const http = createHttpGet({ allow: toAllowEntries(request.urls) })
  try {
    return await withService(io, options, ({ app }) =>
      withStop({ io, message: stopped, until: request.until }, (signal) => {
        const open = (reporter: SyncReporter): SyncRun => ({
          io,
          http,
          reporter,
          sync: {
            vulnerabilities: app.vulnerabilities,
            clock: Date.now,
            random: (length) => crypto.getRandomValues(new Uint8Array(length)),
            sleep,
            signal,
            takeOver: options.takeOver,
            onEvent: reporter.onEvent,
          },
        })
        return work(open, signal)
      }),
    )
  } finally {
    http.close()
  }
}

/** Runs the sync of one source and prints its outcome. */
export async function runSync(
  request: {
    readonly io: CommandIo
    readonly source: string
    readonly options: SharedSyncOptions
    readonly stopped: string
    readonly urls: readonly string[]
  },
  load: (run: SyncRun) => Promise<SyncOutcome>,
): Promise<void> {
  const { io, options, source } = request
  const isJson = options.json === true
  const reporter = createSyncReporter(io, { isJson })
  try {
    const outcome = await withSyncRuns(request, (open) => load(open(reporter)))
    reporter.end()
    printOutcome(io, outcome, { source, isJson })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error
    throw new CommandError(`${error.message}: wait until it ends, or use --take-over`)
  } finally {
    reporter.end()
  }
}

function printOutcome(
  io: CommandIo,
  outcome: SyncOutcome,
  { source, isJson }: { readonly source: string; readonly isJson: boolean },
): void {
  if (outcome.state === 'partial') io.setFailed()
  if (isJson) {
    io.result(JSON.stringify(toOutcomeJson(outcome, source)))
    return
  }
  for (const note of listOutcomeNotes(outcome)) io.note(note)
  if (outcome.state === 'fresh') {
    io.note(outcome.hint)
    return
  }
  for (const line of summarizeLoad(outcome.load, outcome.what)) io.result(line)
}

/** Converts an outcome to a JSON event. */
export function toOutcomeJson(outcome: SyncOutcome, source: string) {
  if (outcome.state === 'fresh') return { event: 'fresh', source, ...outcome.details }
  const { load, problems, details } = outcome
  return { event: 'done', source, ...details, ...load, problems }
}

/** Explains an outcome in lines of text, besides the numbers of the load. */
export function listOutcomeNotes(outcome: SyncOutcome): readonly string[] {
  if (outcome.state === 'fresh') return [outcome.note]
  const { notes, problems, what } = outcome
  return problems > 0 ? [...notes, `${problems} ${what} could not be read and were skipped`] : notes
}
