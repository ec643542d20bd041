import type { ArgumentPlace, ClientRule } from '../model/program.ts'
import { ANY_CLIENT, METHODS, methodRules } from './method-rules.ts'

const URL_FIRST: ArgumentPlace = { at: 0 }

/** Clients of PHP. */
export const phpClients: readonly ClientRule[] = [
  ...curl(),
  ...streams(),
  ...guzzle(),
  ...symfony(),
  ...laravel(),
  ...wordpress(),
  ...httplug(),
  ...others(),
  ...ANY_CLIENT,
]

/** The frontend gives options of a handle as `curl_setopt.CURLOPT_…` called on it. */
function curl(): readonly ClientRule[] {
  const rule = {
    method: 'get',
    url: URL_FIRST,
    methodFrom: {
      '.CURLOPT_CUSTOMREQUEST': { at: 0 },
      '.CURLOPT_POST': 'post',
      '.CURLOPT_POSTFIELDS': 'post',
      '.CURLOPT_PUT': 'put',
      '.CURLOPT_UPLOAD': 'put',
      '.CURLOPT_NOBODY': 'head',
    },
  } as const
  return [
    { ...rule, callee: 'curl_init' },
    { ...rule, callee: 'curl_setopt.CURLOPT_URL' },
  ]
}

function streams(): readonly ClientRule[] {
  const context = (at: number): ClientRule['method'] => ({
    at,
    madeBy: { stream_context_create: { at: 0, key: 'method' } },
  })
  return [
    { callee: 'file_get_contents', method: context(2), defaultMethod: 'get', url: URL_FIRST },
    { callee: 'fopen', method: context(3), defaultMethod: 'get', url: URL_FIRST },
    { callee: 'file', method: context(2), defaultMethod: 'get', url: URL_FIRST },
    ...[
      'simplexml_load_file',
      'get_headers',
      'readfile',
      'copy',
      'fsockopen',
      'pfsockopen',
      'stream_socket_client',
      'getimagesize',
    ].map((callee) => ({ callee, method: 'get', url: URL_FIRST })),
    { callee: 'new SoapClient', method: 'post', url: URL_FIRST },
    { callee: 'new SoapClient', method: 'post', url: { at: 1, key: 'location' } },
  ]
}

function guzzle(): readonly ClientRule[] {
  const names = [
    'Client',
    'ClientInterface',
    'GuzzleHttp.Client',
    'GuzzleHttp.ClientInterface',
    'GuzzleClient',
    'HttpClient',
    'Guzzle',
    'Guzzle.Http.Client',
    'GuzzleHttpClient',
  ]
  const rule = {
    receiver: names.map((name) => `new ${name}`),
    base: { at: 0, key: 'base_uri' },
    baseFrom: { base_uri: { at: 0 } },
  } as const
  const request = { method: { at: 0 }, url: { at: 1 } } as const
  const requests = ['new Request', 'new GuzzleHttp.Psr7.Request', 'new Psr7.Request']
  return [
    ...methodRules({ ...rule, prefix: '.', url: URL_FIRST }),
    ...methodRules({ ...rule, prefix: '.', suffix: 'Async', url: URL_FIRST }),
    { ...rule, ...request, callee: '.request' },
    { ...rule, ...request, callee: '.requestAsync' },
    { ...rule, ...request, callee: '.createRequest' },
    {
      ...rule,
      callee: '.send',
      method: { at: 0, madeBy: Object.fromEntries(requests.map((one) => [one, { at: 0 }])) },
      url: { at: 0, madeBy: Object.fromEntries(requests.map((one) => [one, { at: 1 }])) },
    },
    ...requests.map((callee) => ({
      ...request,
      callee,
      from: ['GuzzleHttp', 'Nyholm', 'Zend', 'Laminas'],
    })),
    {
      ...request,
      callee: '.createRequest',
      receiver: [
        'new RequestFactoryInterface',
        'new Psr17Factory',
        'Psr17FactoryDiscovery.findRequestFactory',
        'new HttpFactory',
        'new RequestFactory',
      ],
    },
  ]
}

function symfony(): readonly ClientRule[] {
  const rule = {
    receiver: [
      'HttpClient.create',
      'HttpClient.createForBaseUri',
      'new HttpClientInterface',
      'new CurlHttpClient',
      'new NativeHttpClient',
      'ScopingHttpClient.forBaseUri',
      'new HttpBrowser',
    ],
    base: { at: 0, key: 'base_uri' },
    method: { at: 0 },
    url: { at: 1 },
  } as const
  return [
    { ...rule, callee: '.request' },
    {
      ...rule,
      callee: '.request',
      receiver: ['HttpClient.createForBaseUri'],
      base: { at: 0 },
    },
    {
      ...rule,
      callee: '.request',
      receiver: ['ScopingHttpClient.forBaseUri'],
      base: { at: 1 },
    },
    { ...rule, callee: '.request', base: { at: 2, key: 'base_uri' } },
  ]
}

function laravel(): readonly ClientRule[] {
  const names = ['Http', 'Illuminate.Support.Facades.Http']
  const receiver = [
    ...names.map((name) => `${name}.*`),
    'new PendingRequest',
    'new Factory',
    'new Illuminate.Http.Client.PendingRequest',
    'new Illuminate.Http.Client.Factory',
  ]
  const baseFrom = { '.baseUrl': { at: 0 } }
  const send = { method: { at: 0 }, url: { at: 1 } } as const
  return [
    ...names.flatMap((name) => [
      ...methodRules({ prefix: `${name}.`, url: URL_FIRST }),
      { ...send, callee: `${name}.send` },
    ]),
    ...methodRules({ prefix: '.', receiver, url: URL_FIRST, baseFrom }),
    { ...send, callee: '.send', receiver, baseFrom },
  ]
}

function wordpress(): readonly ClientRule[] {
  const method = { at: 1, key: 'method' }
  return [
    ...['wp_remote_get', 'wp_safe_remote_get', 'vip_safe_wp_remote_get'].map((callee) => ({
      callee,
      method: 'get',
      url: URL_FIRST,
    })),
    ...['wp_remote_post', 'wp_safe_remote_post'].map((callee) => ({
      callee,
      method,
      defaultMethod: 'post',
      url: URL_FIRST,
    })),
    { callee: 'wp_remote_head', method: 'head', url: URL_FIRST },
    { callee: 'wp_remote_request', method, defaultMethod: 'get', url: URL_FIRST },
    { callee: 'wp_safe_remote_request', method, defaultMethod: 'get', url: URL_FIRST },
    { callee: 'wp_remote_fopen', method: 'get', url: URL_FIRST },
    { callee: 'download_url', method: 'get', url: URL_FIRST },
    { callee: 'drupal_http_request', method, defaultMethod: 'get', url: URL_FIRST },
  ]
}

/** Clients whose host a plugin adds, in any file (HTTPlug). */
function httplug(): readonly ClientRule[] {
  return methodRules({
    prefix: '.',
    receiver: ['new HttpMethodsClientInterface', 'new HttpMethodsClient', '.getHttpClient'],
    from: ['Http\\Client\\Common'],
    url: URL_FIRST,
    baseFrom: { '.AddHostPlugin()': URL_FIRST },
  })
}

function others(): readonly ClientRule[] {
  const buzz = {
    receiver: [
      'new Browser',
      'new Buzz.Browser',
      'new Curl',
      'new Curl.Curl',
      'new RestClient',
      'new HttpSocket',
      'new Cake.Http.Client',
      'new WpOrg.Requests.Session',
      'new Requests_Session',
      'new Zend.Http.Client',
      'new PestJSON',
      'new Pest',
      'new MultiCurl',
      'new Snoopy',
      'HttpClientDiscovery.find',
      'new HttpMethodsClient',
    ],
    base: { at: 0 },
  } as const
  return [
    ...[
      'Requests',
      'WpOrg.Requests.Requests',
      'Unirest.Request',
      'Unirest',
      'Httpful.Request',
      'Zttp',
    ].flatMap((name) => [...methodRules({ prefix: `${name}.`, url: URL_FIRST })]),
    { callee: 'Requests.request', method: { at: 3 }, defaultMethod: 'get', url: URL_FIRST },
    ...methodRules({ ...buzz, prefix: '.', url: URL_FIRST }),
    ...METHODS.map((method) => ({
      callee: `.${method}`,
      receiver: ['Zttp.*', 'Unirest.*'],
      method,
      url: URL_FIRST,
    })),
    {
      ...buzz,
      callee: '.setUri',
      method: 'get',
      methodFrom: { '.setMethod': { at: 0 } },
      url: URL_FIRST,
    },
    { callee: 'new Zend.Http.Client', method: 'get', url: URL_FIRST },
    { callee: 'new WebSocket.Client', method: 'get', url: URL_FIRST },
  ]
}
