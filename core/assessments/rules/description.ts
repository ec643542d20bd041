import type { Api, AuthType, Server } from '../../catalogue/records.ts'
import type {
  AssessmentFacts,
  AssessmentRule,
  EndpointFacts,
  StatementEvidence,
} from '../records.ts'
import { inTexts } from './in-texts.ts'

/** What the description of the API shows: transport, authentication, deprecation, quality. */
export const DESCRIPTION_RULES: readonly AssessmentRule[] = [
  {
    id: 'transport-https',
    category: 'transport_security',
    classification: 'good',
    statement: 'All servers in the description are called by https',
    applies: 'the description has absolute servers, all of them https',
    when: ({ api }) => (toHttp(api).length > 0 ? undefined : toServers(api, 'https:')),
  },
  {
    id: 'transport-plain-too',
    category: 'transport_security',
    classification: 'neutral',
    statement: 'Some servers in the description are called by plain http',
    applies: 'the description has https and http servers, local ones aside',
    when: ({ api }) => (toHttps(api).length > 0 ? toServers(api, 'http:') : undefined),
  },
  {
    id: 'transport-plain',
    category: 'transport_security',
    classification: 'bad',
    statement: 'All servers in the description are called by plain http',
    applies: 'the description has http servers alone, and no authentication',
    when: ({ api }) =>
      toHttps(api).length > 0 || needsSecret(api) ? undefined : toServers(api, 'http:'),
  },
  {
    id: 'transport-plain-secrets',
    category: 'transport_security',
    classification: 'blocker',
    statement: 'Credentials go over plain http by the description',
    applies: 'the description has http servers alone, and authentication',
    when: ({ api }) =>
      toHttps(api).length > 0 || !needsSecret(api) ? undefined : toServers(api, 'http:'),
  },
  {
    id: 'auth-none',
    category: 'authentication',
    classification: 'neutral',
    statement: 'The description asks for no authentication',
    applies: 'no endpoint of the description needs any',
    when: ({ api, endpoints }) =>
      api.isDescribed && endpoints.read > 0 && isOnly(api.authTypes, ['none'])
        ? ofDescription(api, 'no security requirement of any endpoint')
        : undefined,
  },
  {
    id: 'auth-partly-none',
    category: 'authentication',
    classification: 'neutral',
    statement: 'Some endpoints need no authentication',
    applies: 'some of the first 50 endpoints need none, and the API has some',
    when: ({ api, endpoints }) =>
      needsSecret(api) && endpoints.open.length > 0
        ? ofDescription(api, toShare(endpoints.open, endpoints))
        : undefined,
  },
  {
    id: 'auth-oauth2',
    category: 'authentication',
    classification: 'good',
    statement: 'OAuth 2 or OpenID Connect can be used',
    applies: 'an authentication of the API is OAuth2',
    when: ({ api }) =>
      api.authTypes.includes('OAuth2')
        ? ofDescription(api, `auth_types: ${api.authTypes.join(', ')}`)
        : undefined,
  },
  {
    id: 'auth-in-url',
    category: 'authentication',
    classification: 'bad',
    statement: 'Credentials go in URLs, where logs keep them',
    applies: 'every authentication of the API is by query or path',
    when: ({ api }) =>
      needsSecret(api) && isOnly(api.authTypes, ['query', 'path', 'none'])
        ? ofDescription(api, `auth_types: ${api.authTypes.join(', ')}`)
        : undefined,
  },
  {
    id: 'auth-basic-alone',
    category: 'authentication',
    classification: 'neutral',
    statement: 'Name and password are the only authentication',
    applies: 'every authentication of the API is BasicAuth',
    when: ({ api }) =>
      needsSecret(api) && isOnly(api.authTypes, ['BasicAuth', 'none'])
        ? ofDescription(api, `auth_types: ${api.authTypes.join(', ')}`)
        : undefined,
  },
  {
    id: 'deprecated-all',
    category: 'deprecation',
    classification: 'bad',
    statement: 'All endpoints are deprecated',
    applies: 'every endpoint of the description is',
    when: ({ api, endpoints }) =>
      endpoints.count > 0 && endpoints.deprecated === endpoints.count
        ? ofDescription(api, toDeprecated(endpoints))
        : undefined,
  },
  {
    id: 'deprecated-some',
    category: 'deprecation',
    classification: 'neutral',
    statement: 'Some endpoints are deprecated',
    applies: 'one endpoint of the description is, and not every one',
    when: ({ api, endpoints }) =>
      endpoints.deprecated > 0 && endpoints.deprecated < endpoints.count
        ? ofDescription(api, toDeprecated(endpoints))
        : undefined,
  },
  inTexts({
    id: 'deprecated-by-words',
    category: 'deprecation',
    classification: 'bad',
    statement: 'A text says that the API is or will be discontinued',
    applies: 'a text or the description says so of "this API", "this version" or "this service"',
    words: ['deprecated', 'discontinued', 'retired', 'sunset', 'shut'],
    phrase:
      /\bthis (?:api|version|version of the api|api version|service)\b (?:is|has been|was|will be) (?:now |officially )?(?:deprecated|discontinued|retired|sunset|shut ?down)\b/,
    andDescription: true,
  }),
  {
    id: 'quality-described',
    category: 'description_quality',
    classification: 'good',
    statement: 'All endpoints that were read are described in words',
    applies: 'each of the first 50 endpoints is',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.undescribed.length === 0
        ? ofDescription(api, `${toRead(endpoints)}: all have a description`)
        : undefined,
  },
  {
    id: 'quality-undescribed',
    category: 'description_quality',
    classification: 'bad',
    statement: 'Most endpoints that were read are not described in words',
    applies: 'more than half of the first 50 endpoints have neither summary nor description',
    when: ({ api, endpoints }) =>
      endpoints.undescribed.length * 2 > endpoints.read
        ? ofDescription(api, toShare(endpoints.undescribed, endpoints))
        : undefined,
  },
  {
    id: 'quality-answers',
    category: 'description_quality',
    classification: 'good',
    statement: 'Answers of endpoints have a schema or an example',
    applies:
      'at least nine in ten of the first 50 endpoints have a schema or an example of an answer',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.answered.length * 10 >= endpoints.read * 9
        ? ofDescription(api, toShare(endpoints.answered, endpoints))
        : undefined,
  },
  {
    id: 'quality-no-answers',
    category: 'description_quality',
    classification: 'bad',
    statement: 'No endpoint that was read has an answer with a schema or an example',
    applies: 'none of the first 50 endpoints has a schema or an example of an answer',
    when: ({ api, endpoints }) =>
      endpoints.read > 0 && endpoints.answered.length === 0
        ? ofDescription(api, `${toRead(endpoints)}: none has a schema or an example of an answer`)
        : undefined,
  },
]

/** What stands in an API's description as evidence; where that stands is not known. */
export function ofDescription(api: Api, quote: string): StatementEvidence {
  return { source: 'description', quote, link: '', at: api.updatedAt }
}

/** `50 of 812 endpoints read`. */
function toRead({ read, count }: EndpointFacts): string {
  const of = read === count ? `${count}` : `first ${read} of ${count}`
  return `${of} ${count === 1 ? 'endpoint' : 'endpoints'}`
}

/** So many of those that were read, with some of their names. */
export function toShare(names: readonly string[], endpoints: EndpointFacts): string {
  const some = names.slice(0, 3).join(', ')
  return `${names.length} of the ${toRead(endpoints)}: ${some}${names.length > 3 ? ', …' : ''}`
}

function toDeprecated({ deprecated, count, deprecatedNames }: EndpointFacts): string {
  const more = deprecated > deprecatedNames.length ? ', …' : ''
  return `${deprecated} of ${count} endpoints: ${deprecatedNames.join(', ')}${more}`
}

function isOnly(types: readonly AuthType[], allowed: readonly AuthType[]): boolean {
  return types.length > 0 && types.every((type) => allowed.includes(type))
}

function needsSecret({ authTypes }: AssessmentFacts['api']): boolean {
  return authTypes.some((type) => type !== 'none')
}

/** Absolute, with defaults filled in, each scheme that is allowed, and not of this machine. */
function toUrls(api: Api): readonly string[] {
  return api.servers
    .flatMap(toFilled)
    .filter((url) => /^https?:\/\//i.test(url) && !LOCAL.test(url))
}

function toFilled({ url, variables }: Server): readonly string[] {
  const filled = url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    return variables.find((variable) => variable.name === name)?.default || whole
  })
  const scheme = /^\{([^{}]{1,100})\}:/.exec(url)?.[1]
  const { values = [] } = variables.find(({ name }) => name === scheme) ?? {}
  return [filled, ...values.map((value) => filled.replace(/^[^:]*/, value))]
}

/** An import may have guessed a server from the homepage of the vendor: no proof. */
function isGuessed(url: string, { vendor }: Api): boolean {
  return toHost(url) === toHost(vendor.homepage)
}

function toHost(url: string): string {
  return /^https?:\/\/([^/?#:]*)/i.exec(url)?.[1]?.toLowerCase() ?? ''
}

const LOCAL =
  /^https?:\/\/(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[::1\]|[^/:]{1,200}\.(?:local|localhost|internal|test)(?=[/:]|$)|[^/.:{}]{1,63}(?=[/:]|$))/i

function toHttp(api: Api): readonly string[] {
  return toUrls(api).filter((url) => /^http:/i.test(url))
}

function toHttps(api: Api): readonly string[] {
  return toUrls(api).filter((url) => /^https:/i.test(url))
}

function toServers(api: Api, scheme: 'http:' | 'https:'): StatementEvidence | undefined {
  const all = scheme === 'http:' ? toHttp(api) : toHttps(api)
  const urls = [...new Set(all)].filter((url) => !isGuessed(url, api))
  if (urls.length === 0) return
  const more = urls.length > 3 ? ', …' : ''
  return {
    source: 'servers of the description',
    quote: urls.slice(0, 3).join(', ') + more,
    link: '',
    at: api.updatedAt,
  }
}
