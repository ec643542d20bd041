import { describeCall } from '../../calls/describe-call.ts'
import type { Api, Endpoint, SecuritySchemeReference } from '../../catalogue/records.ts'
import type { Credential } from '../records.ts'
import { listOrigins } from './list-origins.ts'

/** The credentials that an API accepts, as its description declares them. */
export interface AcceptedCredentials {
  /** Distinct, in the order of the endpoints; at most 50. */
  readonly types: readonly CredentialType[]
  /** Distinct origins of its servers. */
  readonly origins: readonly string[]
}

/** A credential kind with the name of its header, cookie or parameter. */
export type CredentialType = Pick<Credential, 'kind' | 'name'>

const MAX_TYPES = 50

/**
 * Lists the credential types and origins that an API declares. Parameters that are clearly an API
 * key count only if no security scheme is declared.
 */
export function listAcceptedCredentials(
  api: Pick<Api, 'servers'>,
  endpoints: readonly Endpoint[],
): AcceptedCredentials {
  const servers = [...api.servers, ...endpoints.flatMap((endpoint) => endpoint.servers)]
  const declared = endpoints.flatMap(({ security }) => security.flat().flatMap(toSchemeTypes))
  const types = declared.length > 0 ? declared : endpoints.flatMap(toKeyParameterTypes)
  const distinct = new Map(types.map((type) => [toTypeKey(type), type]))
  return { types: [...distinct.values()].slice(0, MAX_TYPES), origins: listOrigins(servers) }
}

function toTypeKey({ kind, name }: CredentialType): string {
  return `${kind} ${kind === 'header' ? name.toLowerCase() : name}`
}

/** With OAuth 2, an access token can also be stored directly. */
const BEARER_TYPE: CredentialType = { kind: 'bearer', name: '' }

/** Returns none for schemes that the gateway doesn't support, such as digest and mutual TLS. */
function toSchemeTypes(use: SecuritySchemeReference): readonly CredentialType[] {
  const { authType, httpScheme, placement, name } = use
  if (httpScheme === 'basic') return [{ kind: 'BasicAuth', name: '' }]
  if (authType === 'OAuth2') return [{ kind: 'OAuth2', name: '' }, BEARER_TYPE]
  if (httpScheme === 'bearer') return [BEARER_TYPE]
  if (httpScheme !== '') return []
  if (name === '') return []
  if (authType === 'body' || authType === 'path') return [{ kind: authType, name }]
  if (placement === 'header' || placement === 'query' || placement === 'cookie') {
    return [{ kind: placement, name }]
  }
  return []
}

function toKeyParameterTypes(endpoint: Endpoint): readonly CredentialType[] {
  return describeCall(endpoint).fields.flatMap(
    ({ isSecret, placement, name }): CredentialType[] => {
      if (!isSecret) return []
      switch (placement) {
        case 'header':
        case 'query':
        case 'cookie':
        case 'path':
          return [{ kind: placement, name }]
        case 'body':
        case 'formData':
          return [{ kind: 'body', name }]
        default:
          return []
      }
    },
  )
}
