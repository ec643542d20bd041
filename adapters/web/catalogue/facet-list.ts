import type { Facet, FacetName, FacetValue } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { formatNumber } from '../parts/text.ts'
import { formatAuthType } from './labels.ts'
import { APIS_PATH } from './links.ts'

const TITLES: Readonly<Record<FacetName, string>> = {
  category: 'Category',
  vendor: 'Vendor',
  auth: 'Authentication',
  license: 'Licence',
  deprecated: 'Deprecated endpoints',
}

/**
 * Numbers of values per facet that are shown directly and expanded; chosen values are listed first.
 */
const SHOWN_VALUES = 8
const MAX_VALUES = 60

/** Renders the facet filters of the results. `query` is that of the request. */
export function renderFacets(facets: readonly Facet[], query: URLSearchParams): Html {
  return html`<aside class="facet" id="narrow" aria-label="Narrow down">${facets
    .filter(({ values }) => values.length > 0)
    .map((facet) => renderFacet(facet, query))}</aside>`
}

/** Renders the chosen filters, each with a link to remove it. */
export function renderChosenFilters(facets: readonly Facet[], query: URLSearchParams): Html {
  const chosen = facets.flatMap(({ name, values }) =>
    values.filter(({ isChosen }) => isChosen).map((value) => ({ name, value })),
  )
  if (chosen.length === 0) return html``
  const q = query.get('q')
  const all = q === null ? APIS_PATH : `${APIS_PATH}?${new URLSearchParams({ q })}`
  return html`<p class="row">${chosen.map(
    ({ name, value }) =>
      html`<a class="badge" href="${createFilterLink(query, { name, value: undefined })}" aria-label="Remove filter: ${TITLES[name]} ${formatFacetLabel(name, value)}">${TITLES[name]}: ${formatFacetLabel(name, value)} ✕</a>`,
  )} <a href="${all}">Clear all</a></p>`
}

function renderFacet({ name, values }: Facet, query: URLSearchParams): Html {
  const sorted = [...values].sort((one, other) => Number(other.isChosen) - Number(one.isChosen))
  const [first, more] = [sorted.slice(0, SHOWN_VALUES), sorted.slice(SHOWN_VALUES, MAX_VALUES)]
  const list = (some: readonly FacetValue[]) =>
    html`<ul>${some.map((value) => renderFacetValue({ name, value }, query))}</ul>`
  const left = values.length - first.length - more.length
  return html`<h2>${TITLES[name]}</h2>${list(first)}${
    more.length > 0
      ? html`<details><summary>${formatNumber(values.length - first.length)} more</summary>${list(more)}${left > 0 ? html`<p class="soft">and ${formatNumber(left)} more. Search for them by name</p>` : ''}</details>`
      : ''
  }`
}

function renderFacetValue(
  facetValue: { readonly name: FacetName; readonly value: FacetValue },
  query: URLSearchParams,
): Html {
  const { name, value } = facetValue
  const { isChosen } = value
  const to = createFilterLink(query, { name, value: isChosen ? undefined : value.value })
  return html`<li><a href="${to}"${isChosen ? html` aria-current="true"` : ''}><span>${formatFacetLabel(name, value)}${isChosen ? ' ✕' : ''}</span> <span>${formatNumber(value.count)}</span></a></li>`
}

function formatFacetLabel(name: FacetName, { label }: FacetValue): string {
  return name === 'auth' ? formatAuthType(label) : label
}

function createFilterLink(
  query: URLSearchParams,
  change: { readonly name: FacetName; readonly value: string | undefined },
): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  if (change.value === undefined) next.delete(change.name)
  else next.set(change.name, change.value)
  const text = next.toString()
  return text === '' ? APIS_PATH : `${APIS_PATH}?${text}`
}
