import type { ScanProgress } from '../scanner/index.ts'
import { type Io, toCount } from './io.ts'
import { TOLD_EVERY_MS } from './progress.ts'

const WIDTH = 24

/** Creates a progress line for a scan of files; it is shown only on a terminal. */
export function createScanProgress(io: Io): {
  show(progress: ScanProgress): void
  /** Clears the progress line. */
  end(): void
} {
  let shownAt = Date.now()
  return {
    show(progress) {
      const now = Date.now()
      if (!io.isInteractive || now - shownAt < TOLD_EVERY_MS.redraw) return
      shownAt = now
      io.status(toLine(progress))
    },
    end: () => io.status(undefined),
  }
}

function toLine({ done, known, isWalked, seen }: ScanProgress): string {
  const uses = toCount(seen, 'possible usage')
  // The number of files is unknown until all folders are listed.
  if (!isWalked) return `${toCount(done, 'file')} scanned, ${known} found so far  ${uses}`
  const filled = Math.round((done / Math.max(1, known)) * WIDTH)
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
  return `${bar} ${done}/${toCount(known, 'file')}  ${uses}`
}
