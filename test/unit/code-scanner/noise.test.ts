import { describe, expect, it } from 'vitest'
import { startsWithHost } from '../../../core/code-scanner/noise/url-hosts.ts'
import { scanFiles, scanTypeScript, skipsSyntax } from './scan.ts'

/** Texts that contain URLs without using an API, by the reason to ignore them. */
const NEGATIVES: Readonly<Record<string, string>> = {
  'line comments': `// fetch('https://api.acme-pay.com/v1')`,
  'block comments': `/* see https://api.acme-pay.com/v1 */`,
  'licence headers': `/** Licensed under https://www.apache.org/licenses/LICENSE-2.0 */ const x = 1`,
  'licence constants': `const LICENSE_URL = 'https://opensource.org/licenses/MIT'`,
  'documentation by host': `const url = 'https://docs.acme-pay.com/v1/charges'`,
  'documentation by path': `const url = 'https://acme-pay.com/docs/v1/charges'`,
  'documentation by name': `const docsUrl = 'https://acme-pay.com/v1/charges'`,
  'XML namespaces': `const ns = 'http://www.w3.org/2000/svg'`,
  'namespaces by group': `const feed = { custom_namespaces: { podcast: 'https://acme-pay.com/podcasts/1.0' } }`,
  'SOAP namespaces': `const ENVELOPE_URL = 'http://schemas.xmlsoap.org/soap/envelope/'`,
  'JSON schemas': `const base = { $schema: 'https://json-schema.org/draft/2020-12/schema' }`,
  'example domains': `fetch('https://api.example.com/v1')`,
  'reserved suffixes': `fetch('https://api.service.test/v1'); fetch('https://api.service.invalid/v1')`,
  localhost: `fetch('http://localhost:8080/api')`,
  'loopback addresses': `fetch('http://127.0.0.1/api')`,
  'private addresses': `fetch('http://192.168.1.4/api'); fetch('http://10.0.0.2/api')`,
  'names of a cluster': `fetch('http://billing:8080/api'); fetch('http://billing.svc.cluster.local/api')`,
  'services of a namespace': `fetch('http://billing.shop-backend:8080/api/v1')`,
  'groups of Kubernetes': `const secret = { apiVersion: 'external-secrets.io/v1beta1' }`,
  'made-up domains': `fetch('https://your-domain.com/api'); fetch('https://foo.bar/api')`,
  'placeholders of tenants': `fetch('https://your-shop-instance.com/api')`,
  'examples by name': `const ENDPOINT_URL_EXAMPLES = ['https://api.acme-pay.com/v1/hooks/1']`,
  'hosts of redirects': `const redirects = [{ source: '/', destination: 'https://in.acme-pay.com', permanent: true }]`,
  'ways of a journey': `const legs = [{ source: 'Paris', destination: 'https://www.tour-acme.com/rome' }]`,
  'ways of data': `const leg = { 'data-source': '/in', destination: 'https://www.tour-acme.com/rome' }`,
  'pages for exports': `const baseUrl = 'https://takeout.google.com/takeout/custom/mail'`,
  'wholly unknown hosts': `fetch('https://' + host + '/api/v1')`,
  'sites of any host': `fetch('https://www.' + host + '/api/v1')`,
  'links opened in a window': `window.open('https://acme-pay.com/api/login')`,
  'links opened by a shell': `shell.openExternal('https://acme-pay.com/api/login')`,
  navigation: `window.location.href = 'https://acme-pay.com/api/login'`,
  redirects: `res.redirect('https://acme-pay.com/oauth/authorize')`,
  'error texts': `throw new Error('Not allowed: see https://acme-pay.com/api/errors')`,
  'errors of a URL alone': `throw new HttpError('https://acme-pay.com/api/errors')`,
  'log messages': `console.warn('https://acme-pay.com/api/v2 is gone'); logger.info('https://acme-pay.com/api')`,
  prose: `const usage = 'Get a key at https://acme-pay.com/api and set it.'`,
  'user agents': `const headers = { 'user-agent': 'bot (+https://acme-pay.com/api)' }`,
  'package metadata': `const pkg = { homepage: 'https://acme-pay.com/api', repository: 'https://github.com/a/b' }`,
  'scripts of a CDN': `const url = 'https://cdn.jsdelivr.net/npm/vue@3'`,
  badges: `const url = 'https://img.shields.io/npm/v/vue'`,
  images: `const url = 'https://acme-pay.com/api/logo.png'`,
  stylesheets: `const url = 'https://acme-pay.com/v1/site.css'`,
  documents: `const url = 'https://acme-pay.com/api/terms.pdf'`,
  'pages of code hosts': `const url = 'https://github.com/acme/pay/issues/3'`,
  'images of repositories': `const baseUrl = 'https://raw.githubusercontent.com/acme/pay/main/assets/72x72/'`,
  'schemas of repositories': `const schemaUrl = 'https://raw.githubusercontent.com/acme/pay/main/schema/pay.json'`,
  'pages of music': `const albumUrl = \`https://open.spotify.com/album/\${id}\``,
  'messages of a chat': `const baseUrl = \`https://slack.com/archives/\${channel}/p1\``,
  'pages of registries': `const url = 'https://www.npmjs.com/package/pay'`,
  'documents in a drive': `const bookUrl = 'https://drive.google.com/file/d/1llKk/view?usp=drive_link'`,
  'places on a map': `const mapUrl = \`https://www.openstreetmap.org/#map=10/\${lat}/\${lon}\``,
  'pages of app stores': `const appStoreUrl = 'https://apps.apple.com/us/app/pay/id1'; const base = 'https://play.google.com/store/apps/details?id=pay'`,
  'hosts of images': `const config = { images: { remotePatterns: [{ protocol: 'https', hostname: 'api.acme-pay.com' }] } }`,
  'hosts of images in a list of its own': `const patterns = [{ protocol: 'https', hostname: 'api.acme-pay.com' }]`,
  'prefixes that are removed': `const name = url.replace('https://api.acme-pay.com/v1/', '')`,
  'maps for people': `const mapUrl = \`https://maps.acme-pay.com/#map=10/\${lat}/\${lon}\`; const placeUrl = \`https://www.google.com/maps/search/\${name}\``,
  'links by name': `const endpoints = { playerLink: 'https://acme-pay.com/?search=' }`,
  'pages of films and slides': `const url = 'https://www.imdb.com/title/tt1'; const slidesUrl = 'https://speakerdeck.com/a/b'`,
  'questions and answers': `const url = 'https://stackoverflow.com/questions/1'`,
  fonts: `const url = 'https://fonts.googleapis.com/css2?family=Inter'`,
  'allowed origins': `app.use(cors({ origin: 'https://acme-pay.com/api' }))`,
  assertions: `expect(url).toBe('https://api.acme-pay.com/v1')`,
  comparisons: `if (url === 'https://api.acme-pay.com/v1') stop()`,
  'interceptors of tests': `nock('https://api.acme-pay.com').get('/v1').reply(200)`,
  'handlers of tests': `import { http } from 'msw'\nhttp.get('https://api.acme-pay.com/v1', () => {})`,
  'modules by URL': `import { z } from 'https://deno.land/x/zod/mod.ts'`,
  'lists of allowed hosts': `const c = { allowedHosts: ['api.acme-pay.com'], blockedDomains: ['api.acme.io'] }`,
  'lists of blocked hosts': `const BLOCKED = ['api.segment.io']; const TRACKERS = new Set(['api.mixpanel.com'])`,
  'lists of hosts to compare with': `const ADBLOCK_DOMAINS = ['https://api.a.io/v1']; const whitelistedUrlPatterns = ['https://api.b.io/v1']; const untrustedApiHosts = ['https://api.c.io/v1']`,
  'pages after an action': `const completion_url = 'https://acme-pay.com/thank-you'; const completed_url = 'https://acme-pay.com/done'; const suggested_site_url = 'https://acme-pay.com/other'`,
  'lists of hosts without a purpose': `const API_BLOCKLIST = ['api.segment.io']; const found = ['api.segment.io']`,
  'placeholders of inputs': `const getEndpointPlaceholder = (kind) => { return 'https://api.openai.com/v1' }`,
  'placeholders in properties': `const field = { baseUrlPlaceholder: 'https://api.openai.com/v1' }`,
  'tables of sites': `const engines = [{ domain: 'google.com', path: '/a' }, { domain: 'bing.com', path: '/b' }]`,
  'domains of images': `const nextConfig = { images: { domains: ['api.github.com'] } }`,
  'hosts in functions with capitals': `Log('api.github.com'); Print('api.telegram.org')`,
  'routes by host and path': `router.add({ host: 'www.acme-pay.com', path: '/login', method: 'GET' })`,
  'records with host and path': `logIt({ host: 'www.acme-pay.com', path: '/login', method: 'GET' }); logRequest({ host: 'www.acme-pay.com', path: '/login' })`,
  'referrers and origins': `const referrer = 'https://www.acme-pay.com/v1'; const refererUrl = 'https://www.acme-pay.com/v1'; const origin = 'https://www.acme-pay.com/v1'`,
  'pages of the network that a class shares to': `class AcmeSharingService { base = 'https://www.acme.com/images/find?q={0}' }`,
  'pages for sharing': `class ShareButton { base = 'https://www.acme.com/images/find?q={0}' }`,
  'policies of pages': `const csp = { connectSrc: ['https://api.acme-pay.com'] }`,
  'hosts of mail and cookies': `const c = { mailHost: 'api.acme-pay.com', cookieDomain: 'api.acme-pay.com' }`,
  'pages by name': `const webUrl = \`https://app.acme-pay.com/stories/\${id}\``,
  'pages of articles': `const items = [{ name: 'Habits', description: 'A routine', url: 'https://acme-pay.com/habits' }]`,
  'the site of an author': `const author = new Author({ name: 'Acme Pay', url: 'https://www.acme-pay.com' })`,
  'the site of a sitemap': `SitemapGenerator.Sitemap.default_host = 'https://acme-pay.com'`,
  'pages that a function returns': `function archive_url(id) { return \`https://web.acme-pay.com/web/3/\${id}\` }`,
  'hosts of records in a database': `Domain.find_by({ domain: 'ada.acme-pay.com' })`,
  'hosts with an unknown domain': `fetch(\`https://3000-\${id}.\${host}/api\`)`,
  'made-up hosts': `fetch('https://my-custom-storage.acme-pay.com/api'); fetch('https://base.url/api')`,
  types: `type Base = 'https://api.acme-pay.com/v1'`,
  'other schemes': `const url = 'postgres://db.acme-pay.com/api'`,
  'keys of a cache': `const key = cache.get('users/1')`,
  'own routes': `app.get('/v1/users', list); router.post('/api/v1/users', create)`,
}

const NAMED_LIKE_LINKS = {
  'a source of data': `config.set('source_url', 'https://api.acme-pay.com/v1')`,
  'a receiver': `urls.put('to', 'https://api.acme-pay.com/v1')`,
  'a site with an API': `const WWW_API_URL = 'https://api.acme-pay.com/v1'`,
  'an API beside the page after a payment': `const all = [{ name: 'Pay', url: 'https://api.acme-pay.com/v1', completedUrl: '/thanks' }]`,
  'an API beside that of another site': `const all = [{ name: 'Pay', url: 'https://acme-pay.com/find', suggestUrl: '/suggest' }]`,
  'an API with another of its site': `const all = [{ name: 'Search', url: 'https://google.serper.dev/find', suggestUrl: 'https://google.serper.dev/ac' }]`,
  'a service of block chains': `const blockchainUrlSuffixes = ['https://api.acme-pay.com/v1']`,
  'a service of ratings': `const trustpilotUrlPrefix = 'https://api.acme-pay.com/v1'`,
  'a service of whiteboards': `const whiteboardHosts = ['https://api.acme-pay.com/v1']`,
  'a constant without a further name': `export const URL = 'https://acme-pay.com/data/items'`,
  'an image that fills a gap': `const placeholderApiUrl = 'https://api.acme-pay.com/v1'`,
  'a service whose domain is a setting': `const settings = { domain: 'google.com', path: '/api' }`,
  'a service of a list with one server': `const servers = [{ domain: 'google.com', path: '/api' }]`,
  'a service of referrers': `const REFERRER_SERVICE_URL = 'https://api.acme-pay.com/v1'`,
}

describe.skipIf(skipsSyntax)('an address whose name is like that of a link', () => {
  it.each(Object.entries(NAMED_LIKE_LINKS))('is reported: %s', async (_, text) => {
    expect(await scanTypeScript(text)).toHaveLength(1)
  })
})

describe.skipIf(skipsSyntax)('a URL that statements complete', () => {
  it('is one finding, unless they add to its path', async () => {
    const find = (added: string) =>
      scanTypeScript(
        `let url = 'https://api.acme-pay.com/v1'\nurl += '${added}' + id\nexport { url }`,
      )
    expect(await find('?q=')).toHaveLength(1)
    expect(await find('/users/')).toHaveLength(2)
  })
})

describe.skipIf(skipsSyntax)('what is no use of an API', () => {
  it.each(Object.entries(NEGATIVES))('is not reported: %s', async (_, text) => {
    expect(await scanTypeScript(text)).toEqual([])
  })

  it('is not reported: links, images and texts of markup', async () => {
    const text = `const page = <p><a href="https://acme-pay.com/api">x</a><img src="https://acme-pay.com/v1" />
      https://acme-pay.com/api/v1</p>`
    expect((await scanFiles({ 'page.tsx': text })).findings).toEqual([])
  })
})

/** Uses that resemble the texts above. */
const POSITIVES: readonly (readonly [text: string, urls: readonly string[]])[] = [
  [
    `const rewrites = [{ source: '/in/:path*', destination: 'https://in.acme-pay.com/:path*' }]`,
    ['https://in.acme-pay.com/{}*'],
  ],
  [
    `const list = [new Endpoint('Mumbai', 's3.ap-south-1.amazonaws.com')]`,
    ['https://s3.ap-south-1.amazonaws.com'],
  ],
  [`const REGIONS = { eu: 's3.eu-west-1.amazonaws.com' }`, ['https://s3.eu-west-1.amazonaws.com']],
  [
    `client.send({ host: 'www.acme-pay.com', path: '/login', method: 'GET' })`,
    ['https://www.acme-pay.com/login'],
  ],
  [`sendSigned({ host: 'www.acme-pay.com', path: '/login' })`, ['https://www.acme-pay.com/login']],
  [`const REFERRER_API_URL = 'https://rewards.acme-pay.com'`, ['https://rewards.acme-pay.com']],
  [`const referrer_api = 'https://rewards.acme-pay.com'`, ['https://rewards.acme-pay.com']],
  [`const origin_host = 'https://edge.acme-pay.com'`, ['https://edge.acme-pay.com']],
  [`const origin_server = 'https://edge.acme-pay.com'`, ['https://edge.acme-pay.com']],
  [
    `class FileSharingService { base = 'https://upload.acme-pay.com/put' }`,
    ['https://upload.acme-pay.com/put'],
  ],
  [
    `class ScreenSharing { serverUrl = 'https://turn.acme-pay.com/put' }`,
    ['https://turn.acme-pay.com/put'],
  ],
  [
    `class RideSharingService { endpoint = 'https://rides.acme-pay.com/book' }`,
    ['https://rides.acme-pay.com/book'],
  ],
  [
    `function f(apiResponse) { const baseUrl = 'https://other.acme-pay.com'; client.send(baseUrl); apiResponse.url = \`\${baseUrl}/x\` }`,
    ['https://other.acme-pay.com'],
  ],
]

describe.skipIf(skipsSyntax)('what resembles no use', () => {
  it.each(POSITIVES)('is reported: %s', async (text, urls) => {
    const found = (await scanTypeScript(text)).map((line) => line.split(' ').at(-1))
    expect([...new Set(found)]).toEqual(urls)
  })
})

describe.skipIf(skipsSyntax)('options with a host and a path', () => {
  it.each([
    'recall',
    'callback',
    'prefetch',
    'router.call',
    'mock.send',
    'logRequest',
    'route.fetch',
  ])('are no request in %s', async (callee) => {
    const options = `{ host: 'www.acme-pay.com', path: '/login', method: 'GET' }`
    const found = await scanTypeScript(`${callee}(${options})`)
    expect(found.filter((line) => line.includes('/login'))).toEqual([])
  })
})

describe.skipIf(skipsSyntax)('texts for people and data of tests', () => {
  it('say nothing, but for calls', async () => {
    const { findings } = await scanFiles({
      'src/i18n/en.ts': `export const en = { apiUrl: 'https://api.acme-pay.com/v1' }
fetch('https://api.acme-pay.com/v2')`,
      'config/locales/en.yml': 'api_url: https://api.acme-pay.com/v1\n',
      'src/test/resources/a.json': '{ "api_url": "https://api.acme-pay.com/v1" }',
    })
    expect(findings.map(({ file, url }) => `${file} ${url}`)).toEqual([
      'src/i18n/en.ts https://api.acme-pay.com/v2',
    ])
  })

  it('are templates of e-mails, and script tags in recorded pages', async () => {
    const { findings } = await scanFiles({
      'packages/email/templates/join.tsx': `export const Join = ({ baseUrl = 'https://acme-pay.com' }) => <a>{baseUrl}</a>`,
      'spec/fixtures/page.html': '<script src="https://js.stripe.com/v3/"></script>',
    })
    expect(findings).toEqual([])
  })

  it('are links, even if calls of other files build on them', async () => {
    const { findings } = await scanFiles({
      'about.ts': `const links = [{ label: 'Code', href: 'https://acme-pay.com/code' }]`,
      'download.ts': `fetch('https://acme-pay.com/code/releases/v1')`,
    })
    expect(findings.map(({ file }) => file)).toEqual(['download.ts'])
  })
})

describe.skipIf(skipsSyntax)('records with a title', () => {
  it.each([
    ['feeds', `const feeds = [{ title: 'News', url: 'https://rss.acme-pay.com/home' }]`],
    ['servers', `const servers = [{ description: 'Europe', url: 'https://eu.acme-pay.com/shop' }]`],
  ])('are reported: %s', async (_, text) => {
    expect(await scanTypeScript(text)).toHaveLength(1)
  })
})

describe.skipIf(skipsSyntax)('what looks like noise but is called', () => {
  it.each([
    ['a page host', `fetch('https://github.com/login/oauth/access_token')`],
    ['a documentation host', `fetch('https://support.acme-pay.com/tickets')`],
    ['a page that people search', `fetch('https://acme-pay.com/search?q=' + name)`],
    ['an asset', `fetch('https://acme-pay.com/feed/archive.zip')`],
    ['a domain of one letter', `fetch('https://x.com/i/api/graphql/Timeline')`],
    [
      'a page of an article',
      `const page = { title: 'A', url: 'https://acme-pay.com/a' }; fetch(page.url)`,
    ],
    ['an item of a list', `for (const base of ['https://m1.acme-pay.com']) fetch(base + '/a')`],
    ['an interface of maps', `fetch('https://maps.google.com/maps/api/geocode/json?address=1')`],
    ['a name of a link', `const website = 'https://acme-pay.com/me'; fetch(website)`],
  ])('is reported: %s', async (_, text) => {
    expect((await scanTypeScript(text)).at(-1)).toMatch(/^1 call get https:/)
  })
})

describe.skipIf(skipsSyntax)('an image that a message shows', () => {
  it('is no base of calls', async () => {
    const text = `const alert = { avatar_url: \`https://files.acme-pay.com/\${logo}\` }
fetch('https://files.acme-pay.com/v1/list')`
    expect(await scanTypeScript(text)).toEqual(['2 call get https://files.acme-pay.com/v1/list'])
  })
})

describe.skipIf(skipsSyntax)('items of a collection', () => {
  const MIRRORS = `const MIRRORS = [{ url: 'https://m1.acme-pay.com' }, { url: 'https://m2.acme-pay.com' }]\n`
  const PATHS = `const PATHS = { a: '/a', b: '/b' }\n`
  it.each([
    ['a loop', MIRRORS, `for (const mirror of MIRRORS) fetch(mirror.url + '/a')`],
    ['a pattern of a loop', MIRRORS, `for (const { url } of MIRRORS) fetch(url + '/a')`],
    ['a callback', MIRRORS, `MIRRORS.filter(Boolean).map(({ url }) => fetch(url + '/a'))`],
    ['values', PATHS, `Object.values(PATHS).map((p) => fetch('https://m1.acme-pay.com' + p))`],
    [
      'entries',
      PATHS,
      `for (const [, p] of Object.entries(PATHS)) fetch('https://m1.acme-pay.com' + p)`,
    ],
  ])('are known in %s', async (_, list, text) => {
    expect(await scanTypeScript(list + text)).toContain('2 call get https://m1.acme-pay.com/a')
  })

  it('are unknown of keys, and of what another method passes', async () => {
    const text = `for (const p in PATHS) fetch('https://m1.acme-pay.com' + p)
PATHS.reduce((p) => fetch('https://m1.acme-pay.com' + p))`
    const found = await scanTypeScript(`const PATHS = ['/a']\n${text}`)
    expect(found.filter((each) => each.endsWith('/a'))).toEqual([])
  })
})

describe.skipIf(skipsSyntax)('paths below a base', () => {
  it('are reported at sites, and where a function builds a request', async () => {
    const text = `const baseUrl = 'https://www.acme-pay.com/main/'
const dayUrl = \`\${baseUrl}day.php?id=\${id}\`
function buildUrl(id) { return \`https://view.acme-pay.com/hourly?id=\${id}\` }`
    expect((await scanTypeScript(text)).map((each) => each.slice(0, 7))).toEqual([
      '1 base ',
      '2 base ',
      '3 base ',
    ])
  })
})

it.each([
  ['api.acme-pay.com/v1', true],
  ['{}.acme-pay.com', true],
  ['content_urls.desktop.page', false],
  ['content_urls.page/v1', false],
  ['my_tenant.auth0.com/oauth/token', true],
  ['my_bucket.s3.amazonaws.com:443', true],
  ['acme.backend/v1', false],
])('knows whether a host begins a text: %s', (text, wanted) => {
  expect(startsWithHost(text)).toBe(wanted)
})
