import type { ArgumentPlace, ClientRule } from '../model/program.ts'
import { FIRST, type Verbs, verbRules } from './verb-rules.ts'

const SECOND = { at: 1 } as const

const HTTP_CLIENT = [
  'new HttpClient',
  'new System.Net.Http.HttpClient',
  '.CreateClient',
  '.CreateHttpClient',
  '.GetHttpClient',
  '.NewHttpClient',
  'new HttpMessageInvoker',
]

/** Of `HttpClient`: what only it has needs no proof of what it is called on. */
const HTTP_CLIENT_VERBS: Verbs = {
  '.GetAsync': 'get',
  '.GetStringAsync': 'get',
  '.GetStreamAsync': 'get',
  '.GetByteArrayAsync': 'get',
  '.GetFromJsonAsync': 'get',
  '.GetFromJsonAsAsyncEnumerable': 'get',
  '.PostAsync': 'post',
  '.PostAsJsonAsync': 'post',
  '.PutAsync': 'put',
  '.PutAsJsonAsync': 'put',
  '.PatchAsync': 'patch',
  '.PatchAsJsonAsync': 'patch',
  '.DeleteAsync': 'delete',
  '.DeleteFromJsonAsync': 'delete',
}

function httpClient(): readonly ClientRule[] {
  const request = {
    method: FIRST,
    defaultMethod: 'get',
  } as const
  const sent: ArgumentPlace = {
    at: 0,
    madeBy: { 'new HttpRequestMessage': SECOND },
  }
  const baseFrom = { BaseAddress: FIRST, '@class': FIRST }
  return [
    ...verbRules(HTTP_CLIENT_VERBS, { receiver: HTTP_CLIENT, url: FIRST, baseFrom }),
    ...verbRules(HTTP_CLIENT_VERBS, {
      receiver: HTTP_CLIENT,
      url: { name: 'requestUri' },
      baseFrom,
    }),
    { callee: 'new HttpRequestMessage', ...request, url: SECOND },
    {
      callee: 'new HttpRequestMessage',
      method: { name: 'Method' },
      defaultMethod: 'get',
      url: { name: 'RequestUri' },
    },
    {
      callee: '.SendAsync',
      receiver: HTTP_CLIENT,
      method: { at: 0, madeBy: { 'new HttpRequestMessage': FIRST } },
      defaultMethod: 'get',
      url: sent,
      baseFrom,
    },
  ]
}

function older(): readonly ClientRule[] {
  const webClient = ['new WebClient', 'new System.Net.WebClient']
  const verbs: Verbs = {
    '.DownloadString': 'get',
    '.DownloadStringTaskAsync': 'get',
    '.DownloadStringAsync': 'get',
    '.DownloadData': 'get',
    '.DownloadDataTaskAsync': 'get',
    '.DownloadFile': 'get',
    '.DownloadFileTaskAsync': 'get',
    '.OpenRead': 'get',
    '.UploadString': 'post',
    '.UploadStringTaskAsync': 'post',
    '.UploadValues': 'post',
    '.UploadValuesTaskAsync': 'post',
    '.UploadData': 'post',
  }
  return [
    ...verbRules(verbs, { receiver: webClient, url: FIRST, baseFrom: { BaseAddress: FIRST } }),
    ...[
      'WebRequest.Create',
      'HttpWebRequest.Create',
      'WebRequest.CreateHttp',
      'System.Net.WebRequest.Create',
    ].map(
      (callee): ClientRule => ({
        callee,
        method: 'get',
        methodFrom: { Method: FIRST },
        url: FIRST,
      }),
    ),
  ]
}

function restSharp(): readonly ClientRule[] {
  const receiver = ['new RestClient', 'new IRestClient', 'new RestSharp.RestClient']
  const request = { 'new RestRequest': FIRST }
  const common = {
    receiver,
    url: { at: 0, madeBy: request },
    base: FIRST,
    baseFrom: { BaseUrl: FIRST, BaseHost: FIRST },
  } as const
  const method = { at: 0, madeBy: { 'new RestRequest': SECOND } } as const
  const any = ['.Execute', '.ExecuteAsync', '.ExecuteTaskAsync'].map(
    (callee): ClientRule => ({ ...common, callee, method, defaultMethod: 'get' }),
  )
  const verbs: Verbs = {
    '.Get': 'get',
    '.GetAsync': 'get',
    '.ExecuteGetAsync': 'get',
    '.ExecuteGet': 'get',
    '.GetJsonAsync': 'get',
    '.Post': 'post',
    '.PostAsync': 'post',
    '.ExecutePostAsync': 'post',
    '.PostJsonAsync': 'post',
    '.Put': 'put',
    '.PutAsync': 'put',
    '.ExecutePutAsync': 'put',
    '.Patch': 'patch',
    '.PatchAsync': 'patch',
    '.Delete': 'delete',
    '.DeleteAsync': 'delete',
  }
  return [
    ...any,
    ...verbRules(verbs, common),
    { callee: 'new RestRequest', method: SECOND, defaultMethod: 'get', url: FIRST },
  ]
}

function flurl(): readonly ClientRule[] {
  const url = { isReceiver: true } as const
  const verbs: Verbs = {
    '.GetJsonAsync': 'get',
    '.GetStringAsync': 'get',
    '.GetStreamAsync': 'get',
    '.GetBytesAsync': 'get',
    '.GetAsync': 'get',
    '.PostJsonAsync': 'post',
    '.PostUrlEncodedAsync': 'post',
    '.PostStringAsync': 'post',
    '.PostMultipartAsync': 'post',
    '.PostAsync': 'post',
    '.PutJsonAsync': 'put',
    '.PatchJsonAsync': 'patch',
    '.DeleteAsync': 'delete',
    '.HeadAsync': 'head',
    '.DownloadFileAsync': 'get',
  }
  const from = ['Flurl.Http', 'Flurl']
  return [
    ...verbRules(verbs, { from, url }),
    { callee: '.SendJsonAsync', from, method: FIRST, url },
    { callee: '.SendAsync', from, method: FIRST, url },
    {
      callee: '.Request',
      from,
      receiver: ['new FlurlClient', 'new IFlurlClient'],
      method: 'get',
      methodFrom: verbs,
      url: FIRST,
      base: FIRST,
    },
  ]
}

function declared(): readonly ClientRule[] {
  const verbs: Verbs = {
    '@Get': 'get',
    '@Post': 'post',
    '@Put': 'put',
    '@Patch': 'patch',
    '@Delete': 'delete',
    '@Head': 'head',
  }
  return [
    ...verbRules(verbs, { receiver: ['@BaseAddress', '@HttpHost'], url: FIRST, base: FIRST }),
    ...verbRules(verbs, {
      from: ['Refit', 'RestEase'],
      url: FIRST,
      baseFrom: { '@class': FIRST },
    }),
    ...[
      'RestService.For',
      'RestClient.For',
      'RestEase.RestClient.For',
      'Refit.RestService.For',
    ].map((callee): ClientRule => ({ callee, method: 'get', url: FIRST })),
  ]
}

/** Clients of C#. */
export const cSharpClients: readonly ClientRule[] = [
  ...httpClient(),
  ...older(),
  ...restSharp(),
  ...flurl(),
  ...declared(),
  { callee: '.ConnectAsync', receiver: ['new ClientWebSocket'], method: 'get', url: FIRST },
  { callee: 'GrpcChannel.ForAddress', method: 'post', url: FIRST },
]
