import {
  type Api,
  type Endpoint,
  formatApiKind,
  type Parameter,
} from '../../../core/catalogue/index.ts'
import type { DescribedTarget } from '../../../core/gateway/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type Page, type PageResult, type ViewedRequest } from '../page.ts'
import { renderMarkdown } from '../parts/markdown.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, factList, formatNumber, note } from '../parts/text.ts'
import { createExcerpt, formatAuthType, renderEndpointName } from './labels.ts'
import { APIS_PATH, toApiPath } from './links.ts'
import { indentJson } from './try-response.ts'
import {
  createInitialForm,
  findTryTarget,
  handleTry,
  renderTryForm,
  type Tried,
} from './try-section.ts'

const PATH = '/apis/:id/endpoints/:endpointId'

/**
 * Shows an endpoint with its parameters, an example response, a form to call it, and code examples.
 */
export const endpointPage: Page = {
  method: 'GET',
  path: PATH,
  access: 'read',
  section: 'catalogue',
  async handle(request) {
    const { api, endpoint, target } = await findEndpoint(request)
    const tried =
      typeof target === 'string' || !canCall(request)
        ? undefined
        : await createInitialForm(request, { endpoint, target })
    return renderEndpointPage(request, { api, endpoint, target, tried })
  },
}

/** Sends or previews a call, depending on the pressed button. */
export const tryPage: Page = {
  method: 'POST',
  path: PATH,
  access: 'call',
  section: 'catalogue',
  maxBodyBytes: 8 * 1024 * 1024,
  async handle(request) {
    const { api, endpoint, target } = await findEndpoint(request)
    if (typeof target === 'string') return renderEndpointPage(request, { api, endpoint, target })
    const { tried, status } = await handleTry(request, { api, endpoint, target })
    return renderEndpointPage(request, { api, endpoint, target, tried, status })
  },
}

interface EndpointView {
  readonly api: Api
  readonly endpoint: Endpoint
  /** A message with the reason if the endpoint cannot be called. */
  readonly target: DescribedTarget | string
  readonly tried?: Tried | undefined
  readonly status?: number
}

async function findEndpoint(request: ViewedRequest) {
  const { catalogue } = request.app
  const { id = '', endpointId = '' } = request.params
  const [api, endpoint] = await Promise.all([
    catalogue.getApi(id),
    catalogue.getEndpoint(endpointId),
  ])
  if (endpoint.apiId !== api.id) {
    throw new ServiceError('not_found', 'Endpoint not found in this API; it may have been removed')
  }
  return { api, endpoint, target: await findTryTarget(request, endpoint) }
}

async function renderEndpointPage(
  request: ViewedRequest,
  shown: EndpointView,
): Promise<PageResult> {
  const { api, endpoint, status = 200 } = shown
  const body = html`<p class="crumbs"><a href="${APIS_PATH}">Catalogue</a> › <a href="${toApiPath(api)}">${api.name}</a> › Endpoint</p>
<h1>${renderEndpointName(endpoint)}</h1>
<p class="row">${endpoint.isDeprecated ? badge('Deprecated', 'warn') : ''}${endpoint.isInbound ? badge('Webhook') : ''}${api.kind === 'http' ? '' : badge(formatApiKind(api.kind))}<a href="#try">Try it</a></p>
${renderEndpointDescription(endpoint)}
${renderEndpointFacts(shown, request)}
${renderTrySection(request, shown)}
${renderParameters(endpoint)}
${await renderExample(request, endpoint)}`
  return { kind: 'page', title: formatEndpointTitle(api, endpoint), body, status }
}

function renderTrySection(request: ViewedRequest, shown: EndpointView): Html {
  const { api, endpoint, target, tried } = shown
  if (typeof target === 'string') {
    return html`<h2 id="try">Try it</h2>${emptyState('Calls not possible', html`<p>${target}.</p>`)}`
  }
  if (!tried) {
    return html`<h2 id="try">Try it</h2>${note(html`To call this endpoint, you need the scope <code>call</code>. Ask an administrator to grant it.`, 'plain')}`
  }
  return renderTryForm(request, { api, endpoint, target, tried })
}

function canCall({ viewer }: ViewedRequest): boolean {
  return viewer.caller.scopes.has('call')
}

/** Renders the facts of an endpoint: address, authentication, limits. */
function renderEndpointFacts({ api, endpoint }: EndpointView, { viewer }: ViewedRequest): Html {
  const { shortId, operationId, tags, declaredStatuses, rateLimits } = endpoint
  return factList([
    ['Address', html`<span class="mono">${endpoint.url}</span>`],
    ['Authentication', renderAlternatives(endpoint)],
    ['Operation', operationId && html`<code>${operationId}</code>`],
    ['Tags', tags.join(', ')],
    ['Responses', declaredStatuses.join(', ')],
    [
      'Declared limits',
      rateLimits && (rateLimits.limits.length > 0 || rateLimits.headers.length > 0)
        ? html`${rateLimits.limits.map(({ calls, windowMs, source }) => html`<div>${formatNumber(calls)} calls${windowMs === undefined ? '' : html` in ${formatNumber(windowMs / 1000)} s`} <span class="soft">(${source})</span></div>`)}${rateLimits.headers.length > 0 ? html`<div class="soft">reported in ${rateLimits.headers.join(', ')}</div>` : ''}`
        : html`<span class="soft">none</span>`,
    ],
    ['Id', html`<code>${shortId}</code>`],
    [
      'Rate limits',
      viewer.caller.scopes.has('benchmark') &&
        !endpoint.isInbound &&
        api.kind === 'http' &&
        html`<a href="${CONSOLE}/rate-limits/new?endpoint=${shortId}">Start a rate-limit test</a>`,
    ],
  ])
}

/** Renders the authentication alternatives, each with all required schemes. */
function renderAlternatives({ security, authTypes }: Endpoint): Html {
  if (security.length === 0) return html`${authTypes.map(formatAuthType).join(', ')}`
  return html`${security.map(
    (needed) =>
      html`<div>${needed.length === 0 ? 'not required' : needed.map(({ scheme, authType, httpScheme, name, scopes }, index) => html`${index > 0 ? ' and ' : ''}${formatAuthType(authType)}${httpScheme ? ` (${httpScheme})` : ''} <span class="soft">${scheme}${name && name !== 'Authorization' ? `, ${name}` : ''}${scopes.length > 0 ? `, scopes ${scopes.join(' ')}` : ''}</span>`)}</div>`,
  )}`
}

/** Renders the summary, and the description if it differs. */
function renderEndpointDescription({ summary, description }: Endpoint): Html {
  const isMore = description.trim() !== summary.trim()
  return html`${summary ? html`<p class="lead">${summary}</p>` : ''}${isMore && description ? html`<div class="prose">${renderMarkdown(description)}</div>` : ''}`
}

/** Renders the parameters of an endpoint. */
function renderParameters({ parameters, body }: Endpoint): Html {
  const media = body?.mediaTypes.join(', ')
  const note = media
    ? html`<p class="soft">Body: ${media}${body?.isRequired ? '' : ' (optional)'}${body?.allowsAdditional ? '; additional properties allowed' : ''}</p>`
    : ''
  if (parameters.length === 0) {
    return html`<h2>Parameters</h2><p class="soft">No parameters.</p>${note}`
  }
  return html`<h2>Parameters</h2>${note}
${table({
  caption: `${formatNumber(parameters.length)} ${parameters.length === 1 ? 'parameter' : 'parameters'}`,
  columns: [
    {
      title: 'Name',
      isHead: true,
      cell: ({ name, isRequired, isDeprecated }: Parameter) =>
        html`<code>${name}</code>${isRequired ? html` ${badge('Required', 'warn')}` : ''}${isDeprecated ? html` ${badge('Deprecated', 'warn')}` : ''}`,
    },
    { title: 'In', cell: ({ placement }) => placement },
    { title: 'Type', cell: renderParameterType },
    { title: 'Description', cell: ({ description }) => createExcerpt(description, 400) },
    {
      title: 'Default, example',
      cell: ({ defaultValue, exampleValue }) =>
        html`${[defaultValue, exampleValue].filter((value) => value !== undefined && value !== '').map((value) => html`<div><code>${createExcerpt(value ?? '', 120)}</code></div>`)}`,
    },
  ],
  rows: parameters,
})}`
}

function renderParameterType({ type, format, items, enum: values, range = {} }: Parameter): Html {
  const name = type === 'array' && items?.type ? `array of ${items.type}` : type || 'any'
  const bounds = Object.entries(range).map(([bound, value]) => `${bound} ${value}`)
  const choices = values.slice(0, 30)
  return html`${name}${format ? ` (${format})` : ''}${bounds.length > 0 ? html`<div class="soft">${bounds.join(', ')}</div>` : ''}${choices.length > 0 ? html`<div class="soft">one of ${choices.join(', ')}${values.length > choices.length ? ', …' : ''}</div>` : ''}`
}

const MAX_EXAMPLE = 20_000

/** Renders an example response: the documented one, else one sampled from the schema. */
async function renderExample(request: ViewedRequest, endpoint: Endpoint): Promise<Html> {
  const heading = html`<h2>Example response</h2>`
  const text = await readExample(request, endpoint)
  if (text === '') return html`${heading}<p class="soft">No example available.</p>`
  const shown = indentJson(text)
  const isCut = shown.length > MAX_EXAMPLE
  const { response } = endpoint
  const origin =
    response?.example === undefined ? 'Generated from the schema' : 'From the description'
  return html`${heading}<p class="soft">${origin}${response?.mediaType ? `, ${response.mediaType}` : ''}${response?.status ? `, status ${response.status}` : ''}</p>
<pre tabindex="0" aria-label="Example response">${isCut ? `${shown.slice(0, MAX_EXAMPLE)}\n…` : shown}</pre>`
}

async function readExample(request: ViewedRequest, { shortId }: Endpoint): Promise<string> {
  try {
    const answer = await request.call('getEndpointExample', { endpoint_id: shortId })
    return answer.output_response
  } catch (error) {
    // A schema may be too large to generate a sample.
    if (error instanceof ServiceError && error.code !== 'internal') return ''
    throw error
  }
}

/** Returns the title of an endpoint's page. */
function formatEndpointTitle(api: Pick<Api, 'name'>, endpoint: Endpoint): string {
  return `${endpoint.method.toUpperCase()} ${endpoint.path || endpoint.url} · ${api.name}`
}
