import type { Api } from '../../../core/catalogue/index.ts'
import type { CallInput, Contract } from '../../../core/contract.ts'
import type { AcceptedCredentials, CredentialType } from '../../../core/gateway/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { NO_FORM } from '../forms.ts'
import type { ViewedRequest } from '../page.ts'
import { checkboxes, field, postForm } from '../parts/form.ts'
import { type FormErrors, NO_ERRORS, toFieldError } from '../parts/form-errors.ts'
import { note } from '../parts/text.ts'
import {
  ALL_TYPES,
  decodeCredentialType,
  encodeCredentialType,
  formatCredentialType,
  hasName,
} from './credential-types.ts'
import { toCredentialsPath } from './links.ts'

/** Field labels by the field names in errors. */
export const CREDENTIAL_LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  value: 'Value',
  username: 'User name',
  password: 'Password',
  client_id: 'Client ID',
  client_secret: 'Client secret',
  token_url: 'Token URL',
  scope: 'OAuth scopes',
  origins: 'Addresses',
}

/** Renders the forms to choose a credential type and to store a credential for an API. */
export function renderCredentialForms(
  request: ViewedRequest,
  shown: {
    readonly api: Api
    readonly accepted: AcceptedCredentials
    readonly errors?: FormErrors | undefined
  },
): Html {
  const { api, accepted, errors = NO_ERRORS } = shown
  const form = errors === NO_ERRORS ? NO_FORM : request.form
  const requestedType = form === NO_FORM ? (request.query.get('type') ?? '') : form.text('type')
  const type = decodeCredentialType(requestedType) ??
    accepted.types[0] ?? { kind: 'header', name: '' }
  const content = html`<input type="hidden" name="type" value="${encodeCredentialType(type)}">
<input type="hidden" name="endpoint" value="${readEndpoint(request)}">
<h3>${formatCredentialType(type)}</h3>
${renderTypeFields(request, { type, errors })}
${checkboxes({
  name: 'for',
  legend: 'Use it for',
  isSingle: true,
  options: [
    { value: 'api', label: `${api.name} only` },
    { value: 'vendor', label: `All APIs of ${api.vendor.name}` },
  ],
  chosen: new Set([form.text('for') === 'vendor' ? 'vendor' : 'api']),
})}
${renderOriginFields(accepted.origins, { form, errors })}
<button>Store credential</button>`
  return html`${renderTypeForm(request, { api, accepted, type })}
${postForm({ action: toCredentialsPath(api), formToken: request.formToken, content })}`
}

/** Reads the ID of the endpoint whose page linked here; empty if there is none. */
export function readEndpoint({ query, form }: ViewedRequest): string {
  return (form.text('endpoint') || query.get('endpoint') || '').slice(0, 40)
}

function renderTypeForm(
  request: ViewedRequest,
  shown: {
    readonly api: Api
    readonly accepted: AcceptedCredentials
    readonly type: CredentialType
  },
): Html {
  const { api, accepted, type } = shown
  const declared = new Set(accepted.types.map(encodeCredentialType))
  const others = [type, ...ALL_TYPES].filter((each) => !declared.has(encodeCredentialType(each)))
  const options = new Map([
    ...accepted.types.map(
      (each) => [encodeCredentialType(each), formatCredentialType(each)] as const,
    ),
    ...others.map(
      (each) =>
        [encodeCredentialType(each), `${formatCredentialType(each)} (not declared)`] as const,
    ),
  ])
  const endpoint = readEndpoint(request)
  return html`<form method="get" action="${toCredentialsPath(api)}">
${endpoint === '' ? '' : html`<input type="hidden" name="endpoint" value="${endpoint}">`}
${field({
  name: 'type',
  label: 'Type',
  isRequired: true,
  value: encodeCredentialType(type),
  options: [...options].map(([value, label]) => ({ value, label })),
  hint:
    accepted.types.length > 0
      ? 'The types that the description declares come first.'
      : 'The description declares none. See the documentation of the API.',
})}
<button class="second">Select type</button>
</form>`
}

function renderTypeFields(
  { form }: ViewedRequest,
  { type, errors }: { readonly type: CredentialType; readonly errors: FormErrors },
): Html {
  const text = (name: string, more: Partial<Parameters<typeof field>[0]> = {}) =>
    field({
      name,
      label: CREDENTIAL_LABELS[name] ?? name,
      isRequired: true,
      autocomplete: 'off',
      error: errors.get(name),
      ...(more.type === 'password' ? {} : { value: form.text(name) }),
      ...more,
    })
  const secret = (name: string, more: Partial<Parameters<typeof field>[0]> = {}) =>
    text(name, { type: 'password', autocomplete: 'new-password', ...more })
  if (type.kind === 'BasicAuth') {
    return html`${text('username')}${secret('password', { isRequired: false, hint: 'Leave empty if the user has none.' })}`
  }
  if (type.kind === 'OAuth2') {
    return html`${text('client_id')}${secret('client_secret')}${text('token_url', {
      type: 'url',
      hint: 'An https URL. The gateway requests access tokens there with the client credentials grant.',
    })}${text('scope', { isRequired: false, hint: 'Separated by spaces, such as read write.' })}`
  }
  const name = hasName(type.kind)
    ? text('name', {
        value: errors === NO_ERRORS ? type.name : form.text('name'),
        hint: 'Name of the header, cookie or parameter, such as X-Api-Key.',
      })
    : ''
  return html`${name}${secret('value', { hint: 'Stored encrypted and never shown again.' })}`
}

function renderOriginFields(
  origins: readonly string[],
  { form, errors }: { readonly form: ViewedRequest['form']; readonly errors: FormErrors },
): Html {
  const error = errors.get('origins')
  const boxes =
    origins.length === 0
      ? note('The description contains no absolute address. Enter one.')
      : checkboxes({
          name: 'origins',
          legend: 'Addresses that may receive it',
          options: origins.map((origin) => ({ value: origin, label: origin })),
          chosen: new Set(form.all('origins')),
          error,
        })
  return html`${boxes}${field({
    name: origins.length === 0 ? 'origins' : 'more_origins',
    label: origins.length === 0 ? 'Address that may receive it' : 'Another address',
    type: 'url',
    isRequired: origins.length === 0,
    value: form.text(origins.length === 0 ? 'origins' : 'more_origins'),
    hint: 'Scheme, host and port: https://api.example.com. The credential is sent only to these addresses.',
    ...(origins.length === 0 && error !== undefined ? { error } : {}),
  })}`
}

/**
 * Reads the form as the body of `putCredential`. Throws `invalid_input` if no address is selected.
 */
export function readCredential(
  { form }: ViewedRequest,
  api: Api,
): CallInput<Contract['putCredential']>['body'] {
  const type = decodeCredentialType(form.text('type'))
  if (!type) throw toFieldError('type', 'must be one of the list')
  const origins = [...form.all('origins'), form.text('more_origins')]
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
  if (origins.length === 0) {
    throw toFieldError('origins', 'are missing: select those that may receive the credential')
  }
  const { kind } = type
  const text = (name: string) => form.text(name).trim()
  const target =
    form.text('for') === 'vendor' ? { vendor: api.vendor.name } : { api_id: api.encryptedId }
  if (kind === 'BasicAuth') {
    return { ...target, kind, origins, username: text('username'), password: form.text('password') }
  }
  if (kind === 'OAuth2') {
    const client = { client_id: text('client_id'), client_secret: form.text('client_secret') }
    return {
      ...target,
      kind,
      origins,
      ...client,
      token_url: text('token_url'),
      scope: text('scope'),
    }
  }
  const name = hasName(kind) ? { name: text('name') } : {}
  return { ...target, kind, origins, ...name, value: form.text('value').trim() }
}
