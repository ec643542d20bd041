import type { ScanProgress } from '../scanner/index.ts'
import { formatCount, type Io } from './io.ts'
import { PROGRESS_INTERVAL_MS } from './progress.ts'

const BAR_WIDTH = 24

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
      if (!io.isInteractive || now - shownAt < PROGRESS_INTERVAL_MS.redraw) return
      shownAt = now
      io.status(formatScanProgress(progress))
    },
    end: () => io.status(undefined),
  }
}

function formatScanProgress({ done, known, isWalked, seen }: ScanProgress): string {
  const uses = formatCount(seen, 'possible usage')
  // The number of files is unknown until all folders are listed.
  if (!isWalked) return `${formatCount(done, 'file')} scanned, ${known} found so far  ${uses}`
  const filled = Math.round((done / Math.max(1, known)) * BAR_WIDTH)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
  return `${bar} ${done}/${formatCount(known, 'file')}  ${uses}`
}
