import type { ClientRows } from '../model/client-rows.ts'

/** Clients of Go. */
export const goClients: readonly ClientRows[] = [
  {
    from: 'net/http',
    rows: `
      http.{Get|Head|Post}(url)
      POST http.PostForm(url)
      GET http.NewRequest(method, url)
      GET http.NewRequestWithContext(ctx, method, url)
      GET new http.Request(*, Method: method, URL: url)
    `,
  },
  {
    from: 'net/http',
    receiver: 'new http.Client, http.DefaultClient, retryablehttp.NewClient',
    rows: '.{Get|Head|Post|PostForm}(url)',
  },
  {
    rows: `
      retryablehttp.{Get|Head|Post}(url)
      retryablehttp.NewRequest(method, url)
      retryablehttp.NewRequestWithContext(ctx, method, url)
    `,
  },
  {
    receiver: '{resty.New|resty.NewWithClient|new resty.Client|new resty.Request|resty.R}',
    with: '.SetBaseURL(base), .SetHostURL(base), BaseURL = base',
    rows: '.{Verb}(url), .Execute(method, url)',
  },
  {
    from: 'github.com/imroc/req, github.com/imroc/req/v2, github.com/imroc/req/v3',
    rows: 'req.{Verb}(url)',
  },
  {
    receiver: '{req.C|req.NewClient|new req.Client|req.R|req.New|new req.Request}',
    with: '.SetBaseURL(base)',
    rows: '.{|Must}{Verb}(url)',
  },
  {
    receiver: 'sling.New, new sling.Sling',
    with: '.Base(base)',
    rows: '.{Verb}(url).Path(path), GET .Path(url)',
  },
  {
    receiver: 'gorequest.New, new gorequest.SuperAgent',
    rows: '.{Verb}(url), .CustomMethod(method, url)',
  },
  {
    from: 'github.com/valyala/fasthttp',
    receiver: 'fasthttp.AcquireRequest, new fasthttp.Request',
    with: '{.SetMethod|.Header.SetMethod|.SetMethodBytes}(method)',
    rows: 'GET .SetRequestURI(url)',
  },
  { rows: 'fasthttp.{Get|GetTimeout|Post}(dst, url)' },
  {
    from: 'github.com/gofiber/fiber/v2, github.com/gofiber/fiber/v3/client',
    rows: 'fiber.{Verb}(url)',
  },
  { receiver: 'fiber.AcquireClient, client.New', rows: '.{Verb}(url)' },
  { rows: 'grequests.{Get|Post}(url)' },
  // Request builders that projects define themselves.
  { rows: 'GET .NewRequestBuilder(url).{WithMethod|SetMethod|Method}(method)' },
  {
    from: 'github.com/gorilla/websocket, golang.org/x/net/websocket',
    receiver: 'websocket.DefaultDialer, new websocket.Dialer',
    rows: 'GET .Dial(url), GET .DialContext(ctx, url), GET websocket.Dial(url)',
  },
  {
    receiver: 'colly.NewCollector',
    rows: 'GET .Visit(url), .{Post|Head}(url), .Request(method, url)',
  },
  {
    rows: `
      POST grpc.Dial(url)
      POST grpc.DialContext(ctx, url)
      POST {grpc|graphql|jsonrpc}.NewClient(url)
      POST jsonrpc.NewClientWith{Opts|Options}(url), POST ethclient.Dial(url)
      POST option.WithEndpoint(url)
    `,
  },
  {
    from: 'github.com/carlmjohnson/requests',
    rows: 'GET requests.URL(url).{Path|Pathf}(path).{Post|Put|Patch|Delete}().Method(method)',
  },
]
