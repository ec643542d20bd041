import { anyOf, lastName } from '../model/name-patterns.ts'
import { isNoiseCall } from './noise-calls.ts'
import { isFileName, isNoHost, isReservedHost, NOISE_HOSTS, NOISE_PATHS } from './noise-hosts.ts'
import { hostOf, isPrivateHost, pathOf } from './url-hosts.ts'

/** Names and calls around a URL. */
export interface UrlContext {
  /** Names that the URL is bound to, outermost first: binding, keys. */
  readonly names: readonly string[]
  /** Callee of the call that the URL is an argument of, or empty. */
  readonly callee: string
}

/**
 * Whether a URL never belongs to an API, even if it is catalogued: hosts of this machine, unknown
 * hosts. `url` may lack a scheme; file names are then no hosts.
 */
export function isNoiseHost(url: string): boolean {
  const host = hostOf(url)
  if (host === undefined || isNoHost(host)) return true
  return isFileName(host) && !/^\s*(?:(?:[a-z+]+:)?\/\/|[^/]+\/.)/i.test(url)
}

/** Whether a URL belongs to an API only if it is catalogued: private hosts, placeholders. */
export function isPlaceholder(url: string): boolean {
  const host = hostOf(url)
  return host !== undefined && (isReservedHost(host) || isPrivateHost(host))
}

/**
 * Whether a URL is by itself a link, a document, a namespace or an asset. Not for arguments of HTTP
 * clients.
 */
export function isNoiseUrl(url: string): boolean {
  const host = hostOf(url)
  if (host === undefined || isNoiseHost(url)) return true
  if (isEmbedded(url)) return false
  const hasKey = /[?&](?:key|apikey|api_key|appid|token|access_token|q|query)=/.test(url)
  const path = pathOf(url)
  if (!hasKey && !TILE_PATH.test(path) && NOISE_PATHS.some((pattern) => pattern.test(path)))
    return true
  return NOISE_HOSTS.some(({ host: pattern, except }) => pattern.test(host) && !except?.test(url))
}

/** Whether a page shows a URL with an unknown part: an embedded page or a generated image. */
export function isEmbedded(url: string): boolean {
  const path = pathOf(url)
  if (!/\{\}|[^/]\/$|=$/.test(path) || hostOf(url)?.includes('{')) return false
  return EMBED_HOST.test(hostOf(url) ?? '') || EMBED_PATH.test(path) || IMAGE_SERVICE.test(url)
}

const EMBED_HOST = /^(?:player|embed|widgets?|w)\./
const EMBED_PATH = /\/(?:embed|player|widget|e)(?:[/?.]|$)/

/** Services that make images for the pages of others: avatars, flags, badges, codes, icons. */
const IMAGE_SERVICE = new RegExp(
  String.raw`^https?:\/\/(?:www\.|secure\.)?${anyOf`
    gravatar\.com\/avatar img\.shields\.io img\.youtube\.com\/vi i\.ytimg\.com\/vi ui-avatars\.com\/api
    api\.dicebear\.com avatars\.dicebear\.com robohash\.org quickchart\.io api\.qrserver\.com unavatar\.io
    flagcdn\.com flagsapi\.com flag\.vercel\.app avatar\.vercel\.sh logo\.clearbit\.com
    icons\.duckduckgo\.com google\.com\/s2\/favicons img\.logo\.dev
  `}[/?]`,
)

/** Whether names and calls show that a URL is for people: links, messages, descriptions. */
export function isNoiseContext({ names, callee }: UrlContext): boolean {
  if (isNoiseCall(callee)) return true
  const property = SETTER.exec(callee)?.[1]
  if (property !== undefined && NOISE_NAMES.test(property)) return true
  const last = names.at(-1)?.replace(/^.*\./, '') ?? ''
  if (last === '') return false
  return NOISE_NAMES.test(last) || names.some((name) => NOISE_GROUPS.test(name) || isList(name))
}

/** Whether a name is that of a link for people: `homepage`, `webUrl`. */
export function isLinkName(name: string): boolean {
  return NOISE_NAMES.test(name)
}

/** Whether a text contains a URL in prose: `see https://…`. */
export function isProse(text: string): boolean {
  const trimmed = text.trim()
  return /^\+?\(?\S*\s/.test(trimmed) || !/^(?:[a-z+]+:)?\/\//i.test(trimmed)
}

/** Whether a name is that of a base URL or an address of an API. */
export function isBaseName(name: string): boolean {
  const last = lastName(name)
  return BASE_NAME.test(last) && !NOISE_NAMES.test(last) && !OTHER_HOST.test(last)
}

/** Whether a name is that of a URL, though not clearly an API's: `service_url`, `setupUrl`. */
export function isVagueName(name: string): boolean {
  const last = lastName(name)
  return /._?ur[il]s?$/i.test(last) && !API_NAME.test(last)
}

/** Whether a name is that of a group of API addresses: `endpoints`, `API_URLS`. */
export function isBaseGroup(name: string): boolean {
  return BASE_GROUP.test(lastName(name))
}

/** Whether the host is a registrable domain or its `www`, where sites are. */
export function isSiteHost(url: string): boolean {
  return /^(?:www\.)?[^.]+\.[^.]+$/.test(hostOf(url) ?? '')
}

/** Whether a name is that of a host, except for mail, cookies and databases. */
export function isHostName(name: string): boolean {
  const last = lastName(name)
  return (HOST_NAME.test(last) || HOST_END.test(last)) && !OTHER_HOST.test(last)
}

/** Whether a bare host may be an API's: a subdomain that is not of mail, pages or databases. */
export function isServiceHost(host: string): boolean {
  return (
    /^[^.]+\.[^.]+\.[^.]+/.test(host) &&
    !/^(?:www|expired)\b/i.test(host) &&
    !isOtherProtocolHost(host)
  )
}

/** Whether a host is named after another protocol than HTTP: mail, files, databases. */
export function isOtherProtocolHost(host: string): boolean {
  return OTHER_PROTOCOLS.test(host)
}

/** Whether a URL looks like an API's, by host or path. */
export function looksLikeApi(url: string): boolean {
  const path = pathOf(url)
  return API_HOST.test(hostOf(url) ?? '') || API_PATH.test(path) || TILE_PATH.test(path)
}

/** Tiles of a map, by zoom and position: `/{z}/{x}/{y}.png`. */
const TILE_PATH =
  /\/\{z\}\/\{[xy]\}\/\{-?[xy]\}|\/\{\}\/\{\}\/\{\}(?:\{\}|@\dx)?\.(?:png|jpe?g|webp|pbf|mvt)\b/

const OTHER_PROTOCOLS = new RegExp(
  String.raw`^${anyOf`
    smtp mail imap pop3? s?ftp xmpp mx\d* ns\d* dns db mysql postgres redis mongo kafka broker mqtt
    ldap vpn irc
  `}\b`,
  'i',
)

const API_HOST = new RegExp(
  String.raw`(?:^|[.-])${anyOf`
    api apis rest graphql gateway rpc hooks webhooks? oauth2? ws ingest events gql auth login
    accounts management s3 storage query\d? data services?
  `}(?:\d*[.-]|$)`,
)

const API_PATH = new RegExp(
  String.raw`\/${anyOf`
    api apis rest graphql gql rpc v\d+(?:\.\d+|beta\d*|alpha\d*)? \d\.\d oauth2? token (?:web)?hooks?
    wp-json jsonrpc query dns-query json search\.json
  `}(?:[/?#.]|$)|\.json(?:\?|$)|[?&]${anyOf`key apikey api_key appid access_token format`}=`,
  'i',
)

const BASE_GROUP = new RegExp(
  `${anyOf`
    endpoints apis base_?urls api_?urls servers hosts api_?hosts upstreams services?_?urls
    mirrors?
  `}$`,
  'i',
)

/** Setters of a property: `withTitleURL(url)`. */
const SETTER = /(?:^|\.)(?:with|set)_?([A-Z]\w*)$/

/** Names of the page that a request says it comes from: `REFERER_SHOP`, `refererFor`. */
export const REFERRER = String.raw`(?:http_?|get_?|find_?)?referr?er(?:_?ur[il]|_?(?:for|of)_?\w+|_(?!\w*(?:api|ur[il]))\w+)?`

/** Names of links for people. */
const NOISE_NAMES = new RegExp(
  `^${anyOf`
    ns_?ur[il]\d* (?:\w+_)?api_?(?:group|version)s? (?:xml_?)?namespace_(?!\w*(?:api|ur[il]|host))\w+
    href src srcset link links to xmlns xsi namespace ns schema \$schema \$id
    @context @id homepage repository repo bugs license licence documentation docs? docs_?url
    documentation_?url doc_?link see help help_?url help_?link web website references? see_?also
    site site_?url www_?(?!\w*api)\w*ur[il] original_?ur[il] origin
    user_?agent avatar avatar_?url image image_?url img
     icon icon_?url author_?icon footer_?icon thumb_?url logo logo_?url photo picture thumbnail poster
     cover favicon canonical og_?url
     author author_?url source_?url message msg description desc title label text tooltip \w*placeholders?
    help_?text hint example examples error errmsg err reason hint comment note copyright
    changelog release_?notes privacy privacy_?(?:url|policy|policy_?url) terms terms_?(?:url|of_service) tos
    faq support support_?url contact sponsor funding donate social twitter facebook linkedin
    instagram youtube discord slack_?invite store_?url app_?store play_?store tracker issue
    issues issue_?url bug_?url redirect redirect_?ur[il] return_?ur[il] success_?url cancel_?url
    callback callback_?url post_?logout_?redirect_?uri allowed_?origins? cors dtd public_?id
    system_?id target_?namespace badge badge_?url readme demo demo_?url tutorial guide
    learn_?more more_?info read_?more stylesheet css script cdn cdn_?url font fonts
    tile_?attribution attribution attributions
  `}$|^${REFERRER}$|(?:^|_|oauth\\w{0,20})scopes?$|(?<!download_?)links?$|_examples?$|${anyOf`
    docs? documentation help home home_?page web absolute ticket story tweet link permalink share browser dashboard console html
    output website repo repository issues? license avatar logo image icon profile thumbnail
    banner privacy terms support signup sign_?up pricing download_?page changelog release_?notes
    landing title namespace xmlns schema
  `}_?${anyOf`url uri link href page`}s?$|_(?:xmlns|namespace|ns)$|(?:Xmlns|Namespace)$`,
  'i',
)

const HOST_NAME = /^(?:[a-z_]*_)?(?:host|hostname|domain|server|authority|fqdn)(?:_?name)?$/i
const HOST_END = /(?:Host|Hostname|HostName|Domain|Server)$/i
const OTHER_HOST =
  /(?:mail|smtp|imap|cookie|session|sender|database|db|redis|mongo|ldap)_?(?:host|domain|server)_?(?:name)?$/i

/** Whether a name is that of a list to compare hosts with: `allowedHosts`, `blocklist_domains`. */
function isList(name: string): boolean {
  return LISTS.test(name.replaceAll(/[a-z\d](?=[A-Z])/g, '$&_'))
}

const LISTS = new RegExp(
  String.raw`(?:^|[^a-z])${anyOf`
    (?:dis)?allow(?:ed)? (?:un)?trust(?:ed)? (?:ad)?block(?:ed|ing)? den(?:y|ied) ignor(?:e|ed|ing)
    exclu(?:de|ded|des|ding|sion) white black spam disposable
  `}(?:list(?:ed)?)?(?:_\w+)?_?${anyOf`hosts? domains? origins? urls? list sites?`}(?:_?(?:sub(?:strings?|domains?)|(?:pref|suff)ix(?:es)?|patterns?))?$`,
  'i',
)

/** Groups that contain links for people. */
const NOISE_GROUPS = new RegExp(
  `^${anyOf`
    \w*links app_?info publisher ns csp content_?security_?policy \w+_?src organi[sz]ation creators? maintainers? contributors? brand
    person social\w* credits? sponsors? partners bookmarks footer\w* nav\w* author openGraph
    metadata seo head sidebar\w* menu\w* resources_links xmlns (?:[a-z]+_?)?namespaces nsmap
    headers?\.referer [\w.:]*sitemap[\w.:]* remotePatterns
  `}$`,
  'i',
)

/** Words in names of API addresses. */
const API_NAME = new RegExp(
  `${anyOf`
    base api endpoint root gateway graphql rpc rest hook backend upstream oauth auth token query
    suggest(?:ion)?s?_?ur[il] auto_?complet search host server request fetch feed login upload download notify push send post get json
    data list ajax proxy remote socket ws stream target default submit service_?base
  `}`,
  'i',
)

const BASE_NAME = new RegExp(
  String.raw`(?:^|_)${anyOf`
    url urls uri uris endpoint endpoints base root api apis host hostname gateway server service
    webhook origin_?api upstream backend rpc graphql
  `}(?:_|\d|$)|${anyOf`
    Url URL Uri URI Endpoint Endpoints Base Root Api API Host Hostname Server Webhook Address
    BaseAddress Backend Upstream Gateway
  `}s?\d*(?:[A-Z_]|$)|^${anyOf`base api rest graphql webhook endpoint url uri host`}[A-Za-z_]*$`,
  'i',
)
