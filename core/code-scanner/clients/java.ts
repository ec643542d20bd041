import type { ArgumentPlace, ClientRule } from '../model/program.ts'
import { CHAIN, springClients } from './java-spring.ts'
import { FIRST, UNTOLD, type Verbs, verbRules } from './verb-rules.ts'

const UPPER_CHAIN = {
  '.GET': 'get',
  '.POST': 'post',
  '.PUT': 'put',
  '.DELETE': 'delete',
  '.HEAD': 'head',
  '.method': FIRST,
} as const

/** The JDK's own clients. */
function jdk(): readonly ClientRule[] {
  const receiver = ['HttpRequest.newBuilder', 'java.net.http.HttpRequest.newBuilder']
  const connection = { method: 'get', methodFrom: { '.setRequestMethod': FIRST } } as const
  return [
    { callee: '.uri', receiver, method: 'get', methodFrom: UPPER_CHAIN, url: FIRST },
    { callee: 'HttpRequest.newBuilder', method: 'get', methodFrom: UPPER_CHAIN, url: FIRST },
    { callee: '.openConnection', ...connection, url: { isReceiver: true } },
    { callee: '.openStream', method: 'get', url: { isReceiver: true } },
    {
      callee: '.buildAsync',
      receiver: ['.newWebSocketBuilder', 'HttpClient.newHttpClient'],
      method: 'get',
      url: FIRST,
    },
  ]
}

function okhttp(): readonly ClientRule[] {
  const receiver = ['new Request.Builder', 'new okhttp3.Request.Builder', 'new Builder']
  return [{ callee: '.url', receiver, method: 'get', methodFrom: CHAIN, url: FIRST }]
}

function apache(): readonly ClientRule[] {
  const classes: Verbs = {
    'new HttpGet': 'get',
    'new HttpPost': 'post',
    'new HttpPut': 'put',
    'new HttpPatch': 'patch',
    'new HttpDelete': 'delete',
    'new HttpHead': 'head',
    'new HttpOptions': 'options',
    'Request.Get': 'get',
    'Request.Post': 'post',
    'Request.Put': 'put',
    'Request.Patch': 'patch',
    'Request.Delete': 'delete',
    'Request.get': 'get',
    'Request.post': 'post',
    'Request.put': 'put',
    'Request.delete': 'delete',
    'SimpleRequestBuilder.get': 'get',
    'SimpleRequestBuilder.post': 'post',
    'RequestBuilder.get': 'get',
    'RequestBuilder.post': 'post',
    'RequestBuilder.put': 'put',
    'RequestBuilder.delete': 'delete',
    'ClassicRequestBuilder.get': 'get',
    'ClassicRequestBuilder.post': 'post',
    'ClassicRequestBuilder.put': 'put',
    'ClassicRequestBuilder.delete': 'delete',
  }
  return verbRules(classes, { url: FIRST })
}

/** Interfaces whose annotations are calls. */
function declared(): readonly ClientRule[] {
  const upper: Verbs = {
    '@GET': 'get',
    '@POST': 'post',
    '@PUT': 'put',
    '@PATCH': 'patch',
    '@DELETE': 'delete',
    '@HEAD': 'head',
  }
  const feign = ['@FeignClient', '@ReactiveFeignClient']
  const mapping: Verbs = {
    '@GetMapping': 'get',
    '@PostMapping': 'post',
    '@PutMapping': 'put',
    '@PatchMapping': 'patch',
    '@DeleteMapping': 'delete',
  }
  const exchange: Verbs = {
    '@GetExchange': 'get',
    '@PostExchange': 'post',
    '@PutExchange': 'put',
    '@PatchExchange': 'patch',
    '@DeleteExchange': 'delete',
  }
  const micronaut: Verbs = {
    '@Get': 'get',
    '@Post': 'post',
    '@Put': 'put',
    '@Patch': 'patch',
    '@Delete': 'delete',
  }
  const url: ArgumentPlace = { name: 'url' }
  return [
    ...verbRules(upper, {
      from: ['retrofit2', 'retrofit'],
      url: FIRST,
      baseFrom: { '.baseUrl()': FIRST },
    }),
    ...verbRules(mapping, { receiver: feign, url: FIRST, base: url }),
    {
      callee: '@RequestMapping',
      receiver: feign,
      method: { name: 'method' },
      defaultMethod: 'get',
      url: FIRST,
      base: url,
    },
    ...verbRules(exchange, { receiver: ['@HttpExchange'], url: FIRST, base: FIRST }),
    ...verbRules(micronaut, { receiver: ['@Client'], url: FIRST, base: FIRST }),
    {
      callee: '@Path',
      receiver: ['@RegisterRestClient'],
      method: 'get',
      url: FIRST,
      base: { name: 'baseUri' },
    },
    // Where the calls go that interfaces declare; which they are is not told here.
    {
      callee: '.baseUrl',
      receiver: ['new Retrofit.Builder', 'new retrofit2.Retrofit.Builder'],
      method: UNTOLD,
      url: FIRST,
    },
  ]
}

function others(): readonly ClientRule[] {
  const targets = [
    'ClientBuilder.newClient',
    'ClientBuilder.newBuilder',
    'new Client',
    'new ResteasyClient',
    'new JerseyClient',
    'ResteasyClientBuilder.newBuilder',
    'JerseyClientBuilder.createClient',
  ]
  return [
    {
      callee: '.target',
      receiver: targets,
      method: UNTOLD,
      methodFrom: CHAIN,
      pathFrom: { '.path': FIRST },
      url: FIRST,
    },
    {
      callee: '.resource',
      receiver: ['Client.create', 'new Client'],
      method: UNTOLD,
      methodFrom: CHAIN,
      pathFrom: { '.path': FIRST },
      url: FIRST,
    },
    ...verbRules(
      {
        'Unirest.get': 'get',
        'Unirest.post': 'post',
        'Unirest.put': 'put',
        'Unirest.patch': 'patch',
        'Unirest.delete': 'delete',
        'Unirest.head': 'head',
      },
      { url: FIRST },
    ),
    {
      callee: 'Jsoup.connect',
      method: 'get',
      methodFrom: { '.post': 'post', '.method': FIRST },
      url: FIRST,
    },
    ...verbRules(
      {
        'HttpUtil.get': 'get',
        'HttpUtil.post': 'post',
        'HttpRequest.get': 'get',
        'HttpRequest.post': 'post',
        'HttpRequest.put': 'put',
        'HttpRequest.delete': 'delete',
      },
      { url: FIRST },
    ),
    { callee: '.buildGetRequest', from: ['com.google.api'], method: 'get', url: FIRST },
    { callee: '.buildPostRequest', from: ['com.google.api'], method: 'post', url: FIRST },
    {
      callee: 'new StringRequest',
      from: ['com.android.volley'],
      method: { at: 0 },
      defaultMethod: 'get',
      url: { at: 1 },
    },
    {
      callee: 'new JsonObjectRequest',
      from: ['com.android.volley'],
      method: { at: 0 },
      defaultMethod: 'get',
      url: { at: 1 },
    },
    { callee: 'Feign.target', method: UNTOLD, url: { at: 1 } },
    { callee: '.target', receiver: ['Feign.builder'], method: UNTOLD, url: { at: 1 } },
    ...verbRules(
      { '.getAbs': 'get', '.postAbs': 'post', '.putAbs': 'put', '.deleteAbs': 'delete' },
      { from: ['io.vertx'], url: FIRST },
    ),
    { callee: 'ManagedChannelBuilder.forTarget', method: 'post', url: FIRST },
    { callee: 'ManagedChannelBuilder.forAddress', method: 'post', url: FIRST },
  ]
}

/** `AsyncHttpClient`, and what it was called before. */
function asyncHttp(): readonly ClientRule[] {
  const from = ['org.asynchttpclient', 'com.ning.http.client']
  const verbs: Verbs = {
    '.prepareGet': 'get',
    '.preparePost': 'post',
    '.preparePut': 'put',
    '.preparePatch': 'patch',
    '.prepareDelete': 'delete',
    '.prepareHead': 'head',
  }
  return [
    ...verbRules(verbs, { from, url: FIRST }),
    {
      callee: '.setUrl',
      from,
      receiver: ['new RequestBuilder'],
      method: 'get',
      methodFrom: { '.new RequestBuilder': FIRST, '.setMethod': FIRST },
      url: FIRST,
    },
  ]
}

/** Clients of Java. */
export const javaClients: readonly ClientRule[] = [
  ...jdk(),
  ...okhttp(),
  ...apache(),
  ...asyncHttp(),
  ...springClients,
  ...declared(),
  ...others(),
]
