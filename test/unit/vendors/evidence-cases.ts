/** A catalogued API. */
export interface CataloguedApi {
  readonly vendor: string
  /** Homepage of the vendor. */
  readonly homepage?: string
  readonly name: string
  readonly server: string
  /** Defaults of the server's variables. */
  readonly variables?: Readonly<Record<string, string>>
  /** `get /users/{id}`. */
  readonly endpoints: readonly string[]
}

/** Expected vendor and API of a URL for a certain catalogue, with the reason. */
export interface EvidenceCase {
  readonly url: string
  readonly apis?: readonly CataloguedApi[]
  /** Vendors without an API. */
  readonly vendors?: readonly { readonly name: string; readonly homepage: string }[]
  readonly vendor: string | undefined
  readonly api: string | undefined
  readonly why: string
}

const OPA: CataloguedApi = {
  vendor: 'openpolicyagent.org',
  homepage: 'https://github.com/open-policy-agent/opa',
  name: 'OPA',
  server: 'https://github.com',
  endpoints: ['get /', 'get /v1/policies'],
}

const ACME: CataloguedApi = {
  vendor: 'Acme',
  name: 'Acme API',
  server: 'https://api.acme.dev/v1',
  endpoints: ['get /users'],
}

const DATA: CataloguedApi = {
  vendor: 'Open Figures',
  name: 'Figures',
  server: 'https://raw.githubusercontent.com/figures/data/main',
  endpoints: ['get /us.json'],
}

const at = (server: string, more: Partial<CataloguedApi> = {}): CataloguedApi => ({
  ...ACME,
  server,
  ...more,
})

/** The catalogue is empty: only built-in vendors are known. */
const KNOWN: readonly EvidenceCase[] = [
  ['https://api.github.com/user', 'GitHub', 'the host of a known API'],
  ['https://uploads.github.com/x', 'GitHub', 'another host in the domain of a known API'],
  ['https://github.com/login/oauth/access_token', 'GitHub', 'the domain of a known API itself'],
  ['https://acme.zendesk.com/api/v2/tickets', 'Zendesk', 'a host that a known template fits'],
  ['https://acme.myshopify.com/admin/api', 'Shopify', 'a tenant below a suffix of the vendor'],
  ['https://maps.googleapis.com/maps/api', 'Google', 'a known host below a public suffix'],
  ['https://youtube.googleapis.com/v3', 'Google', 'a known domain that is a public suffix'],
  ['https://oauth2.google.com/token', 'Google', 'a domain of a vendor that no library calls'],
  [
    'https://dynamodb.us-east-1.amazonaws.com/',
    'Amazon Web Services',
    'a service of a cloud by its domain',
  ],
  [
    'https://bucket.s3.eu-west-1.amazonaws.com/x',
    'Amazon Web Services',
    'the storage API of a cloud, whosever the bucket',
  ],
  ['https://oauth.reddit.com/api', 'Reddit', 'a known API in a domain that people share'],
  ['https://a1.execute-api.us-east-1.amazonaws.com/prod', undefined, "a customer's own API in AWS"],
  ['https://lb-1.us-east-1.elb.amazonaws.com/v1', undefined, "a customer's load balancer"],
  ['https://ec2-1-2.compute-1.amazonaws.com/v1', undefined, "a customer's machine"],
  ['https://vm.westeurope.cloudapp.azure.com/v1', undefined, "a customer's machine in Azure"],
  ['https://acme.herokuapp.com/v1', undefined, "a customer's app at Heroku"],
  ['https://acme.azurewebsites.net/v1', undefined, "a customer's app at Azure"],
  ['https://connect.facebook.net/en_US/sdk.js', 'Meta', 'a script of Meta'],
  ['https://scontent.xx.fbcdn.net/v/1.jpg', 'Meta', 'the content network of Meta alone'],
  ['https://stats.g.doubleclick.net/j/collect', 'Google', 'advertising of Google'],
  ['https://www.google-analytics.com/g/collect', 'Google', 'statistics of Google'],
  ['https://region1.google-analytics.com/g/collect', 'Google', 'statistics of Google in a region'],
  ['https://www.googletagmanager.com/gtag/js', 'Google', 'tags of Google'],
  ['https://fonts.gstatic.com/s/x.woff2', 'Google', 'static files of Google'],
  ['https://i.ytimg.com/vi/1/default.jpg', 'Google', 'pictures of YouTube'],
  [
    'https://www.recaptcha.net/recaptcha/api.js',
    'Google',
    'captchas of Google under their other domain',
  ],
  ['https://js.hcaptcha.com/1/api.js', 'hCaptcha', 'captchas of hCaptcha'],
  ['https://abs.twimg.com/x.js', 'X', 'static files of X'],
  ['https://media.licdn.com/x.jpg', 'LinkedIn', 'pictures of LinkedIn'],
  ['https://api.segment.io/v1/t', 'Segment', 'events of Segment'],
  ['https://bam.nr-data.net/1/x', 'New Relic', 'measurements for New Relic'],
  ['https://in.hotjar.io/v1', 'Hotjar', 'recordings of Hotjar'],
  ['https://gum.criteo.net/x', 'Criteo', 'advertising of Criteo'],
  ['https://match.adsrvr.org/track', 'The Trade Desk', 'advertising of The Trade Desk'],
  ['https://client.crisp.chat/l.js', 'Crisp', 'a chat of Crisp'],
  ['https://js.intercomcdn.com/x.js', 'Intercom', 'static files of Intercom'],
  ['https://d111111abcdef8.cloudfront.net/x', undefined, "a customer's files at CloudFront"],
  ['https://acme.akamaihd.net/x', undefined, "a customer's files at Akamai"],
  ['https://acme.azureedge.net/x', undefined, "a customer's files at the network of Azure"],
  ['https://raw.githubusercontent.com/a/b/x.json', undefined, 'a file of somebody'],
  ['https://api.acme.dev/v1/users', undefined, 'a host that nobody knows'],
].map(([url = '', vendor, why = '']) => ({ url, vendor, api: undefined, why }))

/** Hosts in descriptions, and related hosts. */
const HOSTS: readonly EvidenceCase[] = [
  {
    url: 'https://api.acme.dev/v1/users',
    apis: [ACME],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'a catalogued endpoint',
  },
  {
    url: 'https://api.acme.dev/v2/orders',
    apis: [ACME],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'the own host of a catalogued API',
  },
  {
    url: 'https://billing.acme.dev/v1',
    apis: [ACME],
    vendor: undefined,
    api: undefined,
    why: 'no more than the domain of a catalogued API',
  },
  {
    url: 'https://billing.acme.dev/v1',
    apis: [{ ...ACME, vendor: 'acme.dev' }],
    vendor: 'acme.dev',
    api: undefined,
    why: 'a vendor that is named after the domain',
  },
  {
    url: 'https://billing.acme.dev/v1',
    apis: [{ ...ACME, homepage: 'https://www.acme.dev/api' }],
    vendor: 'Acme',
    api: undefined,
    why: 'the only homepage in the domain',
  },
  {
    url: 'https://billing.acme.dev/v1',
    vendors: [
      { name: 'Acme', homepage: 'https://acme.dev' },
      { name: 'Other', homepage: 'https://blog.acme.dev' },
    ],
    vendor: undefined,
    api: undefined,
    why: 'two homepages in one domain',
  },
  {
    url: 'https://billing.acme.dev/v1',
    vendors: [
      { name: 'Other', homepage: 'https://blog.acme.dev' },
      { name: 'acme.dev', homepage: '' },
    ],
    vendor: 'acme.dev',
    api: undefined,
    why: 'the name of a vendor before the homepage of another',
  },
  {
    url: 'https://api.acme.co.uk/v1',
    vendors: [{ name: 'Other', homepage: 'https://other.co.uk' }],
    vendor: undefined,
    api: undefined,
    why: 'a public suffix that two vendors share',
  },
  {
    url: 'https://api.acme.dev:8443/v1/users',
    apis: [{ ...ACME, homepage: 'https://acme.dev' }],
    vendor: 'Acme',
    api: undefined,
    why: 'a port that no server has, at the domain of a homepage',
  },
  {
    url: 'https://93.184.216.34/v2',
    apis: [at('https://93.184.216.34/v1')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'a catalogued address',
  },
  {
    url: 'https://acme.herokuapp.com/v2',
    apis: [at('https://acme.herokuapp.com')],
    vendor: 'Acme',
    api: 'Acme API',
    why: "a catalogued customer's app",
  },
  {
    url: 'https://herokuapp.com/orders',
    apis: [at('https://herokuapp.com', { vendor: 'herokuapp.com' })],
    vendor: undefined,
    api: undefined,
    why: 'a public suffix itself',
  },
  {
    url: 'https://httpbin.org/orders',
    apis: [at('https://httpbin.org', { vendor: 'httpbin.org' })],
    vendor: 'httpbin.org',
    api: 'Acme API',
    why: 'a service whose host is a public suffix',
  },
  {
    url: 'https://acme.httpbin.org/users',
    apis: [at('https://httpbin.org', { vendor: 'httpbin.org' })],
    vendor: undefined,
    api: undefined,
    why: 'a name below a service that is a public suffix',
  },
  {
    url: 'https://other.herokuapp.com/users',
    apis: [at('https://acme.herokuapp.com', { homepage: 'https://acme.herokuapp.com' })],
    vendor: undefined,
    api: undefined,
    why: 'an app beside a catalogued one',
  },
  {
    url: 'https://eu.acme.herokuapp.com/v2',
    apis: [at('https://acme.herokuapp.com', { homepage: 'https://acme.herokuapp.com' })],
    vendor: 'Acme',
    api: undefined,
    why: "a name below a customer's app",
  },
  {
    url: 'https://a1.execute-api.us-east-1.amazonaws.com/prod/users',
    apis: [at('https://a1.execute-api.us-east-1.amazonaws.com/prod')],
    vendor: 'Acme',
    api: 'Acme API',
    why: "a catalogued customer's API in AWS",
  },
  {
    url: 'https://b2.execute-api.us-east-1.amazonaws.com/prod/users',
    apis: [at('https://a1.execute-api.us-east-1.amazonaws.com/prod')],
    vendor: undefined,
    api: undefined,
    why: "another customer's API in AWS",
  },
  {
    url: 'https://sqs.us-east-1.amazonaws.com/users',
    apis: [at('https://a1.execute-api.us-east-1.amazonaws.com')],
    vendor: 'Amazon Web Services',
    api: undefined,
    why: 'a service of the cloud beside a catalogued customer',
  },
  {
    url: 'https://billing.internal/v1/users',
    apis: [at('https://billing.internal/v1')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'an endpoint of a private name',
  },
  {
    url: 'https://billing.internal/v2',
    apis: [at('https://billing.internal/v1')],
    vendor: undefined,
    api: undefined,
    why: 'another path of a private name',
  },
]

/** Hosts that many owners share. */
const SHARED: readonly EvidenceCase[] = [
  {
    url: 'https://api.github.com/user',
    apis: [OPA],
    vendor: 'GitHub',
    api: undefined,
    why: 'a known host in the domain of a homepage',
  },
  {
    url: 'https://github.com/',
    apis: [OPA],
    vendor: 'GitHub',
    api: undefined,
    why: 'the root of a code host',
  },
  {
    url: 'https://github.com/v1/policies',
    apis: [OPA],
    vendor: 'GitHub',
    api: undefined,
    why: 'an endpoint at the host of a known vendor',
  },
  {
    url: 'https://gist.github.com/x',
    apis: [OPA],
    vendor: 'GitHub',
    api: undefined,
    why: 'a host beside a code host',
  },
  {
    url: 'https://raw.githubusercontent.com/figures/data/main/us.json',
    apis: [DATA],
    vendor: 'Open Figures',
    api: 'Figures',
    why: 'base path and endpoint at a host of files',
  },
  {
    url: 'https://raw.githubusercontent.com/figures/data/main/de.json',
    apis: [DATA],
    vendor: undefined,
    api: undefined,
    why: 'the base path alone at a host of files',
  },
  {
    url: 'https://raw.githubusercontent.com/other/data/main/us.json',
    apis: [DATA],
    vendor: undefined,
    api: undefined,
    why: "somebody else's file",
  },
  {
    url: 'https://raw.githubusercontent.com/any/repo/file',
    apis: [
      {
        ...DATA,
        server: 'https://raw.githubusercontent.com',
        endpoints: ['get /{owner}/{repo}/{file}'],
      },
    ],
    vendor: undefined,
    api: undefined,
    why: 'a path of parameters at a host of files',
  },
  {
    url: 'https://raw.githubusercontent.com/',
    apis: [{ ...DATA, server: 'https://raw.githubusercontent.com', endpoints: ['get /'] }],
    vendor: undefined,
    api: undefined,
    why: 'the root of a host of files',
  },
  {
    url: 'https://virtserver.swaggerhub.com/acme/shop/1.0/users',
    apis: [at('https://virtserver.swaggerhub.com/acme/shop/1.0')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'an endpoint at a mock server',
  },
  {
    url: 'https://virtserver.swaggerhub.com/other/shop/1.0/users',
    apis: [at('https://virtserver.swaggerhub.com/acme/shop/1.0')],
    vendor: undefined,
    api: undefined,
    why: "another owner's mock",
  },
  {
    url: 'https://app.swaggerhub.com/apis',
    apis: [at('https://virtserver.swaggerhub.com/acme/shop/1.0', { vendor: 'swaggerhub.com' })],
    vendor: undefined,
    api: undefined,
    why: 'a vendor that is named after a domain of many owners',
  },
  {
    url: 'https://acme.p.rapidapi.com/users',
    apis: [at('https://acme.p.rapidapi.com')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'an endpoint at a market of APIs',
  },
  {
    url: 'https://other.p.rapidapi.com/users',
    apis: [at('https://acme.p.rapidapi.com', { vendor: 'rapidapi.com' })],
    vendor: undefined,
    api: undefined,
    why: 'another API of a market',
  },
  {
    url: 'https://api.example.com/v1/users',
    apis: [at('https://api.example.com/v1')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'an endpoint at an example host',
  },
  {
    url: 'https://api.example.com/v1/orders',
    apis: [at('https://api.example.com/v1', { vendor: 'example.com' })],
    vendor: undefined,
    api: undefined,
    why: 'another path of an example host',
  },
  {
    url: 'https://api.bitbucket.org/2.0',
    vendors: [{ name: 'Acme', homepage: 'https://bitbucket.org/acme' }],
    vendor: undefined,
    api: undefined,
    why: 'a homepage at a code host that no library calls',
  },
  {
    url: 'https://api.linkedin.com/v2',
    vendors: [{ name: 'Acme', homepage: 'https://www.linkedin.com/company/acme' }],
    vendor: 'LinkedIn',
    api: undefined,
    why: 'a homepage at a social network',
  },
]

/** Server URLs with variables. */
const TEMPLATES: readonly EvidenceCase[] = [
  {
    url: 'https://acme.zendesk.com/api/v2/users',
    apis: [at('https://{account}.zendesk.com/api/v2', { vendor: 'Integrator' })],
    vendor: 'Zendesk',
    api: undefined,
    why: "a template of somebody else's domain",
  },
  {
    url: 'https://acme.zendesk.com/api/v2/users',
    apis: [at('https://{account}.zendesk.com/api/v2', { vendor: 'Zendesk' })],
    vendor: 'Zendesk',
    api: 'Acme API',
    why: "a template of the vendor's own domain",
  },
  {
    url: 'https://acme.zendesk.com/api/v2/users',
    apis: [at('https://{account}.zendesk.com/api/v2', { vendor: 'zendesk.com' })],
    vendor: 'zendesk.com',
    api: 'Acme API',
    why: 'a template of a vendor that is named after its domain',
  },
  {
    url: 'https://acme.myshopify.com/users',
    apis: [at('https://{shop}.myshopify.com', { vendor: 'Integrator' })],
    vendor: 'Shopify',
    api: undefined,
    why: 'a template of the tenants of somebody else',
  },
  {
    url: 'https://acme.myshopify.com/users',
    apis: [at('https://{shop}.myshopify.com', { vendor: 'Shopify' })],
    vendor: 'Shopify',
    api: 'Acme API',
    why: "a template of the vendor's own tenants",
  },
  {
    url: 'https://other.herokuapp.com/users',
    apis: [at('https://{app}.herokuapp.com', { variables: { app: 'acme' } })],
    vendor: undefined,
    api: undefined,
    why: 'a template below a public suffix',
  },
  {
    url: 'https://acme.herokuapp.com/users',
    apis: [at('https://{app}.herokuapp.com', { variables: { app: 'acme' } })],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'the default of a template below a public suffix',
  },
  {
    url: 'https://sqs.amazonaws.com/users',
    apis: [at('https://{region}.amazonaws.com')],
    vendor: 'Amazon Web Services',
    api: undefined,
    why: 'a template of the names of a cloud',
  },
  {
    url: 'https://eu.acme.dev/users',
    apis: [at('https://{region}.acme.dev')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'a template of a domain that nobody else has',
  },
  {
    url: 'https://eu.acme.dev/users',
    apis: [
      { ...ACME, homepage: 'https://acme.dev' },
      at('https://{region}.acme.dev', { vendor: 'Integrator', name: 'Sync' }),
    ],
    vendor: 'Acme',
    api: undefined,
    why: "a template of another catalogued vendor's domain",
  },
  {
    url: 'https://api.acme.dev/v1/users',
    apis: [at('https://{region}.acme.dev/v1', { vendor: 'Integrator', name: 'Sync' }), ACME],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'a literal server before a template',
  },
  {
    url: 'https://files.example.com/users',
    apis: [at('https://{tenant}.example.com')],
    vendor: 'Acme',
    api: 'Acme API',
    why: 'an endpoint at a template of example hosts',
  },
  {
    url: 'https://files.example.com/orders',
    apis: [at('https://{tenant}.example.com')],
    vendor: undefined,
    api: undefined,
    why: 'another path at a template of example hosts',
  },
]

/** Other names of known vendors, and other vendors at hosts of known vendors. */
const NAMES: readonly EvidenceCase[] = [
  {
    url: 'https://api.github.com/users',
    apis: [at('https://api.github.com')],
    vendor: 'GitHub',
    api: undefined,
    why: 'a literal server at the host of a known vendor',
  },
  {
    url: 'https://sqs.us-east-1.amazonaws.com/users',
    apis: [at('https://sqs.us-east-1.amazonaws.com')],
    vendor: 'Amazon Web Services',
    api: undefined,
    why: 'a literal server at a service of a cloud',
  },
  {
    url: 'https://acme.zendesk.com/users',
    apis: [at('https://acme.zendesk.com')],
    vendor: 'Zendesk',
    api: undefined,
    why: "a literal server at one's account with a vendor",
  },
  {
    url: 'https://acme.supabase.co/v2',
    apis: [at('https://acme.supabase.co')],
    vendor: 'Acme',
    api: 'Acme API',
    why: "a literal server at one's own name below a public suffix of a vendor",
  },
  ...[
    ['https://api.github.com', 'GitHub, Inc.', 'a name with a legal form'],
    ['https://api.github.com', 'github.com', 'a domain as a name'],
    ['https://api.github.com', 'GitHub REST API', 'a name with words that every vendor has'],
    ['https://sqs.us-east-1.amazonaws.com', 'AWS', 'the initials of a name'],
    ['https://sqs.us-east-1.amazonaws.com', 'amazonaws.com', 'the domain of a cloud as a name'],
    ['https://api.twitter.com', 'Twitter', "the name of the vendor's domain"],
    ['https://maps.googleapis.com', 'Google Maps', 'a name that begins with the vendor'],
    ['https://apigeeregistry.googleapis.com', 'apigee', 'a name that the host begins with'],
  ].map(([server = '', vendor = '', why = '']) => ({
    url: `${server}/users`,
    apis: [at(server, { vendor })],
    vendor,
    api: 'Acme API',
    why,
  })),
  {
    url: 'https://api.github.com/users',
    vendors: [{ name: 'github.com', homepage: '' }],
    vendor: 'github.com',
    api: undefined,
    why: "the catalogue's spelling of a known vendor",
  },
  {
    url: 'https://sqs.us-east-1.amazonaws.com/',
    vendors: [
      { name: 'Amazon Web Services', homepage: '' },
      { name: 'amazonaws.com', homepage: '' },
    ],
    vendor: 'Amazon Web Services',
    api: undefined,
    why: 'the proper name of two spellings in the catalogue',
  },
  {
    url: 'https://sqs.us-east-1.amazonaws.com/',
    vendors: [{ name: 'Amazon', homepage: 'https://amazon.com' }],
    vendor: 'Amazon Web Services',
    api: undefined,
    why: 'no spelling: another vendor of a similar name',
  },
]

/** All cases. */
export const CASES: readonly EvidenceCase[] = [
  ...KNOWN,
  ...HOSTS,
  ...SHARED,
  ...TEMPLATES,
  ...NAMES,
]
