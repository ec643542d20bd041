import {
  asList,
  asObject,
  asText,
  getOwnMember,
  isObject,
  type JsonObject,
} from '../schemas/values.ts'
import { limitItems } from './limits.ts'

/** Reads the schemes and requirements of all forms: A2A 0.x and 1.0, headers, names of schemes. */
export function readSecurity(document: JsonObject): JsonObject {
  const schemes: [string, unknown][] = Object.entries(asObject(document.securitySchemes)).map(
    ([name, scheme]) => [name, toScheme(asObject(scheme))],
  )
  const declared = toRequirements(document.securityRequirements ?? document.security)
  if (schemes.length > 0 || declared) {
    return { components: { securitySchemes: Object.fromEntries(schemes) }, security: declared }
  }
  const alternatives: (readonly (readonly [string, readonly unknown[]])[])[] = []
  for (const remote of limitItems(document.remotes)) {
    const secrets = limitItems(asObject(remote).headers)
      .map(asObject)
      .filter(({ name, isSecret }) => isSecret === true && asText(name) !== '')
    if (secrets.length === 0) continue
    for (const header of secrets) schemes.push([asText(header.name), toHeaderScheme(header)])
    alternatives.push(secrets.map(({ name }) => [asText(name), []]))
    if (secrets.every(({ isRequired }) => isRequired !== true)) alternatives.push([])
  }
  const authentication = asObject(document.authentication)
  for (const scheme of limitItems(authentication.schemes)) {
    const name = asText(scheme) || asText(asObject(scheme).type)
    if (name === '') continue
    schemes.push([name, {}])
    alternatives.push([[name, []]])
  }
  if (alternatives.length > 0 && authentication.required === false) alternatives.push([])
  if (schemes.length === 0) return {}
  return {
    components: { securitySchemes: Object.fromEntries(schemes) },
    security: alternatives.map((each) => Object.fromEntries(each)),
  }
}

/** Converts a scheme of A2A 1.0, whose only member names its type. */
function toScheme(scheme: JsonObject): JsonObject {
  for (const [member, type] of SCHEME_MEMBERS) {
    const found = getOwnMember(scheme, member)
    if (isObject(found)) return { ...found, in: found.location, type }
  }
  return scheme
}

const SCHEME_MEMBERS = [
  ['apiKeySecurityScheme', 'apiKey'],
  ['httpAuthSecurityScheme', 'http'],
  ['oauth2SecurityScheme', 'oauth2'],
  ['openIdConnectSecurityScheme', 'openIdConnect'],
  ['mtlsSecurityScheme', 'mutualTLS'],
] as const

/** Converts requirements of A2A 1.0: `{ schemes: { name: { list: [] } } }`. */
export function toRequirements(requirements: unknown): unknown {
  if (!Array.isArray(requirements)) return undefined
  return requirements.map((requirement) => {
    const { schemes } = asObject(requirement)
    if (!isObject(schemes)) return requirement
    return Object.fromEntries(
      Object.entries(schemes).map(([name, scopes]) => [name, asList(asObject(scopes).list)]),
    )
  })
}

/** Describes a secret header. The scheme of `Authorization` precedes its value. */
function toHeaderScheme({ name, value }: JsonObject): JsonObject {
  const [, scheme] = /^(bearer|basic)\s/i.exec(asText(value)) ?? []
  return scheme && /^authorization$/i.test(asText(name))
    ? { type: 'http', scheme }
    : { type: 'apiKey', in: 'header', name }
}
