import type { Api, Endpoint } from '../../../core/catalogue/index.ts'
import type { DescribedTarget } from '../../../core/gateway/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { badge, emptyState, note } from '../parts/text.ts'
import {
  formatEndpointTitle,
  renderEndpointDescription,
  renderEndpointFacts,
  renderExample,
  renderParameters,
} from './endpoint-facts.ts'
import { renderEndpointName } from './labels.ts'
import { APIS_PATH, toApiPath } from './links.ts'
import { createInitialForm, handleTry } from './try-form.ts'
import { findTryTarget, renderTryForm, type Tried } from './try-section.ts'

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
<p class="row">${endpoint.isDeprecated ? badge('Deprecated', 'warn') : ''}${endpoint.isInbound ? badge('Webhook') : ''}<a href="#try">Try it</a></p>
${renderEndpointDescription(endpoint)}
${renderEndpointFacts(endpoint, request)}
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
