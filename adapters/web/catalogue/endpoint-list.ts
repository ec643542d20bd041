import type { Api, Endpoint } from '../../../core/catalogue/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber } from '../parts/text.ts'
import { createExcerpt, formatAuthType, renderEndpointName } from './labels.ts'
import { toApiPath, toEndpointPath } from './links.ts'

const PAGE_SIZE = 50
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/** Renders one page of an API's endpoints, filtered by words and method. */
export async function renderEndpointsSection(request: ViewedRequest, api: Api): Promise<Html> {
  const { app, query: searchParams } = request
  const text = (searchParams.get('find') ?? '').slice(0, 200).trim()
  const method = METHODS.find((name) => name === searchParams.get('method'))
  const isDeprecated = searchParams.get('deprecated') === 'yes' ? true : undefined
  const page = parsePageNumber(searchParams)
  const filter = { apiId: api.id, text, method, isDeprecated }
  const [found, inbound] = await Promise.all([
    app.catalogue.listEndpoints(filter, { size: PAGE_SIZE, page }),
    app.catalogue.listEndpoints({ ...filter, isInbound: true }, { size: 1, page: 1 }),
  ])
  const query = new URLSearchParams()
  if (text) query.set('find', text)
  if (method) query.set('method', method)
  if (isDeprecated) query.set('deprecated', 'yes')
  const isNarrowed = [...query.keys()].length > 0
  if (found.total === 0 && !isNarrowed) {
    return html`<h2 id="endpoints">Endpoints</h2>${emptyState('No endpoints', html`<p>The description contains no readable operations.</p>`)}`
  }
  const path = toApiPath(api)
  return html`<h2 id="endpoints">Endpoints</h2>
<form class="search" role="search" aria-label="Endpoints" action="${path}"${liveSearchAttributes({ path, results: 'endpoint-list' })}>
<input type="search" name="find" value="${text}" aria-label="Search endpoints by path or words" placeholder="/users" autocomplete="off">
<select name="method" aria-label="Method"><option value="">any method</option>${METHODS.map((name) => html`<option value="${name}"${name === method ? html` selected` : ''}>${name.toUpperCase()}</option>`)}</select>
<label class="row"><input type="checkbox" name="deprecated" value="yes"${isDeprecated ? html` checked` : ''}> deprecated only</label>
<button>Search</button>
</form>
<div id="endpoint-list">${
    found.total === 0
      ? html`<p role="status">No matching endpoints. <a href="${path}#endpoints">Show all</a></p>`
      : html`${table({
          caption: formatCounts({ endpoints: found.total - inbound.total, inbound: inbound.total }),
          columns: [
            {
              title: 'Endpoint',
              isHead: true,
              cell: (endpoint: Endpoint) =>
                html`<a href="${toEndpointPath(api, endpoint)}">${renderEndpointName(endpoint)}</a>${endpoint.isDeprecated ? html` ${badge('Deprecated', 'warn')}` : ''}${endpoint.isInbound ? html` ${badge('Webhook')}` : ''}`,
            },
            { title: 'Summary', cell: renderSummary },
            {
              title: 'Authentication',
              cell: ({ authTypes }) => authTypes.map(formatAuthType).join(', '),
            },
          ],
          rows: found.items,
        })}
${pager({ path, query, page, pageSize: PAGE_SIZE, total: found.total, anchor: 'endpoints' })}`
  }</div>`
}

/** Endpoint counts exclude inbound ones, as everywhere else. */
function formatCounts(counts: { readonly endpoints: number; readonly inbound: number }): string {
  const { endpoints, inbound } = counts
  const own = `${formatNumber(endpoints)} ${endpoints === 1 ? 'endpoint' : 'endpoints'}`
  if (inbound === 0) return own
  return `${own}, ${formatNumber(inbound)} ${inbound === 1 ? 'webhook or callback' : 'webhooks and callbacks'}`
}

/** Renders the operation ID as a fallback for a missing description. */
function renderSummary({ summary, description, operationId }: Endpoint): Html {
  const text = createExcerpt(summary || description, 160)
  return text === '' ? html`<code class="soft">${operationId}</code>` : html`${text}`
}
