import type { ClientRows } from '../model/client-rows.ts'

/** Clients of Swift: Foundation, Alamofire, Get, Apollo, and those of servers. */
export const swiftClients: readonly ClientRows[] = [
  {
    with: 'httpMethod = method',
    rows: 'GET new {URLRequest|NSURLRequest|NSMutableURLRequest}(url)',
  },
  {
    rows: `
      GET URLSession.shared.{dataTask|downloadTask|webSocketTask|dataTaskPublisher}(url)
      GET URLSession.shared.{data|download|bytes}(*, from: url)
    `,
  },
  {
    from: 'Foundation, FoundationNetworking, UIKit, AppKit, Cocoa, SwiftUI, Combine',
    rows: `
      GET .{dataTask|downloadTask|webSocketTask|dataTaskPublisher}(url)
      GET .{data|download|bytes}(*, from: url)
    `,
  },
  { rows: 'GET new {Data|NSData|String|XMLParser}(*, contentsOf: url)', opensFiles: true },
  {
    from: 'Alamofire',
    rows: `
      GET {AF|Alamofire}.{request|download|streamRequest}(url, *, method)
      GET .{request|download|streamRequest}(url, *, method)
      POST .upload(*, to: url, method)
    `,
  },
  {
    from: 'Get',
    receiver: 'new APIClient(base)',
    rows: 'GET .send(new Request(path: url, *, method))',
  },
  {
    from: 'Vapor',
    rows: `
      {client|httpClient|*.client|*.httpClient|*.*.client}.{verb}(url)
      GET new ClientRequest(*, method, url)
    `,
  },
  {
    from: 'AsyncHTTPClient',
    with: 'method = method',
    rows: 'GET new {HTTPClientRequest|HTTPClient.Request}(url, *, method), .{verb}(url)',
  },
  {
    rows: `
      POST new {|Apollo.}ApolloClient(*, url)
      POST new {|Apollo.}RequestChainNetworkTransport(*, endpointURL: url)
      GET new {WebSocket|SocketManager}(url)
    `,
  },
  { from: 'OpenAPIRuntime', rows: 'new Client(*, serverURL: url)' },
]
