import type { Io } from './io.ts'

/** How often progress is told: in a pipe a line, on a terminal the line redrawn. */
export const TOLD_EVERY_MS = { line: 10_000, redraw: 100 } as const

/** Tells a waiting person how far a long piece of work is. */
export interface Progress {
  /** One more is done; `hasFailed` when it went wrong. */
  advance(hasFailed: boolean): void
  /** Clears the line of progress. */
  end(): void
}

/**
 * Creates a progress bar for `total` items: count, rate, time left and failures; one line that is
 * redrawn on a terminal, a line every ten seconds elsewhere.
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
    return `${bar} ${done}/${total}  ${rate.toFixed(1)}/s  ${toDuration(left)} left  ${failed} failed`
  }

  return {
    advance(hasFailed) {
      done += 1
      if (hasFailed) failed += 1
      const now = Date.now()
      if (now - shownAt < TOLD_EVERY_MS[io.isInteractive ? 'redraw' : 'line']) return
      shownAt = now
      if (io.isInteractive) io.status(render(now))
      else io.note(render(now))
    },
    end() {
      io.status(undefined)
    },
  }
}

/** As `12 s`, `3 min 5 s` or `2 h 7 min`. */
export function toDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
