import type { ClientRule } from '../model/program.ts'
import { configured, fetchers, verbs } from './javascript-rules.ts'

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

/** Clients of Node, older ones, those of frameworks, and connections that stay open. */
export const otherJavascriptClients: readonly ClientRule[] = [
  ...node,
  ...undici,
  ...older,
  ...frameworks,
  ...connections,
]
