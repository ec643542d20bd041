import type { ClientRows } from '../model/client-rows.ts'

/** Functions of PHP; an option of a curl handle is a call on it, `curl_setopt.CURLOPT_…`. */
const functions: readonly ClientRows[] = [
  {
    with: `
      .CURLOPT_CUSTOMREQUEST(method), POST .CURLOPT_POST, POST .CURLOPT_POSTFIELDS
      PUT .CURLOPT_PUT, PUT .CURLOPT_UPLOAD, HEAD .CURLOPT_NOBODY
    `,
    rows: 'GET curl_init(url), GET curl_setopt.CURLOPT_URL(url)',
  },
  {
    opensFiles: true,
    rows: `
      GET {file_get_contents|file}(url, flags, stream_context_create({ http: { method } }))
      GET fopen(url, mode, path, stream_context_create({ http: { method } }))
      GET {simplexml_load_file|get_headers|readfile|copy|getimagesize}(url)
    `,
  },
  {
    rows: `
      GET {fsockopen|pfsockopen|stream_socket_client}(url)
      POST new SoapClient(url)
      POST new SoapClient(wsdl, { location: url })
    `,
  },
]

const GUZZLE_REQUEST = '{new Request|new GuzzleHttp.Psr7.Request|new Psr7.Request}'

/** Clients whose requests follow PSR-7. */
const psr: readonly ClientRows[] = [
  {
    receiver: `
      new {|GuzzleHttp.}{Client|ClientInterface}({ base_uri: base })
      new {GuzzleClient|Guzzle.Http.Client|GuzzleHttpClient}({ base_uri: base })
      new {HttpClient|Guzzle}({ base_uri: base })
    `,
    rows: `
      .{verb}{|Async}(url)
      .{request|requestAsync|createRequest}(method, url)
      .send(${GUZZLE_REQUEST}(method, url))
    `,
  },
  { from: 'GuzzleHttp, Nyholm, Zend, Laminas', rows: `${GUZZLE_REQUEST}(method, url)` },
  {
    receiver: `
      new {RequestFactoryInterface|Psr17Factory|HttpFactory|RequestFactory}
      Psr17FactoryDiscovery.findRequestFactory
    `,
    rows: '.createRequest(method, url)',
  },
  {
    receiver: `
      HttpClient.{create|createForBaseUri}({ base_uri: base })
      new {HttpClientInterface|CurlHttpClient|NativeHttpClient|HttpBrowser}({ base_uri: base })
      ScopingHttpClient.forBaseUri({ base_uri: base })
    `,
    with: '.withOptions({ base_uri: base })',
    rows: '.request(method, url), .request(method, url, { base_uri: base })',
  },
  {
    receiver: 'HttpClient.createForBaseUri(base), ScopingHttpClient.forBaseUri(client, base)',
    rows: '.request(method, url)',
  },
  // Clients whose host a plugin adds, in any file (HTTPlug).
  {
    from: 'Http\\Client\\Common',
    receiver: 'new HttpMethodsClient{|Interface}, .getHttpClient',
    with: '**.AddHostPlugin(base)',
    rows: '.{verb}(url)',
  },
]

/** Clients of frameworks. */
const frameworks: readonly ClientRows[] = [
  {
    receiver: `
      {|Illuminate.Support.Facades.}Http.*
      new {|Illuminate.Http.Client.}{PendingRequest|Factory}
    `,
    with: '.baseUrl(base), .withOptions({ base_uri: base }), @class = base',
    rows: `
      {|Illuminate.Support.Facades.}Http.{verb}(url)
      {|Illuminate.Support.Facades.}Http.send(method, url)
      .{verb}(url)
      .send(method, url)
    `,
  },
  {
    rows: `
      {wp_remote_|wp_safe_remote_|vip_safe_wp_remote_}get(url)
      POST {wp_remote_|wp_safe_remote_}post(url, { method })
      wp_{|safe_}remote_head(url)
      GET wp_{|safe_}remote_request(url, { method })
      GET {wp_remote_fopen|download_url}(url)
      GET drupal_http_request(url, { method })
    `,
  },
]

const others: readonly ClientRows[] = [
  {
    rows: `
      {Requests|WpOrg.Requests.Requests|Unirest|Unirest.Request|Httpful.Request|Zttp}.{verb}(url)
      GET Requests.request(url, headers, data, method)
      GET new {Zend.Http|WebSocket}.Client(url)
    `,
  },
  {
    receiver: `
      new {Browser|Buzz.Browser|Curl|Curl.Curl|MultiCurl|RestClient|HttpSocket|Snoopy}(base)
      new {Cake.Http.Client|WpOrg.Requests.Session|Requests_Session|Zend.Http.Client}(base)
      new {PestJSON|Pest|HttpMethodsClient}(base), HttpClientDiscovery.find(base)
    `,
    rows: '.{verb}(url), GET .setUri(url).setMethod(method)',
  },
  { receiver: 'Zttp.*, Unirest.*', rows: '.{verb}(url)' },
  { rows: '.{verb}(url), .request(method, url)' },
]

/** Clients of PHP. */
export const phpClients: readonly ClientRows[] = [...functions, ...psr, ...frameworks, ...others]
