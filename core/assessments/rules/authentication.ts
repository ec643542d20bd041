import { type AuthType, isAuthentication } from '../../catalogue/auth-types.ts'
import type { Api } from '../../catalogue/records.ts'
import type { AssessmentFacts, AssessmentRule, EndpointFacts } from '../records.ts'
import { createDescriptionEvidence, formatShare } from './description.ts'

/** Authentication of callers, according to the description. */
export const AUTHENTICATION_RULES: readonly AssessmentRule[] = [
  {
    id: 'auth-none',
    category: 'authentication',
    classification: 'neutral',
    statement: 'No authentication is required, according to the description',
    applies:
      'no endpoint requires authentication, and none of the first 50 has a parameter that is clearly an API key',
    when: ({ api, endpoints }) =>
      api.isDescribed &&
      endpoints.read > 0 &&
      endpoints.open.length === endpoints.read &&
      hasOnlyTypes(api.authTypes, ['none'])
        ? createDescriptionEvidence(api, 'no security requirement of any endpoint')
        : undefined,
  },
  {
    id: 'auth-not-declared',
    category: 'authentication',
    classification: 'neutral',
    statement: 'The description does not say whether authentication is required',
    applies:
      'the description declares no security scheme or requirement, and none of the first 50 endpoints has a parameter that is clearly an API key',
    when: ({ api, endpoints }) =>
      api.isDescribed &&
      endpoints.read > 0 &&
      endpoints.undeclaredKeys.length === 0 &&
      hasOnlyTypes(api.authTypes, ['undeclared'])
        ? createDescriptionEvidence(api, 'no security scheme and no security requirement')
        : undefined,
  },
  {
    id: 'auth-partly-none',
    category: 'authentication',
    classification: 'neutral',
    statement: 'Some endpoints require no authentication, according to the description',
    applies:
      'the API has authentication, but some of the first 50 endpoints require none and have no key parameter',
    when: ({ api, endpoints }) =>
      needsSecret(api) && endpoints.open.length > 0
        ? createDescriptionEvidence(api, formatShare(endpoints.open, endpoints))
        : undefined,
  },
  {
    id: 'auth-undeclared',
    category: 'authentication',
    classification: 'neutral',
    statement: 'API keys are passed in parameters that are not declared as authentication',
    applies:
      'some of the first 50 endpoints have no authentication, but a parameter that is clearly an API key',
    when: ({ api, endpoints }) =>
      endpoints.undeclaredKeys.length > 0
        ? createDescriptionEvidence(api, formatKeyParameters(endpoints))
        : undefined,
  },
  {
    id: 'auth-oauth2',
    category: 'authentication',
    classification: 'good',
    statement: 'OAuth 2 or OpenID Connect is supported',
    applies: 'one authentication type of the API is OAuth2',
    when: ({ api }) =>
      api.authTypes.includes('OAuth2')
        ? createDescriptionEvidence(api, `auth_types: ${api.authTypes.join(', ')}`)
        : undefined,
  },
  {
    id: 'auth-in-url',
    category: 'authentication',
    classification: 'bad',
    statement: 'Credentials are sent in URLs, which are often stored in logs',
    applies:
      'all authentication types of the API use query or path; without authentication, all key parameters are in the query',
    when: ({ api, endpoints }) => {
      if (needsSecret(api)) {
        return hasOnlyTypes(api.authTypes, ['query', 'path', 'none', 'undeclared'])
          ? createDescriptionEvidence(api, `auth_types: ${api.authTypes.join(', ')}`)
          : undefined
      }
      const { undeclaredKeys: keys } = endpoints
      return keys.length > 0 && keys.every(({ placement }) => placement === 'query')
        ? createDescriptionEvidence(api, formatKeyParameters(endpoints))
        : undefined
    },
  },
  {
    id: 'auth-basic-alone',
    category: 'authentication',
    classification: 'neutral',
    statement: 'User name and password are the only authentication',
    applies: 'the only authentication type of the API is BasicAuth',
    when: ({ api }) =>
      needsSecret(api) && hasOnlyTypes(api.authTypes, ['BasicAuth', 'none', 'undeclared'])
        ? createDescriptionEvidence(api, `auth_types: ${api.authTypes.join(', ')}`)
        : undefined,
  },
]

/** True if calls contain credentials: declared ones, or required API keys. */
export function takesSecrets({
  api,
  endpoints,
}: Pick<AssessmentFacts, 'api' | 'endpoints'>): boolean {
  return needsSecret(api) || endpoints.undeclaredKeys.some(({ isRequired }) => isRequired)
}

/** Formats key parameters: `header X-Key: 16 of the 16 endpoints: GET /a, …`. */
function formatKeyParameters(endpoints: EndpointFacts): string {
  const { undeclaredKeys: keys } = endpoints
  const places = [...new Set(keys.map(({ placement, name }) => `${placement} ${name}`))]
  const more = places.length > 3 ? ', …' : ''
  const share = formatShare(
    keys.map(({ endpoint }) => endpoint),
    endpoints,
  )
  return `${places.slice(0, 3).join(', ')}${more}: ${share}`
}

function hasOnlyTypes(types: readonly AuthType[], allowed: readonly AuthType[]): boolean {
  return types.length > 0 && types.every((type) => allowed.includes(type))
}

function needsSecret({ authTypes }: Api): boolean {
  return authTypes.some(isAuthentication)
}
