import type { CountedScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageAnswer, ViewedRequest } from '../page.ts'
import { pager, readPage } from '../parts/pager.ts'
import { count, empty, note } from '../parts/text.ts'
import { batches, running } from './batches.ts'
import { bomLinks } from './bom-links.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { type ReviewDraft, reviewForm, wholeForm } from './review-parts.ts'
import { scanFacts, scanHead, staleNote, toTitle } from './scan-head.ts'
import { usesList } from './uses-list.ts'
import {
  readView,
  SHOWN,
  type Shown,
  toFigure,
  toFilter,
  toViewQuery,
  type UseView,
} from './view.ts'

const PAGE_SIZE = 50

/** A scan: what it uses, new and unreviewed first, to be approved or refused. */
export function answerScan(request: ViewedRequest, kind: ScanKind): Promise<PageAnswer> {
  return showScan(request, { kind, query: request.query })
}

/** The same page, with what was sent where it was refused. */
export async function showScan(
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
  const uses = await app.scans.listUses(account, {
    scan,
    filter: toFilter(view),
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const apis = await app.scans.readUsedApis(uses.flatMap(({ apiId }) => apiId ?? []))
  const mayReview = viewer.caller.scopes.has('review')
  const list = usesList({
    counted,
    view,
    uses,
    apis,
    ticked: mayReview ? new Set(draft?.uses) : undefined,
    tickedApis: new Set(draft?.apis),
    findPlace: app.scans.findPlace,
  })
  const total = toTotal(counted, view)
  const path = toScanPath(scan)
  const body = html`${scanHead(counted, { tab: 'uses' })}
${doneNote(query.get('done'))}${draft ? note(draft.error, 'bad') : ''}${staleNote(counted, request)}${running(scan)}
<div class="columns"><section class="panel" aria-label="The scan">${scanFacts(counted)}</section>
<section class="panel" aria-labelledby="bom"><h2 id="bom">Bill of materials</h2>${bomLinks(scan)}</section></div>
<h2 id="uses">${kind === 'project' ? 'Endpoints' : 'Traffic'} by API</h2>
${filters(counted, view)}
${uses.length === 0 ? nothing(counted, view) : mayReview ? reviewForm(request, { path, view, page, draft, list }) : list}
${pager({ path, query: toViewQuery(view), page, pageSize: PAGE_SIZE, total, anchor: 'uses' })}
${mayReview ? wholeForm(request, { scan, view }) : html`<p class="soft">To review, one needs the scope <code>review</code>.</p>`}
${kind === 'network' ? await batches(request, scan) : ''}
${viewer.caller.scopes.has('ingest') ? html`<p><a href="${path}/remove">Remove this scan</a></p>` : ''}`
  return { kind: 'page', title: toTitle(scan), body, ...(draft && { status: draft.status }) }
}

const WORDS: Readonly<Record<Shown, string>> = {
  new: 'New and unreviewed',
  unreviewed: 'Unreviewed',
  refused: 'Refused',
  approved: 'Approved',
  all: 'All',
}

function findCounts({ counts, apis }: CountedScan, { apiId }: UseView) {
  if (apiId === undefined) return counts
  return apis.find((api) => (api.apiId ?? 'none') === apiId)
}

function toTotal(counted: CountedScan, view: UseView): number {
  const counts = findCounts(counted, view)
  return counts ? toFigure(counts, view.show) : 0
}

function filters(counted: CountedScan, view: UseView): Html {
  const path = toScanPath(counted.scan)
  return html`<ul class="tabs">${SHOWN.map((show) => {
    const query = toViewQuery({ ...view, show })
    const mark = show === view.show ? html` aria-current="true"` : ''
    return html`<li><a href="${path}?${query}#uses"${mark}>${WORDS[show]} (${count(toTotal(counted, { ...view, show }))})</a></li>`
  })}</ul>${view.apiId === undefined ? '' : html`<p>Of one API only. <a href="${path}?${toViewQuery({ ...view, apiId: undefined })}#uses">Show all APIs</a></p>`}`
}

function nothing(counted: CountedScan, view: UseView): Html {
  const { scan, counts } = counted
  if (scan.rows > 0 && counts.uses === 0) {
    return empty(
      'This scan was stored by an earlier release.',
      html`<p>Its bill of materials is there. To review it here, scan again and submit.</p>`,
    )
  }
  if (toTotal(counted, view) > 0) {
    return html`<p>There is no such page: the list is shorter.</p>`
  }
  if (view.show === 'all' && view.apiId === undefined) {
    return empty('The scan found nothing.', html`<p>No third-party API was seen.</p>`)
  }
  return empty(
    'Nothing here.',
    html`<p><a href="${toScanPath(scan)}#uses">Show everything that the scan found</a></p>`,
  )
}

const DONE: Readonly<Record<string, string>> = {
  yes: 'Approved.',
  no: 'Refused.',
  unreviewed: 'Taken back: open for review again.',
  whole: 'The review is saved.',
  matched: 'The scan is matched to the catalogue as it is now.',
  submitted: 'The scan is stored.',
}

function doneNote(done: string | null): Html | string {
  const words = done !== null && Object.hasOwn(DONE, done) ? DONE[done] : undefined
  return words === undefined ? '' : note(words, 'good')
}
