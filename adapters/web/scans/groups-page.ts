import type { CountedScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { emptyState } from '../parts/text.ts'
import { batches, running } from './batches.ts'
import { bomLinks } from './bom-links.ts'
import { doneNote, refusedNote } from './done-note.ts'
import { groupTable } from './group-table.ts'
import { usesOf } from './group-words.ts'
import { emptyList, viewTabs } from './list-parts.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { type ReviewDraft, reviewBar, selectAll, wholeForm } from './review-parts.ts'
import { scanFacts, scanHead, scanLine, staleNote, toTitle } from './scan-head.ts'
import { readView, toFigure, toGroupText, toViewQuery, type UseView } from './view.ts'

const PAGE_SIZE = 50
/** Number of usages listed in a group's row. */
const SHOWN_USES = 5

/** Usages of a scan: one row per API, vendor or domain, those without a decision first. */
export function answerGroups(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  return showGroups(request, { kind, query: request.query })
}

/** Shows the page again with a refused form. */
export async function showGroups(
  request: ViewedRequest,
  given: {
    readonly kind: ScanKind
    readonly query: URLSearchParams
    readonly draft?: ReviewDraft
  },
): Promise<PageResult> {
  const { app, viewer, params } = request
  const { account, scopes } = viewer.caller
  const { kind, query, draft } = given
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const view = { ...readView(query), group: undefined }
  const page = parsePageNumber(query)
  const totals = await app.scans.countUseGroups(account, scan)
  const groups = await app.scans.listUseGroups(account, {
    ...{ scan, view: view.show, page, size: PAGE_SIZE, uses: SHOWN_USES },
  })
  const apis = await app.scans.readUsedApis(groups.flatMap(({ apiId }) => apiId ?? []))
  const mayReview = scopes.has('review')
  const selected = { groups: new Set(draft?.groups), uses: new Set(draft?.uses) }
  const table = groupTable(request, {
    ...{ counted, view, page, groups, apis },
    selected: mayReview ? selected : undefined,
  })
  const path = toScanPath(scan)
  const total = totals[view.show]
  const select = selectAll({
    onPage: groups.length,
    rows: total,
    kind,
    uses: toFigure(counted.counts, view.show),
  })
  const list = html`${table}${
    mayReview
      ? reviewBar(request, {
          ...{ scan, list: 'groups', view, page, draft },
          listed: html`${groups.map((group) => html`<input type="hidden" name="listed_group" value="${toGroupText(group)}">`)}`,
        })
      : html`<p class="soft">To review, you need the scope <code>review</code>.</p>`
  }`
  const body = html`${scanHead(counted, { tab: 'apis' })}
${await doneNote(request, { scan, query })}${refusedNote(draft)}${staleNote(counted, request)}${running(scan)}
${scanLine(counted, totals.all)}
<div class="list-head">${viewTabs(path, { view, figure: (show) => totals[show] })}${mayReview && groups.length > 0 ? select : ''}</div>
<div id="apis">${groups.length === 0 ? nothing(counted, { view, total }) : list}</div>
${pager({ path, query: toViewQuery(view), page, pageSize: PAGE_SIZE, total, anchor: 'apis' })}
<div class="columns"><section class="panel" aria-labelledby="facts"><h2 id="facts">Scan details</h2>${scanFacts(counted)}</section>
<section class="panel" aria-labelledby="bom"><h2 id="bom">Bill of materials</h2>${bomLinks(scan)}</section></div>
${mayReview ? wholeForm(request, { scan, view }) : ''}
${kind === 'network' ? await batches(request, scan) : ''}
${scopes.has('ingest') ? html`<p><a href="${path}/remove">Remove this scan</a></p>` : ''}`
  return { kind: 'page', title: toTitle(scan), body, ...(draft && { status: draft.status }) }
}

/** Scans stored by earlier releases have usages without groups. */
function nothing(
  counted: CountedScan,
  { view, total }: { readonly view: UseView; readonly total: number },
): Html {
  const { scan, counts } = counted
  const path = toScanPath(scan)
  if (total > 0 || counts.uses === 0 || view.show !== 'all') {
    return emptyList(counted, { path, total })
  }
  return emptyState(
    `An earlier release stored this scan: its ${usesOf(scan.kind, counts.uses)} are not grouped yet.`,
    html`<p>Match it to the catalogue again, or show the <a href="${path}/endpoints">endpoints</a>.</p>`,
  )
}
