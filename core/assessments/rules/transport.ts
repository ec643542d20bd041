import type { Api, Server } from '../../catalogue/records.ts'
import type { AssessmentRule, StatementEvidence } from '../records.ts'
import { takesSecrets } from './authentication.ts'

/** Schemes of the servers in the description. */
export const TRANSPORT_RULES: readonly AssessmentRule[] = [
  {
    id: 'transport-https',
    category: 'transport_security',
    classification: 'good',
    statement: 'All servers in the description use HTTPS',
    applies: 'the description has absolute servers, all of them https',
    when: ({ api }) =>
      listHttpUrls(api).length > 0 ? undefined : createServerEvidence(api, 'https:'),
  },
  {
    id: 'transport-plain-too',
    category: 'transport_security',
    classification: 'neutral',
    statement: 'Some servers in the description use plain HTTP',
    applies: 'the description has https and http servers, except local ones',
    when: ({ api }) =>
      listHttpsUrls(api).length > 0 ? createServerEvidence(api, 'http:') : undefined,
  },
  {
    id: 'transport-plain',
    category: 'transport_security',
    classification: 'bad',
    statement: 'All servers in the description use plain HTTP',
    applies:
      'the description has only http servers, no authentication, and no required parameter that is clearly an API key',
    when: ({ api, endpoints }) =>
      listHttpsUrls(api).length > 0 || takesSecrets({ api, endpoints })
        ? undefined
        : createServerEvidence(api, 'http:'),
  },
  {
    id: 'transport-plain-secrets',
    category: 'transport_security',
    classification: 'blocker',
    statement: 'Credentials are sent over plain HTTP, according to the description',
    applies:
      'the description has only http servers, and authentication or a required parameter that is clearly an API key',
    when: ({ api, endpoints }) =>
      listHttpsUrls(api).length > 0 || !takesSecrets({ api, endpoints })
        ? undefined
        : createServerEvidence(api, 'http:'),
  },
]

/**
 * Lists absolute server URLs, with defaults filled in and one per allowed scheme, except local
 * ones.
 */
function listServerUrls(api: Api): readonly string[] {
  return api.servers
    .flatMap(expandServer)
    .filter((url) => /^https?:\/\//i.test(url) && !LOCAL_URL.test(url))
}

function expandServer({ url, variables }: Server): readonly string[] {
  const filled = url.replace(/\{([^{}]{1,100})\}/g, (whole, name: string) => {
    return variables.find((variable) => variable.name === name)?.default || whole
  })
  const scheme = /^\{([^{}]{1,100})\}:/.exec(url)?.[1]
  const { values = [] } = variables.find(({ name }) => name === scheme) ?? {}
  return [filled, ...values.map((value) => filled.replace(/^[^:]*/, value))]
}

/** The import may have derived a server from the vendor's homepage: that is no evidence. */
function isGuessed(url: string, { vendor }: Api): boolean {
  return parseHttpHost(url) === parseHttpHost(vendor.homepage)
}

function parseHttpHost(url: string): string {
  return /^https?:\/\/([^/?#:]*)/i.exec(url)?.[1]?.toLowerCase() ?? ''
}

const LOCAL_URL =
  /^https?:\/\/(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[::1\]|[^/:]{1,200}\.(?:local|localhost|internal|test)(?=[/:]|$)|[^/.:{}]{1,63}(?=[/:]|$))/i

/** Excludes http URLs with port 443, for which the intended scheme is unclear. */
function listHttpUrls(api: Api): readonly string[] {
  return listServerUrls(api).filter((url) => /^http:(?!\/\/[^/?#]*:443(?:[/?#]|$))/i.test(url))
}

function listHttpsUrls(api: Api): readonly string[] {
  return listServerUrls(api).filter((url) => /^https:/i.test(url))
}

function createServerEvidence(api: Api, scheme: 'http:' | 'https:'): StatementEvidence | undefined {
  const all = scheme === 'http:' ? listHttpUrls(api) : listHttpsUrls(api)
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
