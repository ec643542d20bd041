import type { ClientRows } from '../model/client-rows.ts'

/** Modules that are clients themselves, and their sessions. */
const modules: readonly ClientRows[] = [
  {
    rows: `
      {requests|requests_async|requests.api|requests_cache|pip._vendor.requests}.{verb}(url)
      {httpx|http3|grequests|trequests|hrequests|tls_requests|curl_cffi.requests}.{verb}(url)
      {asks|treq|niquests|cloudscraper|primp|rnet|urlfetch}.{verb}(url)
      {requests|requests_async|requests.api|requests_cache|pip._vendor.requests}.request(method, url)
      {httpx|http3|grequests|trequests|hrequests|tls_requests|curl_cffi.requests}.request(method, url)
      {asks|treq|niquests|cloudscraper|primp|rnet|urlfetch|aiohttp}.request(method, url)
      {httpx.stream|requests.Request|httpx.Request}(method, url)
      GET urlfetch.fetch(url, payload, method)
      GET asks.Session(*, base_location: url)
    `,
  },
  {
    receiver: `
      {requests.|requests.sessions.}{Session|session}(base_url: base)
      httpx.{Client|AsyncClient}(base_url: base), primp.Client(base_url: base)
      requests_cache.CachedSession(base_url: base), asks.Session(base_url: base)
      requests_html.{HTMLSession|AsyncHTMLSession}(base_url: base)
      {|requests_oauthlib.}{OAuth1Session|OAuth2Session}(base_url: base)
      authlib.integrations.requests_client.OAuth2Session(base_url: base)
      {|authlib.integrations.httpx_client.}AsyncOAuth2Client(base_url: base)
      {|google.auth.transport.requests.}AuthorizedSession(base_url: base)
      {|sessions.|requests_toolbelt.sessions.}BaseUrlSession(base_url: base)
      {|requests_futures.sessions.}FuturesSession(base_url: base)
      {|cachecontrol.}CacheControl(base_url: base), cloudscraper.create_scraper(base_url: base)
      {niquests|curl_cffi.requests}.{Session|AsyncSession}(base_url: base)
      {LimiterSession|CachedLimiterSession|TestSession}(base_url: base)
      {retry_requests.retry|retry|requests_retry_session}(base_url: base)
    `,
    rows: `
      .{verb}(url)
      .{request|stream|build_request}(method, url)
      POST .fetch_token(token_url: url)
    `,
  },
]

const asynchronous: readonly ClientRows[] = [
  {
    receiver: `
      {|aiohttp.|aiohttp.client.}ClientSession(base_url: base), CachedSession(base_url: base)
      {|aiohttp_client.}async_get_clientsession(base_url: base)
      {|aiohttp_retry.}RetryClient(base_url: base)
    `,
    rows: '.{verb}(url), .{request|_request}(method, url), GET .ws_connect(url)',
  },
  {
    receiver: '{|httpclient.|tornado.httpclient.}{AsyncHTTPClient|HTTPClient}',
    rows: 'GET .fetch(url, *, method)',
  },
  {
    from: 'tornado',
    rows: 'GET {|httpclient.|tornado.httpclient.}HTTPRequest(url, method)',
  },
]

const URLLIB_REQUEST = '{urllib.request.Request|urllib2.Request|request.Request|Request}'

/** The standard library, urllib3 and curl. */
const standard: readonly ClientRows[] = [
  {
    rows: `
      GET {|request.|urllib.|urllib2.|urllib.request.}urlopen(url | ${URLLIB_REQUEST}(*, method))
      GET {|request.|urllib.|urllib.request.}urlretrieve(url)
      urllib3.request(method, url)
    `,
  },
  {
    from: 'urllib, urllib2, six.moves, future.moves.urllib',
    rows: `GET ${URLLIB_REQUEST}(url, *, method)`,
  },
  {
    receiver: `
      {|urllib3.|urllib3.poolmanager.}PoolManager, urllib3.ProxyManager
      urllib3.{HTTPSConnectionPool|HTTPConnectionPool|connection_from_url}(host: base)
    `,
    rows: '.{request|urlopen|request_encode_body}(method, url)',
  },
  {
    receiver: '{|request.|urllib2.|urllib.request.}build_opener',
    rows: 'GET .open(url)',
  },
  { receiver: '{|httplib2.}Http', rows: 'GET .request(uri: url, method)' },
  {
    receiver: `
      {|http.client.|httplib.|client.|http_client.}{HTTPSConnection|HTTPConnection|HTTPS}(host: base)
      six.moves.http_client.{HTTPSConnection|HTTPConnection|HTTPS}(host: base)
    `,
    rows: '.{request|putrequest}(method, url)',
  },
  {
    with: `
      POST .{POST|POSTFIELDS|HTTPPOST}, .CUSTOMREQUEST(method), PUT .UPLOAD, HEAD .NOBODY
    `,
    rows: 'GET pycurl.URL(url)',
  },
]

/** Sockets, readers of data and other libraries that are given an address. */
const others: readonly ClientRows[] = [
  {
    receiver: '{socketio.Client|socketio.AsyncClient|websocket.WebSocket}',
    rows: `
      GET {websockets|websockets.client}.connect(uri: url)
      GET websockets.{sync|asyncio}.client.connect(uri: url)
      GET websocket.{create_connection|WebSocketApp}(url)
      GET {|tornado.websocket.}websocket_connect(url)
      GET {trio_websocket.open_websocket_url|httpx_ws.connect_ws|httpx_ws.aconnect_ws}(url)
      httpx_sse.connect_sse(client, method, url)
      GET sseclient.SSEClient(url)
      GET .connect(url)
    `,
  },
  { from: 'sseclient', rows: 'GET SSEClient(url)' },
  {
    rows: 'GET {pd|pandas|pl}.read_{json|csv|html|xml|excel|table|parquet}(url)',
    opensFiles: true,
  },
  {
    rows: `
      GET {feedparser.parse|wget.download}(url)
      POST {xmlrpc.client|xmlrpclib}.ServerProxy(uri: url)
      POST zeep.Client(wsdl: url)
      POST suds.client.Client(url)
      POST gql.transport.{aiohttp.AIOHTTP|requests.RequestsHTTP|httpx.HTTPXAsync}Transport(url)
      POST {|python_graphql_client.}GraphqlClient(endpoint: url)
      POST sgqlc.endpoint.http.HTTPEndpoint(url)
      GET SPARQLWrapper.SPARQLWrapper(endpoint: url)
      GET scrapy.Request(url, *, method)
      POST scrapy.FormRequest(url)
    `,
  },
  { rows: '.{verb}(url), .request(method, url)' },
]

/** Clients of Python. */
export const pythonClients: readonly ClientRows[] = [
  ...modules,
  ...asynchronous,
  ...standard,
  ...others,
]
