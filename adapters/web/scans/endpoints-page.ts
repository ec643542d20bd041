import type { GroupView } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { doneNote, refusedNote } from './done-note.ts'
import { toGroupName } from './group-words.ts'
import { emptyList, viewTabs } from './list-parts.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { type ReviewDraft, reviewBar, selectAll } from './review-parts.ts'
import { scanHead, staleNote, toTitle } from './scan-head.ts'
import { usesList } from './uses-list.ts'
import { readView, toFigure, toFilter, toViewQuery } from './view.ts'

const PAGE_SIZE = 50

/** Usages of a scan, new and undecided first. */
export function answerEndpoints(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  return showEndpoints(request, { kind, query: request.query })
}

/** Shows the page again with a refused form. */
export async function showEndpoints(
  request: ViewedRequest,
  given: {
    readonly kind: ScanKind
    readonly query: URLSearchParams
    readonly draft?: ReviewDraft
  },
): Promise<PageResult> {
  const { app, viewer, params } = request
  const { account } = viewer.caller
  const { kind, query, draft } = given
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const view = readView(query)
  const page = parsePageNumber(query)
  const group = view.group && (await app.scans.findUseGroup(account, { scan, group: view.group }))
  const uses = await app.scans.listUses(account, {
    scan,
    filter: toFilter(view),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const apiIds = [...uses, ...(group ? [group] : [])].flatMap(({ apiId }) => apiId ?? [])
  const apis = await app.scans.readUsedApis(apiIds)
  const counts = view.group ? group : counted.counts
  const figure = (show: GroupView) => (counts ? toFigure(counts, show) : 0)
  const total = figure(view.show)
  const mayReview = viewer.caller.scopes.has('review')
  const path = `${toScanPath(scan)}/endpoints`
  const list = usesList({
    ...{ counted, uses, apis },
    selected: mayReview ? new Set(draft?.uses) : undefined,
    findPlace: app.scans.findPlace,
  })
  const name = group && toGroupName(group.belongsTo, apis.get(group.apiId ?? 0))
  const noun = kind === 'project' ? 'Endpoints' : 'Traffic'
  const body = html`${scanHead(counted, { tab: 'endpoints' })}
${await doneNote(request, { scan, query })}${refusedNote(draft)}${staleNote(counted, request)}
<h2 id="endpoints">${name === undefined ? noun : `${noun} of ${name}`}</h2>
${view.group ? html`<p><a href="${path}?${toViewQuery({ ...view, group: undefined })}">Show entries of all APIs</a></p>` : ''}
<div class="list-head">${viewTabs(path, { view, figure })}${
    mayReview && uses.length > 0
      ? selectAll({ onPage: uses.length, rows: total, kind, uses: total })
      : ''
  }</div>
<div>${
    uses.length === 0
      ? emptyList(counted, { path, total })
      : html`${list}${
          mayReview
            ? reviewBar(request, {
                ...{ scan, list: 'endpoints', view, page, draft },
                listed: html`${uses.map(({ place }) => html`<input type="hidden" name="listed_use" value="${place}">`)}`,
              })
            : html`<p class="soft">To review, you need the scope <code>review</code>.</p>`
        }`
  }</div>
${pager({ path, query: toViewQuery(view), page, pageSize: PAGE_SIZE, total, anchor: 'endpoints' })}`
  const title = `${noun} of ${toTitle(scan)}`
  return { kind: 'page', title, body, ...(draft && { status: draft.status }) }
}
