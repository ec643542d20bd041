import type { ClientRule } from '../model/program.ts'

const FIRST = { at: 0 } as const
const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const

/** Functions or methods by the method in their name. */
function verbs(prefix: string, rule: Omit<ClientRule, 'callee' | 'method'>): readonly ClientRule[] {
  return VERBS.map((method) => ({ ...rule, callee: `${prefix}${method}`, method }))
}

function reqwest(): readonly ClientRule[] {
  const receiver = ['reqwest', 'reqwest.blocking', 'reqwest_middleware'].flatMap((module) => [
    `${module}.Client.new`,
    `${module}.Client.builder`,
    `${module}.Client.default`,
    `${module}.ClientBuilder.new`,
    `${module}.ClientBuilder.default`,
    `new ${module}.Client`,
    `new ${module}.ClientBuilder`,
    `new ${module}.ClientWithMiddleware`,
  ])
  const requests = ['reqwest.Request.new', 'reqwest.blocking.Request.new']
  return [
    { callee: 'reqwest.get', method: 'get', url: FIRST },
    { callee: 'reqwest.blocking.get', method: 'get', url: FIRST },
    ...verbs('.', { receiver, url: FIRST }),
    { callee: '.request', receiver, method: FIRST, url: { at: 1 } },
    ...requests.map((callee): ClientRule => ({ callee, method: FIRST, url: { at: 1 } })),
  ]
}

/** `Request::builder().method(m).uri(u)` of `http`, which hyper, isahc and others share. */
function builders(): readonly ClientRule[] {
  const types = [
    'Request',
    'hyper.Request',
    'http.Request',
    'isahc.Request',
    'hyper.http.Request',
    'isahc.http.Request',
    'http.request.Builder',
    'axum.http.Request',
    'hyper.http.request.Builder',
  ]
  const receiver = types.flatMap((type) => [`${type}.builder`, `${type}.new`])
  return [
    { callee: '.uri', receiver, method: 'get', methodFrom: { '.method': FIRST }, url: FIRST },
    ...types.flatMap((type) => verbs(`${type}.`, { from: ['hyper', 'http', 'isahc'], url: FIRST })),
    ...verbs('.', {
      receiver: [
        'hyper.Client.new',
        'hyper.Client.builder',
        'new hyper.Client',
        'hyper_util.client.legacy.Client.builder',
      ],
      url: FIRST,
    }),
  ]
}

/** Clients with functions for the methods, and agents that have them too. */
function small(): readonly ClientRule[] {
  const agents = [
    'ureq.agent',
    'ureq.Agent.new',
    'ureq.Agent.new_with_defaults',
    'ureq.Agent.config_builder',
    'ureq.AgentBuilder.new',
    'new ureq.Agent',
    'surf.client',
    'surf.Client.new',
    'surf.Config.new',
    'new surf.Client',
    'isahc.HttpClient.new',
    'isahc.HttpClient.builder',
    'new isahc.HttpClient',
    'awc.Client.default',
    'awc.Client.new',
    'awc.Client.builder',
    'new awc.Client',
    'attohttpc.Session.new',
  ]
  const modules = [
    'ureq',
    'surf',
    'isahc',
    'attohttpc',
    'minreq',
    'gloo_net.http.Request',
    'reqwasm.http.Request',
    'ehttp.Request',
    'httpie',
  ]
  return [
    ...modules.flatMap((module) => verbs(`${module}.`, { url: FIRST })),
    { callee: 'isahc.get_async', method: 'get', url: FIRST },
    { callee: 'isahc.post_async', method: 'post', url: FIRST },
    { callee: 'ureq.request', method: FIRST, url: { at: 1 } },
    ...verbs('.', { receiver: agents, url: FIRST, baseFrom: { '.set_base_url': FIRST } }),
    { callee: '.request', receiver: agents, method: FIRST, url: { at: 1 } },
  ]
}

/** Clients of Rust. */
export const rustClients: readonly ClientRule[] = [
  ...reqwest(),
  ...builders(),
  ...small(),
  ...['tokio_tungstenite.connect_async', 'tungstenite.connect', 'connect_async'].map(
    (callee): ClientRule => ({ callee, method: 'get', url: FIRST }),
  ),
  ...[
    'Channel.from_static',
    'tonic.transport.Channel.from_static',
    'tonic.transport.Endpoint.from_static',
    'tonic.transport.Channel.from_shared',
  ].map((callee): ClientRule => ({ callee, method: 'post', url: FIRST })),
]
