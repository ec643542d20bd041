import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Cron } from 'croner'
import type { Logger, Secrets, VulnerabilitySyncOptions } from '../../core/index.ts'
import { SourceError, type SyncSourceResult } from '../../core/vulnerabilities/index.ts'
import type { DatabaseAddress } from './database.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'
import { findSecretFile } from './service.ts'
import { selectSources } from './sync-all.ts'

/** Options of `serve` for scheduled syncs. */
export interface ServeSyncOptions {
  readonly sync?: string | undefined
  readonly jobs: boolean
}

/** Scheduled syncs of a server. */
export interface ServeSync {
  /** Five cron fields, in UTC. */
  readonly schedule: string
  readonly options: VulnerabilitySyncOptions
}

/** When `serve` syncs vulnerability data. */
interface SyncSchedule {
  /** Five cron fields, in UTC. */
  readonly expression: string
  /**
   * Returns the first start after `from`, in milliseconds since the epoch; undefined if there is
   * none.
   */
  readonly nextRun: (from: number) => number | undefined
}

/** A line of `sync all --json` at its end. */
interface SummaryEvent {
  readonly event: string
  readonly sources: readonly (Omit<SyncSourceResult, 'message'> & {
    readonly message?: string
    readonly problems?: number
  })[]
}

const VARIABLE = 'API_DISCOVERY_SYNC'

/** Returns the schedule of the option, else of the environment; undefined if there is none. */
export function findSyncSchedule(io: Io, { sync, jobs }: ServeSyncOptions): string | undefined {
  if (sync !== undefined && !jobs) {
    throw new UsageError('Cannot sync: --sync needs background jobs, which --no-jobs disables')
  }
  // A server without jobs leaves syncs to others with the same environment.
  return sync ?? (jobs ? io.environment[VARIABLE] || undefined : undefined)
}

/**
 * Creates the scheduled syncs, which run in a child process. Throws a `UsageError` if the schedule
 * or the selection of sources is invalid, or if no other process can open the database.
 */
export function createServeSync(
  io: Io,
  request: {
    readonly schedule: string
    readonly address: DatabaseAddress
    readonly secrets: Secrets
    readonly logger: Logger | undefined
  },
): ServeSync {
  const { address, secrets, logger } = request
  const { expression, nextRun } = parseSyncSchedule(request.schedule, secrets.current)
  if (address.kind === 'sqlite' && address.file === ':memory:') {
    throw new UsageError('Cannot sync: --sync needs a database file or PostgreSQL')
  }
  const settings = {
    API_DISCOVERY_DATABASE: address.kind === 'sqlite' ? `sqlite:${address.file}` : address.url,
    API_DISCOVERY_SECRET_FILE: findSecretFile(io, address),
  }
  const sync = createChildSync({ environment: io.environment, settings, logger })
  const sources = selectSources(io).map(({ name }) => name)
  return { schedule: expression, options: { sources, nextRun, sync } }
}

/** Sources publish at most a few times a day. */
const MIN_INTERVAL_MS = 3_600_000
/** Number of starts that are checked for their distance: all of a day, and those of most weeks. */
const CHECKED_STARTS = 30
const MINUTES_PER_DAY = 1440

/**
 * Parses `daily` or a cron expression in UTC. The minute of `daily` is derived from the secret: it
 * is the same for all servers of a database and after each restart, and differs between
 * installations. Throws a `UsageError` if the text is invalid or starts would be less than an hour
 * apart.
 */
export function parseSyncSchedule(text: string, secret: Uint8Array): SyncSchedule {
  const expression = text === 'daily' ? toDailyExpression(secret) : text.trim()
  const cron = parseCron(expression)
  const nextRun = (from: number) => cron.nextRun(new Date(from))?.getTime()
  rejectFrequentStarts(text, nextRun)
  return { expression, nextRun }
}

function toDailyExpression(secret: Uint8Array): string {
  const digest = createHmac('sha256', secret).update('minute of the daily sync').digest()
  const minute = digest.readUInt32BE(0) % MINUTES_PER_DAY
  return `${minute % 60} ${Math.floor(minute / 60)} * * *`
}

/** Croner itself also accepts seconds, years and names such as `@hourly`. */
function parseCron(expression: string): Cron {
  if (expression.split(/\s+/).length !== 5) {
    throw createScheduleError(expression, 'it must be "daily" or five cron fields')
  }
  try {
    return new Cron(expression, { paused: true, timezone: 'UTC' })
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'invalid'
    throw createScheduleError(expression, reason)
  }
}

function rejectFrequentStarts(text: string, nextRun: SyncSchedule['nextRun']): void {
  let last = nextRun(Date.now())
  if (last === undefined) throw createScheduleError(text, 'it has no start')
  for (let count = 0; count < CHECKED_STARTS; count += 1) {
    const next = nextRun(last)
    if (next === undefined) return
    if (next - last < MIN_INTERVAL_MS) {
      throw createScheduleError(text, 'starts must be at least an hour apart')
    }
    last = next
  }
}

function createScheduleError(text: string, reason: string): UsageError {
  return new UsageError(`Cannot schedule syncs by "${text}": ${reason}`)
}

/** Less than the time that a job has to stop, in milliseconds. */
const KILL_AFTER_MS = 3_000

/**
 * Creates a function that runs `sync all` in another process, so that a load does not delay the
 * requests of this one. An aborted run stores the records that it has read. It also stops when this
 * process ends, because its standard input ends then.
 */
export function createChildSync(options: {
  readonly environment: Io['environment']
  /** Variables that replace those of the environment. */
  readonly settings: Readonly<Record<string, string>>
  readonly logger: Logger | undefined
}): VulnerabilitySyncOptions['sync'] {
  const { environment, settings, logger } = options
  return async (signal) => {
    signal.throwIfAborted()
    const child = spawn(process.execPath, listArguments(), {
      env: { ...environment, npm_lifecycle_event: undefined, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const end = new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, name) => resolve(name ?? `exit code ${code}`))
    })
    const release = stopOnAbort(child, signal)
    try {
      const [results, errors, how] = await Promise.all([readResults(child), readErrors(child), end])
      signal.throwIfAborted()
      if (results) return results
      logger?.log('error', 'vulnerability_sync_process_ended', { how, reason: errors })
      throw new SourceError(`The sync process ended with ${how}`)
    } finally {
      release()
      child.stdin.end()
    }
  }
}

/** Starts this program as it was started itself. Deno does not report its own options. */
function listArguments(): readonly string[] {
  const runtime = 'Deno' in globalThis ? ['run', '-A'] : process.execArgv
  const words = ['sync', 'all', '--json', '--until-input-ends']
  return [...runtime, process.argv[1] ?? '', ...words]
}

function stopOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    child.stdin?.end()
    timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  }
  signal.addEventListener('abort', stop, { once: true })
  return () => {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

async function readResults(child: ChildProcess): Promise<readonly SyncSourceResult[] | undefined> {
  let summary: SummaryEvent | undefined
  for await (const line of listLines(child.stdout)) {
    summary = parseSummary(line) ?? summary
  }
  return summary?.sources.map(({ source, state, message, problems }) => {
    const partial = state === 'partial' ? `${problems} entries could not be read` : ''
    return { source, state, message: message ?? partial }
  })
}

/** Returns undefined for other events, and for lines that another tool prints in the process. */
function parseSummary(line: string): SummaryEvent | undefined {
  try {
    // Our own program prints the summary.
    const event = JSON.parse(line) as SummaryEvent | null
    return event?.event === 'summary' ? event : undefined
  } catch {
    return undefined
  }
}

/** Returns the last line, which explains why the process failed. */
async function readErrors(child: ChildProcess): Promise<string> {
  let last = ''
  for await (const line of listLines(child.stderr)) last = line
  return last
}

function listLines(stream: ChildProcess['stdout']): AsyncIterable<string> | readonly string[] {
  return stream ? createInterface({ input: stream }) : []
}
