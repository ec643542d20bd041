import type { StoredImport } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { copyable, count, empty, note, time } from '../parts/text.ts'
import { IMPORTS_PATH, toImportPath } from './paths.ts'
import { stateBadge, toImporter, toName, toOutcomeText } from './words.ts'

const PAGE_SIZE = 100

/** Imports, newest first: all of them, or those of one outcome. */
export async function answerList(request: ViewedRequest): Promise<PageAnswer> {
  const { app, viewer, query } = request
  const page = readPage(query)
  const state = STATES.find((name) => name === query.get('state'))
  const { account } = viewer.caller
  const [{ items, total }, all, failed] = await Promise.all([
    app.imports.list(account, { size: PAGE_SIZE, page, state }),
    app.imports.list(account, { size: 1, page: 1 }),
    app.imports.list(account, { size: 1, page: 1, state: 'failed' }),
  ])
  const canImport = viewer.caller.scopes.has('import')
  const done = DONE.get(query.get('done') ?? '')
  const body = html`<h1>Imports</h1>
${done ?? ''}
<p class="lead">API descriptions that you and the operator imported, with the outcome of each.</p>
${canImport ? html`<p><a class="button" href="${IMPORTS_PATH}/new">Import a description</a></p>` : html`<p class="soft">To import, one needs the scope <code>import</code>.</p>`}
${all.total === 0 ? nothing(request.command) : stateTabs({ state, all: all.total, failed: failed.total })}
${all.total > 0 && items.length === 0 ? noPage(state, total) : ''}
${list(items)}
${items.length > 0 ? html`<p class="hint">The newest 1,000 reports of an account are kept, and as many of the operator.</p>` : ''}
${pager({ path: IMPORTS_PATH, query, page, pageSize: PAGE_SIZE, total })}`
  return { kind: 'page', title: 'Imports', body }
}

const STATES = ['imported', 'failed'] as const

function stateTabs(given: {
  readonly state: (typeof STATES)[number] | undefined
  readonly all: number
  readonly failed: number
}): Html {
  const { state, all, failed } = given
  const tabs = [
    [undefined, 'All', all],
    ['imported', 'Imported', all - failed],
    ['failed', 'Failed', failed],
  ] as const
  return html`<ul class="tabs">${tabs.map(
    ([name, title, number]) =>
      html`<li><a href="${IMPORTS_PATH}${name ? `?state=${name}` : ''}"${name === state ? html` aria-current="true"` : ''}>${title} (${count(number)})</a></li>`,
  )}</ul>`
}

function noPage(state: string | undefined, total: number): Html {
  if (total === 0) return html`<p>None of them ${state === 'failed' ? 'failed' : 'succeeded'}.</p>`
  return empty('Page not found', html`<p><a href="${IMPORTS_PATH}">First page</a></p>`)
}

/** Imports of a folder, or of a form with several files, follow each other closely. */
const RUN_GAP_MS = 10_000
/** Runs of more imports are collapsed. */
const MAX_OPEN_RUN = 5

/**
 * Consecutive imports by the same account, each at most ten seconds after the one before. A file
 * that occurs again begins another run.
 */
function toRuns(items: readonly StoredImport[]): readonly (readonly StoredImport[])[] {
  const runs: StoredImport[][] = []
  const names = new Set<string>()
  let former: StoredImport | undefined
  for (const item of items) {
    const isClose = former?.by?.id === item.by?.id && (former?.at ?? 0) - item.at <= RUN_GAP_MS
    const run = former && isClose && !names.has(item.fileName) ? runs.at(-1) : undefined
    if (run) run.push(item)
    else {
      runs.push([item])
      names.clear()
    }
    if (item.fileName !== '') names.add(item.fileName)
    former = item
  }
  return runs
}

/** Long runs under a line of their own; the imports between them in one table. */
function list(items: readonly StoredImport[]): readonly Html[] {
  const sections: Html[] = []
  let single: StoredImport[] = []
  const flush = () => {
    if (single.length > 0) sections.push(importTable(single))
    single = []
  }
  for (const run of toRuns(items)) {
    if (run.length <= MAX_OPEN_RUN) {
      single.push(...run)
      continue
    }
    flush()
    sections.push(runSection(run))
  }
  flush()
  return sections
}

function runSection(run: readonly StoredImport[]): Html {
  const failed = run.filter(({ outcome }) => outcome.kind === 'failed').length
  const ended =
    failed === run.length ? 'all failed' : `${failed === 0 ? 'none' : count(failed)} failed`
  const first = run
    .slice(0, 1)
    .map(
      (item) =>
        html`${time(item.at)}: ${count(run.length)} imports by ${toImporter(item)}, ${ended}`,
    )
  return html`<details><summary>${first}</summary>
${importTable(run)}</details>`
}

const DONE = new Map([
  ['all', note('All files are imported; the list says what came of each.', 'good')],
  ['some', note('Not all files could be imported; the list says why.', 'warn')],
])

function importTable(items: readonly StoredImport[]): Html {
  return table({
    caption: `${count(items.length)} ${items.length === 1 ? 'import' : 'imports'}, newest first, times in UTC`,
    columns: [
      {
        title: 'What',
        isHead: true,
        cell: (kept: StoredImport) => html`<a href="${toImportPath(kept)}">${toName(kept)}</a>`,
      },
      { title: 'Vendor', cell: ({ vendorName }) => vendorName },
      { title: 'State', cell: stateBadge },
      { title: 'Operations and webhooks, or the reason', cell: toOutcomeText },
      {
        title: 'Warnings',
        isNumber: true,
        sortValue: toWarningCount,
        cell: (kept) => count(toWarningCount(kept)),
      },
      { title: 'By', cell: toImporter },
      { title: 'When', isTight: true, sortValue: ({ at }) => at, cell: ({ at }) => time(at) },
    ],
    rows: items,
  })
}

function toWarningCount({ outcome }: StoredImport): number {
  return outcome.kind === 'imported' ? outcome.warningCount : 0
}

function nothing(command: string): Html {
  return empty(
    'Nothing was imported yet.',
    html`<p>Import a description here, or whole folders of them where the service runs:</p>
${copyable({ id: 'import-command', text: `${command} import ./descriptions --create-vendors` })}`,
  )
}
