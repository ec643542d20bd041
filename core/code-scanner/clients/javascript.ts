import type { ClientRule } from '../model/program.ts'
import { otherJavascriptClients } from './javascript-others.ts'
import { configured, fetchers, verbs } from './javascript-rules.ts'

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
  ...otherJavascriptClients,
  ...unnamed,
]
