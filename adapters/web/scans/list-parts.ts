import type { CountedScan, GroupView } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { pageNotFound } from '../parts/pager.ts'
import { count, empty } from '../parts/text.ts'
import { SHOWN, toViewQuery, type UseView } from './view.ts'

const WORDS: Readonly<Record<GroupView, string>> = {
  all: 'All',
  new: 'New and not decided',
  unreviewed: 'Not decided',
  refused: 'Refused',
  approved: 'Approved',
}

/** Links to the parts of a list, each with how many rows it has. */
export function viewTabs(
  path: string,
  { view, figure }: { readonly view: UseView; figure(show: GroupView): number },
): Html {
  return html`<ul class="tabs">${SHOWN.map((show) => {
    const query = toViewQuery({ ...view, show })
    const mark = show === view.show ? html` aria-current="true"` : ''
    return html`<li><a href="${path}?${query}"${mark}>${WORDS[show]} (${count(figure(show))})</a></li>`
  })}</ul>`
}

/** Explains why a page of a list has no rows; `total` is how many the list has. */
export function emptyList(
  { scan, counts }: CountedScan,
  { path, total }: { readonly path: string; readonly total: number },
): Html {
  if (total > 0) return pageNotFound(path)
  if (scan.rows === 0) {
    return empty('The scan found nothing.', html`<p>No third-party API was seen.</p>`)
  }
  if (counts.uses === 0) {
    return empty(
      'This scan was stored by an earlier release.',
      html`<p>Its bill of materials is there. To review it here, scan again and submit.</p>`,
    )
  }
  return empty(
    'Nothing here.',
    html`<p><a href="${path}">Show everything that the scan found</a></p>`,
  )
}
