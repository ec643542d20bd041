import { type Html, html } from '../../../core/shared/html.ts'
import { count, empty } from './text.ts'

/**
 * Links to the page before and after; from beyond the last, to that one. `query` holds what the list
 * was asked for: its `page` is replaced, and what was `done` is not told again.
 */
export function pager(given: {
  readonly path: string
  readonly query: URLSearchParams
  /** From 1. */
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** Id of what the pages are of, where more stands above it. */
  readonly anchor?: string
}): Html {
  const { page, pageSize, total, anchor } = given
  const pages = Math.max(1, Math.ceil(total / pageSize))
  if (total === 0 || (pages === 1 && page === 1)) return html``
  const all = `${count(pages)} ${pages === 1 ? 'page' : 'pages'}`
  const here = page > pages ? all : `Page ${count(page)} of ${count(pages)}`
  const link = (to: number, text: string, rel: string) => {
    const query = new URLSearchParams(given.query)
    query.delete('done')
    query.set('page', String(to))
    return html`<a href="${given.path}?${query}${anchor && `#${anchor}`}" rel="${rel}">${text}</a>`
  }
  return html`<nav class="pager" aria-label="Pages">${page > 1 ? link(Math.min(page - 1, pages), '← Before', 'prev') : ''}
<span>${here}</span>
${page < pages ? link(page + 1, 'Next →', 'next') : ''}</nav>`
}

/** What a list shows beyond its last page: a link to the first one, which `query` narrows down. */
export function pageNotFound(path: string, query = new URLSearchParams()): Html {
  const first = new URLSearchParams(query)
  first.delete('page')
  first.delete('done')
  const search = first.size > 0 ? `?${first}` : ''
  return empty('Page not found', html`<p><a href="${path}${search}">First page</a></p>`)
}

/** The asked page, from 1; 1 for what is no page. */
export function readPage(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? '1')
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1
}
