import type { Api, BrowsedApi, Endpoint } from '../../../core/catalogue/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { createExcerpt } from '../catalogue/labels.ts'
import type { ViewedRequest } from '../page.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { emptyState, formatNumber } from '../parts/text.ts'
import { START_PATH, toStartPath } from './paths.ts'

const APIS = 10
const ENDPOINTS = 50

/** Renders a search for the endpoint to test: across all APIs, or within one API. */
export async function renderEndpointSearch(request: ViewedRequest): Promise<Html> {
  const q = (request.query.get('q') ?? '').slice(0, 1000).trim()
  const apiId = request.query.get('api') ?? ''
  const found =
    apiId !== ''
      ? await renderEndpointResults(request, { apiId, q })
      : await renderApiResults(request, q)
  return html`<p class="lead">Select the endpoint to test. The next page shows the limits before anything is sent.${apiId === '' ? '' : html` <a href="${START_PATH}">Search all APIs</a>`}</p>
<form class="search" role="search" aria-label="Endpoints" action="${START_PATH}"${liveSearchAttributes({ path: START_PATH, results: 'found' })}>
${apiId === '' ? '' : html`<input type="hidden" name="api" value="${apiId}">`}<input type="search" name="q" value="${q}" aria-label="Search endpoints by purpose, path or ID" placeholder="${apiId === '' ? 'list invoices' : '/invoices'}" autocomplete="off">
<button>Search</button>
</form>
<div id="found">${found}</div>`
}

async function renderApiResults(request: ViewedRequest, q: string): Promise<Html> {
  if (q === '') return html``
  const { catalogue } = request.app
  const named = await findById(request, q)
  const page = { size: APIS, page: parsePageNumber(request.query) }
  const { items, total } = await catalogue.browse({ q, chosen: {}, page })
  const query = new URLSearchParams({ q })
  return html`${named ? html`<ul class="hits"><li>${endpointLink(named)}</li></ul>` : ''}
<p role="status">${total === 0 ? 'No matching APIs' : `${formatNumber(total)} matching ${total === 1 ? 'API' : 'APIs'}`}</p>
<ul class="hits">${items.map(({ api, facts, matched }) => renderApiHit({ api, endpoints: facts.endpoints, matched }))}</ul>
${pager({ path: START_PATH, query, page: page.page, pageSize: APIS, total })}`
}

function renderApiHit(found: {
  readonly api: Api
  readonly endpoints: number
  readonly matched: BrowsedApi['matched']
}): Html {
  const { api, endpoints, matched } = found
  const query = new URLSearchParams({ api: api.encryptedId })
  return html`<li><h2>${api.name}</h2><p class="soft">${api.vendor.name}</p>
${matched.length > 0 ? html`<ul class="matched">${matched.map((each) => html`<li>${endpointLink(each)}</li>`)}</ul>` : ''}
<p><a href="${START_PATH}?${query}">${endpoints === 1 ? 'The endpoint' : `All ${formatNumber(endpoints)} endpoints`} of ${api.name}</a></p></li>`
}

async function renderEndpointResults(
  request: ViewedRequest,
  { apiId, q }: { readonly apiId: string; readonly q: string },
): Promise<Html> {
  const { catalogue } = request.app
  const api = await catalogue.getApi(apiId)
  const page = { size: ENDPOINTS, page: parsePageNumber(request.query) }
  const text = q.slice(0, 200)
  const { items, total } = await catalogue.listEndpoints({ apiId: api.id, text }, page)
  const query = new URLSearchParams({ api: apiId, ...(q === '' ? {} : { q }) })
  return html`<h2>Endpoints of ${api.name}</h2>
${items.length === 0 ? emptyState('No matching endpoints', html`<p><a href="${START_PATH}?${new URLSearchParams({ api: apiId })}">All endpoints of the API</a></p>`) : html`<ul class="hits">${items.map((each) => html`<li>${each.isInbound ? html`${methodAndPath(each)} <span class="soft">called by the vendor, cannot be tested</span>` : endpointLink(each)}</li>`)}</ul>`}
${pager({ path: START_PATH, query, page: page.page, pageSize: ENDPOINTS, total })}`
}

async function findById({ app }: ViewedRequest, id: string): Promise<Endpoint | undefined> {
  if (!/^[\w-]{1,40}$/.test(id)) return undefined
  try {
    return await app.catalogue.getEndpoint(id)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

function endpointLink(
  endpoint: Pick<Endpoint, 'shortId' | 'method' | 'url' | 'description'>,
): Html {
  return html`<a href="${toStartPath(endpoint)}">${methodAndPath(endpoint)}</a> <span class="soft">${createExcerpt(endpoint.description, 120)}</span>`
}

function methodAndPath({ method, url }: Pick<Endpoint, 'method' | 'url'>): Html {
  return html`<span class="method">${method}</span> <span class="mono">${url}</span>`
}
