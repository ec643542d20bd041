import process from 'node:process'
import { setTimeout } from 'node:timers'
import { ServiceError } from '../../core/index.ts'
import type { LoadReport } from '../../core/vulnerabilities/index.ts'
import type { OptionValues } from './command-values.ts'
import { describeError, UsageError } from './errors.ts'
import { type CommandIo, formatTable, type Io, toPrintable } from './io.ts'
import { formatDuration } from './progress.ts'
import type { GlobalOptions } from './service.ts'
import { loadCve, loadEpss, loadKev, loadNvd } from './sync-loads.ts'
import { createSyncReporter } from './sync-report.ts'
import {
  listOutcomeNotes,
  type SyncOutcome,
  type SyncRun,
  TAKE_OVER,
  toOutcomeJson,
  withSyncRuns,
} from './sync-run.ts'

/** A source of `sync all`. */
interface Source {
  readonly name: string
  /** Loads from the source, or from a mirror of it. */
  readonly load: (run: SyncRun, mirror: string | undefined) => Promise<SyncOutcome>
}

/** Every source, in the order in which `sync all` loads them: records before their ratings. */
const SOURCES: readonly Source[] = [
  { name: 'nvd', load: (run, baseUrl) => loadNvd(run, { baseUrl }) },
  { name: 'cve', load: (run, baseUrl) => loadCve(run, { baseUrl }) },
  { name: 'kev', load: (run, from) => loadKev(run, { from }) },
  { name: 'epss', load: (run, from) => loadEpss(run, { from }) },
]

export const SYNC_SOURCE_NAMES: readonly string[] = SOURCES.map(({ name }) => name)

/** Options of `sync all`. */
export const SYNC_ALL_OPTIONS = [
  ['--only <source...>', 'load only these', { choices: SYNC_SOURCE_NAMES }],
  [
    '--skip <source...>',
    'leave these out (default: API_DISCOVERY_SYNC_SKIP, comma-separated)',
    { choices: SYNC_SOURCE_NAMES },
  ],
  [
    '--mirror <source=url...>',
    'read a source from another URL (default: API_DISCOVERY_SYNC_MIRRORS, comma-separated)',
  ],
  TAKE_OVER,
  ['--until-input-ends', '', { isHidden: true }],
] as const

export type SyncAllOptions = GlobalOptions & OptionValues<typeof SYNC_ALL_OPTIONS>

/** The result of one source. */
type SourceResult = {
  readonly source: string
  readonly ms: number
} & ({ readonly outcome: SyncOutcome } | SourceFailure)

interface SourceFailure {
  readonly failure: { readonly code: string; readonly message: string }
}

const STOPPED = 'Stopped: everything read so far is stored. Run the same command to resume.'
const MIRRORS_VARIABLE = 'API_DISCOVERY_SYNC_MIRRORS'
const SKIP_VARIABLE = 'API_DISCOVERY_SYNC_SKIP'

/**
 * Loads the sources one after the other and prints a summary. A failing source does not stop the
 * others; it fails the command at the end.
 */
export async function syncAll(io: CommandIo, options: SyncAllOptions): Promise<void> {
  const sources = selectSources(io, options)
  const mirrors = readMirrors(io, options.mirror)
  const isJson = options.json === true
  const urls = [...mirrors.values()]
  const results: SourceResult[] = []
  const input = options.untilInputEnds ? watchInput() : undefined
  await withSyncRuns(
    { io, options, stopped: STOPPED, urls, until: input?.signal },
    async (open, signal) => {
      for (const [index, { name, load }] of sources.entries()) {
        const prefix = `${name} (${index + 1} of ${sources.length}): `
        const reporter = createSyncReporter(io, { isJson, source: name, prefix })
        const startedAt = Date.now()
        const result = await load(open(reporter), mirrors.get(name)).then(
          (outcome) => ({ outcome }),
          (error: unknown) => ({ failure: describeFailure(error) }),
        )
        reporter.end()
        signal.throwIfAborted()
        results.push({ source: name, ms: Date.now() - startedAt, ...result })
        reportResult(io, result, { source: name, isJson, prefix })
      }
    },
  ).finally(() => input?.close())
  if (results.some(hasFailed)) io.setFailed()
  if (isJson) {
    io.result(JSON.stringify({ event: 'summary', sources: results.map(toSummaryJson) }))
  } else io.result(formatSummary(results))
}

/**
 * Selects sources by the options or, if there are none, by the environment. Throws a `UsageError` if
 * none is left, or if the environment is invalid.
 */
export function selectSources(
  { environment }: Pick<Io, 'environment'>,
  { only, skip }: Pick<SyncAllOptions, 'only' | 'skip'> = {},
): readonly Source[] {
  const hasOptions = only !== undefined || skip !== undefined
  const skipped = hasOptions ? (skip ?? []) : parseSkipped(environment[SKIP_VARIABLE])
  const sources = SOURCES.filter(
    ({ name }) => (only?.includes(name) ?? true) && !skipped.includes(name),
  )
  if (sources.length > 0) return sources
  const origin = hasOptions ? '--only and --skip leave' : `${SKIP_VARIABLE} leaves`
  throw new UsageError(`Cannot sync: ${origin} no source`)
}

function parseSkipped(text = ''): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.every((name) => SYNC_SOURCE_NAMES.includes(name))) return names
  const known = SYNC_SOURCE_NAMES.join(', ')
  throw new UsageError(`Cannot use ${SKIP_VARIABLE}: each name must be one of ${known}`)
}

/** Reads the mirrors of the option, else of the environment. Throws a `UsageError` if invalid. */
function readMirrors(
  { environment }: CommandIo,
  option: readonly string[] | undefined,
): ReadonlyMap<string, string> {
  const texts = option ?? (environment[MIRRORS_VARIABLE] || undefined)?.split(',') ?? []
  const origin = option ? '--mirror' : MIRRORS_VARIABLE
  return new Map(
    texts.map((text) => {
      const [, name = '', url = ''] = /^\s*([a-z]+)=(\S+)\s*$/.exec(text) ?? []
      if (SYNC_SOURCE_NAMES.includes(name) && URL.canParse(url)) return [name, url]
      const known = SYNC_SOURCE_NAMES.join(', ')
      throw new UsageError(
        `Cannot use ${origin}: it must be SOURCE=URL, where SOURCE is one of ${known}`,
      )
    }),
  )
}

function describeFailure(error: unknown): SourceFailure['failure'] {
  const code = error instanceof ServiceError ? error.code : 'failed'
  return { code, message: toPrintable(describeError(error)) }
}

function hasFailed(result: SourceResult): boolean {
  return 'failure' in result || result.outcome.state === 'partial'
}

function reportResult(
  io: CommandIo,
  result: { readonly outcome: SyncOutcome } | SourceFailure,
  about: { readonly source: string; readonly isJson: boolean; readonly prefix: string },
): void {
  const { source, isJson, prefix } = about
  if (isJson) {
    const event =
      'failure' in result
        ? { event: 'failed', source, ...result.failure }
        : toOutcomeJson(result.outcome, source)
    io.result(JSON.stringify(event))
    return
  }
  const notes = 'failure' in result ? [result.failure.message] : listOutcomeNotes(result.outcome)
  for (const note of notes) io.note(`${prefix}${note}`)
}

/** `busy`: another process is loading. */
function toState(result: SourceResult): string {
  if (!('failure' in result)) return result.outcome.state
  return result.failure.code === 'conflict' ? 'busy' : 'failed'
}

function toSummaryJson(result: SourceResult) {
  const { source, ms } = result
  const state = toState(result)
  if ('failure' in result) return { source, state, ...result.failure, ms }
  if (result.outcome.state === 'fresh') return { source, state, ms }
  const { load, problems } = result.outcome
  const { read, added, joined, changed, removed, total } = load
  return { source, state, read, added, joined, changed, removed, total, problems, ms }
}

function formatSummary(results: readonly SourceResult[]): string {
  return formatTable(
    ['SOURCE', 'READ', 'ADDED', 'JOINED', 'CHANGED', 'REMOVED', 'TOTAL', 'TIME', 'STATE'],
    results.map((result) => {
      const load =
        'outcome' in result && result.outcome.state !== 'fresh' ? result.outcome.load : undefined
      return [
        result.source,
        ...(load ? toCounts(load) : ['-', '-', '-', '-', '-', '-']),
        formatDuration(result.ms / 1000),
        STATES[toState(result)] ?? '',
      ]
    }),
  )
}

function toCounts({ read, added, joined = 0, changed, removed, total }: LoadReport) {
  return [read, added, joined, changed, removed, total]
}

const STATES: Readonly<Record<string, string>> = {
  loaded: 'loaded',
  partial: 'partly loaded',
  fresh: 'up to date',
  busy: 'another load is running',
  failed: 'failed',
}

/** Enough to write the rest of the output, in milliseconds. */
const EXIT_AFTER_MS = 200

/**
 * Aborts when standard input ends: the process that started this one has ended, or wants it to stop.
 * `close` stops reading, so that this process can exit.
 */
function watchInput(): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const { stdin } = process
  stdin.once('end', stop)
  stdin.once('error', stop)
  stdin.resume()
  return {
    signal: controller.signal,
    close() {
      stdin.off('end', stop)
      stdin.destroy()
      // Deno waits for the end of a pending read.
      setTimeout(() => process.exit(), EXIT_AFTER_MS).unref()
    },
  }
}
