import type { CallValues, SecretPosition } from '../../calls/call.ts'
import type {
  Endpoint,
  SecurityRequirement,
  SecuritySchemeReference,
} from '../../catalogue/records.ts'
import type { Credential } from '../records.ts'

type CredentialLocation = Pick<Credential, 'kind' | 'name'>

/** The parts of an endpoint that determine its accepted credentials. */
export interface AcceptingEndpoint {
  readonly endpoint: Pick<Endpoint, 'parameters' | 'body' | 'security'>
  /** True if any endpoint of the API declares a security scheme. */
  readonly hasSchemes: boolean
}

/**
 * Selects the credentials for a call of an endpoint, at most one per location in the request. Input
 * order is preserved: the API's own before the vendor's.
 *
 * Selects those of the first security alternative that is complete, or else of the most complete
 * one. Adds those that are described as parameters. Public endpoints and unsupported schemes get no
 * others. If no endpoint of the API declares security, all credentials are selected.
 */
export function chooseCredentials<Item extends CredentialLocation>(
  { endpoint, hasSchemes }: AcceptingEndpoint,
  credentials: readonly Item[],
): readonly Item[] {
  const usable = credentials.filter(
    (credential) => findSecretLocation(endpoint, credential) !== undefined,
  )
  const ofSchemes = selectForSchemes(endpoint.security, usable)
  const isOpen = !hasSchemes && endpoint.security.length === 0
  const more = isOpen ? usable : usable.filter((each) => isDescribed(endpoint, each))
  return keepFirstPerLocation(endpoint, [...ofSchemes, ...more])
}

/**
 * Returns the location of a credential in the request; undefined if the endpoint has none for it.
 */
export function findSecretLocation(
  { parameters, body }: Pick<Endpoint, 'parameters' | 'body'>,
  { kind, name }: CredentialLocation,
): SecretPosition | undefined {
  if (kind === 'BasicAuth' || kind === 'OAuth2' || kind === 'bearer') {
    return { placement: 'header', name: 'authorization' }
  }
  if (kind === 'header') return { placement: 'header', name: name.toLowerCase() }
  if (kind === 'query' || kind === 'cookie') return { placement: kind, name }
  const placements = kind === 'path' ? ['path'] : ['formData', 'body']
  const parameter = parameters.find(
    (each) => each.name === name && placements.includes(each.placement),
  )
  if (parameter) return { placement: parameter.placement, name }
  return kind === 'body' && body?.isFlattened ? { placement: 'body', name } : undefined
}

/** True if the caller passes a value for this location: it overrides the credential. */
export function isPassedByCaller(values: CallValues, { placement, name }: SecretPosition): boolean {
  const isHeader = placement === 'header'
  for (const key in values) {
    if (values[key] === null || values[key] === undefined) continue
    const passedName = isHeader ? key.toLowerCase() : key
    if (passedName === name || passedName === `${placement}.${name}`) return true
  }
  return false
}

/** Returns the credentials of the first complete alternative, or else of the most complete one. */
function selectForSchemes<Item extends CredentialLocation>(
  security: readonly SecurityRequirement[],
  usable: readonly Item[],
): readonly Item[] {
  let best: readonly Item[] = []
  for (const alternative of security) {
    const found = selectForAlternative(alternative, usable)
    if (found.length > 0 && found.length === alternative.length) return found
    if (found.length > best.length) best = found
  }
  return best
}

/** True if the credential's location is a described parameter of the endpoint. */
function isDescribed(
  { parameters, body }: AcceptingEndpoint['endpoint'],
  item: CredentialLocation,
): boolean {
  const place = findSecretLocation({ parameters, body }, item)
  return parameters.some(({ name, placement }) => {
    if (placement !== place?.placement) return false
    return (placement === 'header' ? name.toLowerCase() : name) === place.name
  })
}

function selectForAlternative<Item extends CredentialLocation>(
  alternative: SecurityRequirement,
  usable: readonly Item[],
): readonly Item[] {
  return alternative.flatMap((use) => {
    const fitting = usable.filter((credential) => matchesScheme(use, credential))
    return fitting.find((credential) => isExactKind(use, credential)) ?? fitting.slice(0, 1)
  })
}

/** False if an OAuth 2 token would be used for a bearer scheme, or the reverse. */
function isExactKind({ authType }: SecuritySchemeReference, { kind }: CredentialLocation): boolean {
  return (authType === 'OAuth2') === (kind === 'OAuth2')
}

function matchesScheme(use: SecuritySchemeReference, { kind, name }: CredentialLocation): boolean {
  const { authType, httpScheme } = use
  switch (kind) {
    case 'BasicAuth':
      return httpScheme === 'basic'
    case 'OAuth2':
    case 'bearer':
      return httpScheme === 'bearer' || authType === 'OAuth2'
    case 'header':
      return use.placement === 'header' && use.name.toLowerCase() === name.toLowerCase()
    case 'cookie':
    case 'query':
      return use.placement === kind && use.name === name
    case 'body':
    case 'path':
      return authType === kind && use.name === name
  }
}

function keepFirstPerLocation<Item extends CredentialLocation>(
  endpoint: Pick<Endpoint, 'parameters' | 'body'>,
  usable: readonly Item[],
): readonly Item[] {
  const taken = new Set<string>()
  return usable.filter((credential) => {
    const place = findSecretLocation(endpoint, credential)
    const key = `${place?.placement} ${place?.name}`
    if (taken.has(key)) return false
    taken.add(key)
    return true
  })
}
