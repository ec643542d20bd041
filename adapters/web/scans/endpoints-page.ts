import { html } from '../../../core/shared/html.ts'
import type { GroupView } from '../../../core/storage.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { renderDoneNote, renderReviewError } from './done-note.ts'
import { toGroupName } from './group-labels.ts'
import { renderEmptyList, renderViewTabs } from './list-views.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { type ReviewDraft, renderReviewBar, renderSelectAll } from './review-forms.ts'
import { getScanTitle, renderScanHead, renderStaleNote } from './scan-head.ts'
import { renderUsageList } from './usage-list.ts'
import { getViewCount, readView, toUsageFilter, toViewQuery } from './usage-view.ts'

const PAGE_SIZE = 50

/** Renders the usages of a scan, new and unreviewed first. */
export function renderEndpoints(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  return renderEndpointsPage(request, { kind, query: request.query })
}

/** Shows the page again after an invalid review. */
export async function renderEndpointsPage(
  request: ViewedRequest,
  options: {
    readonly kind: ScanKind
    readonly query: URLSearchParams
    readonly draft?: ReviewDraft
  },
): Promise<PageResult> {
  const { app, viewer, params } = request
  const { account } = viewer.caller
  const { kind, query, draft } = options
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const view = readView(query)
  const page = parsePageNumber(query)
  const group = view.group && (await app.scans.findUsageGroup(account, { scan, group: view.group }))
  const uses = await app.scans.listUsages(account, {
    scan,
    filter: toUsageFilter(view),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const apiIds = [...uses, ...(group ? [group] : [])].flatMap(({ apiId }) => apiId ?? [])
  const apis = await app.scans.readUsedApis(apiIds)
  const counts = view.group ? group : counted.counts
  const figure = (show: GroupView) => (counts ? getViewCount(counts, show) : 0)
  const total = figure(view.show)
  const mayReview = viewer.caller.scopes.has('review')
  const path = `${toScanPath(scan)}/endpoints`
  const list = renderUsageList({
    ...{ counted, usages: uses, apis },
    selected: mayReview ? new Set(draft?.uses) : undefined,
    findGeolocation: app.scans.findGeolocation,
  })
  const name = group && toGroupName(group.belongsTo, apis.get(group.apiId ?? 0))
  const noun = kind === 'project' ? 'Endpoints' : 'Traffic'
  const body = html`${renderScanHead(counted, { tab: 'endpoints' })}
${await renderDoneNote(request, { scan, query })}${renderReviewError(draft)}${renderStaleNote(counted, request)}
<h2 id="endpoints">${name === undefined ? noun : `${noun} of ${name}`}</h2>
${view.group ? html`<p><a href="${path}?${toViewQuery({ ...view, group: undefined })}">Show entries of all APIs</a></p>` : ''}
<div class="list-head">${renderViewTabs(path, { view, figure })}${
    mayReview && uses.length > 0
      ? renderSelectAll({ onPage: uses.length, rows: total, kind, uses: total })
      : ''
  }</div>
<div>${
    uses.length === 0
      ? renderEmptyList(counted, { path, total })
      : html`${list}${
          mayReview
            ? renderReviewBar(request, {
                ...{ scan, list: 'endpoints', view, page, draft },
                listed: html`${uses.map(({ place }) => html`<input type="hidden" name="listed_use" value="${place}">`)}`,
              })
            : html`<p class="soft">To review, you need the scope <code>review</code>.</p>`
        }`
  }</div>
${pager({ path, query: toViewQuery(view), page, pageSize: PAGE_SIZE, total, anchor: 'endpoints' })}`
  const title = `${noun} of ${getScanTitle(scan)}`
  return { kind: 'page', title, body, ...(draft && { status: draft.status }) }
}
