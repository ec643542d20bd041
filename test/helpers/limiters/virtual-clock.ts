import { setImmediate } from 'node:timers'
import type { Timers } from '../../../core/shared/timers.ts'

/** Time that advances only when all work waits for it. */
export interface VirtualClock {
  readonly timers: Timers
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** Number of pending sleeps. */
  readonly waiting: () => number
  /** Runs work to completion. Throws if it waits for something other than time. */
  run<T>(work: () => Promise<T>): Promise<T>
}

interface Sleeper {
  readonly due: number
  readonly order: number
  readonly wake: () => void
}

/**
 * Creates a clock. Sleepers wake one by one in the order of their times, and all other work runs in
 * between.
 */
export function createVirtualClock(epochMs = 1_800_000_000_000): VirtualClock {
  const sleepers = new Set<Sleeper>()
  let now = 0
  let order = 0

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || !(ms > 0)) return Promise.resolve()
    return new Promise((resolve) => {
      order += 1
      const wake = () => {
        sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper = { due: now + ms, order, wake }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }

  function next(): Sleeper | undefined {
    let first: Sleeper | undefined
    for (const sleeper of sleepers) {
      const isBefore = first === undefined || sleeper.due < first.due
      if (isBefore || (sleeper.due === first?.due && sleeper.order < first.order)) first = sleeper
    }
    return first
  }

  return {
    timers: { now: () => now, sleep },
    clock: () => epochMs + now,
    waiting: () => sleepers.size,
    async run(work) {
      let isOver = false
      const end = () => {
        isOver = true
      }
      const result = work()
      result.then(end, end)
      await drain()
      while (!isOver) {
        const sleeper = next()
        if (!sleeper)
          throw new Error('Cannot continue: no timer is pending and the work has not ended')
        now = Math.max(now, sleeper.due)
        sleeper.wake()
        await drain()
      }
      return result
    },
  }
}

/** Resolves after all promises that can settle, because immediates run later. */
function drain(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
