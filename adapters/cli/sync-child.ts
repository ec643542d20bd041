import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Logger, VulnerabilitySyncOptions } from '../../core/index.ts'
import { SourceError, type SyncSourceResult } from '../../core/vulnerabilities/index.ts'
import type { Io } from './io.ts'

/** Less than the time that a job has to stop, in milliseconds. */
const KILL_AFTER_MS = 3_000

/** A line of `sync all --json` at its end. */
interface SummaryEvent {
  readonly event: string
  readonly sources: readonly (Omit<SyncSourceResult, 'message'> & {
    readonly message?: string
    readonly problems?: number
  })[]
}

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
