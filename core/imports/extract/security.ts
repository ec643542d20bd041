import { AUTH_TYPES, type AuthType } from '../../catalogue/auth-types.ts'
import type {
  Parameter,
  ParameterPlacement,
  SecurityRequirement,
  SecuritySchemeUse,
} from '../../catalogue/records.ts'
import { isObject, type JsonObject, toList, toObject, toText } from '../../schemas/values.ts'
import { ENDPOINT_BOUNDS } from '../limits.ts'
import type { Context } from './context.ts'

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

type Scheme = Omit<SecuritySchemeUse, 'scopes'>

/**
 * Creates the reader of one description, and reads its schemes once. If a description defines
 * schemes but applies them nowhere, any of them is assumed to apply, with a warning.
 */
export function createSecurityReader(context: Context): SecurityReader {
  const { document, isSwagger } = context
  const section = isSwagger ? '/securityDefinitions' : '/components/securitySchemes'
  const definitions = toObject(context.find(section))
  const schemes = new Map<string, Scheme>()
  for (const [name, definition] of Object.entries(definitions)) {
    const located = context.resolve(definition, () => `${section}/${name}`)
    if (located) schemes.set(name, toScheme(name, located.node))
  }
  const toRequirements = (security: unknown, at: () => string): readonly SecurityRequirement[] => {
    const requirements = (isObject(security) ? [security] : toList(security))
      // Reads one more of each than is stored, so that `bounds.ts` cuts it and warns.
      .slice(0, ENDPOINT_BOUNDS.maxAlternatives + 1)
      .filter(isObject)
      .map((requirement) =>
        toEntries(requirement, ENDPOINT_BOUNDS.maxSchemes + 1).map(
          ([name, scopes]): SecuritySchemeUse => {
            const scheme = schemes.get(name) ?? guessScheme(name)
            if (!schemes.has(name)) context.warn(at(), `Security scheme "${name}" is not defined`)
            const named = toList(scopes).slice(0, ENDPOINT_BOUNDS.maxItems + 1)
            return { ...scheme, scopes: named.map(toText) }
          },
        ),
      )
    const isOpen = requirements.every((requirement) => requirement.length === 0)
    return isOpen ? [] : requirements
  }
  const shared = readShared()
  const declaresAny =
    isPresent(document.security) || schemes.size > 0 || hasOwnRequirement(document.paths)
  return {
    isDeclared: (security) => declaresAny || isPresent(security),
    read: (security, at) => (isPresent(security) ? toRequirements(security, at) : shared),
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
      .slice(0, ENDPOINT_BOUNDS.maxAlternatives + 1)
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
export function toAuthTypes(
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

/** Distinct, in the order of `AUTH_TYPES`. */
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

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function hasOwnRequirement(paths: unknown): boolean {
  return hasOperation(paths, ({ security }) =>
    toList(security).some((each) => Object.keys(toObject(each)).length > 0),
  )
}

function hasOwnSecurity(paths: unknown): boolean {
  return hasOperation(paths, ({ security }) => security !== undefined)
}

function hasOperation(
  paths: unknown,
  test: (operation: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return Object.values(toObject(paths)).some((item) =>
    Object.values(toObject(item)).some((operation) => test(toObject(operation))),
  )
}

function toScheme(scheme: string, definition: Readonly<Record<string, unknown>>): Scheme {
  const type = toText(definition.type).toLowerCase()
  const place = toText(definition.in).toLowerCase()
  if (type === 'apikey') {
    const authType = BY_PLACEMENT.get(place) ?? 'header'
    const placement = KEY_PLACEMENTS.get(place) ?? 'header'
    return { scheme, authType, name: toText(definition.name), httpScheme: '', placement }
  }
  if (type === 'basic') return basic(scheme)
  if (type === 'http') {
    const httpScheme = toText(definition.scheme).toLowerCase()
    if (httpScheme === 'basic') return basic(scheme)
    const authType = httpScheme === 'oauth' ? 'OAuth1' : 'header'
    return { scheme, authType, name: 'Authorization', httpScheme, placement: 'header' }
  }
  if (type === 'oauth2' || type === 'openidconnect') return oauth2(scheme)
  if (type === 'oauth1' || type === 'oauth') {
    return oauth1(scheme)
  }
  if (type === 'mutualtls') return { scheme, authType: 'none', name: '', httpScheme: '' }
  return guessScheme(scheme)
}

/** Infers an undefined scheme, or one of an unknown type, from its name. */
function guessScheme(scheme: string): Scheme {
  if (/basic/i.test(scheme)) return basic(scheme)
  if (/oauth[-_ ]?1/i.test(scheme)) {
    return oauth1(scheme)
  }
  if (/oauth|openid|oidc/i.test(scheme)) return oauth2(scheme)
  const httpScheme = /bearer|jwt/i.test(scheme) ? 'bearer' : ''
  return { scheme, authType: 'header', name: 'Authorization', httpScheme, placement: 'header' }
}

function basic(scheme: string): Scheme {
  return {
    scheme,
    authType: 'BasicAuth',
    name: 'Authorization',
    httpScheme: 'basic',
    placement: 'header',
  }
}

function oauth2(scheme: string): Scheme {
  return {
    scheme,
    authType: 'OAuth2',
    name: 'Authorization',
    httpScheme: 'bearer',
    placement: 'header',
  }
}

function oauth1(scheme: string): Scheme {
  return {
    scheme,
    authType: 'OAuth1',
    name: 'Authorization',
    httpScheme: 'oauth',
    placement: 'header',
  }
}
