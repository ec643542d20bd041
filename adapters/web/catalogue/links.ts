import { CONSOLE } from '../page.ts'

/** Path of the API search. */
export const APIS_PATH = `${CONSOLE}/apis`

/** Returns the path of an API's page. */
export function toApiPath(api: { readonly encryptedId: string }): string {
  return `${APIS_PATH}/${encodeURIComponent(api.encryptedId)}`
}

/** Returns the path of an endpoint's page. */
export function toEndpointPath(
  api: { readonly encryptedId: string },
  endpoint: { readonly shortId: string },
): string {
  return `${toApiPath(api)}/endpoints/${encodeURIComponent(endpoint.shortId)}`
}

/** Returns the path of the page to edit an API's agreements. */
export function toAgreementsPath(api: { readonly encryptedId: string }): string {
  return `${toApiPath(api)}/agreements`
}

/** Path of the list of all credentials of the account. */
export const CREDENTIALS_PATH = `${CONSOLE}/credentials`

/**
 * Returns the path of the page to store credentials for an API. It links back to `endpoint` if
 * specified.
 */
export function toCredentialsPath(
  api: { readonly encryptedId: string },
  endpoint?: { readonly shortId: string },
): string {
  const query = endpoint ? `?endpoint=${encodeURIComponent(endpoint.shortId)}` : ''
  return `${toApiPath(api)}/credentials${query}`
}
