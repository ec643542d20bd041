import type { CountedScan, GroupView, UseCounts } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { count, empty } from '../parts/text.ts'
import { doneNote, refusedNote } from './done-note.ts'
import { toGroupName } from './group-words.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { type ReviewDraft, reviewBar, selectAll } from './review-parts.ts'
import { scanHead, staleNote, toTitle } from './scan-head.ts'
import { usesList } from './uses-list.ts'
import { readView, SHOWN, toFigure, toFilter, toViewQuery, type UseView } from './view.ts'

const PAGE_SIZE = 50

/** The usages of a scan one by one, new and undecided first. */
export function answerEndpoints(request: ViewedRequest, kind: ScanKind): Promise<PageAnswer> {
  return showEndpoints(request, { kind, query: request.query })
}

/** The same page with what was sent, where it was refused. */
export async function showEndpoints(
  request: ViewedRequest,
  given: {
    readonly kind: ScanKind
    readonly query: URLSearchParams
    readonly draft?: ReviewDraft
  },
): Promise<PageAnswer> {
  const { app, viewer, params } = request
  const { account } = viewer.caller
  const { kind, query, draft } = given
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const view = readView(query)
  const page = readPage(query)
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
  const total = counts ? toFigure(counts, view.show) : 0
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
${view.group ? html`<p><a href="${path}?${toViewQuery({ ...view, group: undefined })}">Show those of all APIs</a></p>` : ''}
<div class="list-head">${filters(path, { view, counts })}${
    mayReview && uses.length > 0
      ? selectAll({ onPage: uses.length, rows: total, kind, uses: total })
      : ''
  }</div>
<div>${
    uses.length === 0
      ? nothing(counted, { path, total })
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

const WORDS: Readonly<Record<GroupView, string>> = {
  all: 'All',
  new: 'New and not decided',
  unreviewed: 'Not decided',
  refused: 'Refused',
  approved: 'Approved',
}

function filters(
  path: string,
  { view, counts }: { readonly view: UseView; readonly counts: UseCounts | undefined },
): Html {
  return html`<ul class="tabs">${SHOWN.map((show) => {
    const query = toViewQuery({ ...view, show })
    const mark = show === view.show ? html` aria-current="true"` : ''
    return html`<li><a href="${path}?${query}"${mark}>${WORDS[show]} (${count(counts ? toFigure(counts, show) : 0)})</a></li>`
  })}</ul>`
}

function nothing(
  { scan, counts }: CountedScan,
  { path, total }: { readonly path: string; readonly total: number },
): Html {
  if (total > 0) return html`<p>There is no such page: the list is shorter.</p>`
  if (scan.rows === 0 || counts.uses === 0) {
    return empty('The scan found nothing.', html`<p>No third-party API was seen.</p>`)
  }
  return empty(
    'Nothing here.',
    html`<p><a href="${path}">Show everything that the scan found</a></p>`,
  )
}
