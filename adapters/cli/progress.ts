import type { Io } from './io.ts'

const LINE_EVERY_MS = 10_000
const REDRAW_EVERY_MS = 100

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
    const left = rate > 0 ? Math.ceil((total - done) / rate) : 0
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
      if (now - shownAt < (io.isInteractive ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return
      shownAt = now
      if (io.isInteractive) io.status(render(now))
      else io.note(render(now))
    },
    end() {
      io.status(undefined)
    },
  }
}

function toDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
