import { AUTH_TYPES, type AuthType } from '../../catalogue/auth-types.ts'
import type {
  Parameter,
  ParameterPlacement,
  SecurityRequirement,
  SecuritySchemeReference,
} from '../../catalogue/records.ts'
import { asList, asObject, asText, isObject, type JsonObject } from '../../schemas/values.ts'
import { ENDPOINT_LIMITS } from '../limits.ts'
import type { ExtractionContext } from './context.ts'

/** Reads the security requirements of operations. */
export interface SecurityReader {
  /** Alternatives of an operation; empty if it requires no authentication. */
  read(security: unknown, at: () => string): readonly SecurityRequirement[]
  /**
   * True if an empty list of alternatives means that no authentication is required: the operation
   * or the document declares that, or the document declares schemes for other operations.
   */
  isDeclared(security: unknown): boolean
}

type SecurityScheme = Omit<SecuritySchemeReference, 'scopes'>

/**
 * Creates the reader of one description, and reads its schemes once. If a description defines
 * schemes but applies them nowhere, any of them is assumed to apply, with a warning.
 */
export function createSecurityReader(context: ExtractionContext): SecurityReader {
  const { document, isSwagger } = context
  const section = isSwagger ? '/securityDefinitions' : '/components/securitySchemes'
  const definitions = asObject(context.find(section))
  const schemes = new Map<string, SecurityScheme>()
  for (const [name, definition] of Object.entries(definitions)) {
    const located = context.resolve(definition, () => `${section}/${name}`)
    if (located) schemes.set(name, readScheme(name, located.node))
  }
  const toRequirements = (security: unknown, at: () => string): readonly SecurityRequirement[] => {
    const requirements = (isObject(security) ? [security] : asList(security))
      // Reads one more of each than is stored, so that `bounds.ts` cuts it and warns.
      .slice(0, ENDPOINT_LIMITS.maxAlternatives + 1)
      .filter(isObject)
      .map((requirement) =>
        toEntries(requirement, ENDPOINT_LIMITS.maxSchemes + 1).map(
          ([name, scopes]): SecuritySchemeReference => {
            const scheme = schemes.get(name) ?? guessScheme(name)
            if (!schemes.has(name)) context.warn(at(), `Security scheme "${name}" is not defined`)
            const named = asList(scopes).slice(0, ENDPOINT_LIMITS.maxItems + 1)
            return { ...scheme, scopes: named.map(asText) }
          },
        ),
      )
    const isOpen = requirements.every((requirement) => requirement.length === 0)
    return isOpen ? [] : requirements
  }
  const shared = readShared()
  const declaresAny =
    isDefined(document.security) || schemes.size > 0 || hasOwnRequirement(document.paths)
  return {
    isDeclared: (security) => declaresAny || isDefined(security),
    read: (security, at) => (isDefined(security) ? toRequirements(security, at) : shared),
  }

  function readShared(): readonly SecurityRequirement[] {
    if (document.security !== undefined) {
      return toRequirements(document.security, () => '/security')
    }
    if (schemes.size === 0 || hasOwnSecurity(document.paths)) return []
    context.warn(
      section,
      'No "security" requirement found; assuming that the schemes apply to all operations',
    )
    return [...schemes.values()]
      .slice(0, ENDPOINT_LIMITS.maxAlternatives + 1)
      .map((scheme) => [{ ...scheme, scopes: [] }])
  }
}

/** Data that determines the authentication types of an operation without alternatives. */
interface AuthHints {
  readonly parameters: readonly Parameter[]
  readonly isDeclared: boolean
}

/**
 * Converts alternatives to values of `auth_types`. Without alternatives, parameters that are
 * evidently keys (`api_key`, `access_token`, `Authorization`) yield their placements. Else the
 * result is `none` if the description declares that, or `undeclared`.
 */
export function deriveAuthTypes(
  security: readonly SecurityRequirement[],
  { parameters, isDeclared }: AuthHints,
): readonly AuthType[] {
  const found = new Set<AuthType>()
  for (const requirement of security) {
    if (requirement.length === 0) found.add('none')
    for (const use of requirement) found.add(use.authType)
  }
  if (security.length === 0) {
    for (const { name, placement } of parameters) {
      if (name.length <= MAX_KEY_NAME && KEY_NAME.test(name))
        found.add(BY_PLACEMENT.get(placement) ?? 'header')
    }
  }
  if (found.size === 0) found.add(isDeclared ? 'none' : 'undeclared')
  return sortAuthTypes(found)
}

/** Removes duplicates and sorts in the order of `AUTH_TYPES`. */
export function sortAuthTypes(types: ReadonlySet<AuthType>): readonly AuthType[] {
  return AUTH_TYPES.filter((type) => types.has(type))
}

const KEY_NAME =
  /^(?:x[-_])?(?:api[-_]?key|app[-_]?key|access[-_]?token|auth[-_]?token|api[-_]?token|authorization)$/i

const MAX_KEY_NAME = 16

const BY_PLACEMENT = new Map<string, AuthType>([
  ['path', 'path'],
  ['query', 'query'],
  ['querystring', 'query'],
  ['body', 'body'],
  ['formData', 'body'],
])

const KEY_PLACEMENTS = new Map<string, ParameterPlacement>([
  ['path', 'path'],
  ['query', 'query'],
  ['querystring', 'query'],
  ['cookie', 'cookie'],
  ['body', 'body'],
  ['formdata', 'formData'],
])

function toEntries(object: JsonObject, max: number): readonly (readonly [string, unknown])[] {
  const entries: [string, unknown][] = []
  for (const name in object) {
    if (entries.push([name, object[name]]) === max) break
  }
  return entries
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null
}

function hasOwnRequirement(paths: unknown): boolean {
  return hasOperation(paths, ({ security }) =>
    asList(security).some((each) => Object.keys(asObject(each)).length > 0),
  )
}

function hasOwnSecurity(paths: unknown): boolean {
  return hasOperation(paths, ({ security }) => security !== undefined)
}

function hasOperation(
  paths: unknown,
  test: (operation: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return Object.values(asObject(paths)).some((item) =>
    Object.values(asObject(item)).some((operation) => test(asObject(operation))),
  )
}

function readScheme(scheme: string, definition: Readonly<Record<string, unknown>>): SecurityScheme {
  const type = asText(definition.type).toLowerCase()
  const declaredPlacement = asText(definition.in).toLowerCase()
  if (type === 'apikey') {
    const authType = BY_PLACEMENT.get(declaredPlacement) ?? 'header'
    const placement = KEY_PLACEMENTS.get(declaredPlacement) ?? 'header'
    return { scheme, authType, name: asText(definition.name), httpScheme: '', placement }
  }
  if (type === 'basic') return createBasicScheme(scheme)
  if (type === 'http') {
    const httpScheme = asText(definition.scheme).toLowerCase()
    if (httpScheme === 'basic') return createBasicScheme(scheme)
    const authType = httpScheme === 'oauth' ? 'OAuth1' : 'header'
    return { scheme, authType, name: 'Authorization', httpScheme, placement: 'header' }
  }
  if (type === 'oauth2' || type === 'openidconnect') return createOAuth2Scheme(scheme)
  if (type === 'oauth1' || type === 'oauth') {
    return createOAuth1Scheme(scheme)
  }
  if (type === 'mutualtls') return { scheme, authType: 'none', name: '', httpScheme: '' }
  return guessScheme(scheme)
}

/** Infers an undefined scheme, or one of an unknown type, from its name. */
function guessScheme(scheme: string): SecurityScheme {
  if (/basic/i.test(scheme)) return createBasicScheme(scheme)
  if (/oauth[-_ ]?1/i.test(scheme)) {
    return createOAuth1Scheme(scheme)
  }
  if (/oauth|openid|oidc/i.test(scheme)) return createOAuth2Scheme(scheme)
  const httpScheme = /bearer|jwt/i.test(scheme) ? 'bearer' : ''
  return { scheme, authType: 'header', name: 'Authorization', httpScheme, placement: 'header' }
}

function createBasicScheme(scheme: string): SecurityScheme {
  return {
    scheme,
    authType: 'BasicAuth',
    name: 'Authorization',
    httpScheme: 'basic',
    placement: 'header',
  }
}

function createOAuth2Scheme(scheme: string): SecurityScheme {
  return {
    scheme,
    authType: 'OAuth2',
    name: 'Authorization',
    httpScheme: 'bearer',
    placement: 'header',
  }
}

function createOAuth1Scheme(scheme: string): SecurityScheme {
  return {
    scheme,
    authType: 'OAuth1',
    name: 'Authorization',
    httpScheme: 'oauth',
    placement: 'header',
  }
}
