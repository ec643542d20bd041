import type { CountedScan } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { StoredScan } from '../../../core/storage.ts'
import { GUIDES_PATH } from '../guides/guide-list.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { field } from '../parts/form.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber, note, timeElement } from '../parts/text.ts'
import { SCANS_PATH, type ScanKind, toScanPath } from './paths.ts'
import { getScanTitle, renderReviewBadge, renderStatusBadge } from './scan-head.ts'
import { toScanTime } from './times.ts'

const PAGE_SIZE = 25
/** Number of scans in the bar chart of a project or network. */
const BARS = 12

/** Projects and networks with their newest scans. */
export async function renderScanListPage(request: ViewedRequest): Promise<PageResult> {
  const { app, query, viewer } = request
  const { account } = viewer.caller
  const asked = {
    kind: readKind(query.get('kind')),
    name: (query.get('name') ?? '').slice(0, 200),
    vendor: (query.get('vendor') ?? '').slice(0, 200),
  }
  const page = parsePageNumber(query)
  const found = await app.scans.listGroups(account, { ...asked, page, size: PAGE_SIZE })
  const rows = await Promise.all(
    found.items.map(async (item) => ({
      ...item,
      history: await app.scans.listNewest(account, { scan: item.scan, limit: BARS }),
      groups: (await app.scans.countUsageGroups(account, item.scan)).all,
    })),
  )
  const body = html`<h1>Scans</h1>
<p class="lead">APIs that your projects and networks use, according to the newest scan of each.</p>
<p><a class="button" href="${SCANS_PATH}/submit">Submit a scan</a></p>
${query.get('done') === 'removed' ? note('Scan removed.', 'good') : ''}
${found.total === 0 && !isFiltered(asked) ? '' : renderFilterForm(asked)}
<section id="results" aria-label="Scans">
${found.total === 0 ? renderNoScans(asked, request) : html`<div role="status"><h2>${formatNumber(found.total)} ${found.total === 1 ? 'project or network' : 'projects and networks'}</h2></div>${rows.length === 0 ? renderPageNotFound(SCANS_PATH, query) : renderScanTable(rows)}`}
${pager({ path: SCANS_PATH, query, page, pageSize: PAGE_SIZE, total: found.total })}
</section>`
  return { kind: 'page', title: 'Scans', body }
}

interface ListFilter {
  readonly kind: ScanKind | undefined
  readonly name: string
  readonly vendor: string
}

function isFiltered({ kind, name, vendor }: ListFilter): boolean {
  return kind !== undefined || name !== '' || vendor !== ''
}

function renderFilterForm(filter: ListFilter): Html {
  return html`<form class="panel" role="search" action="${SCANS_PATH}"${liveSearchAttributes({ path: SCANS_PATH, results: 'results', isAddressed: true })}>
<div class="columns">
${field({ name: 'name', label: 'Project or network', type: 'search', value: filter.name, isFilter: true })}
${field({ name: 'vendor', label: 'Vendor', type: 'search', value: filter.vendor, isFilter: true })}
${field({ name: 'kind', label: 'Type', options: KINDS, value: filter.kind ?? '', isFilter: true })}
</div><button>Filter</button></form>`
}

const KINDS = [
  { value: '', label: 'Projects and networks' },
  { value: 'project', label: 'Projects' },
  { value: 'network', label: 'Networks' },
]

function readKind(text: string | null): ScanKind | undefined {
  return text === 'project' || text === 'network' ? text : undefined
}

function renderNoScans(filter: ListFilter, { apiUrl, command }: ViewedRequest): Html {
  if (isFiltered(filter)) {
    return emptyState('No scans match.', html`<p><a href="${SCANS_PATH}">Show all scans</a></p>`)
  }
  return emptyState(
    'No scans yet.',
    html`<p>Scan a project: <code>${command} scan project . --submit ${apiUrl}</code></p>
<p>Scan a network: <code>${command} scan network capture.pcap --submit ${apiUrl}</code></p>
<p><a href="${SCANS_PATH}/submit">More ways to submit scans</a></p>
<p>Guides: <a href="${GUIDES_PATH}/scan-project">Scan a project</a>, <a href="${GUIDES_PATH}/scan-network">Scan a network</a></p>`,
  )
}

interface ListedScan extends CountedScan {
  readonly history: Parameters<typeof renderTimeline>[0]['scans']
  /** Number of APIs, vendors and domains. */
  readonly groups: number
}

function renderScanTable(rows: readonly ListedScan[]): Html {
  return table<ListedScan>({
    caption: 'Newest scan of each project and network',
    hasHeading: true,
    rows,
    columns: [
      {
        title: 'Name',
        isHead: true,
        sortValue: ({ scan }) => getScanTitle(scan),
        cell: ({ scan }) =>
          html`<a href="${toScanPath(scan)}">${getScanTitle(scan)}</a><br><span class="soft">${scan.kind === 'project' ? 'Project' : 'Network'}</span> ${scan.kind === 'network' && scan.status !== 'complete' ? renderStatusBadge(scan) : ''}`,
      },
      {
        title: 'To review',
        isNumber: true,
        sortValue: ({ counts }) => counts.unreviewed,
        cell: ({ scan, counts }) =>
          counts.unreviewed === 0
            ? '0'
            : html`<a href="${toScanPath(scan)}?show=unreviewed">${formatNumber(counts.unreviewed)}</a>`,
      },
      {
        title: 'New to review',
        isNumber: true,
        sortValue: ({ counts }) => counts.newUnreviewed,
        cell: ({ scan, counts }) =>
          counts.newUnreviewed === 0
            ? '0'
            : html`<a href="${toScanPath(scan)}?show=new">${badge(`${formatNumber(counts.newUnreviewed)} new`, 'warn')}</a>`,
      },
      { title: 'Review', isTight: true, cell: ({ scan }) => renderReviewBadge(scan) },
      {
        title: 'APIs',
        isNumber: true,
        cell: ({ scan, groups }) => html`<a href="${toScanPath(scan)}">${formatNumber(groups)}</a>`,
      },
      {
        title: 'Endpoints or hosts',
        isNumber: true,
        cell: ({ counts }) => formatNumber(counts.usages),
      },
      {
        title: 'Newest scan',
        isTight: true,
        sortValue: ({ scan }) => toScanTime(scan),
        cell: ({ scan }) => timeElement(toScanTime(scan)),
      },
      {
        title: 'History',
        sortValue: ({ history }) => history.length,
        cell: ({ scan, history }) =>
          renderTimeline({ id: `bars-${scan.number}`, scans: history, kind: scan.kind }),
      },
    ],
  })
}

const HEIGHT = 24
const STEP = 8

/**
 * Renders a small bar chart with a bar for each scan, newest on the right. Its description contains
 * the numbers.
 */
function renderTimeline(options: {
  /** Unique on the page. */
  readonly id: string
  /** Newest first. */
  readonly scans: readonly Pick<StoredScan, 'rows' | 'startedAt' | 'receivedAt'>[]
  readonly kind: StoredScan['kind']
}): Html {
  const { id, kind } = options
  const scans = options.scans.toReversed()
  const most = Math.max(1, ...scans.map(({ rows }) => rows))
  const what = kind === 'project' ? 'endpoints' : 'flows'
  const words = scans.map((scan) => `${formatDay(toScanTime(scan))}: ${formatNumber(scan.rows)}`)
  return html`<svg class="chart timeline" role="img" viewBox="0 0 ${STEP * 12} ${HEIGHT}" aria-labelledby="${id} ${id}-desc"><title id="${id}">${formatNumber(scans.length)} ${scans.length === 1 ? 'scan' : 'scans'}</title><desc id="${id}-desc">${what} by scan: ${words.join('; ')}</desc>${scans.map(
    ({ rows }, index) => {
      const height = Math.max(1, Math.round((rows / most) * HEIGHT))
      const x = STEP * (12 - scans.length + index)
      return html`<rect class="bar" x="${x}" y="${HEIGHT - height}" width="${STEP - 2}" height="${height}"/>`
    },
  )}</svg>`
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
