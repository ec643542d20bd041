import { type Api, type DescribedTarget, type Endpoint, ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { Page, PageAnswer, ViewedRequest } from '../page.ts'
import { badge, empty, note } from '../parts/text.ts'
import {
  endpointHead,
  endpointText,
  endpointTitle,
  exampleSection,
  parameterTable,
} from './endpoint-facts.ts'
import { endpointName } from './labels.ts'
import { APIS_PATH, toApiPath } from './links.ts'
import { readTried, showFirst } from './try-form.ts'
import { describe, type Tried, trySection } from './try-section.ts'

const PATH = '/apis/:id/endpoints/:endpointId'

/**
 * Shows an endpoint with its parameters, an example response, a form to call it, and code examples.
 */
export const endpointPage: Page = {
  method: 'GET',
  path: PATH,
  access: 'read',
  section: 'catalogue',
  async answer(request) {
    const { api, endpoint, target } = await find(request)
    const tried =
      typeof target === 'string' || !mayCall(request)
        ? undefined
        : await showFirst(request, { endpoint, target })
    return draw(request, { api, endpoint, target, tried })
  },
}

/** Sends or previews a call, depending on the pressed button. */
export const tryPage: Page = {
  method: 'POST',
  path: PATH,
  access: 'call',
  section: 'catalogue',
  maxBodyBytes: 8 * 1024 * 1024,
  async answer(request) {
    const { api, endpoint, target } = await find(request)
    if (typeof target === 'string') return draw(request, { api, endpoint, target })
    const { tried, status } = await readTried(request, { api, endpoint, target })
    return draw(request, { api, endpoint, target, tried, status })
  },
}

interface Shown {
  readonly api: Api
  readonly endpoint: Endpoint
  /** A message with the reason if the endpoint cannot be called. */
  readonly target: DescribedTarget | string
  readonly tried?: Tried | undefined
  readonly status?: number
}

async function find(request: ViewedRequest) {
  const { catalogue } = request.app
  const { id = '', endpointId = '' } = request.params
  const [api, endpoint] = await Promise.all([
    catalogue.getApi(id),
    catalogue.getEndpoint(endpointId),
  ])
  if (endpoint.apiId !== api.id) {
    throw new ServiceError('not_found', 'Endpoint not found in this API; it may have been removed')
  }
  return { api, endpoint, target: await describe(request, endpoint) }
}

async function draw(request: ViewedRequest, shown: Shown): Promise<PageAnswer> {
  const { api, endpoint, status = 200 } = shown
  const body = html`<p class="crumbs"><a href="${APIS_PATH}">Catalogue</a> › <a href="${toApiPath(api)}">${api.name}</a> › Endpoint</p>
<h1>${endpointName(endpoint)}</h1>
<p class="row">${endpoint.isDeprecated ? badge('Deprecated', 'warn') : ''}${endpoint.isInbound ? badge('Webhook') : ''}<a href="#try">Try it</a></p>
${endpointText(endpoint)}
${endpointHead(endpoint, request)}
${tryOrWhyNot(request, shown)}
${parameterTable(endpoint)}
${await exampleSection(request, endpoint)}`
  return { kind: 'page', title: endpointTitle(api, endpoint), body, status }
}

function tryOrWhyNot(request: ViewedRequest, shown: Shown): Html {
  const { api, endpoint, target, tried } = shown
  if (typeof target === 'string') {
    return html`<h2 id="try">Try it</h2>${empty('Calls not possible', html`<p>${target}.</p>`)}`
  }
  if (!tried) {
    return html`<h2 id="try">Try it</h2>${note(html`To call this endpoint, you need the scope <code>call</code>. Ask an administrator to grant it.`, 'plain')}`
  }
  return trySection(request, { api, endpoint, target, tried })
}

function mayCall({ viewer }: ViewedRequest): boolean {
  return viewer.caller.scopes.has('call')
}
