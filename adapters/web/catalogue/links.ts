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
