import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { GRAMMARS } from '../../../core/code-scanner/languages/languages.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

const grammars = await openGrammars(GRAMMARS)

async function findCalls(path: string, text: string): Promise<readonly string[]> {
  const catalogue = { match: () => undefined }
  const { findings } = await scanProject({ files: [{ path, text }], grammars, catalogue })
  return findings.filter(({ via }) => via === 'call').map(({ method, url }) => `${method} ${url}`)
}

/** Library, a program that calls it with two paths or one URL, and the call that it sends. */
const A = 'https://api.acme.io'
const GET = [`get ${A}/v1`]
const POST = [`post ${A}/v1`]

/** Program text around statements, by file extension. */
const BODY: Readonly<Record<string, (text: string) => string>> = {
  ts: (text) => text,
  py: (text) => text,
  rb: (text) => text,
  sh: (text) => text,
  go: (text) => {
    const [imports = '', body = ''] = text.split(' :: ')
    return `package a\nimport (${imports.split(' ').map((one) => `\n"${one}"`)}\n)\nfunc f() {\n${body}\n}\n`.replaceAll(
      ',\n',
      '\n',
    )
  },
  php: (text) => `<?php\n${text}\n`,
  rs: (text) => `async fn f() {\n${text}\n}\n`,
  java: (text) => (/^(?:import|@)/.test(text) ? text : `class C {\n void f() {\n${text}\n }\n}\n`),
  cs: (text) =>
    text.startsWith('using') ? text : `class C {\n async Task F() {\n${text}\n }\n}\n`,
}

describe.skipIf(!grammars).each([
  ['py', 'requests', `import requests\nrequests.get('${A}/v1')`, GET],
  ['py', 'requests session', `import requests\ns = requests.Session()\ns.post('${A}/v1')`, POST],
  ['py', 'httpx client', `import httpx\nc = httpx.Client(base_url='${A}')\nc.get('/v1')`, GET],
  [
    'py',
    'httpx async',
    `import httpx\nasync def f():\n  async with httpx.AsyncClient(base_url='${A}') as c:\n    await c.post('/v1')`,
    POST,
  ],
  [
    'py',
    'aiohttp',
    `import aiohttp\nasync def f():\n  async with aiohttp.ClientSession('${A}') as s:\n    async with s.get('/v1') as r:\n      pass`,
    GET,
  ],
  ['py', 'urllib', `import urllib.request\nurllib.request.urlopen('${A}/v1')`, GET],
  [
    'py',
    'urllib Request',
    `from urllib.request import Request, urlopen\nurlopen(Request('${A}/v1', method='POST'))`,
    POST,
  ],
  [
    'py',
    'urllib3',
    `import urllib3\nhttp = urllib3.PoolManager()\nhttp.request('POST', '${A}/v1')`,
    POST,
  ],
  [
    'py',
    'http.client',
    `import http.client\nc = http.client.HTTPSConnection('api.acme.io')\nc.request('POST', '/v1')`,
    [`post https://api.acme.io/v1`],
  ],
  ['go', 'net/http', `net/http :: http.Get("${A}/v1")`, GET],
  [
    'go',
    'http.NewRequest',
    `net/http :: req, _ := http.NewRequest(http.MethodPost, "${A}/v1", nil)`,
    POST,
  ],
  ['go', 'http.DefaultClient', `net/http :: http.DefaultClient.Post("${A}/v1", "", nil)`, POST],
  [
    'go',
    'resty',
    `github.com/go-resty/resty/v2 :: c := resty.New().SetBaseURL("${A}")\nc.R().Post("/v1")`,
    POST,
  ],
  [
    'go',
    'req',
    `github.com/imroc/req/v3 :: c := req.C().SetBaseURL("${A}")\nc.R().Get("/v1")`,
    GET,
  ],
  ['go', 'sling', `github.com/dghubble/sling :: sling.New().Base("${A}/").Post("v1")`, POST],
  [
    'go',
    'gorequest',
    `github.com/parnurzeal/gorequest :: gorequest.New().Post("${A}/v1").End()`,
    POST,
  ],
  [
    'go',
    'fasthttp',
    `github.com/valyala/fasthttp :: req := fasthttp.AcquireRequest()\nreq.SetRequestURI("${A}/v1")\nreq.Header.SetMethod("POST")`,
    POST,
  ],
  [
    'go',
    'fasthttp client',
    `github.com/valyala/fasthttp :: c := &fasthttp.Client{}\nc.Get(nil, "${A}/v1")`,
    GET,
  ],
  [
    'go',
    'heimdall',
    `github.com/gojek/heimdall/v7/httpclient :: c := httpclient.NewClient()\nc.Get("${A}/v1", nil)`,
    GET,
  ],
  [
    'go',
    'websocket',
    `github.com/gorilla/websocket :: websocket.DefaultDialer.DialContext(ctx, "wss://api.acme.io/v1", nil)`,
    ['get wss://api.acme.io/v1'],
  ],
  [
    'go',
    'colly',
    `github.com/gocolly/colly/v2 :: c := colly.NewCollector()\nc.Visit("${A}/v1")`,
    GET,
  ],
  ['ts', 'fetch', `fetch('${A}/v1', { method: 'POST' })`, POST],
  ['ts', 'axios', `import axios from 'axios'\naxios.get('${A}/v1')`, GET],
  [
    'ts',
    'axios instance',
    `import axios from 'axios'\nconst c = axios.create({ baseURL: '${A}' })\nc.post('/v1', {})`,
    POST,
  ],
  [
    'ts',
    'octokit',
    `import { request } from '@octokit/request'\nrequest('PATCH /gists/{id}', { id })`,
    ['patch https://api.github.com/gists/{}'],
  ],
  [
    'ts',
    'octokit by an object',
    `import { Octokit } from '@octokit/core'\nnew Octokit().request('GET /user')`,
    ['get https://api.github.com/user'],
  ],
  [
    'ts',
    'fetch of a document',
    `fetch(\`https://library.io\${key}.json\`)`,
    ['get https://library.io/{}.json'],
  ],
  ['sh', 'curl of a host like a file', 'curl "acme.sh/$1"', ['get https://acme.sh/{}']],
  ['ts', 'got', `import got from 'got'\ngot.post('${A}/v1')`, POST],
  ['ts', 'ky', `import ky from 'ky'\nconst c = ky.create({ prefixUrl: '${A}' })\nc.get('v1')`, GET],
  [
    'ts',
    'superagent',
    `import superagent from 'superagent'\nsuperagent.post('${A}/v1').send({})`,
    POST,
  ],
  [
    'ts',
    'undici',
    `import { request } from 'undici'\nrequest('${A}/v1', { method: 'POST' })`,
    POST,
  ],
  [
    'ts',
    'undici pool',
    `import { Pool } from 'undici'\nconst p = new Pool('${A}')\np.request({ path: '/v1', method: 'POST' })`,
    POST,
  ],
  [
    'ts',
    'node',
    `import https from 'node:https'\nhttps.request({ hostname: 'api.acme.io', path: '/v1', method: 'POST' })`,
    [`post https://api.acme.io/v1`],
  ],
  ['ts', '$fetch', `$fetch('/v1', { baseURL: '${A}' })`, GET],
  [
    'ts',
    'Angular',
    `class S { constructor(private http: HttpClient) {}\n f() { return this.http.post('${A}/v1', {}) } }`,
    POST,
  ],
  ['ts', 'jQuery', `$.ajax({ url: '${A}/v1', type: 'POST' })`, POST],
  [
    'ts',
    'redaxios',
    `import axios from 'redaxios'\nconst c = axios.create({ baseURL: '${A}' })\nc.get('/v1')`,
    GET,
  ],
  [
    'ts',
    'gaxios',
    `import { request } from 'gaxios'\nrequest({ url: '${A}/v1', method: 'POST' })`,
    POST,
  ],
  [
    'ts',
    'openapi-fetch',
    `import createClient from 'openapi-fetch'\nconst c = createClient({ baseUrl: '${A}' })\nc.GET('/v1')`,
    GET,
  ],
  [
    'ts',
    'Capacitor',
    `import { CapacitorHttp } from '@capacitor/core'\nCapacitorHttp.post({ url: '${A}/v1' })`,
    POST,
  ],
  [
    'ts',
    'Taro',
    `import Taro from '@tarojs/taro'\nTaro.request({ url: '${A}/v1', method: 'POST' })`,
    POST,
  ],
  ['ts', 'k6', `import http from 'k6/http'\nhttp.post('${A}/v1')`, POST],
  ['ts', 'Tauri', `import { fetch } from '@tauri-apps/plugin-http'\nfetch('${A}/v1')`, GET],
  ['rb', 'Faraday', `c = Faraday.new(url: '${A}')\nc.get('/v1')`, GET],
  ['rb', 'HTTParty', `HTTParty.post('${A}/v1')`, POST],
  [
    'rb',
    'HTTParty class',
    `class C\n  include HTTParty\n  base_uri '${A}'\n  def f\n    self.class.get('/v1')\n  end\nend`,
    GET,
  ],
  ['rb', 'RestClient', `RestClient.post('${A}/v1', {})`, POST],
  ['rb', 'RestClient request', `RestClient::Request.execute(method: :post, url: '${A}/v1')`, POST],
  ['rb', 'Net::HTTP', `Net::HTTP.get(URI('${A}/v1'))`, GET],
  ['rb', 'Net::HTTP request', `uri = URI('${A}/v1')\nreq = Net::HTTP::Post.new(uri)`, POST],
  ['rb', 'Excon', `c = Excon.new('${A}')\nc.request(method: :post, path: '/v1')`, POST],
  ['rb', 'HTTP.rb', `HTTP.auth('x').post('${A}/v1')`, POST],
  ['rb', 'HTTP.rb persistent', `c = HTTP.persistent('${A}')\nc.get('/v1')`, GET],
  ['rb', 'Typhoeus', `Typhoeus.get('${A}/v1')`, GET],
  ['rb', 'Typhoeus request', `Typhoeus::Request.new('${A}/v1', method: :post).run`, POST],
  [
    'php',
    'Guzzle',
    `$c = new GuzzleHttp\\Client(['base_uri' => '${A}']);\n$c->request('POST', '/v1');`,
    POST,
  ],
  [
    'php',
    'Symfony',
    `$c = HttpClient::create(['base_uri' => '${A}']);\n$c->request('GET', '/v1');`,
    GET,
  ],
  [
    'php',
    'Symfony base',
    `$c = HttpClient::createForBaseUri('${A}');\n$c->request('GET', '/v1');`,
    GET,
  ],
  [
    'php',
    'Laravel',
    `use Illuminate\\Support\\Facades\\Http;\nHttp::withToken('x')->post('${A}/v1');`,
    POST,
  ],
  [
    'php',
    'Laravel base',
    `use Illuminate\\Support\\Facades\\Http;\nHttp::baseUrl('${A}')->get('/v1');`,
    GET,
  ],
  ['php', 'curl', `$ch = curl_init('${A}/v1');\ncurl_setopt($ch, CURLOPT_POST, true);`, POST],
  [
    'php',
    'curl options',
    `$ch = curl_init();\ncurl_setopt_array($ch, [CURLOPT_URL => '${A}/v1', CURLOPT_CUSTOMREQUEST => 'POST']);`,
    POST,
  ],
  ['php', 'file_get_contents', `file_get_contents('${A}/v1');`, GET],
  ['php', 'WordPress', `wp_remote_post('${A}/v1', []);`, POST],
  ['java', 'OkHttp', `Request r = new Request.Builder().url("${A}/v1").post(body).build();`, POST],
  [
    'java',
    'Retrofit',
    `import retrofit2.http.*;\ninterface Api { @HTTP(method = "POST", path = "v1") Call<User> send(); }\nclass C { Api api = new Retrofit.Builder().baseUrl("${A}/").build().create(Api.class); }`,
    [...POST, `undefined ${A}/`],
  ],
  [
    'java',
    'Feign for Spring',
    `@FeignClient(name = "acme", url = "${A}")\ninterface Api { @PostMapping("/v1") User send(); }`,
    POST,
  ],
  [
    'java',
    'RestTemplate',
    `RestTemplate t = new RestTemplate();\nt.postForObject("${A}/v1", body, User.class);`,
    POST,
  ],
  [
    'java',
    'RestTemplate exchange',
    `RestTemplate t = new RestTemplate();\nt.exchange("${A}/v1", HttpMethod.POST, e, User.class);`,
    POST,
  ],
  [
    'java',
    'WebClient',
    `WebClient c = WebClient.builder().baseUrl("${A}").build();\nc.post().uri("/v1").retrieve();`,
    POST,
  ],
  [
    'java',
    'RestClient',
    `RestClient c = RestClient.create("${A}");\nc.get().uri("/v1").retrieve();`,
    GET,
  ],
  [
    'java',
    'HttpExchange',
    `@HttpExchange(url = "${A}")\ninterface Api { @PostExchange("/v1") User send(); }`,
    POST,
  ],
  [
    'java',
    'java.net.http',
    `HttpRequest r = HttpRequest.newBuilder().uri(URI.create("${A}/v1")).POST(b).build();`,
    POST,
  ],
  [
    'java',
    'java.net.http PATCH',
    `HttpRequest r = HttpRequest.newBuilder(URI.create("${A}/v1")).method("PATCH", b).build();`,
    [`patch ${A}/v1`],
  ],
  ['java', 'Apache 4', `HttpPost p = new HttpPost("${A}/v1");`, POST],
  [
    'java',
    'Apache 5',
    `ClassicHttpRequest r = ClassicRequestBuilder.post("${A}/v1").build();`,
    POST,
  ],
  [
    'java',
    'Apache 5 setUri',
    `ClassicHttpRequest r = ClassicRequestBuilder.post().setUri("${A}/v1").build();`,
    POST,
  ],
  ['java', 'Unirest', `Unirest.post("${A}/v1").asJson();`, POST],
  ['java', 'Micronaut', `HttpRequest<?> r = HttpRequest.POST("${A}/v1", body);`, POST],
  ['java', 'Fuel', `Fuel.get("${A}/v1");`, GET],
  [
    'cs',
    'HttpClient',
    `var c = new HttpClient { BaseAddress = new Uri("${A}") };\nawait c.GetAsync("/v1");`,
    GET,
  ],
  [
    'cs',
    'HttpClient message',
    `var c = new HttpClient();\nawait c.SendAsync(new HttpRequestMessage(HttpMethod.Post, "${A}/v1"));`,
    POST,
  ],
  [
    'cs',
    'RestSharp',
    `var c = new RestClient("${A}");\nvar r = new RestRequest("v1", Method.Post);\nawait c.ExecuteAsync(r);`,
    POST,
  ],
  [
    'cs',
    'RestSharp options',
    `var c = new RestClient(new RestClientOptions("${A}"));\nawait c.GetJsonAsync<User>("v1");`,
    GET,
  ],
  [
    'cs',
    'Refit',
    `using Refit;\ninterface IApi { [Post("/v1")] Task Send(); }\nclass C { IApi api = RestService.For<IApi>("${A}"); }`,
    [...POST, `undefined ${A}`],
  ],
  [
    'cs',
    'Flurl',
    `using Flurl.Http;\nclass D { async Task F() { await "${A}/v1".PostJsonAsync(body); } }`,
    POST,
  ],
  ['rs', 'reqwest', `let c = reqwest::Client::new(); c.post("${A}/v1").send().await;`, POST],
  ['rs', 'ureq', `ureq::post("${A}/v1").send_string("");`, POST],
  ['rs', 'surf', `surf::get("${A}/v1").await;`, GET],
  ['rs', 'hyper', `let r = hyper::Request::builder().method("POST").uri("${A}/v1");`, POST],
  ['sh', 'curl', `curl -X POST ${A}/v1`, POST],
  ['sh', 'wget', `wget --post-data=a ${A}/v1`, POST],
  ['sh', 'httpie', `http POST ${A}/v1 a=b`, POST],
  ['sh', 'Invoke-RestMethod', `Invoke-RestMethod -Method Post -Uri ${A}/v1`, POST],
  ['sh', 'Invoke-WebRequest', `Invoke-WebRequest ${A}/v1`, GET],
] as const)('in a .%s file, %s', (extension, _, text, calls) => {
  it('is known', async () => {
    const whole = BODY[extension]?.(text) ?? text
    expect(await findCalls(`src/a.${extension}`, whole)).toEqual(calls)
  })
})
