import type { CountedScan } from '../../../core/scans/index.ts'
import { isPlausibleTime } from '../../../core/shared/dates.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { StoredScan, UsageCounts } from '../../../core/storage.ts'
import type { ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { badge, factList, formatNumber, note, timeElement } from '../parts/text.ts'
import { formatUsageCount } from './group-labels.ts'
import { SCANS_PATH, toScanPath } from './paths.ts'
import { renderStartTime } from './times.ts'

/** A page of a scan, shown as a tab. */
export type ScanTab = 'apis' | 'endpoints' | 'places' | 'packages' | 'history'

/** Returns the title of a scan. */
export function getScanTitle({ kind, projectName, networkName }: StoredScan): string {
  return kind === 'project' ? projectName : `${networkName} (${projectName})`
}

/** Renders the badge with the review status of a scan. */
export function renderReviewBadge({ isApproved, reviewStatus }: StoredScan): Html {
  if (isApproved === 'no') return badge('Rejected', 'bad')
  if (isApproved === 'yes') return badge('Approved', 'good')
  if (reviewStatus === 'complete') return badge('Reviewed', 'good')
  return reviewStatus === 'in_progress' ? badge('In review', 'warn') : badge('Unreviewed')
}

/** Renders the badge with the progress of the scanner. */
export function renderStatusBadge({ status }: StoredScan): Html {
  const { text, tone } = STATUSES[status]
  return badge(text, tone)
}

const STATUSES = {
  running: { text: 'Running', tone: 'warn' },
  interrupted: { text: 'Interrupted', tone: 'bad' },
  failed: { text: 'Failed', tone: 'bad' },
  complete: { text: 'Complete', tone: 'good' },
} as const

/** Renders the header of all pages of a scan: breadcrumbs, title and tabs. */
export function renderScanHead(counted: CountedScan, options: { readonly tab: ScanTab }): Html {
  const { scan, counts } = counted
  const path = toScanPath(scan)
  const tabs: readonly (readonly [ScanTab, string, string])[] = [
    ['apis', scan.kind === 'project' ? 'APIs' : 'APIs and hosts', path],
    [
      'endpoints',
      `${scan.kind === 'project' ? 'Endpoints' : 'Traffic'} (${formatNumber(counts.usages)})`,
      `${path}/endpoints`,
    ],
    scan.kind === 'network'
      ? ['places', 'Locations', `${path}/places`]
      : ['packages', 'Packages', `${path}/packages`],
    ['history', 'History', `${path}/history`],
  ]
  return html`<p class="crumbs"><a href="${SCANS_PATH}">Scans</a> › ${scan.kind === 'project' ? 'Project' : 'Network'}</p>
<h1>${getScanTitle(scan)}</h1>
<ul class="tabs">${tabs.map(
    ([tab, text, link]) =>
      html`<li><a href="${link}"${tab === options.tab ? html` aria-current="page"` : ''}>${text}</a></li>`,
  )}</ul>`
}

/** Renders the summary of a scan in one line: number of findings and review status. */
export function renderScanSummary({ scan, counts }: CountedScan, groups: number): Html {
  const isProject = scan.kind === 'project'
  const what = groups === 1 ? 'API, vendor or domain' : 'APIs, vendors and domains'
  return html`<p class="lead">${formatNumber(groups)} ${isProject ? 'third-party ' : ''}${what} with ${isProject ? '' : `${formatNumber(scan.rows)} flows to `}${formatUsageCount(scan.kind, counts.usages)}. ${isProject ? 'Scanned' : 'Started'}: ${renderStartTime(scan)}. ${renderReviewBadge(scan)}</p>`
}

/** Renders the properties of the scan itself. */
export function renderScanFacts({ scan, counts }: CountedScan): Html {
  const network = scan.kind === 'network'
  return factList([
    [network ? 'Started' : 'Scanned', renderStartTime(scan)],
    [
      'Ended',
      network &&
        (scan.endedAt === undefined
          ? 'not yet'
          : isPlausibleTime(scan.endedAt) && timeElement(scan.endedAt)),
    ],
    ['Scanner', network && renderStatusBadge(scan)],
    ['Review', html`${renderReviewBadge(scan)}${renderReviewer(scan)}`],
    [network ? 'Flows' : 'Endpoints', formatRowCount(scan, counts)],
    ['In the catalogue', `${formatNumber(scan.matched)} of ${formatNumber(scan.rows)}`],
    ['Matched to the catalogue', timeElement(scan.analyzedAt)],
    ['ID', html`<code>${scan.id}</code>`],
  ])
}

function formatRowCount({ kind, rows }: StoredScan, { usages }: UsageCounts): string {
  if (kind === 'project') return formatNumber(usages)
  return `${formatNumber(rows)}, to ${formatUsageCount(kind, usages)}`
}

function renderReviewer({ by, at }: StoredScan): Html | string {
  return at === undefined ? '' : html` by ${by}, ${timeElement(at)}`
}

/** Reports that the catalogue has changed, with a button to match the scan again. */
export function renderStaleNote(counted: CountedScan, request: ViewedRequest): Html | string {
  if (counted.isCurrent) return ''
  return note(
    html`The catalogue has changed since this scan was matched to it.${postForm({
      action: `${toScanPath(counted.scan)}/match`,
      formToken: request.formToken,
      content: html`<button class="second">Match again</button>`,
    })}`,
    'warn',
  )
}
