import { clearInterval, setInterval } from 'node:timers'

/** What is looked at now and then. */
export interface Watched {
  /** `now` is in the milliseconds of `Watch.now`. */
  check(now: number): void
}

/** One coarse timer for everything that may take too long: a timer of its own each costs more. */
export interface Watch {
  /** Milliseconds that only grow. */
  now(): number
  add(watched: Watched): void
  remove(watched: Watched): void
  /** Stops it. */
  close(): void
}

/**
 * Creates a watch that looks every `tickMs` while it has something to look at, and for a while
 * longer. It does not keep the process alive.
 */
export function createWatch({ tickMs }: { readonly tickMs: number }): Watch {
  const all = new Set<Watched>()
  let timer: ReturnType<typeof setInterval> | undefined
  let emptyTicks = 0

  function tick(): void {
    if (all.size === 0) {
      emptyTicks += 1
      if (emptyTicks > RESTFUL_TICKS) stop()
      return
    }
    emptyTicks = 0
    const now = performance.now()
    for (const watched of all) watched.check(now)
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    now: () => performance.now(),
    add(watched) {
      all.add(watched)
      if (timer !== undefined) return
      emptyTicks = 0
      timer = setInterval(tick, tickMs)
      timer.unref()
    },
    remove: (watched) => void all.delete(watched),
    close: stop,
  }
}

const RESTFUL_TICKS = 40
