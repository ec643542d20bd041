import { CONSOLE } from '../page.ts'

/** Where APIs are searched. */
export const APIS_PATH = `${CONSOLE}/apis`

/** The page of an API. */
export function toApiPath(api: { readonly encryptedId: string }): string {
  return `${APIS_PATH}/${encodeURIComponent(api.encryptedId)}`
}

/** The page of an endpoint. */
export function toEndpointPath(
  api: { readonly encryptedId: string },
  endpoint: { readonly shortId: string },
): string {
  return `${toApiPath(api)}/endpoints/${encodeURIComponent(endpoint.shortId)}`
}

/** The page where agreements of an API are entered and changed. */
export function toAgreementsPath(api: { readonly encryptedId: string }): string {
  return `${toApiPath(api)}/agreements`
}

/** The list of all credentials that the account stores. */
export const CREDENTIALS_PATH = `${CONSOLE}/credentials`

/** The page where credentials for an API are stored; it leads back to the endpoint, if one is named. */
export function toCredentialsPath(
  api: { readonly encryptedId: string },
  endpoint?: { readonly shortId: string },
): string {
  const query = endpoint ? `?endpoint=${encodeURIComponent(endpoint.shortId)}` : ''
  return `${toApiPath(api)}/credentials${query}`
}
