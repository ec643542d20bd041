import type { ComparedScans, CountedScan, ShownUsage, UsedApi } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { barChart } from '../parts/chart.ts'
import { field } from '../parts/form.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { type Column, table } from '../parts/table.ts'
import { formatNumber, note } from '../parts/text.ts'
import { formatUsageCount } from './group-labels.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { getScanTitle, renderReviewBadge, renderScanHead, renderStatusBadge } from './scan-head.ts'
import { renderStartTime, toScanTime } from './times.ts'
import { renderDecision, renderEndpointCell } from './usage-list.ts'

type Apis = ReadonlyMap<number, UsedApi>

type Change = ComparedScans['changed'][number]

/** Maximum number of listed scans. */
const MAX_SCANS = 50
/** Maximum number of scans in the chart. */
const CHARTED = 24

/** Scans of a project or network over time, with a form to compare two. */
export async function renderHistoryPage(
  request: ViewedRequest,
  kind: ScanKind,
): Promise<PageResult> {
  const { app, params, viewer } = request
  const { account } = viewer.caller
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const all = await app.scans.listHistory(account, { scan, limit: MAX_SCANS })
  const body = html`${renderScanHead(counted, { tab: 'history' })}
${renderHistoryChart(all.slice(0, CHARTED).toReversed(), kind)}
${renderCompareForm(counted, all)}
${table<CountedScan>({
  caption: all.length === MAX_SCANS ? `The newest ${MAX_SCANS} scans` : 'Scans, newest first',
  rows: all,
  columns: [
    {
      title: 'Scan',
      isHead: true,
      cell: (each) =>
        html`<a href="${toScanPath(each.scan)}">${renderStartTime(each.scan)}</a>${each.scan.id === scan.id ? html` <span class="soft">this scan</span>` : ''}`,
    },
    ...(kind === 'network'
      ? [
          {
            title: 'Scanner',
            isTight: true,
            cell: (each: CountedScan) => renderStatusBadge(each.scan),
          },
        ]
      : []),
    { title: 'Review', isTight: true, cell: (each) => renderReviewBadge(each.scan) },
    {
      title: kind === 'project' ? 'Endpoints' : 'Hosts and URLs',
      isNumber: true,
      cell: ({ counts }) => formatNumber(counts.usages),
    },
    { title: 'New', isNumber: true, cell: ({ counts }) => formatNumber(counts.isNew) },
    { title: 'Unreviewed', isNumber: true, cell: ({ counts }) => formatNumber(counts.unreviewed) },
    { title: 'Rejected', isNumber: true, cell: ({ counts }) => formatNumber(counts.rejected) },
    { title: 'Approved', isNumber: true, cell: ({ counts }) => formatNumber(counts.approved) },
  ],
})}`
  return { kind: 'page', title: `History of ${getScanTitle(scan)}`, body }
}

function renderHistoryChart(scans: readonly CountedScan[], kind: ScanKind): Html {
  const pick = (read: (counts: CountedScan['counts']) => number) =>
    scans.map(({ counts }) => read(counts))
  return barChart({
    id: 'history',
    title: kind === 'project' ? 'Endpoints by scan' : 'Hosts and URLs by scan',
    description: `${formatNumber(scans.length)} ${scans.length === 1 ? 'scan' : 'scans'}, newest on the right, by decision.`,
    labelTitle: 'Scan',
    labels: scans.map(({ scan }) => new Date(toScanTime(scan)).toISOString().slice(0, 10)),
    series: [
      { title: 'Approved', tone: 'low', values: pick(({ approved }) => approved) },
      { title: 'Rejected', tone: 'critical', values: pick(({ rejected }) => rejected) },
      { title: 'Unreviewed', tone: 'none', values: pick(({ unreviewed }) => unreviewed) },
    ],
  })
}

function renderCompareForm({ scan }: CountedScan, all: readonly CountedScan[]): Html | string {
  if (all.length < 2) return ''
  const options = all.map((each) => ({
    value: each.scan.id,
    label: `${new Date(toScanTime(each.scan)).toISOString().slice(0, 16).replace('T', ' ')}, ${formatUsageCount(each.scan.kind, each.counts.usages)}`,
  }))
  const index = all.findIndex((each) => each.scan.id === scan.id)
  const former = options[index + 1] ?? options.at(-1)
  return html`<form class="panel" action="${toScanPath(scan)}/compare"><h2>Compare two scans</h2>
<div class="columns">${field({ name: 'before', label: 'Before', options, value: former?.value, isRequired: true })}
${field({ name: 'after', label: 'After', options, value: scan.id, isRequired: true })}</div>
<button>Compare</button></form>`
}

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
