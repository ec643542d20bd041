import type { ArgumentPlace, ClientRule } from '../program.ts'

const FIRST = { at: 0 } as const

/** For bases: the method is another call's. */
const UNTOLD = { name: '' } as const

/** Methods by the name of the call. */
type Verbs = Readonly<Record<string, string>>

/** One rule for each of the callees, with the method of each. */
function each(verbs: Verbs, rule: Omit<ClientRule, 'callee' | 'method'>): readonly ClientRule[] {
  return Object.entries(verbs).map(([callee, method]) => ({ ...rule, callee, method }))
}

const CHAIN = {
  '.get': 'get',
  '.post': 'post',
  '.put': 'put',
  '.patch': 'patch',
  '.delete': 'delete',
  '.head': 'head',
  '.options': 'options',
  '.method': FIRST,
} as const

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
  return each(classes, { url: FIRST })
}

function spring(): readonly ClientRule[] {
  const rest = {
    receiver: [
      'new RestTemplate',
      'new TestRestTemplate',
      'new RestTemplateBuilder',
      'new RestOperations',
      'new OAuth2RestTemplate',
      'new AsyncRestTemplate',
    ],
    url: FIRST,
    baseFrom: { '.rootUri': FIRST, '.setUriTemplateHandler': FIRST },
  } as const
  const verbs: Verbs = {
    '.getForObject': 'get',
    '.getForEntity': 'get',
    '.postForObject': 'post',
    '.postForEntity': 'post',
    '.postForLocation': 'post',
    '.patchForObject': 'patch',
    '.headForHeaders': 'head',
    '.optionsForAllow': 'options',
  }
  const fluent = {
    receiver: [
      'WebClient.create',
      'WebClient.builder',
      'new WebClient',
      'new WebClient.Builder',
      'RestClient.create',
      'RestClient.builder',
      'new RestClient',
      'new RestClient.Builder',
      'new WebTestClient',
    ],
    baseFrom: { '.baseUrl': FIRST },
    base: FIRST,
  } as const
  return [
    ...each(verbs, rest),
    { ...rest, callee: '.put', method: 'put' },
    { ...rest, callee: '.delete', method: 'delete' },
    { ...rest, callee: '.exchange', method: { at: 1 }, defaultMethod: 'get' },
    { ...rest, callee: '.execute', method: { at: 1 }, defaultMethod: 'get' },
    // RestTemplate is what these are of wherever its field is not declared in the file.
    ...each(verbs, { from: ['org.springframework'], url: FIRST }),
    ...each(
      {
        'RequestEntity.get': 'get',
        'RequestEntity.post': 'post',
        'RequestEntity.put': 'put',
        'RequestEntity.delete': 'delete',
        'RequestEntity.patch': 'patch',
      },
      { url: FIRST },
    ),
    { ...fluent, callee: '.uri', method: 'get', methodFrom: CHAIN, url: FIRST },
  ]
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
    ...each(upper, {
      from: ['retrofit2', 'retrofit'],
      url: FIRST,
      baseFrom: { '.baseUrl()': FIRST },
    }),
    ...each(mapping, { receiver: feign, url: FIRST, base: url }),
    {
      callee: '@RequestMapping',
      receiver: feign,
      method: { name: 'method' },
      defaultMethod: 'get',
      url: FIRST,
      base: url,
    },
    ...each(exchange, { receiver: ['@HttpExchange'], url: FIRST, base: FIRST }),
    ...each(micronaut, { receiver: ['@Client'], url: FIRST, base: FIRST }),
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
      method: 'get',
      methodFrom: CHAIN,
      pathFrom: { '.path': FIRST },
      url: FIRST,
    },
    {
      callee: '.resource',
      receiver: ['Client.create', 'new Client'],
      method: 'get',
      methodFrom: CHAIN,
      pathFrom: { '.path': FIRST },
      url: FIRST,
    },
    ...each(
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
    ...each(
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
    ...each(
      { '.getAbs': 'get', '.postAbs': 'post', '.putAbs': 'put', '.deleteAbs': 'delete' },
      { from: ['io.vertx'], url: FIRST },
    ),
    { callee: 'ManagedChannelBuilder.forTarget', method: 'post', url: FIRST },
    { callee: 'ManagedChannelBuilder.forAddress', method: 'post', url: FIRST },
  ]
}

/** Clients of Java. */
export const javaClients: readonly ClientRule[] = [
  ...jdk(),
  ...okhttp(),
  ...apache(),
  ...spring(),
  ...declared(),
  ...others(),
]
