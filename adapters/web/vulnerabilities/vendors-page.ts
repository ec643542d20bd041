import { html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { emptyState, formatNumber } from '../parts/text.ts'
import { SEARCH_PATH } from './filter-form.ts'
import { nothingLoaded } from './nothing-loaded.ts'

const PAGE_SIZE = 100
const VENDORS_PATH = `${SEARCH_PATH}/vendors`

/** Renders the vendors of the vulnerability database, or the products of one vendor. */
export async function renderVendorsPage(request: ViewedRequest): Promise<PageResult> {
  const { app, query, command } = request
  const vendor = query.get('vendor')?.trim() ?? ''
  const q = query.get('q')?.trim().slice(0, 200) ?? ''
  const all: readonly string[] = vendor
    ? await app.vulnerabilities.listProducts(vendor)
    : // Only the core writes it.
      JSON.parse(await app.vulnerabilities.listVendors())
  const wanted = q
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean)
  const found = all.filter((name) => {
    const lower = name.toLowerCase()
    return wanted.every((word) => lower.includes(word))
  })
  const page = parsePageNumber(query)
  const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const noun = vendor ? 'products' : 'vendors'
  const title = vendor ? `Products of ${vendor}` : 'Vendors with vulnerabilities'
  const link = new URLSearchParams()
  if (vendor) link.set('vendor', vendor)
  if (q) link.set('q', q)
  const search = (names: Readonly<Record<string, string>>) =>
    html`<a href="${SEARCH_PATH}?${new URLSearchParams(names)}">CVEs<span class="unseen"> of ${Object.values(names).at(-1)}</span></a>`
  const body = html`<p class="crumbs"><a href="${SEARCH_PATH}">Vulnerabilities</a>${vendor ? html` › <a href="${VENDORS_PATH}">Vendors</a>` : ''}</p>
<h1>${title}</h1>
${vendor && all.length > 0 ? html`<p><a href="${SEARCH_PATH}?${new URLSearchParams({ vendor })}">All vulnerabilities of ${vendor}</a></p>` : ''}
<form action="${VENDORS_PATH}" role="search"${liveSearchAttributes({ path: VENDORS_PATH, results: 'results', isAddressed: true })}>
${vendor ? html`<input type="hidden" name="vendor" value="${vendor}">` : ''}
<label for="field-q">Part of a name</label>
<div class="search"><input id="field-q" name="q" type="search" value="${q}" autocomplete="off"><button>Filter</button></div></form>
<section id="results" aria-label="Results">
<div role="status"><h2>${formatNumber(found.length)} ${found.length === 1 ? noun.slice(0, -1) : noun}</h2></div>
${
  found.length === 0
    ? vendor === '' && all.length === 0
      ? nothingLoaded(command)
      : emptyState(
          `No ${noun} found`,
          html`<p>Names are spelled as in CPE: lower case, words joined by underscores.</p>`,
        )
    : html`<ul class="names">${shown.map((name) =>
        vendor
          ? html`<li><span class="mono">${name}</span> ${search({ vendor, product: name })}</li>`
          : html`<li><a class="mono" href="${VENDORS_PATH}?${new URLSearchParams({ vendor: name })}">${name}</a> ${search({ vendor: name })}</li>`,
      )}</ul>`
}
${pager({ path: VENDORS_PATH, query: link, page, pageSize: PAGE_SIZE, total: found.length })}
</section>`
  return { kind: 'page', title, body }
}
