import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiDiscovery, Caller } from '../../core/index.ts'
import type { TestAnswer } from './benchmark-text.ts'
import { StoppedError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'
import { TOLD_EVERY_MS } from './progress.ts'
import { withStop } from './stop.ts'

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
export async function waitForRun(io: Io, awaited: AwaitedRun): Promise<TestAnswer> {
  const { app, caller, endpointId, run } = awaited
  const message = `Run ${run} was stopped.`
  return withStop({ io, message }, async (signal) => {
    const working = new AbortController()
    let work: Promise<void> | undefined
    const onStop = () => void app.rateLimits.stop(caller.account, run).catch(() => undefined)
    signal.addEventListener('abort', onStop)
    const told = createTeller(io)
    const startedAt = Date.now()
    const { jobId } = await app.rateLimits.result(caller.account, { endpointId, run })
    try {
      for (;;) {
        const answer = await readRun(awaited)
        const state = answer.extended?.state
        if (state !== 'queued' && state !== 'running') {
          if (signal.aborted) throw new StoppedError(message)
          return answer
        }
        told.tell(answer.result)
        // The job of a dead process is still `running` and can be claimed when its lease expires.
        if (Date.now() - startedAt >= TAKEN_WITHIN_MS) {
          work ??= app.runJobs({ only: jobId, until: 'aborted', signal: working.signal })
        }
        await sleep(ASK_EVERY_MS)
      }
    } finally {
      told.end()
      signal.removeEventListener('abort', onStop)
      working.abort()
      await work
    }
  })
}

const ASK_EVERY_MS = 200
const TAKEN_WITHIN_MS = 2_000

function readRun({ app, caller, endpointId, run }: AwaitedRun): Promise<TestAnswer> {
  const input = { endpoint_id: endpointId, run, extended: true }
  return app.call('getRateLimitResult', input, caller)
}

/** Reports progress on a redrawn line of a terminal, or as a line every ten seconds. */
function createTeller(io: Io) {
  let toldAt = Date.now()
  return {
    tell(text: string) {
      const now = Date.now()
      if (now - toldAt < TOLD_EVERY_MS[io.isInteractive ? 'redraw' : 'line']) return
      toldAt = now
      if (io.isInteractive) io.status(toPrintable(text))
      else io.note(toPrintable(text))
    },
    end: () => io.status(undefined),
  }
}
