import type { CallOutput, Contract } from '../../../core/contract.ts'
import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { renderAccountNav } from '../account/account-nav.ts'
import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { type FormErrors, toFormErrors } from '../parts/form-errors.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { emptyState, formatNumber, note, timeElement } from '../parts/text.ts'
import {
  CREDENTIAL_LABELS,
  readCredential,
  readEndpoint,
  renderCredentialForms,
} from './credential-form.ts'
import { formatCredentialType } from './credential-types.ts'
import { findApis } from './find-apis.ts'
import {
  APIS_PATH,
  CREDENTIALS_PATH,
  toApiPath,
  toCredentialsPath,
  toEndpointPath,
} from './links.ts'

type Credential = CallOutput<Contract['listCredentials']>['credentials'][number]

const PATH = '/apis/:id/credentials'
const PAGE_SIZE = 50

const common = { access: 'call', section: 'catalogue', maxBodyBytes: 128 * 1024 } as const

const CREDENTIAL_NOTES = new Map([
  ['stored', 'Credential stored. Calls through the gateway send it from now on.'],
  ['removed', 'Credential removed. Calls no longer send it.'],
])

/** Lists the credentials for calls of an API, with a form to store one. */
export const apiCredentialsPage: Page = {
  ...common,
  method: 'GET',
  path: PATH,
  handle: (request) => renderApiCredentials(request),
}

/** Stores a credential; it replaces one with the same kind and name. */
export const storeCredentialForm: Page = {
  ...common,
  method: 'POST',
  path: PATH,
  async handle(request) {
    const api = await request.app.catalogue.getApi(request.params.id ?? '')
    try {
      await request.call('putCredential', { body: readCredential(request, api) })
    } catch (error) {
      return renderApiCredentials(request, toFormErrors(error, CREDENTIAL_LABELS))
    }
    const endpoint = readEndpoint(request)
    const more = endpoint === '' ? '' : `&endpoint=${encodeURIComponent(endpoint)}`
    return { kind: 'redirect', to: `${toCredentialsPath(api)}?done=stored${more}` }
  },
}

/** Lists all credentials of the account. */
export const credentialsPage: Page = {
  ...common,
  section: 'account',
  method: 'GET',
  path: '/credentials',
  handle: (request) => renderAllCredentials(request),
}

/** Removes a credential after confirmation. */
export const removeCredentialForm: Page = {
  ...common,
  section: 'account',
  method: 'POST',
  path: '/credentials/:credentialId/remove',
  async handle(request) {
    const { credentialId = '' } = request.params
    const { credentials } = await request.call('listCredentials', {})
    if (!credentials.some((each) => each.credential_id === credentialId)) {
      throw new ServiceError('not_found', 'Credential not found')
    }
    if (request.form.text('confirmed') !== 'yes') {
      const error = new ServiceError('invalid_input', 'Select the box to confirm the removal.')
      return renderAllCredentials(request, toFormErrors(error, {}))
    }
    await request.call('removeCredential', { credential_id: credentialId })
    return { kind: 'redirect', to: `${CREDENTIALS_PATH}?done=removed` }
  },
}

async function renderApiCredentials(
  request: ViewedRequest,
  errors?: FormErrors,
): Promise<PageResult> {
  const { app, query, params } = request
  const api = await app.catalogue.getApi(params.id ?? '')
  const [{ credentials }, accepted] = await Promise.all([
    request.call('listCredentials', {}),
    app.gateway.credentials.listAccepted(api),
  ])
  const own = credentials.filter(
    (each) => each.api_id === api.id || each.vendor === api.vendor.name,
  )
  const endpoint = readEndpoint(request)
  const back =
    endpoint === ''
      ? ''
      : html` › <a href="${toEndpointPath(api, { shortId: endpoint })}#try">Endpoint</a>`
  const done = errors ? undefined : CREDENTIAL_NOTES.get(query.get('done') ?? '')
  const body = html`<p class="crumbs"><a href="${APIS_PATH}">Catalogue</a> › <a href="${toApiPath(api)}">${api.name}</a>${back}</p>
<h1>Credentials for ${api.name}</h1>
<p class="lead">The gateway adds stored credentials to calls. Secrets are stored encrypted and never shown again.</p>
${errors?.summary}${done === undefined ? '' : note(done, 'good')}
<h2>Stored credentials</h2>
${own.length === 0 ? emptyState('No credentials for this API', html`<p>Store one below.</p>`) : await renderCredentialTable(request, own)}
${credentials.length > own.length ? html`<p><a href="${CREDENTIALS_PATH}">All ${formatNumber(credentials.length)} credentials of the account</a></p>` : ''}
<h2>Store a credential</h2>
<p>It replaces a stored one with the same type and name.</p>
${renderCredentialForms(request, { api, accepted, errors })}
<p class="soft">On the command line: <code>${request.command} gateway credentials set --help</code></p>`
  const title = `Credentials for ${api.name}`
  return { kind: 'page', title, body, status: errors?.status ?? 200 }
}

async function renderAllCredentials(
  request: ViewedRequest,
  errors?: FormErrors,
): Promise<PageResult> {
  const { query, session } = request
  const { credentials } = await request.call('listCredentials', {})
  const page = parsePageNumber(query)
  const shown = credentials.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const done = errors ? undefined : CREDENTIAL_NOTES.get(query.get('done') ?? '')
  // A host's own authentication has no account area.
  const isInAccount = session !== undefined
  const body = html`${isInAccount ? '' : html`<p class="crumbs"><a href="${APIS_PATH}">Catalogue</a></p>`}
<h1>Stored credentials</h1>
<p class="lead">The gateway adds these credentials to calls of this account. To store one, open the page of an API.</p>
${isInAccount ? renderAccountNav(request, 'credentials') : ''}
${errors?.summary}${done === undefined ? '' : note(done, 'good')}
${credentials.length === 0 ? emptyState('No credentials', html`<p><a href="${APIS_PATH}">Find an API</a>, then choose “Credentials” on its page.</p>`) : await renderCredentialTable(request, shown)}
${pager({ path: CREDENTIALS_PATH, query, page, pageSize: PAGE_SIZE, total: credentials.length })}`
  return { kind: 'page', title: 'Stored credentials', body, status: errors?.status ?? 200 }
}

async function renderCredentialTable(
  request: ViewedRequest,
  credentials: readonly Credential[],
): Promise<Html> {
  const apis = await findApis(
    request,
    credentials.flatMap(({ api_id }) => api_id ?? []),
  )
  const target = ({ api_id, vendor }: Credential) => {
    if (api_id === null) return html`All APIs of ${vendor ?? 'a removed vendor'}`
    const api = apis.get(api_id)
    return api ? html`<a href="${toApiPath(api)}">${api.name}</a>` : html`A removed API`
  }
  return table({
    caption: `Credentials: ${formatNumber(credentials.length)}`,
    rows: credentials,
    columns: [
      { title: 'Credential', isHead: true, cell: formatCredentialType },
      { title: 'Used for', cell: target },
      {
        title: 'Sent to',
        cell: ({ origins, token_url }) =>
          html`${origins.map((origin) => html`<div class="mono">${origin}</div>`)}${token_url === '' ? '' : html`<div class="soft">tokens from <span class="mono">${token_url}</span></div>`}`,
      },
      {
        title: 'Stored',
        isTight: true,
        cell: ({ updated_at }) => timeElement(Date.parse(updated_at)),
      },
      {
        title: 'Remove',
        isUnsorted: true,
        cell: (credential) => renderRemoveForm(request, credential),
      },
    ],
  })
}

function renderRemoveForm({ formToken }: ViewedRequest, credential: Credential): Html {
  const label = formatCredentialType(credential)
  return html`<details><summary aria-label="Remove ${label}">Remove</summary>${postForm({
    action: `${CREDENTIALS_PATH}/${encodeURIComponent(credential.credential_id)}/remove`,
    formToken,
    content: html`<p><label><input type="checkbox" name="confirmed" value="yes" required> Remove permanently</label></p>
<button class="danger">Remove</button>`,
  })}</details>`
}
