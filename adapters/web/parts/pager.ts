import { type Html, html } from '../../../core/shared/html.ts'
import { emptyState, formatNumber } from './text.ts'

/**
 * Renders links to the previous and next page; beyond the last page, to the last one. `query`
 * contains the list's parameters: `page` is replaced and `done` removed.
 */
export function pager(options: {
  readonly path: string
  readonly query: URLSearchParams
  /** Starts at 1. */
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** ID of the paged element, if other content precedes it. */
  readonly anchor?: string
}): Html {
  const { page, pageSize, total, anchor } = options
  const pages = Math.max(1, Math.ceil(total / pageSize))
  if (total === 0 || (pages === 1 && page === 1)) return html``
  const all = `${formatNumber(pages)} ${pages === 1 ? 'page' : 'pages'}`
  const here = page > pages ? all : `Page ${formatNumber(page)} of ${formatNumber(pages)}`
  const link = (to: number, text: string, rel: string) => {
    const query = new URLSearchParams(options.query)
    query.delete('done')
    query.set('page', String(to))
    return html`<a href="${options.path}?${query}${anchor && `#${anchor}`}" rel="${rel}">${text}</a>`
  }
  return html`<nav class="pager" aria-label="Pages">${page > 1 ? link(Math.min(page - 1, pages), '← Previous', 'prev') : ''}
<span>${here}</span>
${page < pages ? link(page + 1, 'Next →', 'next') : ''}</nav>`
}

/** Renders a message beyond the last page of a list, with a link to the first one. */
export function renderPageNotFound(path: string, query = new URLSearchParams()): Html {
  const first = new URLSearchParams(query)
  first.delete('page')
  first.delete('done')
  const search = first.size > 0 ? `?${first}` : ''
  return emptyState('Page not found', html`<p><a href="${path}${search}">First page</a></p>`)
}

/** Parses the requested page, from 1; invalid values become 1. */
export function parsePageNumber(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1
}
