import type { StoredImport } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { copyable, count, empty, note, time } from '../parts/text.ts'
import { IMPORTS_PATH, toImportPath } from './paths.ts'
import { stateBadge, toImporter, toName, toOutcomeText } from './words.ts'

const PAGE_SIZE = 25

/** What was imported, newest first. */
export async function answerList(request: ViewedRequest): Promise<PageAnswer> {
  const { app, viewer, query } = request
  const page = readPage(query)
  const { items, total } = await app.imports.list(viewer.caller.account, { size: PAGE_SIZE, page })
  const canImport = viewer.caller.scopes.has('import')
  const done = DONE.get(query.get('done') ?? '')
  const body = html`<h1>Imports</h1>
${done ?? ''}
<p class="lead">API descriptions that you and the operator imported, with what came of each.</p>
${canImport ? html`<p><a class="button" href="${IMPORTS_PATH}/new">Import a description</a></p>` : html`<p class="soft">To import, one needs the scope <code>import</code>.</p>`}
${total === 0 ? nothing() : items.length === 0 ? empty('There is no such page.', html`<p><a href="${IMPORTS_PATH}">The first page</a></p>`) : list(items, total)}
${pager({ path: IMPORTS_PATH, query, page, pageSize: PAGE_SIZE, total })}`
  return { kind: 'page', title: 'Imports', body }
}

const DONE = new Map([
  ['all', note('All files are imported; the list says what came of each.', 'good')],
  ['some', note('Not all files could be imported; the list says why.', 'warn')],
])

function list(items: readonly StoredImport[], total: number): Html {
  return html`${table({
    caption: `${count(total)} ${total === 1 ? 'import' : 'imports'}, newest first, times in UTC`,
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
  })}
<p class="hint">The newest 1,000 reports of an account are kept, and as many of the operator.</p>`
}

function toWarningCount({ outcome }: StoredImport): number {
  return outcome.kind === 'imported' ? outcome.warningCount : 0
}

function nothing(): Html {
  return empty(
    'Nothing was imported yet.',
    html`<p>Import a description here, or whole folders of them where the service runs:</p>
${copyable({ id: 'import-command', text: 'api-discovery import ./descriptions --create-vendors' })}`,
  )
}
