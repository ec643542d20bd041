import {
  type FindDecision,
  joinDecisions,
  type ProjectFindings,
  toUsageDecisions,
} from '../../core/scans/index.ts'
import { type ScanProgress, scanFolder } from '../scanner/index.ts'
import { formatCount, type Io } from './io.ts'
import { type LocalCatalogue, readStoredDecisions } from './local-catalogue.ts'
import { PROGRESS_INTERVAL_MS } from './progress.ts'
import type { ScanPlan, ScanProjectOptions } from './scan-options.ts'
import { readRemoteDecisions } from './scan-submit.ts'
import { withStop } from './with-stop.ts'

/** Inputs of a folder scan. */
export interface FolderScan {
  readonly plan: ScanPlan
  readonly options: Pick<
    ScanProjectOptions,
    'account' | 'cacheDir' | 'exclude' | 'ignore' | 'include' | 'workers'
  >
  readonly known: LocalCatalogue
}

/** Joins review decisions from the local database, the target service and the baseline. */
export async function findReviewDecisions(
  io: Io,
  { plan, options, known }: FolderScan,
): Promise<FindDecision> {
  const { service } = known
  const { account } = options
  const stored = service ? await readStoredDecisions(io, { service, name: plan.name, account }) : []
  const remote = plan.submit
    ? await readRemoteDecisions(io, { target: plan.submit, name: plan.name })
    : []
  return joinDecisions([stored, remote, toUsageDecisions(plan.baseline ?? [])])
}

/** Scans the folder and reports progress. Throws a `StoppedError` on Ctrl-C. */
export async function scanProjectFolder(
  io: Io,
  { plan, options, known }: FolderScan,
): Promise<ProjectFindings> {
  const progress = createScanProgress(io)
  const missing: string[] = []
  try {
    return await withStop({ io, message: 'Stopped: nothing was printed or submitted.' }, (signal) =>
      scanFolder({
        root: plan.root,
        catalogue: known.catalogue,
        include: options.include,
        exclude: [...(options.exclude ?? []), ...plan.ownFiles],
        obeysIgnoreFiles: options.ignore,
        packages: plan.packages,
        workers: options.workers,
        cacheFolder: options.cacheDir,
        signal,
        onProgress: progress.show,
        onMissingGrammars: (names) => missing.push(...names),
      }),
    )
  } finally {
    progress.end()
    if (missing.length > 0) {
      io.note(
        `Cannot parse ${missing.join(', ')}: the grammars are not installed, so only URLs in strings were found. ` +
          'Run "npm i web-tree-sitter @vscode/tree-sitter-wasm @cursorless/tree-sitter-wasms".',
      )
    }
  }
}

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
