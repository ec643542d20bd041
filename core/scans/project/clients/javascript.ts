import type { ClientRule } from '../program.ts'

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const

/** Rules for a client's methods that are named after what they send: `.get(url)`. */
function verbs(
  client: string,
  rest: Omit<ClientRule, 'callee' | 'method'>,
  names: Readonly<Record<string, string>> = {},
): readonly ClientRule[] {
  const all = [...VERBS.map((verb) => [verb, verb] as const), ...Object.entries(names)]
  return all.map(([name, method]) => ({ ...rest, callee: `${client}.${name}`, method }))
}

/** Rules for a function `f(url, { method })`, with `new Request(url, { method })` too. */
function fetchers(
  callees: readonly string[],
  rest: Partial<ClientRule> = {},
): readonly ClientRule[] {
  const made = (at: number) => ({ at: 0, madeBy: { 'new Request': { at } } })
  return callees.flatMap((callee) => [
    { ...rest, callee, url: made(0), method: { ...made(1), key: 'method' }, defaultMethod: 'get' },
    { ...rest, callee, url: { at: 0 }, method: { at: 1, key: 'method' }, defaultMethod: 'get' },
  ])
}

/** Rules for a function `f({ url, method })`. */
function configured(
  callees: readonly string[],
  rest: Partial<ClientRule> = {},
): readonly ClientRule[] {
  return callees.flatMap((callee) =>
    ['url', 'uri'].map((key) => ({
      ...rest,
      callee,
      url: { at: 0, key },
      method: { at: 0, key: 'method' },
      defaultMethod: 'get',
    })),
  )
}

const GLOBAL_FETCH = [
  'fetch',
  'window.fetch',
  'globalThis.fetch',
  'global.fetch',
  'self.fetch',
  'node-fetch',
  'node-fetch.default',
  'cross-fetch',
  'cross-fetch.fetch',
  'isomorphic-fetch',
  'isomorphic-unfetch',
  'unfetch',
  'whatwg-fetch.fetch',
  'fetch-retry',
  'nodeFetch',
  'crossFetch',
  'fetchFn',
  'fetchJson',
  'fetchWithTimeout',
  'fetchWithRetry',
  'this.fetch',
  'context.fetch',
  'ctx.fetch',
  'event.fetch',
  'Deno.fetch',
  'Bun.fetch',
  'expo-fetch.fetch',
  'useFetch',
  'useLazyFetch',
  'fetchEventSource',
  'undici.fetch',
] as const

const AXIOS_MADE = [
  'axios.create',
  'new Axios',
  'new AxiosInstance',
  'axios.Axios',
  'new AxiosService',
]
const AXIOS_BASE = { baseURL: { at: 0 }, 'defaults.baseURL': { at: 0 } } as const
const AXIOS_NAMES = { postForm: 'post', putForm: 'put', patchForm: 'patch' } as const

/** Methods whose second argument is the body. */
const SENDERS = /\.(?:post|put|patch)(?:Form)?$/

const axios: readonly ClientRule[] = [
  ...verbs(
    'axios',
    { url: { at: 0 }, base: { at: 1, key: 'baseURL' }, baseFrom: AXIOS_BASE },
    AXIOS_NAMES,
  ).map((rule) =>
    SENDERS.test(rule.callee) ? { ...rule, base: { at: 2, key: 'baseURL' } } : rule,
  ),
  ...verbs('', { url: { at: 0 }, receiver: AXIOS_MADE, baseFrom: AXIOS_BASE }, AXIOS_NAMES),
  ...configured(['axios', 'axios.request', 'axios.default'], { base: { at: 0, key: 'baseURL' } }),
  ...configured(['.request', '()'], { receiver: AXIOS_MADE, baseFrom: AXIOS_BASE }),
  ...fetchers(['axios', 'axios.default']),
  ...fetchers(['()'], { receiver: AXIOS_MADE, baseFrom: AXIOS_BASE }),
  ...[
    'this.$axios',
    '$axios',
    'this.axios',
    'app.$axios',
    'this.$http',
    '$http',
    'Vue.http',
    'Vue.axios',
  ].flatMap((client) => [
    ...verbs(
      client,
      { url: { at: 0 } },
      { $get: 'get', $post: 'post', $put: 'put', $patch: 'patch', $delete: 'delete' },
    ),
    ...configured([client]),
  ]),
]

const KY_MADE = ['ky.create', 'ky.extend', 'got.extend', 'new KyInstance', '.extend']
const KY_BASE = { prefixUrl: { at: 0 }, baseUrl: { at: 0 }, prefix: { at: 0 } } as const

const kyAndGot: readonly ClientRule[] = [
  ...['ky', 'got'].flatMap((client) => [
    ...verbs(client, { url: { at: 0 }, base: { at: 1, key: 'prefixUrl' } }),
    ...fetchers([client], { base: { at: 1, key: 'prefixUrl' } }),
    ...configured([client], { base: { at: 0, key: 'prefixUrl' } }),
  ]),
  { callee: 'got.stream', url: { at: 0 }, method: 'get' },
  { callee: 'got.paginate', url: { at: 0 }, method: 'get' },
  ...verbs('', { url: { at: 0 }, receiver: KY_MADE, baseFrom: KY_BASE }),
  ...fetchers(['()'], { receiver: KY_MADE, baseFrom: KY_BASE }),
]

const OFETCH_MADE = [
  'ofetch.create',
  '$fetch.create',
  'createFetch',
  'fetch.create',
  'createFetchClient',
]

const ofetch: readonly ClientRule[] = [
  ...fetchers(['ofetch', '$fetch', '$fetch.raw', 'ofetch.raw', 'useFetch', 'this.$fetch'], {
    base: { at: 1, key: 'baseURL' },
  }),
  ...fetchers(['()'], { receiver: OFETCH_MADE, baseFrom: { baseURL: { at: 0 } } }),
]

/** `http.request(options)` and `http.request(url, options)` of Node. */
const node: readonly ClientRule[] = ['http', 'https', 'http2'].flatMap((module) =>
  ['request', 'get'].flatMap((name) => {
    const callee = `${module}.${name}`
    const from = [module, `node:${module}`, 'follow-redirects']
    const method = name === 'get' ? ('get' as const) : undefined
    return [
      ...['hostname', 'host'].map((key) => ({
        callee,
        from,
        url: { at: 0, key: 'path' },
        base: { at: 0, key },
        method: method ?? { at: 0, key: 'method' },
        defaultMethod: 'get',
      })),
      {
        callee,
        from,
        url: { at: 0 },
        method: method ?? { at: 1, key: 'method' },
        defaultMethod: 'get',
      },
    ]
  }),
)

const UNDICI_MADE = [
  'new Client',
  'new Pool',
  'new BalancedPool',
  'new undici.Client',
  'new undici.Pool',
]

const undici: readonly ClientRule[] = [
  ...fetchers(['undici.request', 'undici.fetch', 'undici.stream', 'undici.pipeline']),
  ...['.request', '.stream'].map((callee) => ({
    callee,
    receiver: UNDICI_MADE,
    base: { at: 0 },
    baseFrom: { baseURL: { at: 0 } },
    url: { at: 0, key: 'path' },
    method: { at: 0, key: 'method' },
    defaultMethod: 'get',
  })),
]

const older: readonly ClientRule[] = [
  ...[
    'superagent',
    'request',
    'needle',
    'bent',
    'phin',
    'unirest',
    'popsicle',
    'agent',
    'request-promise',
    'rp',
    'request-promise-native',
  ].flatMap((client) => [
    ...verbs(client, { url: { at: 0 } }, { del: 'delete' }),
    ...configured([client]),
    ...['url', 'uri'].flatMap((key) => verbs(client, { url: { at: 0, key } })),
    ...fetchers(client === 'needle' || client === 'superagent' ? [] : [client]),
  ]),
  { callee: 'needle', url: { at: 1 }, method: { at: 0 } },
  { callee: 'superagent', url: { at: 1 }, method: { at: 0 } },
  ...['.open', 'xhr.open', 'request.open', 'req.open'].map((callee) => ({
    callee,
    receiver: ['new XMLHttpRequest', 'new window.XMLHttpRequest', 'new ActiveXObject'],
    url: { at: 1 },
    method: { at: 0 },
  })),
  ...['$', 'jQuery'].flatMap((client) => [
    ...['get', 'post', 'getJSON'].map((name) => ({
      callee: `${client}.${name}`,
      url: { at: 0 },
      method: name === 'post' ? 'post' : 'get',
    })),
    ...['type', 'method'].flatMap((key) => [
      { callee: `${client}.ajax`, url: { at: 0, key: 'url' }, method: { at: 0, key } },
      { callee: `${client}.ajax`, url: { at: 0 }, method: { at: 1, key } },
    ]),
  ]),
]

const HTTP_CLIENT_MADE = ['new HttpClient', 'new HttpService', 'new Http']

const frameworks: readonly ClientRule[] = [
  ...verbs('', { url: { at: 0 }, receiver: HTTP_CLIENT_MADE }, { jsonp: 'get' }),
  { callee: '.request', receiver: HTTP_CLIENT_MADE, url: { at: 1 }, method: { at: 0 } },
  ...configured(['.request'], { receiver: HTTP_CLIENT_MADE }),
  ...['.query', '.mutation', '.infiniteQuery'].flatMap((callee) => {
    const rest = {
      callee,
      from: ['@reduxjs/toolkit/query', '@reduxjs/toolkit'],
      baseFrom: {
        'fetchBaseQuery()': { at: 0, key: 'baseUrl' },
        'axiosBaseQuery()': { at: 0, key: 'baseUrl' },
      },
      defaultMethod: 'get',
    }
    return [
      { ...rest, url: { at: 0, key: 'query.url' }, method: { at: 0, key: 'query.method' } },
      { ...rest, url: { at: 0, key: 'query' }, method: 'get' },
    ]
  }),
  ...['Get', 'Post', 'Put', 'Patch', 'Delete'].map((name) => ({
    callee: `.${name}`,
    receiver: ['createAlova'],
    baseFrom: { baseURL: { at: 0 } },
    url: { at: 0 },
    method: name.toLowerCase(),
  })),
  {
    callee: 'wretch',
    url: { at: 0 },
    method: 'get',
    methodFrom: {
      '.get': 'get',
      '.post': 'post',
      '.put': 'put',
      '.patch': 'patch',
      '.delete': 'delete',
    },
    pathFrom: { '.url': { at: 0 } },
  },
  ...verbs('', { url: { at: 0 }, receiver: ['wretch', 'bent', 'frisby.create'], base: { at: 0 } }),
]

const connections: readonly ClientRule[] = [
  ...[
    'new WebSocket',
    'new ReconnectingWebSocket',
    'new WebSocketClient',
    'new EventSource',
    'new EventSourcePolyfill',
    'new NodeEventSource',
    'io',
    'io.connect',
    'new SockJS',
  ].map((callee) => ({ callee, url: { at: 0 }, method: 'get' })),
  ...['useSWR', 'useSWRImmutable', 'swr'].map((callee) => ({
    callee,
    url: { at: 0 },
    method: 'get',
  })),
  { callee: 'navigator.sendBeacon', url: { at: 0 }, method: 'post' },
  ...['new GraphQLClient', 'graphql-request.request', 'graphql-request'].map((callee) => ({
    callee,
    url: { at: 0 },
    method: 'post',
  })),
  ...[
    'new ApolloClient',
    'new HttpLink',
    'createHttpLink',
    'new BatchHttpLink',
    'createUploadLink',
  ].map((callee) => ({ callee, url: { at: 0, key: 'uri' }, method: 'post' })),
  ...['graphql-request.request'].map((callee) => ({
    callee,
    url: { at: 0, key: 'url' },
    method: 'post',
  })),
]

/** Whatever it is called on: only a whole URL makes it a call. */
const unnamed: readonly ClientRule[] = [
  ...verbs('', { url: { at: 0 } }),
  ...['.request', '.fetch', '.fetchJson', '.getJSON', '.httpRequest', '.requestUrl'].flatMap(
    (callee) => [
      {
        callee,
        url: { at: 0, key: 'url' },
        method: { at: 0, key: 'method' },
        defaultMethod: 'get',
      },
      { callee, url: { at: 0 }, method: { at: 1, key: 'method' }, defaultMethod: 'get' },
      ...(callee === '.request' ? [{ callee, url: { at: 1 }, method: { at: 0 } }] : []),
    ],
  ),
  ...configured([
    'requestUrl',
    'httpRequest',
    'fetchJson',
    'this.helpers.request',
    'this.helpers.httpRequest',
    'GM_xmlhttpRequest',
    'GM.xmlHttpRequest',
    'uni.request',
    'wx.request',
    'UrlFetchApp.fetch',
  ]),
  ...fetchers([
    'UrlFetchApp.fetch',
    'fetchJSON',
    'jsonFetch',
    'authFetch',
    'apiFetch',
    'safeFetch',
  ]),
]

/** Clients of JavaScript and TypeScript. */
export const javascriptClients: readonly ClientRule[] = [
  ...fetchers(GLOBAL_FETCH),
  ...axios,
  ...kyAndGot,
  ...ofetch,
  ...node,
  ...undici,
  ...older,
  ...frameworks,
  ...connections,
  ...unnamed,
]
