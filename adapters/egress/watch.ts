import { clearInterval, setInterval } from 'node:timers'

/** What is looked at now and then. */
export interface Watched {
  /** `now` is in the milliseconds of `Watch.now`. */
  check(now: number): void
  /** Its place, which the watch sets; -1 while it is not watched. */
  slot: number
}

/** One coarse timer for everything that may take too long: a timer of its own each costs more. */
export interface Watch {
  /** Milliseconds that only grow. */
  now(): number
  add(watched: Watched): void
  remove(watched: Watched): void
}

/**
 * Creates a watch that looks every `tickMs` while it has something to look at, and for a while
 * longer. It does not keep the process alive.
 */
export function createWatch({ tickMs }: { readonly tickMs: number }): Watch {
  // No `Set`: what was in one lives on in the tables that it outgrew, until V8 collects everything.
  const all: Watched[] = []
  let timer: ReturnType<typeof setInterval> | undefined
  let emptyTicks = 0

  function tick(): void {
    if (all.length === 0) {
      emptyTicks += 1
      if (emptyTicks > RESTFUL_TICKS) stop()
      return
    }
    emptyTicks = 0
    const now = performance.now()
    // From the end: what is removed meanwhile is replaced by what was looked at.
    for (let slot = all.length - 1; slot >= 0; slot -= 1) all[slot]?.check(now)
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    now: () => performance.now(),
    add(watched) {
      if (watched.slot >= 0) return
      watched.slot = all.length
      all.push(watched)
      if (timer !== undefined) return
      emptyTicks = 0
      timer = setInterval(tick, tickMs)
      timer.unref()
    },
    remove(watched) {
      const { slot } = watched
      const last = all.at(-1)
      if (slot < 0 || !last) return
      all[slot] = last
      last.slot = slot
      all.pop()
      watched.slot = -1
    },
  }
}

const RESTFUL_TICKS = 40
