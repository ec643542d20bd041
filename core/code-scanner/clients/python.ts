import type { ArgumentPlace, ClientRule } from '../model/program.ts'
import { ANY_CLIENT, METHOD_FIRST, methodRules } from './method-rules.ts'
import { pythonLibraries } from './python-libraries.ts'

const URL_FIRST: ArgumentPlace = { at: 0, name: 'url' }
const URL_SECOND: ArgumentPlace = { at: 1, name: 'url' }

/** Clients of Python. */
export const pythonClients: readonly ClientRule[] = [
  ...modules(),
  ...sessions(),
  ...asynchronous(),
  ...urllib(),
  ...httpClient(),
  ...curl(),
  ...pythonLibraries,
  ...ANY_CLIENT,
]

/** Modules that are clients themselves. */
function modules(): readonly ClientRule[] {
  return [
    'requests',
    'httpx',
    'grequests',
    'asks',
    'treq',
    'niquests',
    'requests_async',
    'requests.api',
    'curl_cffi.requests',
    'cloudscraper',
    'primp',
    'rnet',
    'requests_cache',
    'http3',
    'pip._vendor.requests',
    'urlfetch',
    'trequests',
    'hrequests',
    'tls_requests',
  ]
    .flatMap((module) => [
      ...methodRules({ prefix: `${module}.`, url: URL_FIRST }),
      { callee: `${module}.request`, method: METHOD_FIRST, url: URL_SECOND },
    ])
    .concat([
      { callee: 'httpx.stream', method: METHOD_FIRST, url: URL_SECOND },
      { callee: 'requests.Request', method: METHOD_FIRST, url: URL_SECOND },
      { callee: 'httpx.Request', method: METHOD_FIRST, url: URL_SECOND },
      {
        callee: 'urlfetch.fetch',
        method: { at: 2, name: 'method' },
        defaultMethod: 'get',
        url: URL_FIRST,
      },
      { callee: 'aiohttp.request', method: METHOD_FIRST, url: URL_SECOND },
      { callee: 'asks.Session', method: 'get', url: { name: 'base_location' } },
    ])
}

/** Objects that keep a base or cookies. */
function sessions(): readonly ClientRule[] {
  const receiver = [
    'requests.Session',
    'requests.session',
    'requests.sessions.Session',
    'httpx.Client',
    'httpx.AsyncClient',
    'requests_cache.CachedSession',
    'requests_html.HTMLSession',
    'requests_html.AsyncHTMLSession',
    'requests_oauthlib.OAuth1Session',
    'requests_oauthlib.OAuth2Session',
    'OAuth2Session',
    'OAuth1Session',
    'authlib.integrations.requests_client.OAuth2Session',
    'authlib.integrations.httpx_client.AsyncOAuth2Client',
    'AsyncOAuth2Client',
    'AuthorizedSession',
    'google.auth.transport.requests.AuthorizedSession',
    'requests_toolbelt.sessions.BaseUrlSession',
    'sessions.BaseUrlSession',
    'BaseUrlSession',
    'requests_futures.sessions.FuturesSession',
    'FuturesSession',
    'CacheControl',
    'cachecontrol.CacheControl',
    'cloudscraper.create_scraper',
    'niquests.Session',
    'niquests.AsyncSession',
    'curl_cffi.requests.Session',
    'curl_cffi.requests.AsyncSession',
    'primp.Client',
    'asks.Session',
    'LimiterSession',
    'CachedLimiterSession',
    'TestSession',
    'retry_requests.retry',
    'retry',
    'requests_retry_session',
  ]
  const rule = {
    receiver,
    url: URL_FIRST,
    base: { at: 0, name: 'base_url' },
    baseFrom: { base_url: { at: 0 } },
  } as const
  return [
    ...methodRules({ ...rule, prefix: '.' }),
    { ...rule, callee: '.request', method: METHOD_FIRST, url: URL_SECOND },
    { ...rule, callee: '.stream', method: METHOD_FIRST, url: URL_SECOND },
    { ...rule, callee: '.build_request', method: METHOD_FIRST, url: URL_SECOND },
    { ...rule, callee: '.fetch_token', method: 'post', url: { at: 0, name: 'token_url' } },
  ]
}

function asynchronous(): readonly ClientRule[] {
  const rule = {
    receiver: [
      'aiohttp.ClientSession',
      'ClientSession',
      'aiohttp_client.async_get_clientsession',
      'async_get_clientsession',
      'RetryClient',
      'aiohttp_retry.RetryClient',
      'aiohttp.client.ClientSession',
      'CachedSession',
    ],
    url: URL_FIRST,
    base: { at: 0, name: 'base_url' },
  } as const
  const tornado = [
    'tornado.httpclient.AsyncHTTPClient',
    'httpclient.AsyncHTTPClient',
    'AsyncHTTPClient',
    'tornado.httpclient.HTTPClient',
    'httpclient.HTTPClient',
    'HTTPClient',
  ]
  return [
    ...methodRules({ ...rule, prefix: '.' }),
    { ...rule, callee: '.request', method: METHOD_FIRST, url: URL_SECOND },
    { ...rule, callee: '._request', method: METHOD_FIRST, url: URL_SECOND },
    { ...rule, callee: '.ws_connect', method: 'get' },
    {
      callee: '.fetch',
      receiver: tornado,
      method: { name: 'method' },
      defaultMethod: 'get',
      url: URL_FIRST,
    },
    ...['HTTPRequest', 'httpclient.HTTPRequest', 'tornado.httpclient.HTTPRequest'].map(
      (callee) => ({
        callee,
        from: ['tornado'],
        method: { at: 1, name: 'method' },
        defaultMethod: 'get',
        url: URL_FIRST,
      }),
    ),
  ]
}

/** `urllib` of Python 3 and 2, and urllib3. */
function urllib(): readonly ClientRule[] {
  const pools = [
    'urllib3.PoolManager',
    'urllib3.ProxyManager',
    'PoolManager',
    'urllib3.HTTPSConnectionPool',
    'urllib3.HTTPConnectionPool',
    'urllib3.connection_from_url',
    'urllib3.poolmanager.PoolManager',
  ]
  const requests = ['urllib.request.Request', 'urllib2.Request', 'request.Request', 'Request']
  const openers = [
    'urllib.request.urlopen',
    'urllib2.urlopen',
    'urllib.urlopen',
    'request.urlopen',
    'urlopen',
  ]
  return [
    ...openers.map((callee) => ({
      callee,
      method: { at: 0, madeBy: madeBy(requests, 'method') },
      defaultMethod: 'get',
      url: URL_FIRST,
    })),
    ...[
      'urllib.request.urlretrieve',
      'urllib.urlretrieve',
      'request.urlretrieve',
      'urlretrieve',
    ].map((callee) => ({ callee, method: 'get', url: URL_FIRST })),
    ...requests.map((callee) => ({
      callee,
      from: ['urllib', 'urllib2', 'six.moves', 'future.moves.urllib'],
      method: { name: 'method' },
      defaultMethod: 'get',
      url: URL_FIRST,
    })),
    {
      callee: '.request',
      receiver: pools,
      method: METHOD_FIRST,
      url: URL_SECOND,
      base: { at: 0, name: 'host' },
    },
    {
      callee: '.urlopen',
      receiver: pools,
      method: METHOD_FIRST,
      url: URL_SECOND,
      base: { at: 0, name: 'host' },
    },
    { callee: '.request_encode_body', receiver: pools, method: METHOD_FIRST, url: URL_SECOND },
    { callee: 'urllib3.request', method: METHOD_FIRST, url: URL_SECOND },
    {
      callee: '.open',
      receiver: [
        'urllib.request.build_opener',
        'urllib2.build_opener',
        'request.build_opener',
        'build_opener',
      ],
      method: 'get',
      url: URL_FIRST,
    },
    {
      callee: '.request',
      receiver: ['httplib2.Http', 'Http'],
      method: { at: 1, name: 'method' },
      defaultMethod: 'get',
      url: { at: 0, name: 'uri' },
    },
  ]
}

function madeBy(callees: readonly string[], name: string): Readonly<Record<string, ArgumentPlace>> {
  return Object.fromEntries(callees.map((callee) => [callee, { name }]))
}

/** Connections to one host. */
function httpClient(): readonly ClientRule[] {
  const names = ['HTTPSConnection', 'HTTPConnection', 'HTTPS']
  const receiver = [
    '',
    'http.client.',
    'httplib.',
    'client.',
    'http_client.',
    'six.moves.http_client.',
  ].flatMap((prefix) => names.map((name) => `${prefix}${name}`))
  const rule = { receiver, base: { at: 0, name: 'host' } } as const
  return [
    { ...rule, callee: '.request', method: METHOD_FIRST, url: URL_SECOND },
    { ...rule, callee: '.putrequest', method: METHOD_FIRST, url: URL_SECOND },
  ]
}

function curl(): readonly ClientRule[] {
  return [
    {
      callee: 'pycurl.URL',
      method: 'get',
      url: { at: 0 },
      methodFrom: {
        '.POST': 'post',
        '.CUSTOMREQUEST': { at: 0 },
        '.POSTFIELDS': 'post',
        '.HTTPPOST': 'post',
        '.UPLOAD': 'put',
        '.NOBODY': 'head',
      },
    },
  ]
}
