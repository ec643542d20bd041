import type { ComparedScans, ShownUsage, UsedApi } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { type Column, table } from '../parts/table.ts'
import { formatNumber, note } from '../parts/text.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { getScanTitle, renderScanHead } from './scan-head.ts'
import { renderStartTime } from './times.ts'
import { renderDecision, renderEndpointCell } from './usage-list.ts'

/** Maximum length of each list; the command `scan diff` lists all. */
const MAX_LISTED = 100

/** Renders the differences between two scans of a project or network. */
export async function renderComparePage(
  request: ViewedRequest,
  kind: ScanKind,
): Promise<PageResult> {
  const { app, params, query, viewer } = request
  const { account } = viewer.caller
  const id = params.id ?? ''
  const counted = await app.scans.getCounted(account, { kind, id })
  const before = query.get('before') || id
  const after = query.get('after') || id
  const page = parsePageNumber(query)
  const found = await app.scans.compare(account, { kind, before, after, limit: MAX_LISTED, page })
  const apis = await app.scans.readUsedApis(listApiIds(found))
  const title = `${getScanTitle(counted.scan)}: comparison of two scans`
  const body = html`${renderScanHead(counted, { tab: 'history' })}
<h2>From ${renderScanLink(found.before)} to ${renderScanLink(found.after)}</h2>
<p><a href="${toScanPath(counted.scan)}/history">Choose other scans</a></p>
${found.before.id === found.after.id ? note('Both scans are the same. Choose another one to compare.') : ''}
${found.pages > 1 ? html`<p>These scans are long: their comparison has ${formatNumber(found.pages)} pages.</p>` : ''}
${found.isPartial ? note(html`Each list shows at most ${MAX_LISTED} entries. For all entries, run <code>${request.command} scan diff</code>`, 'warn') : ''}
${renderUsageTable('Added', found.added, apis)}
${renderUsageTable('Removed', found.removed, apis)}
<h2>Changed (${formatListLength(found.changed.length)})</h2>
${found.changed.length === 0 ? html`<p class="soft">None.</p>` : renderChanges(found, apis)}
${pager({ path: `${toScanPath(counted.scan)}/compare`, query: new URLSearchParams({ before, after }), page, pageSize: 1, total: found.pages })}`
  return { kind: 'page', title, body }
}

type Apis = ReadonlyMap<number, UsedApi>

function listApiIds({ added, removed, changed }: ComparedScans): readonly number[] {
  const uses = [...added, ...removed, ...changed.flatMap(({ use, before }) => [use, before])]
  return uses.flatMap(({ apiId }) => apiId ?? [])
}

function renderScanLink(scan: ComparedScans['before']): Html {
  return html`<a href="${toScanPath(scan)}">${renderStartTime(scan)}</a>`
}

function formatListLength(length: number): string {
  return length >= MAX_LISTED ? `${formatNumber(MAX_LISTED)} or more` : formatNumber(length)
}

function renderUsageTable(title: string, uses: readonly ShownUsage[], apis: Apis): Html {
  return html`<h2>${title} (${formatListLength(uses.length)})</h2>
${uses.length === 0 ? html`<p class="soft">None.</p>` : table<ShownUsage>({ caption: title, hasHeading: true, rows: uses, columns: toUsageColumns(apis) })}`
}

function toUsageColumns(apis: Apis): readonly Column<ShownUsage>[] {
  return [
    {
      title: 'Endpoint',
      isHead: true,
      cell: (use) => renderEndpointCell({ ...use, isNew: false }),
    },
    { title: 'API', cell: ({ apiId }) => renderApiName(apiId, apis) },
    { title: 'Decision', cell: renderDecision },
  ]
}

function renderApiName(apiId: number | undefined, apis: Apis): Html {
  const api = apiId === undefined ? undefined : apis.get(apiId)
  if (!api) return html`<span class="soft">not in the catalogue</span>`
  return html`<a href="${toApiPath(api)}">${api.name}</a>`
}

type Change = ComparedScans['changed'][number]

function renderChanges({ changed }: ComparedScans, apis: Apis): Html {
  return table<Change>({
    caption: 'Changed',
    hasHeading: true,
    rows: changed,
    columns: [
      {
        title: 'Endpoint',
        isHead: true,
        cell: ({ use }) => renderEndpointCell({ ...use, isNew: false }),
      },
      {
        title: 'Changed',
        cell: ({ use, before, what }) =>
          html`<ul>${what.map((each) => html`<li>${CHANGE_RENDERERS[each]({ use, before }, apis)}</li>`)}</ul>`,
      },
    ],
  })
}

const CHANGE_RENDERERS: Readonly<
  Record<Change['what'][number], (change: Pick<Change, 'use' | 'before'>, apis: Apis) => Html>
> = {
  api: ({ use, before }, apis) =>
    html`API: ${renderApiName(before.apiId, apis)}, now ${renderApiName(use.apiId, apis)}`,
  approval: ({ use, before }) =>
    html`Decision: ${renderDecision(before)}, now ${renderDecision(use)}`,
  files: ({ use, before }) => html`Files: ${renderFiles(before)}; now ${renderFiles(use)}`,
}

const MOST_FILES = 5

function renderFiles({ foundIn }: ShownUsage): Html {
  const files = [...new Set(foundIn.map(({ file }) => file))]
  if (files.length === 0) return html`none`
  return html`${files.slice(0, MOST_FILES).map((file, index) => html`${index > 0 ? ', ' : ''}<code>${file}</code>`)}${files.length > MOST_FILES ? ` and ${formatNumber(files.length - MOST_FILES)} more` : ''}`
}
