import { clearInterval, setInterval } from 'node:timers'

/** An object that is checked periodically. */
export interface Watched {
  /** `now` is on the scale of `Watch.now`. */
  check(now: number): void
  /** Index in the watch, set by it; -1 while not watched. */
  slot: number
}

/** One coarse timer shared by everything with a time limit: individual timers would cost more. */
export interface Watch {
  /** Milliseconds of a monotonic clock. */
  now(): number
  add(watched: Watched): void
  remove(watched: Watched): void
}

/**
 * Creates a watch that checks its objects every `tickMs`. The timer stops some ticks after the last
 * object was removed, and doesn't keep the process alive.
 */
export function createWatch({ tickMs }: { readonly tickMs: number }): Watch {
  // Not a `Set`: the tables that it outgrows retain its entries until a full garbage collection.
  const all: Watched[] = []
  let timer: ReturnType<typeof setInterval> | undefined
  let emptyTicks = 0

  function tick(): void {
    if (all.length === 0) {
      emptyTicks += 1
      if (emptyTicks > MAX_EMPTY_TICKS) stop()
      return
    }
    emptyTicks = 0
    const now = performance.now()
    // In reverse: `remove` moves the last object, which was already checked, into the free slot.
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

const MAX_EMPTY_TICKS = 40
