import type { ClientRule } from '../model/program.ts'

const HTTP = ['net/http'] as const

/** Requests by the method in the name: `Get`, `Post`, ... */
function verbs(
  names: readonly string[],
  rule: Omit<ClientRule, 'callee' | 'method'> & { readonly prefix: string },
): readonly ClientRule[] {
  const { prefix, ...rest } = rule
  return names.map((name) => ({ ...rest, callee: `${prefix}${name}`, method: name.toLowerCase() }))
}

const VERBS = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options']

/** Clients of Go. */
export const goClients: readonly ClientRule[] = [
  ...verbs(['Get', 'Head', 'Post'], { prefix: 'http.', from: HTTP, url: { at: 0 } }),
  { callee: 'http.PostForm', from: HTTP, method: 'post', url: { at: 0 } },
  {
    callee: 'http.NewRequest',
    from: HTTP,
    method: { at: 0 },
    defaultMethod: 'get',
    url: { at: 1 },
  },
  {
    callee: 'http.NewRequestWithContext',
    from: HTTP,
    method: { at: 1 },
    defaultMethod: 'get',
    url: { at: 2 },
  },
  {
    callee: 'new http.Request',
    from: HTTP,
    method: { name: 'Method' },
    defaultMethod: 'get',
    url: { name: 'URL' },
  },
  ...verbs(['Get', 'Head', 'Post'], {
    prefix: '.',
    receiver: ['new http.Client', 'http.DefaultClient', 'retryablehttp.NewClient'],
    url: { at: 0 },
  }),
  {
    callee: '.PostForm',
    receiver: ['new http.Client', 'http.DefaultClient', 'retryablehttp.NewClient'],
    method: 'post',
    url: { at: 0 },
  },
  ...verbs(['Get', 'Head', 'Post'], { prefix: 'retryablehttp.', url: { at: 0 } }),
  { callee: 'retryablehttp.NewRequest', method: { at: 0 }, url: { at: 1 } },
  { callee: 'retryablehttp.NewRequestWithContext', method: { at: 1 }, url: { at: 2 } },
  ...resty(),
  ...req(),
  ...sling(),
  ...gorequest(),
  ...fasthttp(),
  ...fiber(),
  { callee: 'grequests.Get', method: 'get', url: { at: 0 } },
  { callee: 'grequests.Post', method: 'post', url: { at: 0 } },
  { callee: 'websocket.Dial', method: 'get', url: { at: 0 } },
  {
    callee: '.Dial',
    receiver: ['websocket.DefaultDialer', 'new websocket.Dialer'],
    method: 'get',
    url: { at: 0 },
  },
  { callee: 'grpc.Dial', method: 'post', url: { at: 0 } },
  { callee: 'grpc.DialContext', method: 'post', url: { at: 1 } },
  { callee: 'grpc.NewClient', method: 'post', url: { at: 0 } },
  { callee: 'option.WithEndpoint', method: 'post', url: { at: 0 } },
  { callee: 'graphql.NewClient', method: 'post', url: { at: 0 } },
  {
    callee: 'requests.URL',
    from: ['github.com/carlmjohnson/requests'],
    method: 'get',
    url: { at: 0 },
    pathFrom: { '.Path': { at: 0 }, '.Pathf': { at: 0 } },
    methodFrom: {
      '.Post': 'post',
      '.Put': 'put',
      '.Patch': 'patch',
      '.Delete': 'delete',
      '.Method': { at: 0 },
    },
  },
]

function resty(): readonly ClientRule[] {
  const rule = {
    receiver: [
      'resty.New',
      'resty.NewWithClient',
      'new resty.Client',
      'new resty.Request',
      'resty.R',
    ],
    url: { at: 0 },
    baseFrom: { '.SetBaseURL': { at: 0 }, '.SetHostURL': { at: 0 }, BaseURL: { at: 0 } },
  } as const
  return [
    ...verbs(VERBS, { prefix: '.', ...rule }),
    { ...rule, callee: '.Execute', method: { at: 0 }, url: { at: 1 } },
  ]
}

function req(): readonly ClientRule[] {
  const from = ['github.com/imroc/req', 'github.com/imroc/req/v2', 'github.com/imroc/req/v3']
  const rule = {
    receiver: ['req.C', 'req.NewClient', 'new req.Client', 'req.R', 'req.New', 'new req.Request'],
    url: { at: 0 },
    baseFrom: { '.SetBaseURL': { at: 0 } },
  } as const
  return [
    ...verbs(VERBS, { prefix: 'req.', from, url: { at: 0 } }),
    ...verbs(VERBS, { prefix: '.', ...rule }),
    ...VERBS.map((name) => ({ ...rule, callee: `.Must${name}`, method: name.toLowerCase() })),
  ]
}

function sling(): readonly ClientRule[] {
  return [
    ...verbs(VERBS, {
      prefix: '.',
      receiver: ['sling.New', 'new sling.Sling'],
      url: { at: 0 },
      baseFrom: { '.Base': { at: 0 } },
      pathFrom: { '.Path': { at: 0 } },
    }),
    {
      callee: '.Path',
      receiver: ['sling.New', 'new sling.Sling'],
      method: 'get',
      url: { at: 0 },
      baseFrom: { '.Base': { at: 0 } },
    },
  ]
}

function gorequest(): readonly ClientRule[] {
  const receiver = ['gorequest.New', 'new gorequest.SuperAgent']
  return [
    ...verbs(VERBS, { prefix: '.', receiver, url: { at: 0 } }),
    { callee: '.CustomMethod', receiver, method: { at: 0 }, url: { at: 1 } },
  ]
}

function fasthttp(): readonly ClientRule[] {
  const methodFrom = {
    '.SetMethod': { at: 0 },
    '.Header.SetMethod': { at: 0 },
    '.SetMethodBytes': { at: 0 },
  }
  return [
    {
      callee: '.SetRequestURI',
      receiver: ['fasthttp.AcquireRequest', 'new fasthttp.Request'],
      from: ['github.com/valyala/fasthttp'],
      method: 'get',
      methodFrom,
      url: { at: 0 },
    },
    { callee: 'fasthttp.Get', method: 'get', url: { at: 1 } },
    { callee: 'fasthttp.GetTimeout', method: 'get', url: { at: 1 } },
    { callee: 'fasthttp.Post', method: 'post', url: { at: 1 } },
  ]
}

function fiber(): readonly ClientRule[] {
  const from = ['github.com/gofiber/fiber/v2', 'github.com/gofiber/fiber/v3/client']
  return [
    ...verbs(VERBS, { prefix: 'fiber.', from, url: { at: 0 } }),
    ...verbs(VERBS, {
      prefix: '.',
      receiver: ['fiber.AcquireClient', 'client.New'],
      url: { at: 0 },
    }),
  ]
}
