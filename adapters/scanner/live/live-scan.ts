import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers'
import { readCapture } from '../../../core/scans/network/capture/read-capture.ts'
import type { CaptureReport, Flow } from '../../../core/scans/network/flow.ts'
import { type CaptureRequest, startCapture } from './capture-tool.ts'

/** How a live capture is read. */
export interface LiveOptions extends CaptureRequest {
  /** Addresses of the interface: they decide a flow's direction. */
  readonly ownAddresses: readonly string[]
  /** Until when; undefined for as long as the tool runs. */
  readonly durationMs?: number | undefined
  /** Aborted to end in order: what was seen is given still. */
  readonly signal?: AbortSignal | undefined
}

/** Why a live capture ended. */
export interface LiveEnd {
  readonly status: 'complete' | 'interrupted' | 'failed'
  /** For a person; of `failed`, what the tool said. */
  readonly reason: string
}

/** A capture that goes on; to be iterated once. */
export interface LiveFlows extends AsyncIterable<Flow> {
  report(): CaptureReport
  /** Once the iteration has ended. */
  end(): LiveEnd
}

/** Starts a capture. Throws a `CaptureError` where there is no tool. */
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
      : setTimeout(() => stop({ status: 'complete', reason: 'its time is over' }), durationMs)
  return {
    report: flows.report,
    end: () => end ?? { status: 'failed', reason: 'it was not read to its end' },
    async *[Symbol.asyncIterator]() {
      try {
        yield* flows
        const failure = await capture.ended
        end ??=
          failure === undefined
            ? { status: 'complete', reason: 'the tool has ended' }
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
 * Does work every so many milliseconds, never twice at a time, until the function that it gives is
 * called: that waits for the present turn. Failures are the work's to tell.
 */
export function repeat(everyMs: number, work: () => Promise<void>): () => Promise<void> {
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
