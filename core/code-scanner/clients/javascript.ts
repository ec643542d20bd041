import type { ClientRows } from '../model/client-rows.ts'

/** Rows for functions that are called as `fetch` is: `f(url, { method })`, `f(new Request(…))`. */
function fetchRows(names: string, options = 'method'): string {
  return `
    GET ${names}(new Request(url, { method }))
    GET ${names}(url, { ${options} })
  `
}

/** Rows for functions that are given a record: `f({ url, method })`. */
function recordRows(names: string, options = 'method'): string {
  return `GET ${names}({ url, ${options} }), GET ${names}({ uri: url, ${options} })`
}

/** `fetch` and what is called like it. */
const fetchLike: readonly ClientRows[] = [
  {
    rows: `
      ${fetchRows(`{
        fetch | window.fetch | globalThis.fetch | global.fetch | self.fetch | this.fetch |
        context.fetch | ctx.fetch | event.fetch | Deno.fetch | Bun.fetch | undici.fetch |
        node-fetch | node-fetch.default | nodeFetch | cross-fetch | cross-fetch.fetch | crossFetch |
        isomorphic-fetch | isomorphic-unfetch | unfetch | whatwg-fetch.fetch | expo-fetch.fetch |
        fetch-retry | fetchFn | fetchJson | fetchWithTimeout | fetchWithRetry | fetchEventSource |
        useFetch | useLazyFetch | useAxios
      }`)}
    `,
  },
]

const SENDERS = '{post|put|patch|postForm|putForm|patchForm}'
const VUE = '{this.$axios|$axios|this.axios|app.$axios|this.$http|$http|Vue.http|Vue.axios}'

const axios: readonly ClientRows[] = [
  {
    with: 'baseURL = base, defaults.baseURL = base',
    rows: `
      axios.{get|delete|head|options}(url, { baseURL: base })
      axios.${SENDERS}(url, data, { baseURL: base })
    `,
  },
  {
    receiver:
      'axios.{create|Axios}({ baseURL: base }), new Axios{|Instance|Service}({ baseURL: base })',
    with: 'defaults.baseURL = base',
    rows: `
      .{verb}(url)
      .{postForm|putForm|patchForm}(url)
      ${recordRows('{axios|axios.request|axios.default}', 'method, baseURL: base')}
      ${recordRows('.request')}
      ${recordRows('')}
      ${fetchRows('{axios|axios.default}')}
      ${fetchRows('')}
    `,
  },
  { rows: `${VUE}.{|$}{verb}(url), GET $http.jsonp(url), ${recordRows(VUE)}` },
]

const configurable: readonly ClientRows[] = [
  {
    receiver: `
      {ky.create|ky.extend|got.extend|.extend}({ prefixUrl: base })
      new KyInstance({ prefixUrl: base })
    `,
    with: 'baseUrl = base, prefix = base',
    rows: `
      {ky|got}.{verb}(url, { prefixUrl: base })
      ${fetchRows('{ky|got}', 'method, prefixUrl: base')}
      ${recordRows('{ky|got}', 'method, prefixUrl: base')}
      GET got.{stream|paginate}(url)
      .{verb}(url)
      ${fetchRows('')}
    `,
  },
  {
    receiver:
      '{ofetch.create|$fetch.create|createFetch|fetch.create|createFetchClient}({ baseURL: base })',
    rows: `
      ${fetchRows('{ofetch|$fetch|$fetch.raw|ofetch.raw|useFetch|this.$fetch}', 'method, baseURL: base')}
      ${fetchRows('')}
    `,
  },
]

/** Node's own clients. */
const node: readonly ClientRows[] = ['http', 'https', 'http2'].map((module) => ({
  from: `${module}, node:${module}, follow-redirects`,
  rows: `
    GET ${module}.{request|get}({ hostname: base, path: url, method })
    GET ${module}.{request|get}({ host: base, path: url, method })
    GET ${module}.{request|get}(url, { method })
  `,
}))

const OLD = 'request|bent|phin|unirest|popsicle|agent|request-promise|rp|request-promise-native'
const XHR = 'new {XMLHttpRequest|window.XMLHttpRequest|ActiveXObject}'

const older: readonly ClientRows[] = [
  { rows: fetchRows('undici.{request|fetch|stream|pipeline}') },
  {
    receiver: 'new undici.{Client|Pool|BalancedPool}(base)',
    with: 'baseURL = base',
    rows: 'GET .{request|stream}({ path: url, method })',
  },
  {
    rows: `
      {${OLD}|needle|superagent}.{verb}(url)
      DELETE {${OLD}|needle|superagent}.del(url)
      {${OLD}|needle|superagent}.{verb}({ url }), {${OLD}|needle|superagent}.{verb}({ uri: url })
      ${recordRows(`{${OLD}|needle|superagent}`)}
      ${fetchRows(`{${OLD}}`)}
      {needle|superagent|unirest}(method, url)
    `,
  },
  {
    receiver: '{request|request-promise|request-promise-native}.defaults({ baseUrl: base })',
    rows: `.{verb}(url), DELETE .del(url), ${recordRows('')}, ${fetchRows('').trim()}`,
  },
  { receiver: XHR, rows: '.open(method, url)' },
  {
    rows: `
      {$|jQuery}.{get|post|getJSON}(url)
      {$|jQuery}.ajax({ url, type: method }), GET {$|jQuery}.ajax({ url, method })
      {$|jQuery}.ajax(url, { type: method }), GET {$|jQuery}.ajax(url, { method })
      GET d3.{json|csv|tsv|text|xml|html|blob|buffer}(url)
    `,
  },
]

/** The base of Redux's queries, which other files may inject. */
const REDUX = '{fetchBaseQuery|axiosBaseQuery}({ baseUrl: base })'

/** Clients of frameworks. */
const frameworks: readonly ClientRows[] = [
  {
    receiver: 'new {HttpClient|HttpService|Http}',
    rows: `
      .{verb}(url)
      GET .jsonp(url)
      .request(method, url)
      ${recordRows('.request')}
    `,
  },
  {
    from: '@nestjs/axios',
    receiver: 'new HttpService',
    with: `
      HttpModule.register({ baseURL: base })
      HttpModule.registerAsync({ useFactory: { baseURL: base } })
    `,
    rows: '.{verb}(url)',
  },
  { receiver: REDUX, rows: `${recordRows('')}, GET (url)` },
  {
    from: '@reduxjs/toolkit/query, @reduxjs/toolkit',
    with: REDUX,
    rows: `
      GET .{query|mutation|infiniteQuery}({ query: { url, method } })
      GET .{query|mutation|infiniteQuery}({ query: url })
    `,
  },
  {
    with: REDUX,
    rows: `
      GET {build|builder}.{query|mutation|infiniteQuery}({ query: { url, method } })
      GET {build|builder}.{query|mutation|infiniteQuery}({ query: url })
    `,
  },
  {
    from: '@octokit/request, @octokit/core, @octokit/rest, octokit, @actions/github',
    base: 'https://api.github.com',
    rows: 'GET request(url), GET .request(url)',
  },
  { receiver: 'createAlova({ baseURL: base })', rows: '.{Get|Post|Put|Patch|Delete}(url)' },
  { rows: 'GET wretch(url).{get|post|put|patch|delete}().url(path)' },
  { receiver: 'openapi-fetch({ baseUrl: base })', rows: '.{VERB}(url)' },
  { receiver: '{wretch|bent|frisby.create}(base)', rows: '.{verb}(url), GET (url)' },
]

/** Connections that stay open, and clients of GraphQL. */
const connections: readonly ClientRows[] = [
  {
    rows: `
      GET new {WebSocket|ReconnectingWebSocket|WebSocketClient|SockJS}(url)
      GET new {EventSource|EventSourcePolyfill|NodeEventSource}(url)
      GET {io|io.connect|useSWR|useSWRImmutable|swr}(url)
      POST navigator.sendBeacon(url)
      POST new GraphQLClient(url)
      POST {graphql-request|graphql-request.request}(url)
      POST graphql-request.request({ url })
      POST new {ApolloClient|HttpLink|BatchHttpLink}({ uri: url })
      POST {createHttpLink|createUploadLink}({ uri: url })
    `,
  },
]

/** Whatever it is called on: only a whole URL makes it a call. */
const unnamed: readonly ClientRows[] = [
  {
    rows: `
      .{verb}(url)
      GET .{request|fetch|fetchJson|getJSON|httpRequest|requestUrl}({ url, method })
      GET .{request|fetch|fetchJson|getJSON|httpRequest|requestUrl}(url, { method })
      .request(method, url)
      ${recordRows('{requestUrl|httpRequest|fetchJson|this.helpers.request|this.helpers.httpRequest}')}
      ${recordRows('{GM_xmlhttpRequest|GM.xmlHttpRequest|uni.request|wx.request|UrlFetchApp.fetch}')}
      ${fetchRows('{UrlFetchApp.fetch|fetchJSON|jsonFetch|authFetch|apiFetch|safeFetch}')}
    `,
  },
]

/** Clients of JavaScript and TypeScript. */
export const javascriptClients: readonly ClientRows[] = [
  ...fetchLike,
  ...axios,
  ...configurable,
  ...node,
  ...older,
  ...frameworks,
  ...connections,
  ...unnamed,
]
