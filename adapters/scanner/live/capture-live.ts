import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers'
import { readCapture } from '../../../core/traffic/capture/read-capture.ts'
import type { CaptureReport, Flow } from '../../../core/traffic/flow.ts'
import { type CaptureRequest, startCapture } from './capture-tool.ts'

/** Options of a live capture. */
export interface LiveOptions extends CaptureRequest {
  /** Addresses of the interface; they determine the direction of flows. */
  readonly ownAddresses: readonly string[]
  /** Milliseconds until the capture stops; undefined while the tool runs. */
  readonly durationMs?: number | undefined
  /** Stops the capture; flows captured so far are still yielded. */
  readonly signal?: AbortSignal | undefined
}

/** Reason for the end of a live capture. */
export interface LiveEnd {
  readonly status: 'complete' | 'interrupted' | 'failed'
  /** For display; the tool's error if `failed`. */
  readonly reason: string
}

/** A running capture; can be iterated once. */
export interface LiveFlows extends AsyncIterable<Flow> {
  report(): CaptureReport
  /** Available once the iteration has ended. */
  end(): LiveEnd
}

/**
 * Starts a capture. Throws a `CaptureError` if no tool is found.
 *
 * @example
 * ```ts
 * import { captureLive } from 'api-discovery/scanner'
 *
 * const ownAddresses = ['192.168.1.20']
 * const flows = await captureLive({ interface: 'eth0', ownAddresses, durationMs: 60_000 })
 * for await (const { host, ip } of flows) console.log(host ?? ip)
 * console.log(flows.end().status)
 * ```
 */
export async function captureLive(options: LiveOptions): Promise<LiveFlows> {
  const { ownAddresses, durationMs, signal } = options
  const capture = await startCapture(options)
  const flows = readCapture(capture.chunks, { ownAddresses })
  let end: LiveEnd | undefined
  const stop = (why: LiveEnd) => {
    end ??= why
    capture.stop()
  }
  const interrupt = () => stop({ status: 'interrupted', reason: 'it was stopped' })
  if (signal?.aborted) interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  const timer =
    durationMs === undefined
      ? undefined
      : setTimeout(
          () => stop({ status: 'complete', reason: 'its duration has elapsed' }),
          durationMs,
        )
  return {
    report: flows.report,
    end: () => end ?? { status: 'failed', reason: 'its flows were not read completely' },
    async *[Symbol.asyncIterator]() {
      try {
        yield* flows
        const failure = await capture.ended
        end ??=
          failure === undefined
            ? { status: 'complete', reason: 'the capture tool has exited' }
            : { status: 'failed', reason: failure }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', interrupt)
        capture.stop()
      }
    },
  }
}

/**
 * Runs work at an interval, without overlaps. Returns a function that stops it and awaits the
 * current run. `work` must report its own failures.
 *
 * @example
 * ```ts
 * import { repeatAtInterval } from 'api-discovery/scanner'
 *
 * const stop = repeatAtInterval(60_000, async () => {
 *   await app.runJobs().catch(console.error)
 * })
 * // At the end:
 * await stop()
 * ```
 */
export function repeatAtInterval(everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let turn: Promise<void> | undefined
  const timer = setInterval(() => {
    turn ??= work()
      .catch(() => undefined)
      .finally(() => {
        turn = undefined
      })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await turn
  }
}
