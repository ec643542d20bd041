import type { ClientRows } from '../model/client-rows.ts'

/** Clients of C#. */
export const cSharpClients: readonly ClientRows[] = [
  {
    receiver: `
      new {|System.Net.Http.}HttpClient, new HttpMessageInvoker
      .{CreateClient|CreateHttpClient|GetHttpClient|NewHttpClient}
    `,
    with: 'BaseAddress = base, @class = base',
    rows: `
      .Get{|String|Stream|ByteArray}Async(requestUri: url)
      .GetFromJson{Async|AsAsyncEnumerable}(requestUri: url)
      .{Post|Put|Patch}{|AsJson}Async(requestUri: url)
      .Delete{|FromJson}Async(requestUri: url)
      GET .{Send|SendAsync}(new HttpRequestMessage(method, requestUri: url))
      GET .{Send|SendAsync}(new HttpRequestMessage(*, Method: method, RequestUri: url))
    `,
  },
  {
    rows: `
      GET new HttpRequestMessage(method, requestUri: url)
      GET new HttpRequestMessage(*, Method: method, RequestUri: url)
    `,
  },
  {
    receiver: 'new {|System.Net.}WebClient',
    with: 'BaseAddress = base',
    rows: `
      GET .Download{String|Data|File}{|TaskAsync|Async}(url)
      GET .OpenRead(url)
      POST .Upload{String|Values|Data}{|TaskAsync}(url)
    `,
  },
  {
    with: 'Method = method',
    rows: 'GET {|Http|System.Net.}WebRequest.Create{|Http}(url)',
  },
  {
    receiver: `
      new {RestClient|IRestClient|RestSharp.RestClient}(base)
      new {RestClient|RestSharp.RestClient}(new RestClientOptions(base))
      new {RestClient|RestSharp.RestClient}(new RestClientOptions(*, BaseUrl: base))
    `,
    with: 'BaseUrl = base, BaseHost = base',
    rows: `
      GET .{Execute|ExecuteAsync|ExecuteTaskAsync}(new RestRequest(url, method))
      GET .{Execute|ExecuteAsync}(new RestRequest(*, Resource: url, Method: method))
      .{Get|Post|Put|Patch|Delete}{|Async}(new RestRequest(url))
      .Execute{Get|Post|Put|Patch|Delete}{|Async}(new RestRequest(url))
      .{Get|Post|Put}JsonAsync(resource: url)
      GET new RestRequest(resource: url, method)
    `,
  },
  {
    from: 'Flurl.Http, Flurl',
    rows: `
      url.Get{|Json|String|Stream|Bytes}Async()
      url.Post{|Json|UrlEncoded|String|Multipart}Async()
      url.{Put|Patch}{|Json}Async()
      url.{Delete|Head}Async()
      GET url.DownloadFileAsync()
      url.Send{|Json}Async(method)
    `,
  },
  {
    from: 'Flurl.Http, Flurl',
    receiver: 'new {|I}FlurlClient(base)',
    with: `
      .Get{|Json|String|Stream|Bytes}Async(), .Post{|Json|UrlEncoded|String|Multipart}Async()
      .{Put|Patch}{|Json}Async(), .{Delete|Head}Async(), GET .DownloadFileAsync()
    `,
    rows: 'GET .Request(url)',
  },
  { receiver: '@BaseAddress(base), @HttpHost(base)', rows: '@{Verb}(url)' },
  { from: 'Refit, RestEase', with: '@class = base', rows: '@{Verb}(url)' },
  {
    receiver: 'new ClientWebSocket',
    rows: `
      {|Refit.}RestService.For(url)
      {|RestEase.}RestClient.For(url)
      GET .ConnectAsync(url)
      POST GrpcChannel.ForAddress(url)
    `,
  },
]
