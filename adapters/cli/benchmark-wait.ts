import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiDiscovery, Caller } from '../../core/index.ts'
import type { TestResult } from './benchmark-text.ts'
import { StoppedError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'
import { PROGRESS_INTERVAL_MS } from './progress.ts'
import { withStop } from './with-stop.ts'

/** A run to wait for. */
export interface AwaitedRun {
  readonly app: ApiDiscovery
  readonly caller: Caller
  readonly endpointId: string
  readonly run: number
}

/**
 * Waits for the end of a run and reports progress. Normally a server on the same database runs it.
 * If none claims it within two seconds, or its process dies, this process runs it, but no other
 * job. Ctrl-C stops the run and rejects with a `StoppedError` once it has ended.
 */
export async function waitForRun(io: Io, awaited: AwaitedRun): Promise<TestResult> {
  const { app, caller, endpointId, run } = awaited
  const message = `Run ${run} was stopped.`
  return withStop({ io, message }, async (signal) => {
    const working = new AbortController()
    let work: Promise<void> | undefined
    const onStop = () => void app.rateLimits.stop(caller.account, run).catch(() => undefined)
    signal.addEventListener('abort', onStop)
    const progress = createRunProgress(io)
    const startedAt = Date.now()
    const { jobId } = await app.rateLimits.result(caller.account, { endpointId, run })
    try {
      for (;;) {
        const answer = await fetchRunResult(awaited)
        const state = answer.extended?.state
        if (state !== 'queued' && state !== 'running') {
          if (signal.aborted) throw new StoppedError(message)
          return answer
        }
        progress.tell(answer.result)
        // The job of a dead process is still `running` and can be claimed when its lease expires.
        if (Date.now() - startedAt >= CLAIM_TIMEOUT_MS) {
          work ??= app.runJobs({ only: jobId, until: 'aborted', signal: working.signal })
        }
        await sleep(POLL_INTERVAL_MS)
      }
    } finally {
      progress.end()
      signal.removeEventListener('abort', onStop)
      working.abort()
      await work
    }
  })
}

const POLL_INTERVAL_MS = 200
const CLAIM_TIMEOUT_MS = 2_000

function fetchRunResult({ app, caller, endpointId, run }: AwaitedRun): Promise<TestResult> {
  const input = { endpoint_id: endpointId, run, extended: true }
  return app.call('getRateLimitResult', input, caller)
}

/** Reports progress on a redrawn line of a terminal, or as a line every ten seconds. */
function createRunProgress(io: Io) {
  let reportedAt = Date.now()
  return {
    tell(text: string) {
      const now = Date.now()
      if (now - reportedAt < PROGRESS_INTERVAL_MS[io.isInteractive ? 'redraw' : 'line']) return
      reportedAt = now
      if (io.isInteractive) io.status(toPrintable(text))
      else io.note(toPrintable(text))
    },
    end: () => io.status(undefined),
  }
}
