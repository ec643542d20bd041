import type { Api, Endpoint } from '../../../core/catalogue/index.ts'
import type { CallOutput, Contract } from '../../../core/contract.ts'
import { ServiceError } from '../../../core/index.ts'
import type { ApiUsingScan, NetworkScan, ProjectScan } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { liveSearchAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import {
  badge,
  emptyState,
  externalLink,
  formatNumber,
  type Tone,
  timeElement,
} from '../parts/text.ts'
import { toScanPath } from '../scans/paths.ts'
import { createExcerpt, formatAuthType, renderEndpointName } from './labels.ts'
import { toApiPath, toEndpointPath } from './links.ts'

type Answer = CallOutput<Contract['getAgreementsById']>
type Statement = NonNullable<Answer['assessment']>[number]

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

/** Renders the rule-based assessment of an API, each statement with its evidence. */
export async function assessmentSection(
  request: ViewedRequest,
  api: Pick<Api, 'encryptedId'>,
): Promise<Html> {
  const statements = await readAssessment(request, api)
  const heading = html`<h2 id="assessment">Assessment</h2>`
  if (statements.length === 0) {
    return html`${heading}<p class="soft">No assessment available: the known facts match no rule.</p>`
  }
  const groups = new Map<string, Statement[]>()
  for (const statement of statements) {
    const { category } = statement
    groups.set(category, [...(groups.get(category) ?? []), statement])
  }
  return html`${heading}
<p class="row">${CLASSIFICATIONS.map(([name, tone]) => {
    const found = statements.filter(({ classification }) => classification === name).length
    return found > 0 ? badge(`${found} ${name}`, tone) : ''
  })}</p>
<div class="columns">${[...groups].map(
    ([category, all]) =>
      html`<section class="panel"><h3>${formatCategory(category)}</h3><ul class="plain">${all.map(renderStatement)}</ul></section>`,
  )}</div>`
}

/** In descending severity. */
const CLASSIFICATIONS: readonly (readonly [string, Tone])[] = [
  ['blocker', 'worst'],
  ['bad', 'bad'],
  ['neutral', 'plain'],
  ['good', 'good'],
]

function renderStatement({ classification, statement, evidence }: Statement): Html {
  const { source, quote, link, date } = evidence
  const tone = CLASSIFICATIONS.find(([name]) => name === classification)?.[1] ?? 'plain'
  const where = link === '' ? source : externalLink(link, source || link)
  return html`<li>${badge(classification, tone)} ${statement}
${quote !== '' ? html`<blockquote>${quote}</blockquote>` : ''}<p class="soft">${where}${Number.isNaN(Date.parse(date)) ? '' : html`, ${timeElement(Date.parse(date))}`}</p></li>`
}

async function readAssessment(
  request: ViewedRequest,
  { encryptedId }: Pick<Api, 'encryptedId'>,
): Promise<readonly Statement[]> {
  const input = { api_id: encryptedId, assessment: true }
  try {
    return (await request.call('getAgreementsById', input)).assessment ?? []
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_implemented') return []
    throw error
  }
}

function formatCategory(category: string): string {
  const text = category.replaceAll('_', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Renders the viewer's projects and networks that use an API. */
export async function renderUsagesSection(
  { app, viewer, apiUrl, command }: ViewedRequest,
  api: Pick<Api, 'id'>,
): Promise<Html> {
  const { projects, networks, isPartial } = await app.scans.findScansUsingApi(
    viewer.caller.account,
    api.id,
  )
  const heading = html`<h2 id="uses">Used by</h2>`
  if (projects.length === 0 && networks.length === 0) {
    return html`${heading}${emptyState(
      'Not found in your scans',
      html`<p>Scan projects or network traffic to find usages:</p><pre>${command} scan project FOLDER --submit ${apiUrl}</pre>`,
    )}`
  }
  return html`${heading}
<p class="soft">Usages in the newest scan of each project and network${isPartial ? '; only the newest scans are listed' : ''}.</p>
${projects.length > 0 ? projectTable(projects) : ''}
${networks.length > 0 ? networkTable(networks) : ''}`
}

function projectTable(rows: readonly ApiUsingScan<ProjectScan>[]): Html {
  return table({
    caption: `Projects (${formatNumber(rows.length)})`,
    columns: [
      {
        title: 'Project',
        isHead: true,
        cell: ({ scan: { id, name } }: ApiUsingScan<ProjectScan>) =>
          html`<a href="${toScanPath({ kind: 'project', id })}">${name}</a>`,
      },
      { title: 'Scanned', isTight: true, cell: ({ scan }) => timeElement(scan.createdAt) },
      { title: 'Endpoints', isNumber: true, cell: ({ counts }) => formatNumber(counts.usages) },
      { title: 'Approved', cell: ({ counts }) => renderReviewStatus(counts) },
    ],
    rows,
  })
}

function networkTable(rows: readonly ApiUsingScan<NetworkScan>[]): Html {
  return table({
    caption: `Networks (${formatNumber(rows.length)})`,
    columns: [
      {
        title: 'Network',
        isHead: true,
        cell: ({ scan: { instanceId: id, networkName, projectName } }: ApiUsingScan<NetworkScan>) =>
          html`<a href="${toScanPath({ kind: 'network', id })}">${networkName || 'No name'}</a>${projectName ? html` <span class="soft">${projectName}</span>` : ''}`,
      },
      { title: 'Scanned', isTight: true, cell: ({ scan }) => timeElement(scan.startedAt) },
      { title: 'Flows', isNumber: true, cell: ({ counts }) => formatNumber(counts.rows) },
      { title: 'Approved', cell: ({ counts }) => renderReviewStatus(counts) },
    ],
    rows,
  })
}

/** Renders the review status: rejected if at least one usage is. */
function renderReviewStatus({ usages, approved, rejected }: ApiUsingScan<unknown>['counts']): Html {
  if (rejected > 0) return badge('Rejected', 'bad')
  if (approved === usages) return badge('Approved', 'good')
  return approved > 0
    ? badge(`${formatNumber(approved)} of ${formatNumber(usages)} approved`)
    : badge('Unreviewed')
}
