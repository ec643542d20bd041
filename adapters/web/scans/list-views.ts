import type { CountedScan } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { GroupView } from '../../../core/storage.ts'
import { renderPageNotFound } from '../parts/pager.ts'
import { emptyState, formatNumber } from '../parts/text.ts'
import { toViewQuery, type UsageView, VIEWS } from './usage-view.ts'

const VIEW_LABELS: Readonly<Record<GroupView, string>> = {
  all: 'All',
  new: 'New, unreviewed',
  unreviewed: 'Unreviewed',
  rejected: 'Rejected',
  approved: 'Approved',
}

/** Renders links to the views of a list, with their numbers of rows. */
export function renderViewTabs(
  path: string,
  { view, figure }: { readonly view: UsageView; figure(show: GroupView): number },
): Html {
  return html`<ul class="tabs">${VIEWS.map((show) => {
    const query = toViewQuery({ ...view, show })
    const mark = show === view.show ? html` aria-current="true"` : ''
    return html`<li><a href="${path}?${query}"${mark}>${VIEW_LABELS[show]} (${formatNumber(figure(show))})</a></li>`
  })}</ul>`
}

/** Explains why a page of a list is empty; `total` is the length of the list. */
export function renderEmptyList(
  { scan, counts }: CountedScan,
  { path, total }: { readonly path: string; readonly total: number },
): Html {
  if (total > 0) return renderPageNotFound(path)
  if (scan.rows === 0) {
    return emptyState('No results.', html`<p>The scan found no third-party APIs.</p>`)
  }
  if (counts.usages === 0) {
    return emptyState(
      'An earlier release stored this scan.',
      html`<p>Its BOM is available. To review it here, submit a new scan.</p>`,
    )
  }
  return emptyState(
    'No matching entries.',
    html`<p><a href="${path}">Show all results of the scan</a></p>`,
  )
}
