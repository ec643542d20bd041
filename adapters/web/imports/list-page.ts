import type { StoredImport } from '../../../core/catalogue/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { copyableText, emptyState, formatNumber, note, timeElement } from '../parts/text.ts'
import {
  formatImportName,
  formatOutcome,
  renderImporter,
  renderStateBadge,
} from './import-labels.ts'
import { IMPORTS_PATH, toImportPath } from './paths.ts'

const PAGE_SIZE = 100

/** Lists imports, newest first, optionally filtered by outcome. */
export async function renderImportList(request: ViewedRequest): Promise<PageResult> {
  const { app, viewer, query } = request
  const page = parsePageNumber(query)
  const state = STATES.find((name) => name === query.get('state'))
  const { account } = viewer.caller
  const readItems = async (at: number) =>
    (await app.imports.list(account, { size: PAGE_SIZE, page: at, state })).items
  const [runs, all, failed] = await Promise.all([
    readRuns(page, readItems),
    app.imports.list(account, { size: 1, page: 1 }),
    app.imports.list(account, { size: 1, page: 1, state: 'failed' }),
  ])
  const imported = all.total - failed.total
  const total = { imported, failed: failed.total, all: all.total }[state ?? 'all']
  const canImport = viewer.caller.scopes.has('import')
  const done = IMPORT_NOTES.get(query.get('done') ?? '')
  const body = html`<h1>Imports</h1>
${done ?? ''}
<p class="lead">API descriptions that you and the operator imported, with the outcome of each.</p>
${canImport ? html`<p><a class="button" href="${IMPORTS_PATH}/new">Import a description</a></p>` : html`<p class="soft">To import descriptions, you need the scope <code>import</code>.</p>`}
${all.total === 0 ? renderNoImports(request.command) : stateTabs({ state, all: all.total, failed: failed.total })}
${all.total > 0 && runs.length === 0 ? renderMissingPage(state, total) : ''}
${renderRuns(runs)}
${runs.length > 0 ? html`<p class="hint">The newest 1,000 reports of each account and of the operator are stored.</p>` : ''}
${pager({ path: IMPORTS_PATH, query, page, pageSize: PAGE_SIZE, total })}`
  return { kind: 'page', title: 'Imports', body }
}

const STATES = ['imported', 'failed'] as const

function stateTabs(view: {
  readonly state: (typeof STATES)[number] | undefined
  readonly all: number
  readonly failed: number
}): Html {
  const { state, all, failed } = view
  const tabs = [
    [undefined, 'All', all],
    ['imported', 'Imported', all - failed],
    ['failed', 'Failed', failed],
  ] as const
  return html`<ul class="tabs">${tabs.map(
    ([name, title, number]) =>
      html`<li><a href="${IMPORTS_PATH}${name ? `?state=${name}` : ''}"${name === state ? html` aria-current="true"` : ''}>${title} (${formatNumber(number)})</a></li>`,
  )}</ul>`
}

function renderMissingPage(state: string | undefined, total: number): Html {
  if (total === 0) return html`<p>No ${state === 'failed' ? 'failed' : 'successful'} imports.</p>`
  return renderPageNotFound(IMPORTS_PATH, state ? new URLSearchParams({ state }) : undefined)
}

/** Longer runs are collapsed. */
const MAX_OPEN_RUN = 5

/** Renders long runs as collapsed sections, and the imports between them in one table. */
function renderRuns(runs: readonly ImportRun[]): readonly Html[] {
  const sections: Html[] = []
  let single: StoredImport[] = []
  const flush = () => {
    if (single.length > 0) sections.push(importTable(single))
    single = []
  }
  for (const run of runs) {
    if (run.total <= MAX_OPEN_RUN) {
      single.push(...run.items)
      continue
    }
    flush()
    sections.push(runSection(run))
  }
  flush()
  return sections
}

function runSection({ newest, total, failed, earlier, items }: ImportRun): Html {
  const ended =
    failed === total ? 'all failed' : `${failed === 0 ? 'none' : formatNumber(failed)} failed`
  const range =
    items.length < total &&
    `Imports ${formatNumber(earlier + 1)} to ${formatNumber(earlier + items.length)} of ${formatNumber(total)}`
  return html`<details><summary>${timeElement(newest.at)}: ${formatNumber(total)} imports by ${renderImporter(newest)}, ${ended}</summary>
${importTable(items, range || undefined)}</details>`
}

const IMPORT_NOTES = new Map([
  ['all', note('All files were imported. The list shows the result of each.', 'good')],
  ['some', note('Some files could not be imported. The list shows the reasons.', 'warn')],
])

function importTable(
  items: readonly StoredImport[],
  subject = `${formatNumber(items.length)} ${items.length === 1 ? 'import' : 'imports'}`,
): Html {
  return table({
    caption: `${subject}, newest first, times in UTC`,
    columns: [
      {
        title: 'Import',
        isHead: true,
        cell: (kept: StoredImport) =>
          html`<a class="breakable" href="${toImportPath(kept)}">${formatImportName(kept)}</a>`,
      },
      { title: 'Vendor', cell: ({ vendorName }) => vendorName },
      { title: 'State', cell: renderStateBadge },
      { title: 'Result', cell: formatOutcome },
      {
        title: 'Warnings',
        isNumber: true,
        sortValue: getWarningCount,
        cell: (kept) => formatNumber(getWarningCount(kept)),
      },
      { title: 'By', cell: renderImporter },
      {
        title: 'When',
        isTight: true,
        sortValue: ({ at }) => at,
        cell: ({ at }) => timeElement(at),
      },
    ],
    rows: items,
  })
}

function getWarningCount({ outcome }: StoredImport): number {
  return outcome.kind === 'imported' ? outcome.warningCount : 0
}

function renderNoImports(command: string): Html {
  return emptyState(
    'No imports',
    html`<p>Import a description here, or whole folders on the machine that runs the service:</p>
${copyableText({ id: 'import-command', text: `${command} import ./descriptions --create-vendors` })}`,
  )
}

/** Consecutive imports in a list: those of a folder, or of a form with several files. */
interface ImportRun {
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
async function readRuns(
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
