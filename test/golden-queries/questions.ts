import type { GoldenQuery } from './queries.ts'

const CHOMP = [
  ['chompthis', 'Chomp Food Database'],
  ['chompthis', 'Chomp Food Database API Documentation'],
] as const
const DISCORD = [['discord', 'Discord HTTP API (Preview)']] as const
const DISCOURSE = [['discourse', 'Discourse API Documentation']] as const
const FILES = [['files', 'Files.com']] as const
const FLICKR = [['flickr', 'Flickr API Schema']] as const
const GITEA = [['gitea', 'Gitea API.']] as const
const IP = [
  ['ip2location', 'IP2Location IP Geolocation'],
  ['ip2location', 'IP2Location.io IP Geolocation API'],
] as const
const LEDGERLY = ['Ledgerly', 'Ledgerly Payments'] as const
const PDF = [['api2pdf', 'Api2Pdf - PDF Generation, Powered by AWS Lambda']] as const
const PIGEON = [['Pigeon', 'Pigeon Messaging']] as const
const SHOP = [['jumpseller', 'Jumpseller API']] as const
const SPOTIFY = [
  ['spotify', 'Spotify Web API'],
  ['spotify', 'Spotify'],
] as const
const SQUARE = ['squareup', 'Square Connect'] as const
const TICKETMASTER = [['ticketmaster', 'Discovery API']] as const
const TRANSIT = [['transitapp', 'Transit API']] as const
const VICTOROPS = [['victorops', 'VictorOps']] as const
const WAYFARE = [['Wayfare', 'Wayfare Maps']] as const
const WEATHER = [
  ['weatherbit', 'Weatherbit.io - Swagger UI Weather API documentation'],
  ['Skycast', 'Skycast Weather'],
] as const
const WIREMOCK = [['wiremock', 'WireMock']] as const

/**
 * Questions from public forums and issues, reworded, about the real descriptions and our examples.
 * Written before the ranking was tuned for them. Every third question (the third, the sixth and so
 * on) is held out while tuning.
 */
export const GOLDEN_QUESTIONS: readonly GoldenQuery[] = [
  {
    q: 'list repositories',
    others: [
      ['test-oai-openapi-specification', 'Link Example'],
      ['versioneye', 'Available API endpoints'],
    ],
    apis: GITEA,
    endpoint: ['get /orgs/{org}/repos', 'get /users/{username}/repos', 'get /user/repos'],
  },
  { q: 'list repos of a user', apis: GITEA, endpoint: 'get /users/{username}/repos' },
  { q: 'get all repos of an organization', apis: GITEA, endpoint: 'get /orgs/{org}/repos' },
  {
    q: 'how to create a new repo with the api',
    apis: GITEA,
    endpoint: ['post /user/repos', 'post /orgs/{org}/repos', 'post /admin/users/{username}/repos'],
  },
  {
    q: 'add collaborator to repository',
    apis: GITEA,
    endpoint: 'put /repos/{owner}/{repo}/collaborators/{collaborator}',
  },
  {
    q: 'post comment on issue',
    apis: GITEA,
    endpoint: 'post /repos/{owner}/{repo}/issues/{index}/comments',
  },
  { q: 'create pull request', apis: GITEA, endpoint: 'post /repos/{owner}/{repo}/pulls' },
  { q: 'list branches of a repo', apis: GITEA, endpoint: 'get /repos/{owner}/{repo}/branches' },
  { q: 'get org members', apis: GITEA, endpoint: 'get /orgs/{org}/members' },
  { q: 'star a repo', apis: GITEA, endpoint: 'put /user/starred/{owner}/{repo}' },
  {
    q: 'download file from git repository',
    apis: GITEA,
    endpoint: [
      'get /repos/{owner}/{repo}/raw/{filepath}',
      'get /repos/{owner}/{repo}/contents/{filepath}',
      'get /repos/{owner}/{repo}/archive/{archive}',
    ],
  },
  {
    q: 'currency exchange rates',
    others: [],
    apis: [
      ['billingo', 'Billingo API v3'],
      ['vatapi', 'VAT API'],
      ['1forge', '1Forge Finance APIs'],
    ],
  },
  {
    q: 'currency converter api',
    apis: [['vatapi', 'VAT API']],
    endpoint: 'get /currency-conversion',
  },
  {
    q: 'fx rates',
    apis: [
      ['1forge', '1Forge Finance APIs'],
      ['billingo', 'Billingo API v3'],
      ['vatapi', 'VAT API'],
    ],
  },
  { q: 'convert usd to eur', apis: [['vatapi', 'VAT API']] },
  { q: 'send an SMS', others: [], apis: PIGEON, endpoint: 'post /messages' },
  { q: 'how to send a text msg from my app', apis: PIGEON, endpoint: 'post /messages' },
  {
    q: 'geocode an address',
    others: [['lotadata', 'LotaData']],
    apis: WAYFARE,
    endpoint: 'get /geocode',
  },
  { q: 'address to lat lng', apis: WAYFARE, endpoint: 'get /geocode' },
  { q: 'driving directions between two places', apis: WAYFARE },
  {
    q: 'refund a payment',
    others: [],
    apis: [LEDGERLY, SQUARE, ['beanstream', 'Beanstream Payments']],
  },
  {
    q: 'void a txn',
    apis: [SQUARE, ['beanstream', 'Beanstream Payments']],
    endpoint: [
      'post /v2/locations/{location_id}/transactions/{transaction_id}/void',
      'post /payments/{transId}/void',
    ],
  },
  {
    q: 'list transactions',
    others: [
      ...SHOP,
      ['idtbeyond', 'Active Documentation for /v1'],
      ['beanstream', 'Beanstream Payments'],
      ['interactivebrokers', 'IBKR 3rd Party Web API'],
    ],
    apis: [SQUARE],
    endpoint: 'get /v2/locations/{location_id}/transactions',
  },
  {
    q: 'charge a credit card',
    apis: [LEDGERLY, SQUARE, ['beanstream', 'Beanstream Payments']],
  },
  {
    q: 'save customer card for later payments',
    apis: [SQUARE, ['beanstream', 'Beanstream Payments']],
  },
  { q: 'list all customers', apis: [SQUARE, ...SHOP] },
  { q: '7 day weather forecast by city', apis: WEATHER },
  { q: 'current temperature for a zip code', apis: WEATHER },
  {
    q: 'historical weather data',
    others: [['collegefootballdata', 'College Football Data API']],
    apis: WEATHER,
  },
  { q: 'severe weather alerts', apis: [WEATHER[0]] },
  { q: 'get country from ip address', others: [], apis: [...IP, ['vatapi', 'VAT API']] },
  { q: 'geoip lookup', apis: IP },
  { q: 'where is my visitor located', apis: IP },
  { q: 'calories and nutrition facts', others: [], apis: CHOMP },
  { q: 'find food product by upc', apis: CHOMP, endpoint: 'get /food/branded/barcode.php' },
  {
    q: 'currently playing song',
    apis: SPOTIFY,
    endpoint: 'get /me/player/currently-playing',
  },
  {
    q: 'add tracks to playlist',
    apis: SPOTIFY,
    endpoint: [
      'post /playlists/{playlist_id}/tracks',
      'post /users/{user_id}/playlists/{playlist_id}/tracks',
    ],
  },
  {
    q: "get a user's playlists",
    apis: SPOTIFY,
    endpoint: ['get /users/{user_id}/playlists', 'get /me/playlists'],
  },
  {
    q: 'similar artists',
    others: [],
    apis: SPOTIFY,
    endpoint: 'get /artists/{id}/related-artists',
  },
  { q: 'list albums of an artist', apis: SPOTIFY, endpoint: 'get /artists/{id}/albums' },
  {
    q: 'bulk delete messages',
    others: [...PIGEON, ...FILES],
    apis: DISCORD,
    endpoint: 'post /channels/{channel_id}/messages/bulk-delete',
  },
  {
    q: 'ban a member',
    apis: DISCORD,
    endpoint: ['put /guilds/{guild_id}/bans/{user_id}', 'post /guilds/{guild_id}/bulk-ban'],
  },
  {
    q: 'kick user from server',
    apis: DISCORD,
    endpoint: 'delete /guilds/{guild_id}/members/{user_id}',
  },
  {
    q: 'send msg to channel',
    apis: DISCORD,
    endpoint: 'post /channels/{channel_id}/messages',
  },
  { q: 'list guild members', apis: DISCORD, endpoint: 'get /guilds/{guild_id}/members' },
  { q: 'create invite link', apis: [...DISCORD, ...DISCOURSE] },
  {
    q: 'assign role to member',
    apis: DISCORD,
    endpoint: 'put /guilds/{guild_id}/members/{user_id}/roles/{role_id}',
  },
  { q: 'create a forum topic', apis: DISCOURSE, endpoint: 'post /posts.json' },
  { q: 'list forum categories', apis: DISCOURSE, endpoint: 'get /categories.json' },
  {
    q: 'suspend user',
    apis: [...DISCOURSE, ['iqualify', 'iQualify Management API']],
    endpoint: ['put /admin/users/{id}/suspend.json', 'put /users/{userEmail}/suspend'],
  },
  {
    q: 'get photos of a user',
    apis: FLICKR,
    endpoint: 'get /rest?method=flickr.people.getPhotos',
  },
  { q: 'search photos by tag', apis: FLICKR, endpoint: 'get /rest?method=flickr.photos.search' },
  {
    q: 'list photo albums',
    apis: FLICKR,
    endpoint: 'get /rest?method=flickr.photosets.getList',
  },
  { q: 'stock photos', others: FLICKR, apis: [['gettyimages', 'Getty Images']] },
  {
    q: 'concerts near me',
    others: [['ticketmaster', 'Commerce API']],
    apis: [...TICKETMASTER, ['lotadata', 'LotaData']],
  },
  {
    q: 'search events by city',
    apis: [...TICKETMASTER, ['lotadata', 'LotaData']],
    endpoint: ['get /discovery/v2/events', 'get /events'],
  },
  {
    q: 'get account positions',
    apis: [['interactivebrokers', 'IBKR 3rd Party Web API']],
    endpoint: 'get /accounts/{account}/positions',
  },
  {
    q: 'cancel an open order',
    apis: [['interactivebrokers', 'IBKR 3rd Party Web API']],
    endpoint: 'delete /accounts/{account}/orders/{CustomerOrderId}',
  },
  {
    q: 'real time market data',
    apis: [
      ['interactivebrokers', 'IBKR 3rd Party Web API'],
      ['1forge', '1Forge Finance APIs'],
      ['betfair', 'Betfair: Exchange Streaming API'],
    ],
  },
  {
    q: 'find unmatched requests',
    apis: WIREMOCK,
    endpoint: 'get /__admin/requests/unmatched',
  },
  {
    q: 'clear request log of mock server',
    apis: WIREMOCK,
    endpoint: ['delete /__admin/requests', 'post /__admin/requests/reset'],
  },
  { q: 'convert word document to pdf', apis: PDF, endpoint: 'post /libreoffice/convert' },
  { q: 'qr code generator', others: [['nauth', 'n-Auth']], apis: PDF, endpoint: 'get /zebra' },
  {
    q: 'take a screenshot of a url',
    apis: [
      ['urlbox', 'Urlbox API'],
      ['dataflowkit', 'Dataflow Kit Web Scraper'],
    ],
  },
  {
    q: 'who is on call right now',
    apis: VICTOROPS,
    endpoint: 'get /api-public/v1/oncall/current',
  },
  { q: 'trigger an incident', apis: VICTOROPS, endpoint: 'post /api-public/v1/incidents' },
  { q: 'bus departures for a stop', apis: TRANSIT, endpoint: 'get /public/stop_departures' },
  { q: 'public transport route planner', apis: TRANSIT },
  {
    q: 'decode vin',
    others: [],
    apis: [
      ['autodealerdata', 'CIS Automotive'],
      ['autodealerdata', 'CIS Automotive API'],
    ],
    endpoint: 'get /vinDecode',
  },
  {
    q: 'license plate lookup',
    apis: [
      ['regcheck', 'Car Registration'],
      ['regcheck', 'Car Registration API'],
    ],
  },
  { q: 'list products', apis: [...SHOP, SQUARE, ['billingo', 'Billingo API v3']] },
  { q: 'get orders of a customer', apis: SHOP, endpoint: 'get /customers/{id}/orders.json' },
  {
    q: 'share a folder by link',
    apis: FILES,
    endpoint: ['post /bundles', 'post /bundles/{id}/share'],
  },
  {
    q: 'read secret from vault',
    apis: [['1password', '1Password Connect']],
    endpoint: ['get /vaults/{vaultUuid}/items/{itemUuid}', 'get /vaults/{vaultUuid}/items'],
  },
  {
    q: 'scan docker image for vulns',
    apis: [['anchore', 'Anchore Engine API Server']],
  },
  { q: 'list game genres', apis: [['rawg', 'RAWG Video Games Database']], endpoint: 'get /genres' },
  {
    q: 'podcast search',
    others: [
      ['zeno', 'Aggregators API Service'],
      ['spotify', 'Spotify Web API'],
    ],
    apis: [
      ['listennotes', 'Listen API: Podcast Search & Directory'],
      ['listennotes', 'Listen API: Podcast Search, Directory, and Insights API'],
    ],
  },
  { q: 'detect nsfw images', apis: [['moderatecontent', 'Image Moderation']] },
  { q: 'chatbot conversation', apis: [['pandorabots', 'Pandorabots AIaaS']] },
  {
    q: 'covid cases by region',
    apis: [['country', 'Coronavirus']],
    endpoint: 'get /summary/region',
  },
  { q: 'eu vat validation', apis: [['vatapi', 'VAT API']], endpoint: 'get /vat-number-check' },
]

/** Questions of newcomers whose expected API and endpoint must be first. */
export const FIRST_RESULTS: readonly GoldenQuery[] = [
  {
    q: 'create a git repository',
    apis: GITEA,
    endpoint: ['post /user/repos', 'post /orgs/{org}/repos'],
  },
  { q: 'create git repo', apis: GITEA, endpoint: ['post /user/repos', 'post /orgs/{org}/repos'] },
  {
    q: 'upcoming concerts',
    apis: TICKETMASTER,
    endpoint: ['get /discovery/v2/events', 'get /discovery/v2/events/{id}'],
  },
  { q: 'upcoming hackathons', apis: [['hackathonwatch', 'HackathonWatch']] },
  { q: 'list my repos', apis: GITEA, endpoint: 'get /user/repos' },
  { q: 'list my organizations', apis: GITEA, endpoint: 'get /user/orgs' },
  { q: 'my playlists', apis: SPOTIFY, endpoint: 'get /me/playlists' },
  { q: 'get my profile', apis: SPOTIFY, endpoint: 'get /me' },
  {
    q: 'list my notifications',
    apis: [['versioneye', 'Available API endpoints']],
    endpoint: 'get /me/notifications',
  },
]
