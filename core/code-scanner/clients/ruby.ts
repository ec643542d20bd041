import type { ClientRows } from '../model/client-rows.ts'

/** `Net::HTTP::Get.new` and the like. */
const NET_REQUEST = 'Net.HTTP.{Verb}.new'

/** The standard library. */
const standard: readonly ClientRows[] = [
  {
    rows: `
      Net.HTTP.{get|get_response|get_print|post|post_form|put}(url)
      ${NET_REQUEST}(url)
    `,
  },
  {
    receiver: 'Net.{HTTP|HTTPS|HTTP.Persistent|HTTP.SSL}.new(base), Net.HTTP.start(base)',
    rows: `
      .{verb}(url)
      .{request_get|request_post|get2|post2}(url)
      .send_request(method, url)
      .request(${NET_REQUEST}(url, *, verb: method))
    `,
  },
  { rows: 'GET {URI.open|OpenURI.open_uri|open|Kernel.open|Down.download|Down.open}(url)' },
  { receiver: 'URI, URI.parse', rows: 'GET url.open()' },
  { from: 'open-uri', rows: 'GET url.read()' },
]

/** Gems with a method for each of HTTP's, and their connections. */
const gems: readonly ClientRows[] = [
  {
    receiver: 'Faraday.{new|Connection.new|default_connection}(url: base)',
    with: '.url_prefix=(base), url_prefix = base',
    rows: `
      Faraday.{verb}(url)
      Faraday.run_request(method, url)
      {HTTParty|RestClient|Faraday|HTTP|Typhoeus|Excon|HTTPX}.send(method, url)
      .send(method, url)
      .{verb}(url)
      .run_request(method, url)
    `,
  },
  { rows: 'HTTParty.{verb}(url, *, base_uri: base)' },
  // Classes that include HTTParty call its methods on themselves.
  { from: 'HTTParty', receiver: 'this', with: 'base_uri = base', rows: '.{verb}(url)' },
  {
    receiver: 'RestClient.Resource.new(base)',
    rows: `
      RestClient.{verb}(url)
      GET RestClient.Request.{execute|new}(*, method, url)
      GET .[](url).{verb}()
    `,
  },
  { receiver: 'RestClient.Resource.new(url)', rows: '.{verb}()' },
  {
    receiver: `
      HTTP.{headers|auth|basic_auth|timeout|accept|follow|use|via|persistent|retriable|cookies}
      HTTP.{nodelay|encoding|Client.new|base_uri|with|with_headers}
    `,
    with: '.persistent(base), .base_uri(base)',
    rows: 'HTTP.{verb}(url), HTTP.request(method, url), .{verb}(url), .request(method, url)',
  },
  {
    receiver: 'Excon.new(base)',
    rows: 'Excon.{verb}(url), .{verb}(*, path: url), GET .request(*, method, path: url)',
  },
  { rows: 'Typhoeus.{|Request.}{verb}(url), GET Typhoeus.Request.new(url, *, method)' },
  {
    rows: `
      Curl.{verb}(url)
      GET Curl.Easy.new(url).{http_post|http_put|http_delete}()
      GET Curl.Easy.{perform|http_get}(url)
      Curl.Easy.http_post(url)
    `,
  },
]

const others: readonly ClientRows[] = [
  {
    receiver: `
      {HTTPClient|HTTPX.Session|Mechanize|Patron.Session|Async.HTTP.Internet}.new(*, site: base)
      {Manticore.Client|OAuth2.Client|OAuth2.AccessToken|Hurley.Client}.new(*, site: base)
      {EventMachine|EM}.HttpRequest.new(*, site: base), HTTPX.{with|plugin}(*, site: base)
    `,
    with: 'base_url = base, .origin(base)',
    rows: `
      {HTTPX|HTTPClient|Manticore|Http}.{verb}(url)
      .{verb}(url)
      .request(method, url)
      .{get|post}_content(url)
    `,
  },
  {
    rows: `
      POST OAuth2.Client.new(*, site: base, token_url: url)
      POST OAuth2.Client.new(*, site: url)
      POST OAuth.Consumer.new(*, site: url)
      POST OAuth.Consumer.new(key, secret, { site: url })
      GET {WebSocket.Client.Simple.connect|Faye.WebSocket.Client.new}(url)
      POST Savon.client(*, wsdl: url)
      POST Savon.client(*, endpoint: url)
      POST {GraphQL.Client.HTTP.new|Graphlient.Client.new|XMLRPC.Client.new2}(url)
      GET {EventMachine|EM}.HttpRequest.new(url)
    `,
  },
  {
    from: 'omniauth, omniauth-oauth2, omniauth_openid_connect, oauth2',
    with: 'OAuth2.Client.new(*, site: base)',
    rows: 'access_token.{verb}(url)',
  },
  {
    receiver: 'GraphQL.Client.new(*, execute: GraphQL.Client.HTTP.new(url))',
    rows: 'POST .query()',
  },
  {
    receiver: 'Octokit.Client.new(*, api_endpoint: base)',
    base: 'https://api.github.com',
    rows: '.{verb}(url)',
  },
  { rows: '.{verb}(url), .request(method, url)' },
]

/** Clients of Ruby. */
export const rubyClients: readonly ClientRows[] = [...standard, ...gems, ...others]
