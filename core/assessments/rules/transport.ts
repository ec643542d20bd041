import type { Api, Server } from '../../catalogue/records.ts'
import type { AssessmentRule, StatementEvidence } from '../records.ts'
import { takesSecrets } from './authentication.ts'

/** How the servers of the description are called. */
export const TRANSPORT_RULES: readonly AssessmentRule[] = [
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
    applies:
      'the description has http servers alone, no authentication, and no required parameter that plainly takes a key',
    when: ({ api, endpoints }) =>
      toHttps(api).length > 0 || takesSecrets({ api, endpoints })
        ? undefined
        : toServers(api, 'http:'),
  },
  {
    id: 'transport-plain-secrets',
    category: 'transport_security',
    classification: 'blocker',
    statement: 'Credentials go over plain http by the description',
    applies:
      'the description has http servers alone, and authentication or a required parameter that plainly takes a key',
    when: ({ api, endpoints }) =>
      toHttps(api).length > 0 || !takesSecrets({ api, endpoints })
        ? undefined
        : toServers(api, 'http:'),
  },
]

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

/** At the port of https, nobody speaks plain http: which of both is meant is not known. */
function toHttp(api: Api): readonly string[] {
  return toUrls(api).filter((url) => /^http:(?!\/\/[^/?#]*:443(?:[/?#]|$))/i.test(url))
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
