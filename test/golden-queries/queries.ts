/** A query with its expected results. */
export interface GoldenQuery {
  readonly q: string
  /** Vendors and titles of the expected APIs. One of them is sufficient. */
  readonly apis: readonly (readonly [vendor: string, title: string])[]
  /**
   * Method and path of expected endpoints, if the query is about an endpoint. One is sufficient.
   */
  readonly endpoint?: string | readonly string[]
  /** Other relevant APIs. Together with the expected ones, they form the ideal result list. */
  readonly others?: readonly (readonly [vendor: string, title: string])[]
}

const CHOMP = ['chompthis', 'Chomp Food Database'] as const
const CHOMP_2 = ['chompthis', 'Chomp Food Database API Documentation'] as const
const CODEGEN = [
  ['swagger', 'Swagger Generator'],
  ['tech', 'OpenAPI Generator Online'],
] as const
const DISCORD = ['discord', 'Discord HTTP API (Preview)'] as const
const FOOTBALL = [
  ['collegefootballdata', 'College Football Data'],
  ['collegefootballdata', 'College Football Data API'],
] as const
const LISTEN = [
  ['listennotes', 'Listen API: Podcast Search & Directory'],
  ['listennotes', 'Listen API: Podcast Search, Directory, and Insights API'],
] as const
const PETSTORE = [
  ['test-readmeio-oas-examples', 'Swagger Petstore'],
  ['test-oai-openapi-specification', 'Swagger Petstore'],
  ['test-apidevtools-swagger-parser', 'Swagger Petstore'],
] as const
const REGCHECK = [
  ['regcheck', 'Car Registration'],
  ['regcheck', 'Car Registration API'],
] as const
const SPIN = [
  ['spinbot', 'Article Rewriter and Article Extractor'],
  ['spinbot', 'Article Rewriter and Article Extractor API'],
] as const
const SPOTIFY = [
  ['spotify', 'Spotify Web API'],
  ['spotify', 'Spotify'],
] as const
const WEATHER = ['weatherbit', 'Weatherbit.io - Swagger UI Weather API documentation'] as const

/**
 * Typical queries, written before the ranking was tuned. Every third one, counted from the third,
 * was held out while tuning.
 */
export const GOLDEN_QUERIES: readonly GoldenQuery[] = [
  { q: 'stock quotes', apis: [['1forge', '1Forge Finance APIs']], endpoint: 'get /quotes' },
  { q: 'forex', apis: [['1forge', '1Forge Finance APIs']] },
  {
    q: 'add item to vault',
    apis: [['1password', '1Password Connect']],
    endpoint: 'post /vaults/{vaultUuid}/items',
  },
  { q: 'container image vulnerabilities', apis: [['anchore', 'Anchore Engine API Server']] },
  {
    q: 'html to pdf',
    apis: [['api2pdf', 'Api2Pdf - PDF Generation, Powered by AWS Lambda']],
    endpoint: 'post /chrome/html',
  },
  {
    q: 'merge pdf files',
    apis: [['api2pdf', 'Api2Pdf - PDF Generation, Powered by AWS Lambda']],
    endpoint: 'post /merge',
  },
  {
    q: 'generate barcode',
    apis: [['api2pdf', 'Api2Pdf - PDF Generation, Powered by AWS Lambda']],
    endpoint: 'get /zebra',
  },
  {
    q: 'make a payment',
    apis: [['beanstream', 'Beanstream Payments']],
    endpoint: 'post /payments',
  },
  { q: 'tokenize card', apis: [['beanstream', 'Beanstream Payments']] },
  {
    q: 'bike theft incidents',
    apis: [['bikewise', 'BikeWise API v2']],
    endpoint: 'get /v2/incidents',
  },
  {
    q: 'send invoice by email',
    apis: [['billingo', 'Billingo API v3']],
    endpoint: 'post /documents/{id}/send',
  },
  {
    q: 'exchange rates',
    apis: [
      ['billingo', 'Billingo API v3'],
      ['vatapi', 'VAT API'],
      ['1forge', '1Forge Finance APIs'],
    ],
  },
  {
    q: 'new bank account',
    apis: [['billingo', 'Billingo API v3']],
    endpoint: 'post /bank-accounts',
  },
  {
    q: 'bicycle rental stations',
    apis: [['bkk', 'realCity Query Server API']],
    endpoint: 'get /{dialect}/api/where/bicycle-rental',
  },
  { q: 'carbon offsets', apis: [['change', 'API V1']] },
  {
    q: 'donate to nonprofit',
    apis: [['change', 'API V1']],
    endpoint: 'post /api/v1/donations/create',
  },
  {
    q: 'food item by barcode',
    apis: [CHOMP, CHOMP_2],
    endpoint: 'get /food/branded/barcode.php',
  },
  {
    q: 'new meeting',
    apis: [['citrixonline', 'GoToMeeting']],
    endpoint: 'post /meetings',
  },
  { q: 'scim users', apis: [['citrixonline', 'SCIM']], endpoint: 'get /Users' },
  {
    q: 'farm field boundary',
    apis: [['climate', 'Climate FieldView Platform APIs']],
    endpoint: 'get /v4/boundaries/{boundaryId}',
  },
  {
    q: 'coming hackathons',
    apis: [['hackathonwatch', 'HackathonWatch']],
    endpoint: 'get /hackathons/coming.json',
  },
  { q: 'college football rankings', apis: FOOTBALL, endpoint: 'get /rankings' },
  {
    q: 'coronavirus report',
    apis: [['country', 'Coronavirus']],
    endpoint: 'get /summary/latest',
  },
  {
    q: 'comparing screenshots',
    apis: [['crossbrowsertesting', 'Crossbrowsertesting.com Screenshot Comparisons']],
  },
  { q: 'federal regulations documents', apis: [['data', 'Regulations.gov']] },
  { q: 'scrape web pages', apis: [['dataflowkit', 'Dataflow Kit Web Scraper']] },
  {
    q: 'website screenshot',
    apis: [
      ['dataflowkit', 'Dataflow Kit Web Scraper'],
      ['urlbox', 'Urlbox API'],
    ],
  },
  { q: 'create guild role', apis: [DISCORD], endpoint: 'post /guilds/{guild_id}/roles' },
  { q: 'emoji reactions on a message', apis: [DISCORD] },
  {
    q: 'createBackup',
    apis: [['discourse', 'Discourse API Documentation']],
    endpoint: 'post /admin/backups.json',
  },
  {
    q: 'bookmark topic',
    apis: [['discourse', 'Discourse API Documentation']],
    endpoint: 'put /t/{id}/bookmark.json',
  },
  { q: 'animal crossing villagers', apis: [['dodo', 'Nookipedia']], endpoint: 'get /villagers' },
  { q: 'fossils', apis: [['dodo', 'Nookipedia']] },
  { q: 'user extensions', apis: [['extpose', 'Extpose']], endpoint: 'get /user-extensions' },
  { q: 'list api keys', apis: [['files', 'Files.com']], endpoint: 'get /api_keys' },
  {
    q: 'copy folder',
    apis: [['files', 'Files.com']],
    endpoint: 'post /file_actions/copy/?*path',
  },
  { q: 'photo exif', apis: [['flickr', 'Flickr API Schema']] },
  { q: 'upload picture', apis: [['flickr', 'Flickr API Schema']], endpoint: 'post /upload' },
  {
    q: 'fork sandbox',
    apis: [['getsandbox', 'Sandbox']],
    endpoint: 'get /1/sandboxes/{sandboxName}/fork',
  },
  {
    q: 'find similar images',
    apis: [['gettyimages', 'Getty Images']],
    endpoint: 'get /v3/images/{id}/similar',
  },
  {
    q: 'editorial video search',
    apis: [['gettyimages', 'Getty Images']],
    endpoint: 'get /v3/search/videos/editorial',
  },
  {
    q: 'list pull requests',
    apis: [['gitea', 'Gitea API.']],
    endpoint: 'get /repos/{owner}/{repo}/pulls',
  },
  {
    q: 'remove git hook',
    apis: [['gitea', 'Gitea API.']],
    endpoint: 'delete /repos/{owner}/{repo}/hooks/git/{id}',
  },
  {
    q: 'fetch release attachments',
    apis: [['gitea', 'Gitea API.']],
    endpoint: 'get /repos/{owner}/{repo}/releases/{id}/assets',
  },
  { q: 'highways traffic sites', apis: [['highwaysengland', 'Highways England API']] },
  { q: 'base64 decode', apis: [['httpbin', 'httpbin.org']], endpoint: 'get /base64/{value}' },
  { q: 'delayed response', apis: [['httpbin', 'httpbin.org']] },
  {
    q: 'topup mobile phone',
    apis: [['idtbeyond', 'Active Documentation for /v1']],
    endpoint: 'post /iatu/topups',
  },
  {
    q: 'refresh jwt token',
    apis: [['illumidesk', 'IllumiDesk']],
    endpoint: 'post /auth/jwt-token-refresh/',
  },
  {
    q: 'place brokerage order',
    apis: [['interactivebrokers', 'IBKR 3rd Party Web API']],
    endpoint: 'post /accounts/{account}/orders',
  },
  {
    q: 'ip geolocation',
    apis: [
      ['ip2location', 'IP2Location IP Geolocation'],
      ['ip2location', 'IP2Location.io IP Geolocation API'],
    ],
    endpoint: 'get /',
  },
  { q: 'learner progress', apis: [['iqualify', 'iQualify Management API']] },
  { q: 'create a movie', apis: [['json2video', 'JSON2Video API']], endpoint: 'post /movies' },
  {
    q: 'count products',
    apis: [['jumpseller', 'Jumpseller API']],
    endpoint: 'get /products/count.json',
  },
  { q: 'shipping methods', apis: [['jumpseller', 'Jumpseller API']] },
  {
    q: 'driver location',
    apis: [['justeat', 'Just Eat UK']],
    endpoint: 'put /orders/{id}/deliverystate/driverlocation',
  },
  {
    q: 'land registry deeds',
    apis: [
      ['landregistry', 'Deed'],
      ['landregistry', 'Deed API'],
    ],
  },
  {
    q: 'podcast recommendations',
    apis: LISTEN,
    endpoint: 'get /podcasts/{id}/recommendations',
  },
  { q: 'random podcast episode', apis: LISTEN, endpoint: 'get /just_listen' },
  { q: 'places and local events', apis: [['lotadata', 'LotaData']] },
  {
    q: 'gene orthologs',
    apis: [['mcw', 'Rat Genome Database']],
    endpoint: 'get /genes/orthologs/{rgdId}',
  },
  {
    q: 'publish an update',
    apis: [['mercure', 'The Mercure protocol']],
  },
  { q: 'image nudity', apis: [['moderatecontent', 'Image Moderation']] },
  {
    q: 'monte carlo',
    apis: [['naviplancentral', 'NaviPlan']],
    endpoint: 'get /api/Calculations/MonteCarlo',
  },
  { q: 'workgroup buy orders', apis: [['noosh', 'Noosh API application']] },
  { q: 'atms', apis: [['openbanking', 'Open Data']], endpoint: 'get /atms' },
  {
    q: 'confirmation of funds',
    apis: [['openbanking', 'Confirmation of Funds API Specification']],
    endpoint: 'post /funds-confirmations',
  },
  {
    q: 'delete policy module',
    apis: [['openpolicy', 'Open Policy Agent (OPA) REST API']],
    endpoint: 'delete /v1/policies/{id}',
  },
  { q: 'compile a bot', apis: [['pandorabots', 'Pandorabots AIaaS']] },
  { q: 'tv channels', apis: [['pressassociation', 'TV API']], endpoint: 'get /channel' },
  { q: 'video games', apis: [['rawg', 'RAWG Video Games Database']], endpoint: 'get /games' },
  { q: 'vehicle registration', apis: REGCHECK, endpoint: 'get /Check' },
  { q: 'company board members', apis: [['roaring', 'CompanyAPI']] },
  { q: 'rig veda verses', apis: [['sheetlabs', 'rv']] },
  { q: 'add dns record', apis: [['solarvps', 'Solar VPS']], endpoint: 'post /dns/{domain}/add' },
  { q: 'bitcoin merchant order', apis: [['spectrocoin', 'SpectroCoin Merchant']] },
  { q: 'rewrite articles', apis: SPIN },
  { q: 'artist top tracks', apis: SPOTIFY, endpoint: 'get /artists/{id}/top-tracks' },
  {
    q: 'pause playback',
    apis: [['spotify', 'Spotify Web API']],
    endpoint: 'put /me/player/pause',
  },
  {
    q: 'employee timecards',
    apis: [['squareup', 'Square Connect']],
    endpoint: 'get /v1/me/timecards',
  },
  {
    q: 'cancel ride',
    apis: [['stagingecotaco', 'api.ecota.co v2']],
    endpoint: 'get /rides/{id}/cancel',
  },
  { q: 'generate client library', apis: CODEGEN },
  { q: 'horse racing', apis: [['theracingapi', 'The Racing API']] },
  {
    q: 'search venues',
    apis: [['ticketmaster', 'Discovery API']],
    endpoint: 'get /discovery/v2/venues',
  },
  { q: 'event offers', apis: [['ticketmaster', 'Commerce API']] },
  {
    q: 'nearby stops',
    apis: [['transitapp', 'Transit API']],
    endpoint: 'get /public/nearby_stops',
  },
  {
    q: 'device energy cost',
    apis: [['truesight', 'Hardware Sentry TrueSight Presentation Server REST API']],
  },
  { q: 'check vat number', apis: [['vatapi', 'VAT API']] },
  { q: 'update invoice', apis: [['vatapi', 'VAT API']], endpoint: 'put /invoice/{id}' },
  { q: 'open source package licenses', apis: [['versioneye', 'Available API endpoints']] },
  {
    q: 'acknowledge incidents',
    apis: [['victorops', 'VictorOps']],
    endpoint: 'patch /api-public/v1/incidents/ack',
  },
  { q: 'on-call schedule', apis: [['victorops', 'VictorOps']] },
  { q: 'air quality forecast', apis: [WEATHER] },
  { q: 'hourly forecast by postal code', apis: [WEATHER] },
  { q: 'wedding vendors', apis: [['wedpax', 'Wedpax']] },
  {
    q: 'reset stub mappings',
    apis: [['wiremock', 'WireMock']],
    endpoint: 'post /__admin/mappings/reset',
  },
  { q: 'xml to json', apis: [['wso2apistore', 'Transform']], endpoint: 'post /xmltojson' },
  { q: 'comics', apis: [['xkcd', 'XKCD']] },
  {
    q: 'article reviews',
    apis: [['zalando', 'Zalando Shop']],
    endpoint: 'get /articles/{articleId}/reviews',
  },
  { q: 'radio stations', apis: [['zeno', 'Aggregators API Service']] },
  { q: 'danceability', apis: SPOTIFY },
  { q: 'imageDigest', apis: [['anchore', 'Anchore Engine API Server']] },
  { q: 'guild_scheduled_event_id', apis: [DISCORD] },
  { q: 'speciesTypeKey', apis: [['mcw', 'Rat Genome Database']] },
  { q: 'vaultUuid', apis: [['1password', '1Password Connect']] },
  { q: 'getBestPodcasts', apis: LISTEN, endpoint: 'get /best_podcasts' },
  {
    q: 'repoMergePullRequest',
    apis: [['gitea', 'Gitea API.']],
    endpoint: 'post /repos/{owner}/{repo}/pulls/{index}/merge',
  },
  {
    q: '/me/player/shuffle',
    apis: [['spotify', 'Spotify Web API']],
    endpoint: 'put /me/player/shuffle',
  },
  { q: 'iatu/topups', apis: [['idtbeyond', 'Active Documentation for /v1']] },
  { q: 'spotify', apis: SPOTIFY },
  { q: 'getty', apis: [['gettyimages', 'Getty Images']] },
  { q: 'square', apis: [['squareup', 'Square Connect']] },
  { q: 'files.com', apis: [['files', 'Files.com']] },
  { q: 'discord webhooks', apis: [DISCORD] },
  { q: 'betfair streaming', apis: [['betfair', 'Betfair: Exchange Streaming API']] },
  { q: 'weath', apis: [WEATHER] },
  { q: 'podc', apis: [...LISTEN, ['zeno', 'Aggregators API Service']] },
  {
    q: 'book train trip',
    apis: [['test-readmeio-oas-examples', 'Train Travel API']],
    endpoint: 'get /trips',
  },
  { q: 'patent dataset', apis: [['test-oai-openapi-specification', 'USPTO Data Set API']] },
  { q: 'pets', apis: PETSTORE },
  {
    q: 'find events by keyword',
    apis: [
      ['ticketmaster', 'Discovery API'],
      ['lotadata', 'LotaData'],
      ['gettyimages', 'Getty Images'],
    ],
  },
  {
    q: 'change user password',
    apis: [
      ['wedpax', 'Wedpax'],
      ['c19qrserver', 'API for the COVID-19 Tracking QR Code Signin Server.'],
      ['discourse', 'Discourse API Documentation'],
      ['stagingecotaco', 'api.ecota.co v2'],
    ],
  },
  {
    q: 'car sale price',
    apis: [
      ['autodealerdata', 'CIS Automotive'],
      ['autodealerdata', 'CIS Automotive API'],
    ],
  },
  { q: 'api deployments revisions', apis: [['apigee', 'Registry API']] },
]
