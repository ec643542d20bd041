import type { Api, Endpoint } from '../../../core/catalogue/index.ts'
import { type Account, ServiceError } from '../../../core/index.ts'
import type { ListedRun } from '../../../core/rate-limits/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { renderEndpointName } from '../catalogue/labels.ts'
import { toEndpointPath } from '../catalogue/links.ts'
import { GUIDES_PATH } from '../guides/guide-list.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { accountOption } from '../parts/account-option.ts'
import { pollingAttributes } from '../parts/live.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { emptyState, formatNumber, timeElement } from '../parts/text.ts'
import { formatProgress, isOpen, stateBadge, verdictBadge } from './formats.ts'
import { RATE_LIMITS_PATH, toRunPath } from './paths.ts'

const PAGE_SIZE = 25

/** Lists the account's rate-limit tests, newest first. */
export async function renderRunList(request: ViewedRequest): Promise<PageResult> {
  const { app, viewer, query } = request
  const page = parsePageNumber(query)
  const asked = { size: PAGE_SIZE, page }
  const { items, total } = await app.rateLimits.list(viewer.caller.account, asked)
  const canStart = viewer.caller.scopes.has('benchmark')
  const target = `${RATE_LIMITS_PATH}${page > 1 ? `?page=${page}` : ''}`
  const live = items.some(isOpen) ? pollingAttributes({ path: target, id: 'runs', seconds: 2 }) : ''
  const body = html`<h1>Rate limits</h1>
<p class="lead">Test how an API limits the rate of calls, the size of bodies and the size of pages.</p>
${canStart ? html`<p><a class="button" href="${RATE_LIMITS_PATH}/new">Start a test</a></p>` : html`<p class="soft">Starting a test requires the scope <code>benchmark</code>.</p>`}
<div id="runs"${live}>${items.length > 0 ? renderRunTable(items, { total, names: await findNames(request, items) }) : total > 0 ? renderPageNotFound(RATE_LIMITS_PATH) : renderEmptyList(viewer.caller.account, request.command)}</div>
${pager({ path: RATE_LIMITS_PATH, query, page, pageSize: PAGE_SIZE, total })}`
  return { kind: 'page', title: 'Rate limits', body }
}

type Names = ReadonlyMap<string, Html>

function renderRunTable(items: readonly ListedRun[], known: { total: number; names: Names }): Html {
  return table({
    caption: `${formatNumber(known.total)} ${known.total === 1 ? 'test' : 'tests'}, newest first, times in UTC`,
    columns: [
      {
        title: 'Run',
        isHead: true,
        sortValue: ({ id }: ListedRun) => id,
        cell: (run) => html`<a href="${toRunPath(run)}">Run ${run.id}</a>`,
      },
      { title: 'Endpoint', cell: ({ endpoint }) => known.names.get(endpoint) ?? endpoint },
      { title: 'Verdict', cell: ({ verdict }) => verdictBadge(verdict) },
      { title: 'Limit found', cell: ({ limit }) => limit ?? '' },
      {
        title: 'State',
        cell: (run) =>
          html`${stateBadge(run)}${isOpen(run) ? html` <span class="soft">${formatProgress(run)}</span>` : ''}`,
      },
      { title: 'Host', cell: ({ host }) => host },
      {
        title: 'Created',
        isTight: true,
        sortValue: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => timeElement(createdAt),
      },
    ],
    rows: items,
  })
}

/** Resolves the endpoints that are still in the catalogue. */
async function findNames(request: ViewedRequest, runs: readonly ListedRun[]): Promise<Names> {
  const names = new Map<string, Html>()
  for (const id of new Set(runs.map(({ endpoint }) => endpoint))) {
    const found = await findTested(request, id)
    if (found) names.set(id, endpointLink(found))
  }
  return names
}

/** An endpoint and its API. */
export interface Tested {
  readonly endpoint: Endpoint
  readonly api: Api
}

/** Finds an endpoint by its short or numeric ID; undefined if it is not in the catalogue. */
export async function findTested({ app }: ViewedRequest, id: string): Promise<Tested | undefined> {
  try {
    const endpoint = await app.catalogue.getEndpoint(id)
    return { endpoint, api: await app.catalogue.getApi(String(endpoint.apiId)) }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Links to an endpoint's page by method and path, followed by the API's name. */
export function endpointLink({ endpoint, api }: Tested): Html {
  return html`<a href="${toEndpointPath(api, endpoint)}">${renderEndpointName(endpoint)}</a> <span class="soft">${api.name}</span>`
}

function renderEmptyList(account: Account, command: string): Html {
  return emptyState(
    'No tests yet.',
    html`<p>A host can be tested if the operator allows it, or if it publishes the account’s token.</p>
<pre>${command} benchmark start ENDPOINT_ID ${accountOption(account)}</pre>
<p>Guide: <a href="${GUIDES_PATH}/rate-limit-test#consent">Consent</a></p>`,
  )
}
