import type { CountedScan } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { barChart } from '../parts/chart.ts'
import { field } from '../parts/form.ts'
import { table } from '../parts/table.ts'
import { formatNumber } from '../parts/text.ts'
import { formatUsageCount } from './group-labels.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { getScanTitle, renderReviewBadge, renderScanHead, renderStatusBadge } from './scan-head.ts'
import { renderStartTime, toScanTime } from './times.ts'

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
