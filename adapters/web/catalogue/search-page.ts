import {
  type BrowsedApi,
  type BrowsedApis,
  type ChosenFacets,
  type Facet,
  type FacetName,
  type FacetValue,
  formatApiKind,
} from '../../../core/catalogue/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { GUIDES_PATH } from '../guides/guide-list.ts'
import { CONSOLE, type Page, type ViewedRequest } from '../page.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { badge, emptyState, formatNumber } from '../parts/text.ts'
import { createExcerpt, formatAuthType } from './labels.ts'
import { APIS_PATH, toApiPath, toEndpointPath } from './links.ts'

const PAGE_SIZE = 20
const FACETS = ['category', 'vendor', 'auth', 'license', 'deprecated', 'kind'] as const

/** Searches the catalogue and shows results with facet filters. */
export const searchPage: Page = {
  method: 'GET',
  path: '/apis',
  access: 'read',
  section: 'catalogue',
  async handle(request) {
    const query = readQuery(request.query)
    const page = parsePageNumber(request.query)
    const q = query.get('q') ?? ''
    const chosen: ChosenFacets = Object.fromEntries(
      FACETS.map((name) => [name, query.get(name) ?? undefined]),
    )
    const { catalogue } = request.app
    const found = await catalogue.browse({ q, chosen, page: { size: PAGE_SIZE, page } })
    const all = await catalogue.countApis()
    const body =
      all === 0
        ? html`<h1>Catalogue</h1>${renderEmptyCatalogue(request)}`
        : html`<h1>Catalogue</h1>
<p class="lead">${formatNumber(all)} ${all === 1 ? 'API' : 'APIs'} searchable by name, vendor and endpoints.</p>
${renderSearchForm(query)}
${renderResults({ found, query, page })}`
    const title = q === '' ? 'Catalogue' : `${q} · Catalogue`
    return { kind: 'page', title, body }
  },
}

/** Reads the supported query parameters; omits empty ones. */
function readQuery(searchParams: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of ['q', ...FACETS]) {
    const value = (searchParams.get(name) ?? '').slice(0, 1000)
    if (value.trim() !== '') query.set(name, value)
  }
  return query
}

function renderSearchForm(query: URLSearchParams): Html {
  return html`<form class="search" role="search" action="${APIS_PATH}"${liveSearchAttributes({ path: APIS_PATH, results: 'results', isAddressed: true })}>
<input type="search" name="q" value="${query.get('q') ?? ''}" aria-label="Search APIs" placeholder="send a text message" autocomplete="off">
${FACETS.filter((name) => query.has(name)).map((name) => html`<input type="hidden" name="${name}" value="${query.get(name)}">`)}
<button>Search</button>
</form>`
}

function renderResults(view: {
  readonly found: BrowsedApis
  readonly query: URLSearchParams
  readonly page: number
}): Html {
  const { found, query, page } = view
  const { items, total, facets } = found
  return html`<div id="results" class="with-aside">
${renderFacets(facets, query)}
<section aria-label="APIs">
<p role="status">${total === 0 ? 'No results' : html`${formatNumber(total)} ${total === 1 ? 'API' : 'APIs'} found <a class="to-facets" href="#narrow">Filter</a>`}</p>
${renderChosenFilters(facets, query)}
${total === 0 ? renderNoResults(query) : html`<ul class="hits">${items.map(renderApi)}</ul>`}
${items.length === 0 && total > 0 ? html`<p>This page does not exist. <a href="${APIS_PATH}?${query}">Go to the first page</a></p>` : ''}
${pager({ path: APIS_PATH, query, page, pageSize: PAGE_SIZE, total })}
</section>
</div>`
}

function renderApi({ api, facts, agreements, matched }: BrowsedApi): Html {
  const terms = agreements.find(({ kind }) => kind === 'TermsOfService')
  const licenses = api.licenses.map(({ name }) => name).filter(Boolean)
  const text = createExcerpt(api.description)
  return html`<li><h2><a href="${toApiPath(api)}">${api.name}</a></h2>
<p class="soft">${api.vendor.name} · ${api.version === '' ? 'no version' : html`version ${api.version}`} · ${formatNumber(facts.endpoints)} ${facts.endpoints === 1 ? 'endpoint' : 'endpoints'}</p>
${text === '' ? '' : html`<p>${text}</p>`}
<p class="row">${api.kind === 'http' ? '' : badge(formatApiKind(api.kind))}${renderAuthBadges(api)}${badge(licenses.length > 0 ? `Licence ${licenses.join(', ')}` : 'No licence stated')}${terms ? '' : badge('No terms', 'warn')}${facts.deprecated > 0 ? badge(`${formatNumber(facts.deprecated)} deprecated`, 'warn') : ''}${api.isPublic ? '' : badge('Private')}${api.isImplemented || api.kind !== 'http' ? '' : badge('Cannot be called')}</p>
${matched.length > 0 ? html`<ul class="matched">${matched.map((endpoint) => html`<li><a href="${toEndpointPath(api, endpoint)}"><span class="method">${endpoint.method}</span> <span class="mono">${endpoint.url}</span></a> <span class="soft">${createExcerpt(endpoint.description, 120)}</span></li>`)}</ul>` : ''}</li>`
}

/** Adds a separate badge if only some endpoints require authentication. */
function renderAuthBadges({ authTypes }: BrowsedApi['api']): Html {
  const needed = authTypes.filter((type) => type !== 'none').map(formatAuthType)
  const open = needed.length > 0 ? 'Some endpoints without authentication' : formatAuthType('none')
  return html`${needed.length > 0 ? badge(needed.join(', ')) : ''}${authTypes.includes('none') ? badge(open, 'warn') : ''}`
}

function renderNoResults(query: URLSearchParams): Html {
  const q = query.get('q')
  const isNarrowed = FACETS.some((name) => query.has(name))
  return emptyState(
    'No matching APIs',
    html`<ul>
${isNarrowed ? html`<li>Remove the filters${q ? html`: <a href="${APIS_PATH}?${new URLSearchParams({ q })}">search all APIs for “${q}”</a>` : html`: <a href="${APIS_PATH}">show all APIs</a>`}</li>` : ''}
${q ? html`<li>Try other words: a task (“send a message”), a vendor, or part of a path (“/invoices”)</li>` : ''}
<li>Import a description on the <a href="${CONSOLE}/imports">Imports</a> page</li>
</ul>`,
  )
}

function renderEmptyCatalogue({ viewer, command }: ViewedRequest): Html {
  return emptyState(
    'The catalogue is empty',
    html`<p>Import API descriptions: OpenAPI 3.0 to 3.2, Swagger 2.0, and cards of MCP servers and A2A agents, as JSON or YAML.</p>
<pre>${command} import FILE… --create-vendors</pre>
<p>Guide: <a href="${GUIDES_PATH}/import">Import API descriptions</a></p>
${viewer.caller.scopes.has('import') ? html`<p>Or upload one on the <a href="${CONSOLE}/imports">Imports</a> page.</p>` : ''}`,
  )
}

const TITLES: Readonly<Record<FacetName, string>> = {
  category: 'Category',
  vendor: 'Vendor',
  auth: 'Authentication',
  license: 'Licence',
  deprecated: 'Deprecated endpoints',
  kind: 'Kind',
}

/**
 * Numbers of values per facet that are shown directly and expanded; chosen values are listed first.
 */
const SHOWN_VALUES = 8
const MAX_VALUES = 60

/** Renders the facet filters of the results. `query` is that of the request. */
function renderFacets(facets: readonly Facet[], query: URLSearchParams): Html {
  return html`<aside class="facet" id="narrow" aria-label="Narrow down">${facets
    .filter(({ name, values }) => values.length > (name === 'kind' ? 1 : 0))
    .map((facet) => renderFacet(facet, query))}</aside>`
}

/** Renders the chosen filters, each with a link to remove it. */
function renderChosenFilters(facets: readonly Facet[], query: URLSearchParams): Html {
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
