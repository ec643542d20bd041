import type { ScanProgress } from '../scanner/index.ts'
import { type Io, toCount } from './io.ts'
import { TOLD_EVERY_MS } from './progress.ts'

const WIDTH = 24

/** Tells how far a scan of files is, in a line that is redrawn, where there is a terminal. */
export function createScanProgress(io: Io): {
  show(progress: ScanProgress): void
  /** Clears the line of progress. */
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
  const uses = toCount(seen, 'possible use')
  // How many files there are is not known before the last folder is read.
  if (!isWalked) return `${toCount(done, 'file')} scanned, ${known} found so far  ${uses}`
  const filled = Math.round((done / Math.max(1, known)) * WIDTH)
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
  return `${bar} ${done}/${toCount(known, 'file')}  ${uses}`
}
