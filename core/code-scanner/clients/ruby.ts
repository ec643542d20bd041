import type { ArgumentPlace, ClientRule } from '../model/program.ts'
import { ANY_CLIENT, METHODS, methodRules } from './method-rules.ts'

const URL_FIRST: ArgumentPlace = { at: 0, name: 'url' }

/** Clients of Ruby. */
export const rubyClients: readonly ClientRule[] = [
  ...netHttp(),
  ...openUri(),
  ...faraday(),
  ...httparty(),
  ...restClient(),
  ...httpRb(),
  ...excon(),
  ...typhoeus(),
  ...curb(),
  ...others(),
  ...ANY_CLIENT,
]

function netHttp(): readonly ClientRule[] {
  const get = { method: 'get', url: { at: 0 } } as const
  const post = { method: 'post', url: { at: 0 } } as const
  const made = {
    receiver: [
      'Net.HTTP.new',
      'Net.HTTP.start',
      'Net.HTTPS.new',
      'Net.HTTP.Persistent.new',
      'Net.HTTP.SSL.new',
    ],
    base: { at: 0 },
  } as const
  return [
    { ...get, callee: 'Net.HTTP.get' },
    { ...get, callee: 'Net.HTTP.get_response' },
    { ...get, callee: 'Net.HTTP.get_print' },
    { ...post, callee: 'Net.HTTP.post' },
    { ...post, callee: 'Net.HTTP.post_form' },
    { callee: 'Net.HTTP.put', method: 'put', url: { at: 0 } },
    ...METHODS.map((method) => ({
      callee: `Net.HTTP.${method.charAt(0).toUpperCase()}${method.slice(1)}.new`,
      method,
      url: { at: 0 },
    })),
    ...methodRules({ ...made, prefix: '.', url: { at: 0 } }),
    { ...made, callee: '.request_get', ...get },
    { ...made, callee: '.request_post', ...post },
    { ...made, callee: '.get2', ...get },
    { ...made, callee: '.post2', ...post },
    { ...made, callee: '.send_request', method: { at: 0 }, url: { at: 1 } },
    {
      ...made,
      callee: '.request',
      method: { at: 0, madeBy: requests({ name: 'verb' }) },
      url: { at: 0, madeBy: requests({ at: 0 }) },
    },
  ]
}

/** A place in the construction of a request object. */
function requests(place: ArgumentPlace): Readonly<Record<string, ArgumentPlace>> {
  return Object.fromEntries(
    METHODS.map((method) => [
      `Net.HTTP.${method.charAt(0).toUpperCase()}${method.slice(1)}.new`,
      place,
    ]),
  )
}

function openUri(): readonly ClientRule[] {
  const get = { method: 'get', url: { at: 0 } } as const
  return [
    { ...get, callee: 'URI.open' },
    { ...get, callee: 'OpenURI.open_uri' },
    { ...get, callee: 'open' },
    { ...get, callee: 'Kernel.open' },
    { callee: '.open', receiver: ['URI', 'URI.parse'], method: 'get', url: { isReceiver: true } },
    { callee: '.read', from: ['open-uri'], method: 'get', url: { isReceiver: true } },
    { ...get, callee: 'Down.download' },
    { ...get, callee: 'Down.open' },
  ]
}

function faraday(): readonly ClientRule[] {
  const rule = {
    receiver: ['Faraday.new', 'Faraday.Connection.new', 'Faraday.default_connection'],
    url: URL_FIRST,
    base: { at: 0, name: 'url' },
    baseFrom: { '.url_prefix=': { at: 0 }, url_prefix: { at: 0 } },
  } as const
  return [
    ...methodRules({ prefix: 'Faraday.', url: URL_FIRST }),
    ...['HTTParty', 'RestClient', 'Faraday', 'HTTP', 'Typhoeus', 'Excon', 'HTTPX'].map((name) => ({
      callee: `${name}.send`,
      method: { at: 0 },
      url: { at: 1 },
    })),
    { ...rule, callee: '.send', method: { at: 0 }, url: { at: 1 } },
    { callee: 'Faraday.run_request', method: { at: 0 }, url: { at: 1 } },
    ...methodRules({ ...rule, prefix: '.' }),
    { ...rule, callee: '.run_request', method: { at: 0 }, url: { at: 1 } },
  ]
}

/** The module's own methods, and those of the classes that include it, below their `base_uri`. */
function httparty(): readonly ClientRule[] {
  const base = { name: 'base_uri' }
  return [
    ...methodRules({ prefix: 'HTTParty.', url: URL_FIRST, base }),
    ...methodRules({
      prefix: '.',
      receiver: ['this'],
      from: ['HTTParty'],
      url: URL_FIRST,
      baseFrom: { base_uri: { at: 0 } },
    }),
  ]
}

function restClient(): readonly ClientRule[] {
  const made = { receiver: ['RestClient.Resource.new'], base: { at: 0 } } as const
  return [
    ...methodRules({ prefix: 'RestClient.', url: URL_FIRST }),
    {
      callee: 'RestClient.Request.execute',
      method: { name: 'method' },
      defaultMethod: 'get',
      url: { name: 'url' },
    },
    {
      callee: 'RestClient.Request.new',
      method: { name: 'method' },
      defaultMethod: 'get',
      url: { name: 'url' },
    },
    { ...made, callee: '.[]', method: 'get', methodFrom: laterMethods(), url: { at: 0 } },
    ...methodRules({
      prefix: '.',
      receiver: ['RestClient.Resource.new'],
      url: { isReceiver: true, madeBy: { 'RestClient.Resource.new': { at: 0 } } },
    }),
  ]
}

function laterMethods(): Readonly<Record<string, string>> {
  return Object.fromEntries(METHODS.map((method) => [`.${method}`, method]))
}

function httpRb(): readonly ClientRule[] {
  const receiver = [
    'HTTP.headers',
    'HTTP.auth',
    'HTTP.basic_auth',
    'HTTP.timeout',
    'HTTP.accept',
    'HTTP.follow',
    'HTTP.use',
    'HTTP.via',
    'HTTP.persistent',
    'HTTP.retriable',
    'HTTP.cookies',
    'HTTP.nodelay',
    'HTTP.encoding',
    'HTTP.Client.new',
    'HTTP.base_uri',
    'HTTP.with',
    'HTTP.with_headers',
  ]
  const baseFrom = { '.persistent': { at: 0 }, '.base_uri': { at: 0 } }
  return [
    ...methodRules({ prefix: 'HTTP.', url: { at: 0 } }),
    { callee: 'HTTP.request', method: { at: 0 }, url: { at: 1 } },
    ...methodRules({ prefix: '.', receiver, url: { at: 0 }, baseFrom }),
    { callee: '.request', receiver, method: { at: 0 }, url: { at: 1 }, baseFrom },
  ]
}

function excon(): readonly ClientRule[] {
  const made = {
    receiver: ['Excon.new'],
    url: { name: 'path' },
    base: { at: 0 },
  } as const
  return [
    ...methodRules({ prefix: 'Excon.', url: { at: 0 } }),
    ...methodRules({ ...made, prefix: '.' }),
    { ...made, callee: '.request', method: { name: 'method' }, defaultMethod: 'get' },
  ]
}

function typhoeus(): readonly ClientRule[] {
  return [
    ...methodRules({ prefix: 'Typhoeus.', url: { at: 0 } }),
    ...methodRules({ prefix: 'Typhoeus.Request.', url: { at: 0 } }),
    {
      callee: 'Typhoeus.Request.new',
      method: { name: 'method' },
      defaultMethod: 'get',
      url: { at: 0 },
    },
  ]
}

function curb(): readonly ClientRule[] {
  const easy = { method: 'get', url: { at: 0 } } as const
  return [
    ...methodRules({ prefix: 'Curl.', url: { at: 0 } }),
    {
      ...easy,
      callee: 'Curl.Easy.new',
      methodFrom: { '.http_post': 'post', '.http_put': 'put', '.http_delete': 'delete' },
    },
    { ...easy, callee: 'Curl.Easy.perform' },
    { ...easy, callee: 'Curl.Easy.http_get' },
    { ...easy, callee: 'Curl.Easy.http_post', method: 'post' },
  ]
}

function others(): readonly ClientRule[] {
  const made = {
    receiver: [
      'HTTPClient.new',
      'HTTPX.with',
      'HTTPX.plugin',
      'HTTPX.Session.new',
      'Mechanize.new',
      'Patron.Session.new',
      'Async.HTTP.Internet.new',
      'Manticore.Client.new',
      'OAuth2.Client.new',
      'OAuth2.AccessToken.new',
      'Hurley.Client.new',
      'EventMachine.HttpRequest.new',
      'EM.HttpRequest.new',
    ],
    base: { name: 'site' },
    baseFrom: { base_url: { at: 0 }, '.origin': { at: 0 } },
  } as const
  return [
    ...methodRules({ prefix: 'HTTPX.', url: { at: 0 } }),
    ...methodRules({ prefix: 'HTTPClient.', url: { at: 0 } }),
    ...methodRules({ prefix: 'Manticore.', url: { at: 0 } }),
    ...methodRules({ prefix: 'Http.', url: { at: 0 } }),
    ...methodRules({ ...made, prefix: '.', url: { at: 0 } }),
    { ...made, callee: '.request', method: { at: 0 }, url: { at: 1 } },
    { ...made, callee: '.get_content', method: 'get', url: { at: 0 } },
    { ...made, callee: '.post_content', method: 'post', url: { at: 0 } },
    { callee: 'OAuth2.Client.new', method: 'post', url: { name: 'site' } },
    { callee: 'OAuth.Consumer.new', method: 'post', url: { name: 'site' } },
    { callee: 'OAuth.Consumer.new', method: 'post', url: { at: 2, key: 'site' } },
    { callee: 'WebSocket.Client.Simple.connect', method: 'get', url: { at: 0 } },
    { callee: 'Faye.WebSocket.Client.new', method: 'get', url: { at: 0 } },
    { callee: 'Savon.client', method: 'post', url: { name: 'wsdl' } },
    { callee: 'Savon.client', method: 'post', url: { name: 'endpoint' } },
    { callee: 'GraphQL.Client.HTTP.new', method: 'post', url: { at: 0 } },
    { callee: 'Graphlient.Client.new', method: 'post', url: { at: 0 } },
    { callee: 'XMLRPC.Client.new2', method: 'post', url: { at: 0 } },
    { callee: 'EventMachine.HttpRequest.new', method: 'get', url: { at: 0 } },
    { callee: 'EM.HttpRequest.new', method: 'get', url: { at: 0 } },
  ]
}
