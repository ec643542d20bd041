import type { Io } from './io.ts'

/** Minimum interval of progress reports in milliseconds: lines, and redraws on a terminal. */
export const PROGRESS_INTERVAL_MS = { line: 10_000, redraw: 100 } as const

/** Reports the progress of a long task. */
export interface Progress {
  /** Counts a finished item. */
  advance(hasFailed: boolean): void
  /** Clears the progress line. */
  end(): void
}

/**
 * Creates a progress bar for `total` items with count, rate, remaining time and failures. It is
 * redrawn on a terminal, and otherwise printed every ten seconds.
 */
export function createProgress(io: Io, total: number): Progress {
  const startedAt = Date.now()
  let done = 0
  let failed = 0
  let shownAt = startedAt

  function render(now: number): string {
    const seconds = Math.max(0.001, (now - startedAt) / 1000)
    const rate = done / seconds
    const left = rate > 0 ? (total - done) / rate : 0
    const width = 24
    const filled = Math.round((done / Math.max(1, total)) * width)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    return `${bar} ${done}/${total}  ${rate.toFixed(1)}/s  ${formatDuration(left)} left  ${failed} failed`
  }

  return {
    advance(hasFailed) {
      done += 1
      if (hasFailed) failed += 1
      const now = Date.now()
      if (now - shownAt < PROGRESS_INTERVAL_MS[io.isInteractive ? 'redraw' : 'line']) return
      shownAt = now
      if (io.isInteractive) io.status(render(now))
      else io.note(render(now))
    },
    end() {
      io.status(undefined)
    },
  }
}

/** Formats a duration as `12 s`, `3 min 5 s` or `2 h 7 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
