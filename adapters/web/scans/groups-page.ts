import type { CountedScan, ShownUsageGroup } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { emptyState } from '../parts/text.ts'
import { renderBatches, renderRunningNote } from './batches.ts'
import { renderBomLinks } from './bom-links.ts'
import { renderDoneNote, renderReviewError } from './done-note.ts'
import { formatUsageCount } from './group-labels.ts'
import { renderGroupTable } from './group-table.ts'
import { renderEmptyList, renderViewTabs } from './list-views.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import {
  type ReviewDraft,
  renderReviewBar,
  renderSelectAll,
  renderWholeForm,
} from './review-forms.ts'
import {
  getScanTitle,
  renderScanFacts,
  renderScanHead,
  renderScanSummary,
  renderStaleNote,
} from './scan-head.ts'
import {
  getViewCount,
  readView,
  toGroupParameter,
  toViewQuery,
  type UsageView,
} from './usage-view.ts'

const PAGE_SIZE = 50
/** Number of usages listed in a group's row. */
const SHOWN_USAGES = 5

/** Renders the usages of a scan: one row per API, vendor or domain, unreviewed ones first. */
export function renderGroups(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  return renderGroupsPage(request, { kind, query: request.query })
}

/** Shows the page again after an invalid review. */
export async function renderGroupsPage(
  request: ViewedRequest,
  options: {
    readonly kind: ScanKind
    readonly query: URLSearchParams
    readonly draft?: ReviewDraft
  },
): Promise<PageResult> {
  const { app, viewer, params } = request
  const { account, scopes } = viewer.caller
  const { kind, query, draft } = options
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const view = { ...readView(query), group: undefined }
  const page = parsePageNumber(query)
  const totals = await app.scans.countUsageGroups(account, scan)
  const listed = await app.scans.listUsageGroups(account, {
    ...{ scan, view: view.show, page, size: PAGE_SIZE, uses: SHOWN_USAGES },
  })
  // APIs that only builds, examples and tests use are last.
  const isOther = ({ role }: ShownUsageGroup) => Number(role !== 'production')
  const groups = listed.toSorted((a, b) => isOther(a) - isOther(b))
  const apis = await app.scans.readUsedApis(groups.flatMap(({ apiId }) => apiId ?? []))
  const mayReview = scopes.has('review')
  const selected = { groups: new Set(draft?.groups), uses: new Set(draft?.uses) }
  const table = renderGroupTable(request, {
    ...{ counted, view, page, groups, apis },
    selected: mayReview ? selected : undefined,
  })
  const path = toScanPath(scan)
  const total = totals[view.show]
  const select = renderSelectAll({
    onPage: groups.length,
    rows: total,
    kind,
    uses: getViewCount(counted.counts, view.show),
  })
  const list = html`${table}${
    mayReview
      ? renderReviewBar(request, {
          ...{ scan, list: 'groups', view, page, draft },
          listed: html`${groups.map((group) => html`<input type="hidden" name="listed_group" value="${toGroupParameter(group)}">`)}`,
        })
      : html`<p class="soft">To review, you need the scope <code>review</code>.</p>`
  }`
  const body = html`${renderScanHead(counted, { tab: 'apis' })}
${await renderDoneNote(request, { scan, query })}${renderReviewError(draft)}${renderStaleNote(counted, request)}${renderRunningNote(scan)}
${renderScanSummary(counted, totals.all)}
<div class="list-head">${renderViewTabs(path, { view, figure: (show) => totals[show] })}${mayReview && groups.length > 0 ? select : ''}</div>
<div id="apis">${groups.length === 0 ? renderNoGroups(counted, { view, total }) : list}</div>
${pager({ path, query: toViewQuery(view), page, pageSize: PAGE_SIZE, total, anchor: 'apis' })}
<div class="columns"><section class="panel" aria-labelledby="facts"><h2 id="facts">Scan details</h2>${renderScanFacts(counted)}</section>
<section class="panel" aria-labelledby="bom"><h2 id="bom">Bill of materials</h2>${renderBomLinks(scan)}</section></div>
${mayReview ? renderWholeForm(request, { scan, view }) : ''}
${kind === 'network' ? await renderBatches(request, scan) : ''}
${scopes.has('ingest') ? html`<p><a href="${path}/remove">Remove this scan</a></p>` : ''}`
  return { kind: 'page', title: getScanTitle(scan), body, ...(draft && { status: draft.status }) }
}

/** Scans stored by earlier releases have usages without groups. */
function renderNoGroups(
  counted: CountedScan,
  { view, total }: { readonly view: UsageView; readonly total: number },
): Html {
  const { scan, counts } = counted
  const path = toScanPath(scan)
  if (total > 0 || counts.usages === 0 || view.show !== 'all') {
    return renderEmptyList(counted, { path, total })
  }
  return emptyState(
    `An earlier release stored this scan: its ${formatUsageCount(scan.kind, counts.usages)} are not grouped yet.`,
    html`<p>Match it to the catalogue again, or show the <a href="${path}/endpoints">endpoints</a>.</p>`,
  )
}
