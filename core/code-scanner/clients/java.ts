import type { ClientRows } from '../model/client-rows.ts'

/** Calls in a builder's chain that set the method. */
const BUILDER = '.{verb}(), .method(method)'

/** The JDK's own clients, OkHttp and those of Apache. */
const builders: readonly ClientRows[] = [
  {
    receiver: '{|java.net.http.}HttpRequest.newBuilder',
    with: '.{VERB}(), .method(method)',
    rows: 'GET .uri(url)',
  },
  { rows: 'GET HttpRequest.newBuilder(url).{VERB}().method(method)' },
  { rows: 'GET url.openConnection().setRequestMethod(method), GET url.openStream()' },
  {
    from: 'reactor.netty',
    receiver: 'HttpClient.create',
    with: `.baseUrl(base), ${BUILDER}`,
    rows: '.uri(url)',
  },
  { from: 'okhttp3', rows: 'GET new Request(url)' },
  { receiver: '.newWebSocketBuilder, HttpClient.newHttpClient', rows: 'GET .buildAsync(url)' },
  {
    receiver: 'new {|okhttp3.}{Request|DnsOverHttps}.Builder, new Builder',
    with: BUILDER,
    rows: 'GET .url(url)',
  },
  {
    rows: `
      new Http{Verb}(url)
      Request.{verb|Verb}(url)
      {|Simple|Classic|Basic}RequestBuilder.{verb}(url)
    `,
  },
  {
    receiver: '{|Simple|Classic|Basic}RequestBuilder.{verb}',
    with: '.{verb}()',
    rows: '.setUri(url)',
  },
  {
    from: 'org.asynchttpclient, com.ning.http.client',
    rows: '.prepare{Verb}(url), GET new RequestBuilder(method).setUrl(url).setMethod(method)',
  },
]

/** The Spring framework. */
const spring: readonly ClientRows[] = [
  {
    receiver: `
      new {RestTemplate|TestRestTemplate|RestTemplateBuilder|RestOperations},
      new {OAuth2RestTemplate|AsyncRestTemplate}
    `,
    with: '.rootUri(base), .setUriTemplateHandler(base), @class = base',
    rows: `
      .{getForObject|getForEntity|postForObject|postForEntity|postForLocation|patchForObject}(url)
      .{headForHeaders|optionsForAllow|put|delete}(url)
      GET .{exchange|execute}(url, method)
    `,
  },
  {
    // A RestTemplate, wherever its field is declared.
    from: 'org.springframework',
    rows: `
      .{getForObject|getForEntity|postForObject|postForEntity|postForLocation|patchForObject}(url)
      .{headForHeaders|optionsForAllow}(url)
    `,
  },
  {
    rows: `
      RequestEntity.{verb}(url), new RequestEntity(body, headers, method, url)
      new RequestEntity(body, method, url), new RequestEntity(method, url)
    `,
  },
  {
    receiver:
      '{WebClient|RestClient}.{create|builder}(base), new {WebClient|RestClient}{|.Builder}(base), new WebTestClient(base)',
    with: `.baseUrl(base), ${BUILDER}, @class = base`,
    rows: 'GET .uri(url)',
  },
]

/** Interfaces whose annotations are calls. */
const declared: readonly ClientRows[] = [
  {
    from: 'retrofit2, retrofit',
    with: '@class = base, **.baseUrl(base)',
    rows: '@{VERB}(url), GET @HTTP(path: url, *, method)',
  },
  {
    receiver: '@{|Reactive}FeignClient(*, url: base)',
    rows: '@{Get|Post|Put|Patch|Delete}Mapping(url), GET @RequestMapping(url, *, method)',
  },
  {
    from: 'org.springframework.web.service',
    with: '@class = base',
    rows: '@{Get|Post|Put|Patch|Delete}Exchange(url)',
  },
  { receiver: '@HttpExchange(url: base)', rows: '@{Get|Post|Put|Patch|Delete}Exchange(url)' },
  { receiver: '@Client(base)', rows: '@{Get|Post|Put|Patch|Delete}(url)' },
  { receiver: '@RegisterRestClient(*, baseUri: base)', rows: 'GET @Path(url)' },
  // Where the calls go that interfaces declare.
  { rows: 'new {|retrofit2.}Retrofit.Builder().baseUrl(url)' },
  { receiver: 'Feign.builder', rows: '.target(type, url), Feign.target(type, url)' },
]

const others: readonly ClientRows[] = [
  {
    receiver: `
      ClientBuilder.{newClient|newBuilder}, new {Client|ResteasyClient|JerseyClient}
      ResteasyClientBuilder.newBuilder, JerseyClientBuilder.createClient
    `,
    with: `${BUILDER}, .path(path)`,
    rows: '.target(url)',
  },
  {
    receiver: 'Client.create, new Client',
    with: `${BUILDER}, .path(path)`,
    rows: '.resource(url)',
  },
  {
    rows: `
      {Unirest|HttpUtil|HttpRequest|Fuel}.{verb}(url)
      HttpRequest.{VERB}(url)
      GET Jsoup.connect(url).post().method(method)
      POST ManagedChannelBuilder.{forTarget|forAddress}(url)
    `,
  },
  { from: 'com.google.api', rows: '.build{Get|Post|Put|Patch|Delete|Head}Request(url)' },
  { from: 'com.android.volley', rows: 'GET new {String|JsonObject}Request(method, url)' },
  { from: 'io.vertx', rows: '.{get|post|put|patch|delete|head}Abs(url)' },
]

/** Clients of Java. */
export const javaClients: readonly ClientRows[] = [...builders, ...spring, ...declared, ...others]
