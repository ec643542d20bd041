import type { StoredImport } from '../../../core/index.ts'

/** Consecutive imports in a list: those of a folder, or of a form with several files. */
export interface ImportRun {
  /** The newest import of the run, possibly on an earlier page. */
  readonly newest: StoredImport
  /** Number of imports of the run on all pages. */
  readonly total: number
  readonly failed: number
  /** Number of imports of the run on earlier pages. */
  readonly earlier: number
  /** Imports of the run on this page. */
  readonly items: readonly StoredImport[]
}

/** Maximum time between two imports of a run. */
const RUN_GAP_MS = 10_000

/**
 * Groups the imports of a page into runs: consecutive imports by the same account, each at most ten
 * seconds after the previous one. A repeated file name starts another run. Reads the list from its
 * newest page to the end of the page's last run, to count each run as a whole.
 */
export async function readRuns(
  page: number,
  readPage: (page: number) => Promise<readonly StoredImport[]>,
): Promise<readonly ImportRun[]> {
  const runs: ImportRun[] = []
  const names = new Set<string>()
  let previous: StoredImport | undefined
  for (let at = 1; ; at += 1) {
    const items = await readPage(at)
    for (const item of items) {
      // An import added in the meantime moves the others to later pages.
      if (previous && item.id >= previous.id) continue
      const isNext = previous && belongsToRun(previous, item) && !names.has(item.fileName)
      if (!isNext && at > page) return runs.filter(isOnPage)
      if (!isNext) names.clear()
      if (item.fileName !== '') names.add(item.fileName)
      // Runs that end before the page are not listed.
      const run = isNext || runs.at(-1)?.items.length === 0 ? runs.pop() : undefined
      runs.push(extendRun(isNext ? run : undefined, { item, at, page }))
      previous = item
    }
    if (items.length === 0) return runs.filter(isOnPage)
  }
}

function belongsToRun(newer: StoredImport, older: StoredImport): boolean {
  return newer.by?.id === older.by?.id && newer.at - older.at <= RUN_GAP_MS
}

function isOnPage({ items }: ImportRun): boolean {
  return items.length > 0
}

function extendRun(
  run: ImportRun | undefined,
  { item, at, page }: { readonly item: StoredImport; readonly at: number; readonly page: number },
): ImportRun {
  const { newest = item, total = 0, failed = 0, earlier = 0, items = [] } = run ?? {}
  return {
    newest,
    total: total + 1,
    failed: failed + Number(item.outcome.kind === 'failed'),
    earlier: earlier + Number(at < page),
    items: at === page ? [...items, item] : items,
  }
}
