import type { ClientRule } from '../model/program.ts'
import { METHOD_FIRST } from './method-rules.ts'

/** Libraries of Python that are given an address: sockets, readers of data, other protocols. */
export const pythonLibraries: readonly ClientRule[] = [...sockets(), ...wrapped()]

function sockets(): readonly ClientRule[] {
  const url = { at: 0, name: 'url' }
  return [
    { callee: 'websockets.connect', method: 'get', url: { at: 0, name: 'uri' } },
    { callee: 'websockets.client.connect', method: 'get', url: { at: 0, name: 'uri' } },
    { callee: 'websockets.sync.client.connect', method: 'get', url: { at: 0, name: 'uri' } },
    { callee: 'websockets.asyncio.client.connect', method: 'get', url: { at: 0, name: 'uri' } },
    { callee: 'websocket.create_connection', method: 'get', url },
    { callee: 'websocket.WebSocketApp', method: 'get', url },
    { callee: 'tornado.websocket.websocket_connect', method: 'get', url },
    { callee: 'websocket_connect', method: 'get', url },
    { callee: 'trio_websocket.open_websocket_url', method: 'get', url },
    { callee: 'httpx_ws.connect_ws', method: 'get', url },
    { callee: 'httpx_ws.aconnect_ws', method: 'get', url },
    { callee: 'httpx_sse.connect_sse', method: METHOD_FIRST, url: { at: 2, name: 'url' } },
    { callee: 'sseclient.SSEClient', method: 'get', url },
    { callee: 'SSEClient', from: ['sseclient'], method: 'get', url },
    {
      callee: '.connect',
      receiver: ['socketio.Client', 'socketio.AsyncClient', 'websocket.WebSocket'],
      method: 'get',
      url,
    },
  ]
}

/** Readers of data and libraries that are given an address. */
function wrapped(): readonly ClientRule[] {
  const get = { method: 'get', url: { at: 0 } } as const
  return [
    ...[
      'read_json',
      'read_csv',
      'read_html',
      'read_xml',
      'read_excel',
      'read_table',
      'read_parquet',
    ].flatMap((name) =>
      ['pd', 'pandas', 'pl'].map((module) => ({ ...get, callee: `${module}.${name}` })),
    ),
    { ...get, callee: 'feedparser.parse' },
    { ...get, callee: 'wget.download' },
    { callee: 'xmlrpc.client.ServerProxy', method: 'post', url: { at: 0, name: 'uri' } },
    { callee: 'xmlrpclib.ServerProxy', method: 'post', url: { at: 0, name: 'uri' } },
    { callee: 'zeep.Client', method: 'post', url: { at: 0, name: 'wsdl' } },
    { callee: 'suds.client.Client', method: 'post', url: { at: 0 } },
    {
      callee: 'gql.transport.aiohttp.AIOHTTPTransport',
      method: 'post',
      url: { at: 0, name: 'url' },
    },
    {
      callee: 'gql.transport.requests.RequestsHTTPTransport',
      method: 'post',
      url: { at: 0, name: 'url' },
    },
    {
      callee: 'gql.transport.httpx.HTTPXAsyncTransport',
      method: 'post',
      url: { at: 0, name: 'url' },
    },
    {
      callee: 'python_graphql_client.GraphqlClient',
      method: 'post',
      url: { at: 0, name: 'endpoint' },
    },
    { callee: 'GraphqlClient', method: 'post', url: { at: 0, name: 'endpoint' } },
    { callee: 'sgqlc.endpoint.http.HTTPEndpoint', method: 'post', url: { at: 0, name: 'url' } },
    { callee: 'SPARQLWrapper.SPARQLWrapper', method: 'get', url: { at: 0, name: 'endpoint' } },
    {
      callee: 'scrapy.Request',
      method: { name: 'method' },
      defaultMethod: 'get',
      url: { at: 0, name: 'url' },
    },
    { callee: 'scrapy.FormRequest', method: 'post', url: { at: 0, name: 'url' } },
  ]
}
